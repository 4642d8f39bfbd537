"""Preparations as texts: read back, and refused where they name nothing."""

from __future__ import annotations

import pytest

from sfumato.errors import ParameterError
from sfumato.methods.preparation_texts import step_of_text, step_words, text_of_step
from sfumato.prepare import Grid, Preparation, RegionsOfInterest, SplitByDay, SplitByWeek, StaysAtPlaces

MORE = [RegionsOfInterest(cells=100, density=0.005), StaysAtPlaces(radius_m=50, shortest_s=600)]


@pytest.mark.parametrize(
    "step",
    [Grid(), Grid(cells=20), Grid(cell_m=0.1, keep_repeats=True), SplitByDay(), SplitByWeek(offset_h=-3.5), *MORE],
)
def test_a_step_is_read_back(step: Preparation) -> None:
    assert step_of_text(text_of_step(step)) == step


def test_words() -> None:
    assert [step_words(step) for step in (Grid(), Grid(cell_m=500), SplitByWeek())] == [
        "a grid of 10 x 10 cells",
        "cells of 500 m",
        "single weeks",
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("gird", "preparation: no preparation is called 'gird'; did you mean 'grid'?"),
        ("grid:cell=5", "grid: wanted parameter=value, found 'cell=5'; did you mean 'cells'?"),
        ("grid:cells=0", "grid: cells must be a whole number of at least 1, or None, got 0"),
    ],
)
def test_refusals(text: str, sentence: str) -> None:
    with pytest.raises(ParameterError) as refusal:
        step_of_text(text)
    assert str(refusal.value) == sentence
