"""Facts about places: refusals in one sentence."""

from __future__ import annotations

import pytest

from sfumato.errors import DataError
from sfumato.semantics.publishing.place_facts import PlaceFacts


@pytest.mark.parametrize(
    ("frames", "message"),
    [
        ({"hours": {"place": ["a"], "opens_s": [1]}}, "hours needs a column 'closes_s'"),
        ({"hours": {"place": ["a"], "opens_s": [5], "closes_s": [1]}}, "must not end before they begin"),
        ({"hours": {"place": ["a"], "opens_s": [-5], "closes_s": [1]}}, "seconds of a week"),
        ({"events": {"place": ["a"], "begin": ["noon"], "end": [1]}}, "events needs numbers for begin, end"),
        ({"popularity": {"place": ["a"], "popularity": [-1]}}, "must not be negative"),
        ({"categories": {"place": ["a", "a"], "category": ["x", "y"]}}, "one category for each place"),
    ],
)
def test_refusals(frames: dict[str, object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        PlaceFacts.of(**frames)  # type: ignore[arg-type]
