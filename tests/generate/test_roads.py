"""Vehicles that wander about a random map."""

from __future__ import annotations

import tempfile
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from sfumato.data import Network
from sfumato.errors import DataError, ParameterError
from sfumato.generate import Roads
from sfumato.io import write_network

FEW = Roads(nodes=60, vehicles=400)


def test_a_seed_repeats_map_and_drives() -> None:
    one, two, other = FEW.make(seed=5), FEW.make(seed=5), FEW.make(seed=6)
    assert one.to_polars().equals(two.to_polars())
    assert all(a.equals(b) for a, b in zip(one.network.to_frames(), two.network.to_frames(), strict=True))
    assert all(a.equals(b) for a, b in zip(one.network.to_frames(), FEW.streets(seed=5).to_frames(), strict=True))
    assert not one.to_polars().equals(other.to_polars())


def test_nobody_turns_round_but_in_a_dead_end() -> None:
    drives = Roads(nodes=200, degree=2.2, vehicles=500).make(seed=1)
    degree = np.bincount(drives.network.ends.ravel())
    same_road = np.flatnonzero(drives.road[drives.codes[:-1]] == drives.road[drives.codes[1:]])
    same_road = same_road[~np.isin(same_road + 1, drives.offsets)]
    assert len(same_road) > 0
    assert set(degree[drives.heads[drives.codes[same_road]]].tolist()) == {1}


def test_distances_and_times_are_as_asked() -> None:
    drives = Roads(nodes=100, vehicles=3_000, distance_km=20, hours=2).make(seed=3)
    length = drives.network.lengths[drives.road[drives.codes]]
    driven = np.add.reduceat(length, drives.offsets[:-1])
    last = length[drives.offsets[1:] - 1]
    assert (driven >= 10_000).all()
    assert (driven - last < 30_000).all()
    assert 20_000 < driven.mean() < 20_000 + length.mean()
    assert drives.times.min() == 0.0
    assert drives.times.max() < 7_200
    starts = np.isin(np.arange(len(drives.times)), drives.offsets)
    assert (drives.times[starts] == 0.0).all()
    assert (np.diff(drives.times)[~starts[1:]] > 0).all()


def test_every_road_and_every_turn_is_equally_likely() -> None:
    drives = Roads(nodes=10, degree=3, vehicles=40_000).make(seed=2)
    first = np.bincount(drives.codes[drives.offsets[:-1]], minlength=30)
    assert len(first) == 30
    assert (np.abs(first / first.mean() - 1) < 0.15).all()
    second = drives.codes[drives.offsets[:-1][drives.lengths > 1] + 1]
    pairs = np.bincount(drives.codes[drives.offsets[:-1][drives.lengths > 1]] * 30 + second, minlength=900)
    for road in range(30):
        ways = pairs.reshape(30, 30)[road]
        ways = ways[ways > 0]
        onward = np.bincount(drives.network.ends.ravel())[drives.heads[road]] - 1
        assert len(ways) == max(1, onward)
        assert (np.abs(ways / ways.mean() - 1) < 0.25).all()


def test_going_straight_on() -> None:
    cross = Network.from_frames(
        {"node": list("mnesw"), "x": [0, 0, 1, 0, -1], "y": [0, 1, 0, -1, 0]},
        {"road": list("nesw"), "from": list("mmmm"), "to": list("nesw")},
    )
    ahead = {"n-": "s+", "s-": "n+", "e-": "w+", "w-": "e+"}
    drives = _on(cross, Roads(network="", vehicles=200, distance_km=0.0015, straight=1.0))
    turned = {(one, two) for row in drives.to_lists() for one, two in pairwise(row) if one in ahead}
    assert turned == set(ahead.items())


def _on(network: Network, roads: Roads):
    """The drives on a network at hand."""
    with tempfile.TemporaryDirectory() as folder:
        write_network(network, Path(folder) / "streets")
        return Roads(**{**roads.to_json(), "network": str(Path(folder) / "streets")}).make(seed=1)


def test_a_network_from_a_file(tmp_path: Path) -> None:
    write_network(FEW.streets(seed=1), tmp_path / "streets")
    drives = Roads(network=str(tmp_path / "streets"), vehicles=10).make(seed=9)
    assert len(drives.network) == 60
    (tmp_path / "dot").mkdir()
    (tmp_path / "dot" / "nodes.csv").write_text("node,x,y\na,1,1\nb,1,1\n")
    (tmp_path / "dot" / "roads.csv").write_text("road,from,to\n1,a,b\n")
    with pytest.raises(DataError, match="wanted nodes at different points"):
        Roads(network=str(tmp_path / "dot"), vehicles=10).make(seed=9)
    (tmp_path / "dot" / "nodes.csv").write_text("node,x,y\na,1,1\nb,1,1\nc,500,1\n")
    (tmp_path / "dot" / "roads.csv").write_text("road,from,to\n1,a,b\n2,b,c\n")
    assert len(Roads(network=str(tmp_path / "dot"), vehicles=10).make(seed=9)) == 10, "roads of no length end too"


def test_a_degree_that_cannot_be() -> None:
    with pytest.raises(ParameterError, match=r"wanted a mean degree from 1\.50 to 3\.00 for 4 nodes, found 5"):
        Roads(nodes=4, degree=5).make(seed=1)
