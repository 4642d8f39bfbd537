"""Experiments about miners: what they read, run and count."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from sfumato.data import Graph
from sfumato.errors import CallerError
from sfumato.experiments.comparison import _findings, compare
from sfumato.experiments.definition.data_sources import make_base
from sfumato.experiments.definition.experiment_file import read_experiment
from sfumato.experiments.miners import few_edges, run_miner, some_edges, warm_parameters
from sfumato.experiments.results import results_frame, summary_frame
from sfumato.experiments.run_spec import RunSpec
from sfumato.experiments.single_run import cells_of, run_cell
from sfumato.experiments.worker import work
from twins.subgraphs import Plain

TOWN = "v 0 bar\nv 1 shop\nv 2 bar\nv 3 bar\nv 4 shop\ne 0 1 x\ne 1 2 x\ne 3 4 y\n"
EXPERIMENT = """
title = "Miners"
repetitions = 1
[data]
file = "town.lg"
[vary]
parameter = "support"
values = [1, 2]
[[configuration]]
name = "GraMi"
miner = "subgraphs"
parameters = { ignore_edge_labels = true }
[[configuration]]
name = "GrowStore"
miner = "grow-store"
parameters = { ignore_edge_labels = true }
[[chart]]
title = "Patterns"
y = "counts.patterns"
claim = "The larger the support, the fewer patterns there are."
expects = { monotone = "falling" }
"""


def experiment(folder: Path, text: str = EXPERIMENT) -> Path:
    (folder / "town.lg").write_text(TOWN)
    (folder / "miners.toml").write_text(text)
    return folder / "miners.toml"


def test_both_miners_find_the_same_and_the_claim_is_judged(tmp_path: Path) -> None:
    asked = read_experiment(experiment(tmp_path))
    cells = cells_of(asked)
    finished = {cell.key: work(cell.spec, lambda _: b"") for cell in cells}  # as a worker process does
    summary = summary_frame(results_frame(asked, cells, finished))
    rows = summary.filter(pl.col("figure") == "counts.patterns")
    assert rows.select("configuration", "setting", "median").rows() == [
        ("GraMi", 1, 2.0),
        ("GraMi", 2, 1.0),
        ("GrowStore", 1, 2.0),
        ("GrowStore", 2, 1.0),
    ]
    assert [finding.verdict for finding in _findings(asked, asked.charts[0], summary)] == ["holds"]
    assert "holds" not in summary["figure"].to_list()  # nothing was promised
    assert {"seconds", "counts.candidates", "counts.complete"} <= set(summary["figure"].to_list())


@pytest.mark.parametrize("name", ["count-isomorphisms", "grow-store", "subgraphs"])
def test_counts_of_a_run(name: str) -> None:
    graph = Graph.from_edges([(0, 1), (1, 2), (3, 4)], ["bar", "shop", "bar", "bar", "shop"])
    ran = run_cell(RunSpec(dataset="graph", method=name, arguments={"support": 1}), graph)
    kept = {key: ran["counts"][key] for key in ("patterns", "largest", "nodes", "labels", "complete")}
    assert kept == {"patterns": 2, "largest": 2, "nodes": 3, "labels": 2, "complete": 1}
    assert ran["seconds"] >= 0
    assert ran["counts"].get("memory_mb", 0) >= 0


def test_a_miner_out_of_memory_has_no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.mining.subgraphs.baselines._MOST", 10)
    clique = Graph.from_edges([(a, b) for a in range(9) for b in range(a)])
    ran = run_miner(RunSpec(dataset="clique", method="grow-store", arguments={"support": 2}), clique)
    assert ran["infeasible"] == "GrowStore reached its memory limit"


def test_samples_are_of_edges_and_hold_each_other() -> None:
    graph = Graph.from_edges([(a, b, "x") for a in range(9) for b in range(a)], [f"l{at % 2}" for at in range(9)])
    small, large = some_edges(graph, 5, 1), some_edges(graph, 20, 1)
    assert (small.n_edges, large.n_edges, len(small)) == (5, 20, 9)
    assert Plain.of(small).edges < Plain.of(large).edges < Plain.of(graph).edges
    assert Plain.of(small).labels == Plain.of(graph).labels
    assert few_edges(graph).n_edges == 36
    assert warm_parameters({"support": 900, "lazy": True}) == {"support": 2, "lazy": True}


def test_graphs_are_data(tmp_path: Path) -> None:
    path = experiment(tmp_path, EXPERIMENT.replace('file = "town.lg"', 'file = "town.lg"\ndirected = true'))
    assert make_base(read_experiment(path).data).directed
    (tmp_path / "e.csv").write_text("from,to\na,b\n")
    (tmp_path / "n.csv").write_text("node,label\na,x\nb,y\n")
    lists = 'file = "e.csv"\nkind = "graph"\nnodes = "n.csv"'
    path = experiment(tmp_path, EXPERIMENT.replace('file = "town.lg"', lists))
    assert make_base(read_experiment(path).data).label_names == ("x", "y")
    made = 'generate = "graph"\nparameters = { nodes = 9, edges = 12 }\nseed = 1'
    path = experiment(tmp_path, EXPERIMENT.replace('file = "town.lg"', made))
    assert make_base(read_experiment(path).data.generated({}, 1)).n_edges == 12


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('miner = "subgraphs"', 'miner = "subgraph"', "configuration 1: no miner is called 'subgraph'; did you mean"),
        ('miner = "subgraphs"', 'miner = "seqanon"', "no miner is called 'seqanon'; it is a method; write method ="),
        ('miner = "subgraphs"', 'miner = "subgraphs"\nmethod = "km"', "wanted one of method and miner, found both"),
        ('miner = "grow-store"\nparameters = { ignore_edge_labels = true }', 'method = "gsup"', "miners, found both"),
        ('title = "Miners"', 'title = "Miners"\nmeasures = ["are"]', "measures belong to methods"),
        ("values = [1, 2]", "values = [0, 2]", "support must be a whole number of at least 1, got 0"),
        ('file = "town.lg"', 'file = "walks.txt"', "configuration 'GraMi': wanted a graph, found trajectories"),
        ('file = "town.lg"', 'file = "town.lg"\nsample = 9', "wanted a sample of at most 3 edges, found 9"),
    ],
)  # fmt: skip
def test_what_cannot_be_run_is_refused(tmp_path: Path, old: str, new: str, problem: str) -> None:
    assert old in EXPERIMENT
    path = experiment(tmp_path, EXPERIMENT.replace(old, new))
    (tmp_path / "walks.txt").write_text("a b\nb c\n")
    with pytest.raises(CallerError) as refused:
        compare(path, tmp_path / "out", jobs=1)
    assert problem in str(refused.value)
    assert not (tmp_path / "out" / "results.csv").exists()


def test_a_graph_is_nothing_to_anonymize(tmp_path: Path) -> None:
    text = (
        'title = "x"\n[data]\nfile = "town.lg"\n[[configuration]]\nmethod = "seqanon"\nparameters = { k = 2, m = 1 }\n'
    )
    with pytest.raises(CallerError, match="graph"):
        compare(experiment(tmp_path, text), tmp_path / "out", jobs=1)
