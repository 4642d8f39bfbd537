"""Measures as texts name them."""

from __future__ import annotations

import pytest

from sfumato.errors import ParameterError
from sfumato.utility.measure_texts import measure_values


@pytest.mark.parametrize(
    ("text", "name", "values"),
    [
        ("ul", "ul", {}),
        ("are:queries=500,largest=2", "are", {"queries": 500, "largest": 2}),
        ("road-patterns:match=half", "road-patterns", {"match": "half"}),
        ("ul:weights=flu=1,hiv=0.5,intact=printed", "ul", {"weights": "flu=1,hiv=0.5", "intact": "printed"}),
        ("pattern-count:largest=3", "pattern-count", {"largest": 3}),
    ],
)
def test_names_and_parameters(text: str, name: str, values: dict[str, object]) -> None:
    assert measure_values(text) == (name, values)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("are:queries", "are: wanted parameter=value, found 'queries'; give queries a value"),
        ("are:queries=2,queries=3", "are: wanted queries once, found it twice"),
        ("are:queries=many", "Are: queries must be a whole number"),
        ("aer:queries=2", "no measure is called 'aer'"),
    ],
)
def test_refused(text: str, sentence: str) -> None:
    with pytest.raises(ParameterError) as refusal:
        measure_values(text)
    assert sentence in str(refusal.value)
