"""Directions, units and bounds of all measures: the unchanged data have the best value, and no release a better one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from random_releases import cases
from sfumato.catalogue import MEASURES, measure_class
from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.errors import CallerError
from sfumato.utility.base import shortfall, usual_direction

# the smallest sets of equal records, or attackers, are smaller in unchanged data; other measures compare with them
OF_THE_RELEASE_ALONE = {"class-size", "discernibility", "guessed-places", "inference-routes", "reidentification"}
# half matches of published trajectories can outnumber the patterns, as its Notes say
BEYOND_THE_ORIGINAL = {"road-patterns"}
SMALL: dict[str, dict[str, Any]] = {"are": {"queries": 10}, "guessed-places": {"attackers": 200}}


@dataclass(frozen=True)
class Unchanged:
    """The original as a release of itself."""

    data: Any
    origin: Ints | None
    k: int = 2


def unchanged(original: Any) -> Unchanged:
    published, order = original.published()
    elements = original.elements_of(order) if isinstance(original, Ragged) else np.asarray(order)
    return Unchanged(published, elements)


@pytest.mark.parametrize("name", MEASURES.built_in)
def test_unchanged_data_are_best(name: str) -> None:
    measure = measure_class(name)(**SMALL.get(name, {}))
    compared = 0
    for kind in measure.kinds:
        for case in cases(kind)[:: 13 if name != "item-ncp" else 5]:
            if len(case.original.published()[1]) < len(case.original):
                continue  # records without visits or items, which are not published
            try:
                best = measure(case.original, unchanged(case.original)).value
                value = measure(case.original, case.release).value
            except CallerError:
                continue
            low, high = measure.bounds
            assert low - 1e-9 <= best <= high + 1e-9
            if name in OF_THE_RELEASE_ALONE | BEYOND_THE_ORIGINAL:
                continue
            assert shortfall(measure.better, best) <= shortfall(measure.better, value) + 1e-9, (case.name, best, value)
            compared += 1
    assert compared or name in OF_THE_RELEASE_ALONE | BEYOND_THE_ORIGINAL | {"re-a", "tlost", "tkd-a"}


@pytest.mark.parametrize("name", MEASURES.built_in)
def test_unit_bounds_and_direction_fit_together(name: str) -> None:
    measure = measure_class(name)
    low, high = measure.bounds
    is_percentage = measure.formula.startswith(("100 x", "100 *"))
    assert (measure.unit == "%") == is_percentage
    if measure.unit == "%" and (low < 0 or high > 100):
        assert measure.better.startswith("closer to "), "beyond 100 % more is not better"
    if measure.better.startswith("closer to "):
        best = float(measure.better.removeprefix("closer to "))
        assert low <= best <= high
        assert (low, high) != (best, best)
    if measure.better == "lower":
        assert np.isfinite(low), "the best value is known"
    assert usual_direction(measure.better) in ("lower", "higher")
