"""Pairs of near segments: the trees of boxes find what the exact distance finds, also across the date line."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato.errors import DataError
from sfumato.semantics.knowledge.geometry import shape_distance_m, without_crs
from sfumato.semantics.queries.companions import Members, pairs_of
from sfumato.semantics.queries.pattern_category import Companion
from sfumato.semantics.queries.segment_category import SegmentCategory

shapely = pytest.importorskip("shapely")


def members(points: np.ndarray, first_person: int) -> Members:
    number = len(points)
    return Members(np.zeros(number), np.full(number, 60.0), np.arange(number) + first_person, shapely.points(points))


@pytest.mark.parametrize("middle", [0.0, 180.0])
def test_pairs_are_those_of_the_exact_distance(middle: float) -> None:
    rng = np.random.default_rng(3)
    lon, lat = rng.normal(middle, 0.01, (2, 60)), rng.normal(60.0, 0.005, (2, 60))
    lon = (lon + 180) % 360 - 180
    first, second = (members(np.column_stack((lon[side], lat[side])), side * 100) for side in (0, 1))
    companion = Companion(segment=SegmentCategory(type="STOP"), person="other", at_most_m=500)
    found = set(zip(*(rows.tolist() for rows in pairs_of(first, second, companion)), strict=True))
    wanted = {
        (one, two)
        for one in range(60)
        for two in range(60)
        if shape_distance_m(first.shape[one], second.shape[two]) <= 500
    }
    assert found == wanted
    assert len({one for one, _ in wanted if lon[0][one] < 0}) > 3


def test_a_broken_reference_system_is_not_quoted() -> None:
    with pytest.raises(DataError) as error:
        without_crs("<x POINT(12.5 41.9)")
    assert "12.5" not in str(error.value)
