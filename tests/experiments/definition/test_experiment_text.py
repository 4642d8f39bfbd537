"""JSON values written as TOML are read back as they were."""

from __future__ import annotations

import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sfumato.experiments.definition.experiment_text import experiment_text

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
LEAVES = st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | TEXTS
VALUES = st.recursive(LEAVES, lambda part: st.lists(part, max_size=3) | st.dictionaries(TEXTS, part, max_size=3))


@given(st.dictionaries(TEXTS, VALUES, max_size=5))
def test_the_text_is_read_back(values: dict[str, Any]) -> None:
    assert tomllib.loads(experiment_text(values)) == values


def test_nothing_is_left_out() -> None:
    assert tomllib.loads(experiment_text({"a": None, "b": {"c": None, "d": 1}})) == {"b": {"d": 1}}
