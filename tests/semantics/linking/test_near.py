"""The spatial join, against every pair measured."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import polars as pl
import pytest

from sfumato.errors import DataError
from sfumato.semantics.linking.geometries import Geometries
from sfumato.semantics.linking.near import near_resources
from twins.linking import metres as literal_metres


def joined(where: np.ndarray, places: Geometries, tau_s: float, room: int = 1000) -> dict[tuple[int, int], float]:
    frames = list(near_resources(where, places, tau_s, room))
    rows = [row[:3] for frame in frames for row in frame.iter_rows()]
    assert [(position, resource) for position, resource, _ in rows] == sorted({row[:2] for row in rows})
    return {(position, resource): metres for position, resource, metres in rows}


def brute_force(where: np.ndarray, points: np.ndarray, of: np.ndarray, tau_s: float) -> dict[tuple[int, int], float]:
    pairs: dict[tuple[int, int], float] = {}
    for position, here in enumerate(where):
        for site, there in enumerate(points):
            metres = literal_metres(tuple(here), tuple(there))
            if metres <= tau_s:
                key = (position, int(of[site]))
                pairs[key] = min(metres, pairs.get(key, np.inf))
    return pairs


def spots(rng: np.random.Generator, middle: tuple[float, float], wide: float, count: int) -> np.ndarray:
    points = np.array(middle) + rng.uniform(-wide, wide, (count, 2)) * (10.0, 1.0 if abs(middle[1]) > 80 else 0.1)
    points[:, 0] = (points[:, 0] + 180) % 360 - 180
    points[:, 1] = np.clip(points[:, 1], -90, 90)
    return points


def as_wkt(points: np.ndarray) -> pl.Series:
    return pl.Series([f"POINT({x!r} {y!r})" for x, y in points.tolist()], dtype=pl.String)


@pytest.mark.parametrize(
    ("middle", "wide"), [((12.5, 41.9), 0.02), ((180.0, -17.0), 0.02), ((10.0, 90.0), 15.0), ((0.0, -89.9), 15.0)]
)
@pytest.mark.parametrize("tau_s", [0, 700, 3_000_000])
def test_points_as_by_brute_force(middle: tuple[float, float], wide: float, tau_s: float) -> None:
    rng = np.random.default_rng(3)
    where, sites = spots(rng, middle, wide, 60), spots(rng, middle, wide, 80)
    sites[:5] = where[:5]  # at no distance
    of = rng.integers(0, 40, 80)
    pairs = joined(where, Geometries.of(of, as_wkt(sites)), tau_s)
    wanted = brute_force(where, sites, of, tau_s)
    assert pairs == pytest.approx(wanted, abs=0.00101)  # the same pairs
    assert len(wanted) > 0


def test_the_bound_is_inclusive_and_distances_are_millimetres() -> None:
    where, places = (
        np.array([[-43.2205, -22.89939]]),
        Geometries.of(np.array([0]), pl.Series(["POINT(-43.2205 -22.8993)"])),
    )
    assert joined(where, places, 10.008) == {(0, 0): 10.008}
    assert joined(where, places, 10.007) == {}


def globe(degrees: np.ndarray) -> np.ndarray:
    lon, lat = np.radians(degrees).T
    return np.column_stack((np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)))


def sampled(where: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, float]:
    """Metres from each position to the nearest of many points of a line, and how far these points are apart."""
    steps = np.linspace(0, 1, 3001)[:, None]
    points = globe(np.concatenate([a + (b - a) * steps for a, b in pairwise(corners)]))
    chords = np.sqrt(np.maximum(2 - 2 * globe(where) @ points.T, 0)).min(axis=1)
    apart = np.linalg.norm(np.diff(points, axis=0), axis=1).max()
    return 2 * 6_371_008.8 * np.arcsin(np.minimum(chords / 2, 1)), 6_371_008.8 * apart


@pytest.mark.parametrize("middle", [(12.5, 41.9), (180.0, 70.0), (40.0, 89.5)])
@pytest.mark.parametrize("tau_s", [30, 400_000])
def test_lines_and_areas_as_by_many_points_along_them(middle: tuple[float, float], tau_s: float) -> None:
    rng = np.random.default_rng(8)
    size = tau_s / 50_000
    where = spots(rng, middle, size, 40)
    near = 0
    for number in range(9):
        corners = np.array(middle) + rng.uniform(-size, size, (4, 2)) * (10.0, 0.1)
        corners[:, 1] = np.clip(corners[:, 1], -90, 90)  # longitudes may go beyond 180
        inside = np.zeros(len(where), dtype=bool)
        if area := number % 3 == 0:
            low, high = corners.min(axis=0), corners.max(axis=0)
            corners = np.array([low, (high[0], low[1]), high, (low[0], high[1]), low])
            for turn in (-360, 0, 360):
                turned = where + np.array([turn, 0.0])
                inside |= ((turned >= low) & (turned <= high)).all(axis=1)
        text = ", ".join(f"{x!r} {y!r}" for x, y in corners.tolist())
        wkt = f"POLYGON(({text}))" if area else f"LINESTRING({text})"
        pairs = joined(where, Geometries.of(np.array([0]), pl.Series([wkt])), tau_s)
        wanted, apart = sampled(where, corners)
        wanted[inside] = 0
        for position, metres in enumerate(wanted):
            if (exact := pairs.get((position, 0))) is None:
                assert metres > tau_s - 0.001
            else:
                assert metres - apart / 2 - 0.1 <= exact <= metres + 0.1  # chords of neighbours lose a decimetre
                near += 1
    assert near > 10


def test_nearest_geometry_of_a_resource_and_collections() -> None:
    wkt = pl.Series(
        [
            "POINT(0 0)",
            "<http://www.opengis.net/def/crs/OGC/1.3/CRS84> POINT(0.01 0)",
            "GEOMETRYCOLLECTION(POINT(0 1), MULTILINESTRING((0 0.001, 1 0.001)))",
            "POLYGON EMPTY",
            "MULTIPOLYGON(((-1 -1, 1 -1, 1 1, -1 1, -1 -1), (-0.5 -0.5, 0.5 -0.5, 0.5 0.5, -0.5 0.5, -0.5 -0.5)))",
        ]
    )
    places = Geometries.of(np.array([0, 0, 1, 2, 3]), wkt)
    assert joined(np.array([[0.0, 0.0]]), places, 60_000) == {
        (0, 0): 0.0,
        (0, 1): 111.195,
        (0, 3): pytest.approx(55597.5, 1e-4),
    }


def test_nothing_near_nothing_there() -> None:
    empty = Geometries.of(np.array([], dtype=np.int64), pl.Series([], dtype=pl.String))
    assert joined(np.array([[0.0, 0.0]]), empty, 100) == {}
    assert joined(np.empty((0, 2)), empty, 100) == {}
    far = Geometries.of(np.array([0]), pl.Series(["POINT(100 0)"]))
    assert joined(np.array([[0.0, 0.0]]), far, 100) == {}


def test_more_pairs_than_room() -> None:
    places = Geometries.of(np.arange(50), pl.Series(["POINT(0 0)"] * 50))
    assert len(joined(np.zeros((7, 2)), places, 1, room=10)) == 350


def test_texts_that_are_no_geometry_are_refused() -> None:
    with pytest.raises(DataError, match=r"wanted well-known text \(WKT\), found 1 texts that are not"):
        Geometries.of(np.array([0]), pl.Series(["POINT(here)"]))
    with pytest.raises(DataError, match="wanted latitudes"):
        Geometries.of(np.array([0]), pl.Series(["POINT(41 120)"]))


def test_pairs_that_are_not_similar_are_left_out() -> None:
    wkt = pl.Series(["POINT(0 0)", "LINESTRING(0 0, 1 0)", "POLYGON((0 0, 1 0, 1 1, 0 0))", "POINT(0 0.0001)"])
    places = Geometries.of(np.arange(4), wkt)

    def similarity(positions: np.ndarray, resources: np.ndarray) -> np.ndarray:
        return np.where((positions + resources) % 2 == 0, resources / 4, -1.0)

    (frame,) = near_resources(np.zeros((2, 2)), places, 20, similarity=similarity)
    assert frame.rows() == [(0, 0, 0.0, 0.0), (0, 2, 0.0, 0.5), (1, 1, 0.0, 0.25), (1, 3, 11.12, 0.75)]
