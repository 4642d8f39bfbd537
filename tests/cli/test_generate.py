"""`sfumato generate`: every generator from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sfumato.catalogue import GENERATORS
from sfumato.io import read, read_graph, read_positions

SMALL = {
    "city": ["--nodes", 60, "--objects", 30],
    "checkins": ["--trajectories", 30, "--locations", 9],
    "baskets": ["--records", 30, "--items", 40, "--patterns", 10],
    "mixed": ["--people", 30],
    "semantic": ["--trajectories", 30, "--places", 40],
}


CITY_FILES = [
    "classes.ttl",
    *(f"{name}.{kind}" for name in ("events", "gazetteer", "places", "regions") for kind in ("csv", "toml")),
]


@pytest.mark.parametrize("name", SMALL)
def test_every_generator_writes_what_can_be_read_again(run, name: str, tmp_path: Path) -> None:
    from sfumato import generate

    out = tmp_path / "data.csv"
    ran = run("generate", name, *SMALL[name], "--seed", 1, "--out", out, "--json")
    assert ran.code == 0, ran.err
    said = json.loads(ran.out)
    assert (said["records"], said["seed"]) == (30, 1)
    data = read(out, items="diagnoses" if name == "mixed" else None)
    assert len(data) == 30
    assert data.kind == said["kind"]
    first = out.read_bytes()
    made = getattr(generate, name.capitalize())
    assert made.from_json(said["parameters"]).name == name
    ran = run("generate", name, *SMALL[name], "--seed", 1, "--out", out)
    assert ran.out.startswith("30 ")
    assert out.read_bytes() == first


@pytest.mark.parametrize("name", GENERATORS)
def test_every_parameter_is_an_option(run, name: str) -> None:
    from sfumato import generate

    said = run("generate", name, "--help").out
    for parameter in getattr(generate, name.capitalize()).parameters():
        assert f"--{parameter.name.replace('_', '-')} " in said


@pytest.mark.parametrize("names", [["g.lg"], ["g.lg.gz"], ["e.csv", "n.parquet"], ["e.parquet", "n.csv"]])
def test_graphs(run, names: list[str], tmp_path: Path) -> None:
    files = [tmp_path / name for name in names]
    small = ["--nodes", 30, "--edges", 50, "--labels", 4, "--directed", "true", "--seed", 1, "--out", files[0]]
    small += ["--node-file", files[1]] if len(files) > 1 else []
    ran = run("generate", "graph", *small)
    assert (ran.code, ran.out) == (0, f"30 nodes with 50 directed edges in {files[0]}\n")
    graph = read_graph(files[0], nodes=files[1] if len(files) > 1 else None, directed=True)
    assert (len(graph), graph.n_edges, graph.n_labels, graph.duplicates, graph.self_loops) == (30, 50, 4, 0, 0)
    said = json.loads(run("generate", "graph", *small, "--json").out)
    assert (said["nodes"], said["edges"], said["parameters"]["labels"]) == (30, 50, 4)


def test_posts_with_the_city_and_the_truth(run, tmp_path: Path) -> None:
    out, city, truth = tmp_path / "posts.csv", tmp_path / "city", tmp_path / "truth"
    small = ["--people", 30, "--days", 2, "--places", 120, "--seed", 1, "--out", out]
    ran = run("generate", "posts", *small, "--city", city, "--truth", truth)
    assert ran.code == 0, ran.err
    posts = len(out.read_text(encoding="utf-8").splitlines()) - 1
    assert ran.out == f"{posts:,} posts of 29 people in {out}\n"  # one of 30 stays at home
    assert sorted(path.name for path in city.iterdir()) == CITY_FILES
    assert sorted(path.name for path in truth.iterdir()) == ["people.csv", "posts.csv", "stops.csv"]
    assert truth.stat().st_mode & 0o077 == out.stat().st_mode & 0o077 == 0
    assert len((truth / "posts.csv").read_text(encoding="utf-8").splitlines()) - 1 == posts
    first = out.read_bytes()
    facts = json.loads(run("generate", "posts", *small, "--json").out)
    assert (facts["records"], facts["people"], facts["seed"]) == (posts, 29, 1)
    assert out.read_bytes() == first
    ran = run("generate", "posts", *small, "--city", city)
    assert (ran.code, ran.err) == (2, f"sfumato: {city}: exists already; choose another name or remove it first\n")
    ran = run("generate", "posts", *small, "--city", tmp_path / "new", "--truth", tmp_path / "new" / "truth")
    assert (ran.code, ran.err.count("\n")) == (2, 1)


def test_raw_reports(run, tmp_path: Path) -> None:
    out = tmp_path / "reports.parquet"
    ran = run("generate", "city", *SMALL["city"], "--output", "positions", "--seed", 1, "--out", out)
    assert ran.code == 0, ran.err
    positions = read_positions(out)
    assert ran.out == f"30 tracks with {len(positions.times):,} positions in {out}\n"
    assert len(positions) == 30


def test_a_network_from_files(run, tmp_path: Path) -> None:
    (tmp_path / "a_node.txt").write_text("1 0 0 *\n2 1 0 *\n3 1 1 *\n4 0 1 *\n")
    (tmp_path / "a_edge.txt").write_text("1 1 2 3 *\n2 2 3 3 *\n3 3 4 3 *\n")
    out = tmp_path / "visits.txt"
    ran = run("generate", "city", "--network", tmp_path, "--objects", 5, "--seed", 1, "--out", out)
    assert ran.code == 0, ran.err
    assert len(read(out)) == 5


@pytest.mark.parametrize(
    ("args", "problem"),
    [
        (["city", "--network", "{folder}"], "nodes.csv and roads.csv, or one *node*.txt and one *edge*.txt, found another set of files"),
        (["city", "--network", "{folder}/pieces"], "found 2 components, the largest with 2 of 3 nodes; keep the largest (--largest true)"),
        (["city", "--starts", "here"], "starts must be one of 'network', 'space', got 'here'"),
        (["baskets", "--items", 3], "Baskets: mean_size must be at most the number of items, 3, got 10"),
        (["mixed", "--people", 0], "people must be a whole number of at least 1, got 0"),
        (["graph", "--nodes", 3, "--edges", 9], "out.doc: wanted a file that ends in .lg, .csv or .parquet"),
        (["graph", "--nodes", 1], "nodes must be a whole number of at least 2, or None, got 1"),
        (["posts", "--people", 3], "out.doc: wanted a file that ends in .csv or .parquet for posts"),
        (["mixed", "--seed", -1], "Invalid value for '--seed'"),
        (["city", "--nodes", 60, "--objects", 9, "--output", "positions"], "wanted a file that ends in .csv or .parquet for positions, found '.doc'"),
    ],
)  # fmt: skip
def test_what_cannot_be_generated_is_refused(run, args: list[object], problem: str, tmp_path: Path) -> None:
    (tmp_path / "pieces").mkdir()
    (tmp_path / "pieces" / "nodes.csv").write_text("node,x,y\na,0,0\nb,1,0\nc,5,5\n")
    (tmp_path / "pieces" / "roads.csv").write_text("road,from,to\n1,a,b\n")
    asked = [str(arg).format(folder=tmp_path) for arg in args]
    ran = run("generate", *asked, "--out", tmp_path / "out.doc")
    assert ran.code == 2
    assert problem in ran.err
    assert ran.err.count("\n") == 1
    assert not (tmp_path / "out.doc").exists()
