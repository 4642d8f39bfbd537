"""Experiments on roads: from a file with its network, generated, and with methods that know nothing of networks."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato.data import RoadTrajectories, Trajectories
from sfumato.experiments.definition.data_sources import base_identity, fitting, make_base
from sfumato.experiments.definition.experiment_file import read_experiment
from sfumato.generate import Roads
from sfumato.io import write, write_network

TOP = 'title = "roads"\n[[configuration]]\nmethod = "bf-p2ka"\nparameters = { k = 2 }\n'


@pytest.fixture
def drives(tmp_path: Path) -> RoadTrajectories:
    made = Roads(nodes=12, degree=3, vehicles=60, distance_km=12).make(seed=4)
    write(made, tmp_path / "drives.csv")
    write_network(made.network, tmp_path / "streets")
    return made


def test_a_file_and_its_network(drives: RoadTrajectories, tmp_path: Path) -> None:
    file = tmp_path / "e.toml"
    file.write_text(f'{TOP}[data]\nfile = "drives.csv"\nnetwork = "streets"\n')
    data = read_experiment(file).data
    assert make_base(data).to_polars().equals(drives.to_polars())
    before = base_identity(data)
    roads = tmp_path / "streets" / "nodes.csv"
    roads.write_text(roads.read_text().replace("\n1,", "\n1,9", 1))
    assert base_identity(data) != before, "another network is another dataset"


@pytest.mark.parametrize(
    "source",
    [
        'generate = "roads"\nparameters = { vehicles = 9, nodes = 9, degree = 3 }',
        'generate = "city"\nparameters = { objects = 9, nodes = 90, output = "roads" }',
    ],
)
def test_generated_roads(tmp_path: Path, source: str) -> None:
    file = tmp_path / "e.toml"
    file.write_text(f"{TOP}[data]\n{source}\n")
    made = make_base(read_experiment(file).data.generated({}, 3))
    assert (made.kind, len(made)) == ("roads", 9)


def test_methods_for_trajectories_take_roads_as_visits(drives: RoadTrajectories) -> None:
    plain = fitting(drives, "trajectories")
    assert isinstance(plain, Trajectories)
    assert plain.to_lists() == drives.to_lists()
    assert fitting(drives, "roads") is drives
    assert fitting(plain, "trajectories") is plain
