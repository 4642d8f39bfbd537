"""`sfumato mine subgraphs`, as a person and as a machine use it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sfumato.io import read_graphs
from sfumato.mining import FrequentSubgraphs

TOWN = """t # 1
v 0 bar
v 1 shop
v 2 bar
v 3 bar
v 4 shop
v 5 bar
e 0 1 x
e 1 2 x
e 3 4 x
e 4 5 y
e 5 5 y
e 1 0 x
"""


@pytest.fixture
def town(tmp_path: Path) -> Path:
    path = tmp_path / "town.lg"
    path.write_text(TOWN)
    return path


def mined(run, *args: object) -> set[tuple[tuple[str, ...], int, int]]:
    """Labels, number of edges and support of each pattern."""
    ran = run("mine", "subgraphs", *args, "--exact", "--json")
    assert ran.code == 0, ran.err
    return {(tuple(p["nodes"]), len(p["edges"]), p["support"]) for p in json.loads(ran.out)["patterns"]}


def test_a_person_reads_a_table(run, town: Path) -> None:
    ran = run("mine", "subgraphs", town, "--support", 2, "--ignore-edge-labels", "--exact")
    assert ran.code == 0, ran.err
    assert ran.out.startswith(
        f"{town}: 6 nodes, 4 undirected edges; excluded: 1 self-loop, 1 repeated edge\n"
        "2 patterns with a support of at least 2\n"
    )
    assert "bar, shop, bar" in ran.out
    assert "at least" in run("mine", "subgraphs", town, "--support", 2).out.splitlines()[3]
    assert "0 patterns" in run("mine", "subgraphs", town, "--support", 9).out


def test_a_machine_reads_json(run, town: Path) -> None:
    said = json.loads(run("mine", "subgraphs", town, "--support", 2, "--json").out)
    assert {name: said[name] for name in ("kind", "nodes", "edges", "directed", "self_loops", "duplicates")} == {
        "kind": "graph",
        "nodes": 6,
        "edges": 4,
        "directed": False,
        "self_loops": 1,
        "duplicates": 1,
    }
    assert (said["support"], said["complete"], said["stopped"], said["exact"]) == (2, True, None, False)
    assert said["patterns"] == [{"nodes": ["bar", "shop"], "edges": [[0, 1, "x"]], "support": 2}]
    assert said["counts"]["candidates"] >= 1
    assert FrequentSubgraphs.from_json(said["parameters"]) == FrequentSubgraphs(support=2)


def test_a_person_watches(run, town: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    ran = run("mine", "subgraphs", town, "--support", 2)
    assert ran.code == 0
    assert "1 patterns of" in ran.err
    assert "edges deep" in ran.err


def test_what_is_asked_is_what_is_found(run, town: Path) -> None:
    both = {(("bar", "shop"), 1, 2), (("bar", "shop", "bar"), 2, 2)}
    plain = (town, "--support", 2, "--ignore-edge-labels")
    assert mined(run, *plain) == both
    assert mined(run, *plain, "--max-edges", 1) == {(("bar", "shop"), 1, 2)}
    assert mined(run, *plain, "--max-nodes", 2) == mined(run, *plain, "--max-degree", 1) == {(("bar", "shop"), 1, 2)}
    assert mined(run, *plain, "--max-same-label", 1) == {(("bar", "shop"), 1, 2)}
    assert mined(run, *plain, "--without-labels", "shop") == mined(run, *plain, "--only-labels", "bar") == set()
    assert mined(run, *plain, "--directed") == both
    assert mined(run, *plain, "--directed", "--support", 1) > both  # from a bar to a shop and back
    assert mined(run, town, "--support", 1, "--only-edges", "y") == {(("bar", "shop"), 1, 1)}
    assert mined(run, town, "--support", 2, "--without-edges", "x") == set()
    near = mined(run, town, "--support", 4, "--distance", 2)
    assert (("bar", "bar"), 1, 4) in near


def test_patterns_that_none_may_hold(run, town: Path, tmp_path: Path) -> None:
    (tmp_path / "no.lg").write_text("t # 1\nv 0 bar\nv 1 shop\nv 2 bar\ne 0 1\ne 1 2\n")
    plain = (town, "--support", 2, "--ignore-edge-labels", "--without-subgraphs", tmp_path / "no.lg")
    assert mined(run, *plain) == {(("bar", "shop"), 1, 2)}
    (tmp_path / "no.lg").write_text("t # 1\nv 0 bar\nv 1 shop\ne 0 1 y\n")
    assert mined(run, *plain) == set()
    near = (town, "--support", 2, "--distance", 1, "--without-subgraphs", tmp_path / "no.lg")
    assert mined(run, *near) == set()


def test_weights(run, tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text("from,to,label,weight\na,b,4,9\nb,c,20,9\nd,e,4,9\ne,f,20,9\n")
    asked = (tmp_path / "e.csv", "--support", 4, "--metric", "weights", "--distance", 0.3)
    assert mined(run, *asked) == set()
    assert (("", ""), 1, 6) in mined(run, *asked, "--weights-from", "inverse")


def test_files_and_pictures(run, town: Path, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    names = ("p.lg", "p.json", "p.csv", "p.parquet", "p.svg")
    outs = [part for name in names for part in ("--out", tmp_path / name)]
    ran = run("mine", "subgraphs", town, "--support", 2, "--ignore-edge-labels", *outs)
    assert ran.code == 0, ran.err
    assert ran.out.splitlines()[-1].startswith(f"All patterns are in {tmp_path / 'p.lg'} and ")
    assert len(read_graphs(tmp_path / "p.lg")) == 2
    assert len(json.loads((tmp_path / "p.json").read_text())["patterns"]) == 2
    assert "Frequent subgraphs of town.lg" in (tmp_path / "p.svg").read_text()
    said = json.loads(run("mine", "subgraphs", town, "--support", 2, "--out", tmp_path / "q.lg", "--json").out)
    assert said["patterns"] == [{"nodes": ["bar", "shop"], "edges": [[0, 1, "x"]], "support": 2}]
    assert said["out"] == [str(tmp_path / "q.lg")]


def test_a_time_limit_gives_what_was_found_and_says_so(run, tmp_path: Path) -> None:
    """A clique of unlabelled nodes has more subgraphs than anybody can wait for."""
    edges = "".join(f"{a} {b}\n" for a in range(14) for b in range(a))
    (tmp_path / "clique.txt").write_text(edges)
    ran = run("mine", "subgraphs", tmp_path / "clique.txt", "--support", 1, "--time-limit", 0.5)
    assert ran.code == 0, ran.err
    assert "Incomplete: the search reached its limit of time" in ran.out
    ran = run("mine", "subgraphs", tmp_path / "clique.txt", "--support", 1, "--time-limit", 0.2, "--json")
    said = json.loads(ran.out)
    assert (said["complete"], said["stopped"]) == (False, "time")
    assert len(said["patterns"]) >= 1


VISITS = "trajectory,location\n1,a\n1,b\n2,c\n2,d\n3,b\n3,e\n"
PLACES = "location,category\na,bar\nb,shop\nc,bar\nd,shop\ne,bar\n"


def test_trajectories_become_a_mobility_graph(run, tmp_path: Path) -> None:
    (tmp_path / "visits.csv").write_text(VISITS)
    (tmp_path / "lines.txt").write_text("a b\nc d\nb e\n")
    (tmp_path / "places.csv").write_text(PLACES)
    places = ("--places", tmp_path / "places.csv")
    for name in ("visits.csv", "lines.txt"):
        found = mined(run, tmp_path / name, "--support", 2, *places)
        assert found == {(("bar", "shop"), 1, 2)}
    assert mined(run, tmp_path / "visits.csv", "--support", 1, "--directed", *places) == {
        (("bar", "shop"), 1, 2),
        (("bar", "shop"), 1, 1),  # back
        (("bar", "shop", "bar"), 2, 1),
    }
    assert mined(run, tmp_path / "visits.csv", "--support", 1, "--movers", 2, *places) == set()
    # lines of text without places are edges
    assert (("", ""), 1, 5) in mined(run, tmp_path / "lines.txt", "--support", 5)
    assert (("", ""), 1, 5) in mined(run, tmp_path / "lines.txt", "--support", 5, "--kind", "trajectories")


def test_a_published_directory(run, tmp_path: Path) -> None:
    (tmp_path / "visits.csv").write_text("trajectory,location,x,y\n1,a,0,0\n1,c,9,0\n2,b,1,0\n2,d,8,0\n")
    (tmp_path / "places.csv").write_text("location,category\na,bar\nb,bar\nc,shop\nd,shop\n")
    release = tmp_path / "release"
    assert run("anonymize", "seqanon", tmp_path / "visits.csv", "--k", 2, "--m", 1, "--out", release).code == 0
    found = mined(run, release, "--support", 1, "--places", tmp_path / "places.csv")
    assert found == {(("bar", "shop"), 1, 1)}


def test_describe(run, town: Path) -> None:
    said = json.loads(run("describe", town, "--json").out)
    assert said == {
        "kind": "graph",
        "nodes": 6,
        "edges": 4,
        "node_labels": 2,
        "edge_labels": 2,
        "self_loops_kept_out": 1,
        "repeated_edges_kept_out": 1,
        "nodes_by_degree": {"1": 4, "2-3": 2},
        "labels_by_number_of_nodes": {"2-3": 1, "4-7": 1},
    }
    assert "repeated edges kept out" in run("describe", town).out


def test_every_parameter_is_an_option(run) -> None:
    said = run("mine", "subgraphs", "--help").out
    for parameter in FrequentSubgraphs.parameters():
        assert f"--{parameter.name.replace('_', '-')} " in said


@pytest.mark.parametrize(
    ("args", "problem"),
    [
        (["{town}"], "--support is required: smallest support"),
        (["{town}", "--support", 0], "support must be a whole number of at least 1, got 0"),
        (["{town}", "--support", 0.5], "support must be a whole number of at least 1, got '0.5'"),
        (["{town}", "--support", "x"], "support must be a whole number of at least 1, got 'x'"),
        (["{town}", "--support", 2, "--out", "{folder}/p.doc"], "p.doc: wanted a file that ends in .lg, .json, .csv, .parquet, .svg, .png, .pdf or .html"),
        (["{town}", "--support", 2, "--out", "{town}"], "town.lg: the file of patterns would replace an input of this command; choose another name"),
        (["{town}", "--support", 2, "--out", "{folder}/no/p.lg"], "make it first"),
        (["{folder}/none.lg", "--support", 2], "none.lg: no such file"),
        (["{folder}", "--support", 2], ": wanted a file, found a directory"),
        (["{folder}/empty.lg", "--support", 2], "empty.lg: the file is empty"),
        (["{folder}/blank.lg", "--support", 2], 'blank.lg, line 1: wanted v NODE LABEL, found more fields; put a label with blanks into quotation marks ("ice cream")'),
        (["{folder}/loose.lg", "--support", 2], "loose.lg, line 2: wanted an edge between nodes of the graph, found an unknown node"),
        (["{town}", "--support", 2, "--places", "{folder}/p.csv"], "town.lg: --places does not apply to a graph; leave it out, or add --kind trajectories"),
        (["{town}", "--support", 2, "--nodes", "{folder}/n.csv"], "wanted no file of nodes with an .lg file"),
        (["{folder}/visits.csv", "--support", 2, "--nodes", "{folder}/n.csv"], "--nodes does not apply to trajectories; leave it out"),
        (["{town}", "--support", 2, "--only-labels", "bra"], "node label of the graph, found 'bra'"),
        (["{town}", "--support", 2, "--distance", 2, "--metric", "weights"], "weights"),
        (["{town}", "--support", 2, "--metric", "weights"], "wanted a distance for metric='weights'"),
        (["{town}", "--support", 2, "--weights-from", "labels"], "--weights-from needs --metric weights and --distance; give both, or leave it out"),
        (["{town}", "--support", 2, "--weights-from", "labels", "--distance", 2], "--weights-from needs --metric weights"),
        (["{town}", "--support", 2, "--movers", 1], "town.lg: --movers does not apply to a graph; leave it out, or add --kind trajectories"),
        (["{town}", "--support", 2, "--distance", 2, "--metric", "weights", "--weights-from", "labels"], "Graph: wanted numbers of at least 0 as labels of the edges, found 2 of 2 that are not"),
        (["{town}", "--support", 2, "--alpha", 0.5, "--exact"], "wanted alpha=1 with exact=True, found 0.5"),
    ],
)  # fmt: skip
def test_what_cannot_be_mined_is_refused(run, town: Path, args: list[object], problem: str, tmp_path: Path) -> None:
    (tmp_path / "empty.lg").write_text("")
    (tmp_path / "blank.lg").write_text("v 0 ice cream\n")
    (tmp_path / "loose.lg").write_text("v 0 a\ne 0 1\n")
    (tmp_path / "visits.csv").write_text(VISITS)
    before = sorted(path.name for path in tmp_path.rglob("*"))
    ran = run("mine", "subgraphs", *(str(arg).format(town=town, folder=tmp_path) for arg in args))
    assert ran.code == 2
    assert problem in ran.err
    assert ran.err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.rglob("*")) == before
