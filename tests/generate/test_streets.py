"""Streets: as many nodes and roads as asked, in one piece, and no two cross."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import Network
from sfumato.errors import ParameterError
from sfumato.generate.streets import CLASS_SHARES, _lattice, _most_streets, class_speeds, road_classes, streets


def crossings(network: Network) -> int:
    """How many pairs of roads without a common node cross."""
    one, other = (network.points[network.ends[:, end]] for end in (0, 1))

    def side(p, q, r):  # on which side of the line p q each r lies
        return np.sign(
            (q[..., 0] - p[..., 0]) * (r[..., 1] - p[..., 1]) - (q[..., 1] - p[..., 1]) * (r[..., 0] - p[..., 0])
        )

    a, b, c, d = one[:, None], other[:, None], one[None], other[None]
    meet = (side(a, b, c) * side(a, b, d) < 0) & (side(c, d, a) * side(c, d, b) < 0)
    ends = network.ends
    apart = (ends[:, None, :, None] != ends[None, :, None, :]).all(axis=(2, 3))
    return int((meet & apart).sum())


@settings(max_examples=60)
@given(st.integers(30, 120), st.floats(2.05, 4.5), st.integers(0, 99))
def test_a_town_is_planar_and_whole_and_as_dense_as_asked(nodes: int, degree: float, seed: int) -> None:
    town = streets(nodes, degree, np.random.default_rng(seed))
    assert len(town) == nodes
    assert town.component_sizes.tolist() == [nodes]
    assert abs(len(town.roads) - nodes * degree / 2) <= 1
    assert crossings(town) == 0
    assert town.lengths.min() > 0


@pytest.mark.parametrize("junctions", range(2, 40))
def test_a_town_with_every_street_there_can_be(junctions: int) -> None:
    """As many as are counted, in one piece and without a crossing, also at the most sway."""
    points, ends = _lattice(junctions, np.random.default_rng(junctions))
    assert len(ends) == _most_streets(junctions)
    names = [pl.Series([str(number) for number in range(count)]) for count in (junctions, len(ends))]
    full = Network(names[0], points, names[1], ends)
    assert len(full.component_sizes) == 1
    assert crossings(full) == 0


def test_crossings_would_be_noticed() -> None:
    points = np.array([[0, 0], [1, 1], [0, 1], [1, 0]], dtype=float)
    cross = Network(pl.Series(list("abcd")), points, pl.Series(["r", "s"]), np.array([[0, 1], [2, 3]]))
    assert crossings(cross) == 2


def test_most_nodes_of_a_sparse_town_bend_a_road_and_none_of_a_dense_one() -> None:
    rng = np.random.default_rng(1)
    sparse, dense = (np.bincount(streets(1000, degree, rng).ends.ravel()) for degree in (2.3, 4.0))
    assert (sparse == 2).mean() > 0.6
    assert (dense == 2).mean() < 0.1


def test_more_roads_than_can_be_without_crossing_are_refused() -> None:
    with pytest.raises(ParameterError) as refused:
        streets(9, 5.0, np.random.default_rng(1))
    assert str(refused.value) == (
        "City: wanted at most 16 roads between 9 nodes, found 22 for a mean degree of 5; lower the degree or add nodes"
    )


def test_the_busiest_roads_are_the_fastest() -> None:
    town = streets(2000, 2.5, np.random.default_rng(1))
    classes = road_classes(town)
    assert np.bincount(classes) / len(classes) == pytest.approx(CLASS_SHARES, abs=0.002)
    speeds = class_speeds(town, classes, 10.0)
    size = np.ptp(town.points, axis=0).sum()
    assert speeds[classes == 0] == pytest.approx(size / 10)
    assert speeds[classes == 3] == pytest.approx(size / 10 * 8 / 27)


def test_a_bridge_between_two_halves_is_a_main_road() -> None:
    """Two squares of 5 x 5 and one road between them: every route across uses it."""
    grid = [(x, y) for x in range(5) for y in range(5)]
    points = np.array(grid + [(x + 10, y) for x, y in grid], dtype=float)
    ends = [(a, b) for a in range(50) for b in range(a + 1, 50) if np.abs(points[a] - points[b]).sum() == 1]
    ends.append((grid.index((4, 2)), 25 + grid.index((0, 2))))
    names = [pl.Series([str(n) for n in range(count)]) for count in (50, len(ends))]
    assert road_classes(Network(names[0], points, names[1], np.array(ends)))[-1] == 0


def test_classes_of_a_network_are_kept() -> None:
    town = streets(50, 2.3, np.random.default_rng(1))
    given_classes = Network(town.nodes, town.points, town.roads, town.ends, np.arange(len(town.roads)) % 7)
    assert road_classes(given_classes).tolist() == (np.arange(len(town.roads)) % 7).tolist()
