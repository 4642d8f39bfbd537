"""A small version of every replication runs: every configuration of every experiment file once, and every script."""

from __future__ import annotations

import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from replications.data_files import DataMissing, provide
from replications.declarations import Paper, read_papers
from replications.shrinking import shrunk
from sfumato.experiments.definition.data_sources import make_base, sampled
from sfumato.experiments.definition.experiment_file import read_experiment
from sfumato.experiments.definition.experiment_text import experiment_text
from sfumato.experiments.single_run import cells_of, run_cell
from small_data import write_small_data

PAPERS = read_papers()
EXPERIMENTS = [(paper, name) for paper in PAPERS for name in paper.experiments]
# generated data in small; a map of a few streets, and graphs of a few labels
SMALL: dict[str, dict[str, Any]] = {
    "city": {"nodes": 60, "time_units": 6},
    "roads": {"nodes": 12, "distance_km": 8.0, "straight": 0.8},
    "checkins": {"locations": 12},
    "semantic": {"places": 30, "mean_length": 3.0},
    "baskets": {"items": 30, "patterns": 20},
    "mixed": {"codes": 40, "groups": 8},
    "graph": {"nodes": 40, "edges": 60, "labels": 3},
}


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("public") / "data"
    write_small_data(folder)
    return folder


@pytest.fixture(scope="session")
def made() -> dict[Any, Any]:
    """Generated data by what they are generated of: many experiments have the same."""
    return {}


def small(text: str) -> str:
    """An experiment on sixty records with k = 2, at one value of what varies."""
    values = tomllib.loads(shrunk(text, {"size": 60}, settings=1))
    data, vary = values["data"], values.get("vary", {})
    if "generate" in data:
        given = {name: value for name, value in data.get("parameters", {}).items() if name not in ("like", "scale")}
        little = {**SMALL[data["generate"]], **({"at_start": 40} if "network" in given else {})}
        data["parameters"] = {**given, **little}
        for name in ("nodes" if "network" in given else "", vary.get("parameter", "").removeprefix("data.")):
            data["parameters"].pop(name, None)
    if isinstance(data.get("sensitive"), dict):
        data["sensitive"] = {**data["sensitive"], "random": 2}
    for made in values["configuration"]:
        parameters = made.setdefault("parameters", {})
        parameters |= {name: 2 for name in ("k", "clusters") if name in parameters}
        if "miner" in made:
            parameters |= {"max_edges": 2, "time_limit": 1}
    for measure in values.get("measures", []):
        if isinstance(measure, dict) and "projections" in measure.get("parameters", {}):
            measure["parameters"]["projections"] = 2
    if vary.get("parameter") in ("k", "group_size"):
        vary["values"] = [2]
    elif vary.get("parameter") == "support":
        vary["values"] = [8]
    elif vary.get("parameter") == "data.scale":
        data["parameters"].pop("nodes")
        vary |= {"parameter": "data.nodes", "values": [40]}
    return experiment_text({name: value for name, value in values.items() if name != "chart"})


@pytest.mark.parametrize(("paper", "name"), EXPERIMENTS, ids=[f"{paper.name}-{name}" for paper, name in EXPERIMENTS])
def test_every_experiment(paper: Paper, name: str, data: Path, made: dict[Any, Any], tmp_path: Path) -> None:
    text = paper.experiments[name].read_text()
    whole = read_experiment(paper.experiments[name])
    assert len(whole.seeds) >= 3, "medians and spreads, not single runs"
    assert all(chart.expects for chart in whole.charts), "every chart says whether a claim holds"
    provide(paper, text, data, tmp_path)
    (tmp_path / "small.toml").write_text(small(text))
    experiment = read_experiment(tmp_path / "small.toml")
    cells = cells_of(experiment)
    key = (paper.name, str(cells[0].spec.data.to_json()).replace(str(tmp_path), ""))
    if key not in made:
        made[key] = make_base(cells[0].spec.data)
    for cell in cells:
        outcome = run_cell(cell.spec, sampled(made[key], cell.spec.sample, cell.seed))
        assert "infeasible" in outcome or False not in outcome["holds"]
        assert not outcome.get("unmeasured")


@pytest.mark.parametrize("paper", [paper for paper in PAPERS if paper.scripts], ids=lambda paper: paper.name)
def test_every_script_has_findings(paper: Paper, data: Path, tmp_path: Path) -> None:
    for script in paper.scripts:
        wanted = [argument for argument in script.arguments if argument.startswith("{data}")]
        if not all((data / argument.removeprefix("{data}/")).exists() for argument in wanted):
            continue  # tests/semantics runs those about photos and posts
        if script.name.startswith("causes") and not script.tiny:
            continue  # too long, or infeasible, in small
        out = tmp_path / script.name
        arguments = [argument.format(data=data, out=out) for argument in script.arguments]
        runpy.run_path(str(paper.folder / script.file))["main"](*arguments, *script.tiny)
        assert (out / "findings.json").exists()


def test_without_data_an_experiment_says_what_it_needs(tmp_path: Path) -> None:
    paper, source = next((paper, source) for paper in PAPERS for source in paper.sources if source.path)
    text = f'file = "{source.makes[0]}"'
    with pytest.raises(DataMissing, match="no data folder was given"):
        provide(paper, text, None, tmp_path)
