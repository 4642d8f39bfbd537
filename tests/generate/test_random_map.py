"""Random maps: connected, of the wanted size, near points joined."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from sfumato.generate import random_map as room
from sfumato.generate.random_map import random_map


@pytest.mark.parametrize(("nodes", "degree"), [(4, 2.0), (10, 3.0), (50, 5.5), (300, 2.2), (350, 4.0), (1_000, 4.0)])
def test_size_degree_and_one_piece(nodes: int, degree: float) -> None:
    town = random_map(nodes, degree, np.random.default_rng(nodes))
    assert len(town) == nodes
    assert len(town.roads) == round(nodes * degree / 2)
    town.require_connected("town")
    ends = {tuple(sorted(pair)) for pair in town.ends.tolist()}
    assert len(ends) == len(town.roads), "no two roads between the same nodes"


def test_a_map_of_four_roads_a_node_is_nearly_gabriels_graph() -> None:
    town = random_map(150, 4.0, np.random.default_rng(3))
    points = town.points
    gabriel = set()
    for one, other in combinations(range(150), 2):
        middle = (points[one] + points[other]) / 2
        squared = ((points - middle) ** 2).sum(axis=1)
        squared[[one, other]] = np.inf
        if squared.min() >= ((points[one] - middle) ** 2).sum():
            gabriel.add((one, other))
    roads = {tuple(sorted(pair)) for pair in town.ends.tolist()}
    assert len(roads & gabriel) > 0.9 * min(len(roads), len(gabriel))


def test_pieces_far_apart_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "NEAR", 2)
    town = random_map(400, 2.6, np.random.default_rng(1))
    town.require_connected("town")
    assert len(town.roads) == 520
