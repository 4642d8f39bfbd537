"""The replication of Gurung et al., 2014: every file can be read, and its configurations run on a small town."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from sfumato.experiments.definition.experiment_file import read_experiment
from sfumato.experiments.single_run import cells_of, run_cell
from sfumato.generate import Roads

FOLDER = Path(__file__).parents[2] / "replications" / "traffic_icba_2014"
FILES = sorted(FOLDER.glob("*.toml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_file_can_be_read_and_run(file: Path) -> None:
    experiment = read_experiment(file)
    assert len(experiment.seeds) == 3
    town = Roads(nodes=20, vehicles=300, distance_km=8.0, straight=0.8).make(seed=1)
    if experiment.data.arguments.get("network"):
        assert Path(experiment.data.arguments["network"]).name == "oldenburg"
        return  # the map is not part of the package
    for cell in cells_of(experiment)[: len(experiment.configurations)]:
        done = run_cell(replace(cell.spec, arguments={**cell.spec.arguments, "k": 3}), town)
        assert all(done["holds"])
        assert set(done["figures"]) == {figure.name for figure in experiment.figures}
        if cell.configuration.name.startswith("ICBA") and "inference-routes" in done["figures"]:
            assert done["figures"]["inference-routes"][0] == 0


def test_all_figures_are_there() -> None:
    """Each has a chart of its own that says what is expected of it."""
    charts = [chart for file in FILES for chart in read_experiment(file).charts if chart.expects]
    found = [re.match(r"Figure (\d+)", chart.title) for chart in charts]
    assert {int(figure[1]) for figure in found if figure} == set(range(8, 20))
