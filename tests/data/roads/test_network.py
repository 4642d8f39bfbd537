"""Networks: nodes, roads, pieces."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from sfumato.data import Network
from sfumato.errors import DataError

NODES = {"node": ["a", "b", "c", "d"], "x": [0, 3, 3, 9], "y": [0, 4, 0, 9]}
ROADS = {"road": ["r1", "r2", "r3"], "from": ["a", "b", "c"], "to": ["b", "c", "a"]}


def town(nodes=NODES, roads=ROADS) -> Network:
    return Network.from_frames(nodes, roads)


def test_lengths_and_adjacency() -> None:
    network = town()
    assert network.lengths.tolist() == [5.0, 4.0, 3.0]
    offsets, neighbours, roads = network.adjacency
    assert offsets.tolist() == [0, 2, 4, 6, 6]
    steps = [sorted(zip(neighbours[a:b].tolist(), roads[a:b].tolist(), strict=True)) for a, b in pairwise(offsets)]
    assert steps == [[(1, 0), (2, 2)], [(0, 0), (2, 1)], [(0, 2), (1, 1)], []]


def test_a_network_in_pieces_is_refused_and_its_largest_piece_is_not() -> None:
    network = town()
    assert network.component_sizes.tolist() == [3, 1]
    with pytest.raises(DataError) as refused:
        network.require_connected("city")
    assert str(refused.value) == (
        "city: wanted a connected network, found 2 components, the largest with 3 of 4 nodes; "
        "take the largest component: Network.largest()"
    )
    largest = network.largest()
    largest.require_connected("city")
    assert largest.nodes.to_list() == ["a", "b", "c"]
    assert largest.ends.tolist() == network.ends.tolist()


def test_the_largest_piece_is_numbered_anew() -> None:
    roads = {"road": [1, 2, 3], "from": ["x", "b", "c"], "to": ["a", "c", "d"], "class": [1, 2, 3]}
    nodes = {"node": ["x", "a", "b", "c", "d"], "x": range(5), "y": range(5)}
    largest = town(nodes, roads).largest()
    assert largest.to_frames()[0].rows() == [("b", 2.0, 2.0), ("c", 3.0, 3.0), ("d", 4.0, 4.0)]
    assert largest.to_frames()[1].rows() == [("2", "b", "c", 2), ("3", "c", "d", 3)]


def test_frames_come_and_go() -> None:
    network = town(roads={**ROADS, "class": [0, 3, 7]})
    again = Network.from_frames(*network.to_frames())
    assert again.to_frames()[0].equals(network.to_frames()[0])
    assert again.to_frames()[1].equals(network.to_frames()[1])
    assert town().classes is None


def test_several_roads_may_join_two_nodes() -> None:
    network = town(roads={"road": [1, 2], "from": ["a", "b"], "to": ["b", "a"]})
    assert np.diff(network.adjacency.offsets).tolist() == [2, 2, 0, 0]


@pytest.mark.parametrize(
    ("nodes", "roads", "problem"),
    [
        ({"node": ["a"], "x": [0]}, ROADS, "the network: wanted the columns node, x, y, found node, x"),
        ({"node": [], "x": [], "y": []}, ROADS, "the network: wanted at least one node, found none"),
        (
            {**NODES, "node": ["a", "b", "c", "a"]},
            ROADS,
            "the network, row 4: wanted every node once, found this node for the second time",
        ),
        (
            {**NODES, "node": ["a", "", "c", "d"]},
            ROADS,
            "the network, row 2: wanted a node, found nothing (is the file cut off?)",
        ),
        (
            {**NODES, "x": ["0", "3", "east", "9"]},
            ROADS,
            "the network, row 3: wanted x as a number, found something else",
        ),
        ({**NODES, "y": [0, 4, None, 9]}, ROADS, "the network, row 3: wanted y as a number, found something else"),
        (
            NODES,
            {**ROADS, "to": ["b", "z", "a"]},
            "the network, row 2: wanted a known node in the column 'to', found an unknown node or nothing",
        ),
        (
            NODES,
            {**ROADS, "to": ["b", "c", "c"]},
            "the network, row 3: wanted a road between two nodes, found one from a node to itself",
        ),
        (
            NODES,
            {**ROADS, "class": [1, -2, 1]},
            "the network, row 2: wanted class as a whole number from 0 to 100, or a word such as residential, found "
            "something else",
        ),
        (
            NODES,
            {**ROADS, "road": ["r1", "r2", "r1"]},
            "the network, row 3: wanted every road once, found this road for the second time",
        ),
    ],
)
def test_what_cannot_be_used_is_refused(nodes, roads, problem: str) -> None:
    with pytest.raises(DataError) as refused:
        town(nodes, roads)
    assert str(refused.value) == problem


def test_arrays_that_do_not_fit_are_refused() -> None:
    network = town()
    with pytest.raises(DataError, match="Network: 4 nodes at 3 points, 3 roads with 3 pairs of ends"):
        Network(network.nodes, network.points[:3], network.roads, network.ends)


def test_latitude_and_longitude_one_ways_and_the_plane() -> None:
    nodes = {"node": ["a", "b", "c"], "lat": [60, 60, 60.001], "lon": [179.999, -179.999, -179.999]}
    roads = {"road": ["r1", "r2"], "from": ["a", "b"], "to": ["b", "c"], "oneway": ["yes", ""]}
    network = town(nodes, roads)
    assert network.geographic is True
    assert network.lengths.round(1).tolist() == [111.2, 111.2], "across the date line too"
    assert network.oneway.tolist() == [True, False]
    flat = network.on_plane()
    assert flat.geographic is False
    assert flat.lengths == pytest.approx(network.lengths, rel=1e-4)
    assert flat.oneway.tolist() == [True, False]
    assert flat.on_plane() is flat
    again = Network.from_frames(*network.to_frames())
    assert all(one.equals(other) for one, other in zip(again.to_frames(), network.to_frames(), strict=True))
    assert again.geographic is True
    assert network.largest().oneway.tolist() == [True, False]


@pytest.mark.parametrize(
    ("nodes", "roads", "problem"),
    [
        ({"node": ["a", "b"], "lat": [1, 91], "lon": [1, 2]}, {}, "row 2: wanted lat as a number between -90 and 90"),
        ({"node": ["a", "b"], "lat": [1, 2], "x": [1, 2]}, {}, "wanted the columns node, x, y, found node, lat, x"),
        ({}, {"oneway": ["no", "up", ""]}, "row 2: wanted oneway as true or false, found something else"),
    ],
)
def test_what_the_globe_and_one_ways_must_be(nodes, roads, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        town(nodes or NODES, {**ROADS, **roads})


def test_roads_by_name() -> None:
    assert town().rows_of_roads(["r3", "r9", "r1", "r3"]).tolist() == [2, -1, 0, 2]
    assert town().rows_of_roads([]).tolist() == []


def test_words_of_street_maps_are_classes() -> None:
    words = Network.from_frames(NODES, {**ROADS, "class": ["Motorway_link", "residential", "3"]})
    assert words.classes.tolist() == [0, 5, 3]
    with pytest.raises(DataError, match=r"the network, row 2: wanted class as a whole number .* such as residential"):
        Network.from_frames(NODES, {**ROADS, "class": ["motorway", "canal", "3"]})
