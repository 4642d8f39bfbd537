"""Roads on the command line: generate, describe, match, anonymize, verify, audit, map; and every wrong file or flag."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sfumato.io import read

Run = Any


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random map with 300 vehicles, and one jump, one stranger and one fall among copies of them."""
    from sfumato.generate import Roads
    from sfumato.io import write, write_network

    folder = tmp_path_factory.mktemp("town")
    made = Roads(nodes=12, degree=3, vehicles=300, distance_km=12).make(seed=4)
    write(made, folder / "drives.csv")
    write_network(made.network, folder / "streets")
    return folder


def test_generate_writes_drives_and_their_streets(run: Run, tmp_path: Path) -> None:
    out, streets = tmp_path / "d.parquet", tmp_path / "s"
    wanted = ("--nodes", 30, "--vehicles", 50, "--seed", 1, "--out", out)
    ran = run("generate", "roads", *wanted, "--streets", streets, "--json")
    assert ran.code == 0
    assert json.loads(ran.out)["kind"] == "roads"
    drives = read(out, network=streets)
    assert len(drives) == 50
    assert len(drives.network) == 30
    again = run("generate", "roads", *wanted, "--network", streets)
    assert again.code == 0
    assert len(read(out, network=streets)) == 50
    city = run(
        "generate",
        "city",
        "--output",
        "roads",
        "--nodes",
        100,
        "--objects",
        20,
        "--out",
        out,
        "--streets",
        tmp_path / "c",
    )
    assert city.out.startswith("20 road trajectories with ")
    assert len(read(out, network=tmp_path / "c")) == 20


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("roads",), "generate roads: roads need their network; name a directory for it (--streets DIR)"),
        (("city", "--output", "roads"), "generate city: roads need their network; name a directory for it (--streets DIR)"),
        (("roads", "--degree", 1), "generate roads: Invalid value for '--degree': degree must be a number of at least 2 and at most 5.5, got 1.0"),
        (("city", "--output", "roads", "--nodes", 50, "--objects", 5, "--streets", "S", "--places", "P"), "generate city: roads have no places; leave --places out, or --output roads"),
    ],
)  # fmt: skip
def test_generate_refuses(run: Run, tmp_path: Path, args: tuple[Any, ...], sentence: str) -> None:
    placed = [tmp_path / one if one in ("S", "P") else one for one in args]
    ran = run("generate", *placed, "--out", tmp_path / "d.csv")
    assert (ran.code, ran.err) == (2, f"sfumato: {sentence}\n")
    assert list(tmp_path.iterdir()) == []


def test_describe(run: Run, town: Path) -> None:
    ran = run("describe", town / "drives.csv", "--network", town / "streets", "--json")
    facts = json.loads(ran.out)
    assert {
        "kind": "roads",
        "records": 300,
        "times": "known",
        "intervals": None,
        "network_nodes": 12,
    }.items() <= facts.items()
    assert facts["network_roads"] == 18
    assert "generalized_labels" not in facts


def spoiled(town: Path, tmp_path: Path, change: Any) -> Path:
    frame = pl.read_csv(town / "drives.csv", schema_overrides={"road": pl.String})
    path = tmp_path / "spoiled.csv"
    change(frame).write_csv(path)
    return path


CHANGES = {
    "jump": (lambda f: f.head(1).vstack(f.head(1)), "line 3: wanted a road that begins where the one before it ends, found a jump; split_jumps=True begins a new trajectory there (--split-jumps)"),
    "stranger": (lambda f: f.head(2).with_columns(road=pl.Series(["99", "98"])), "line 2: wanted a road of the network, found another; rows with such roads: 2"),
    "backwards": (lambda f: f.head(2).with_columns(time=pl.Series([5.0, 4.0])), "line 3: wanted times that do not fall within a trajectory, found a time before the previous one"),
    "negative": (lambda f: f.head(2).with_columns(time=pl.Series([-5.0, 4.0])), "line 2: wanted a time of 0 or later, found a negative or unreadable one"),
    "direction": (lambda f: f.head(1).with_columns(direction=pl.lit("up")), "line 2: wanted direction as + or -, found something else"),
}  # fmt: skip


@pytest.mark.parametrize("command", ["describe", "audit", "anonymize"])
@pytest.mark.parametrize("change", CHANGES)
def test_files_that_cannot_be_used(run: Run, town: Path, tmp_path: Path, command: str, change: str) -> None:
    spoil, sentence = CHANGES[change]
    path = spoiled(town, tmp_path, spoil)
    more = ("--k", 5, "--out", tmp_path / "out") if command == "anonymize" else ()
    method = ("icba",) if command == "anonymize" else ()
    ran = run(command, *method, path, "--network", town / "streets", *more)
    assert (ran.code, ran.err) == (2, f"sfumato: {path}, {sentence}\n")
    assert not (tmp_path / "out").exists()


def test_a_jump_splits_where_asked(run: Run, town: Path, tmp_path: Path) -> None:
    path = spoiled(town, tmp_path, CHANGES["jump"][0])
    ran = run("describe", path, "--network", town / "streets", "--split-jumps", "--json")
    assert json.loads(ran.out)["records"] == 2


@pytest.mark.parametrize(
    ("network", "sentence"),
    [
        ("nowhere", "{0}/nowhere: no such file or directory"),
        (None, "{1}: road trajectories need the network of their roads; give the network of the roads (--network DIR, with nodes.csv and roads.csv)"),
        ("empty", "{0}/empty: wanted nodes.csv and roads.csv, or one *node*.txt and one *edge*.txt, found another set of files"),
        ("broken.graphml", "{0}/broken.graphml, line 1: wanted GraphML, found something else or a file that is cut off"),
    ],
)  # fmt: skip
def test_networks_that_cannot_be_used(run: Run, town: Path, tmp_path: Path, network: str | None, sentence: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken.graphml").write_text("<graphml><graph>")
    said = () if network is None else ("--network", tmp_path / network)
    ran = run("anonymize", "icba", town / "drives.csv", *said, "--k", 5, "--out", tmp_path / "out")
    assert (ran.code, ran.err) == (2, f"sfumato: {sentence.format(tmp_path, town / 'drives.csv')}\n")
    assert not (tmp_path / "out").exists()


def test_a_network_with_other_data(run: Run, town: Path, visits: Path) -> None:
    ran = run("describe", visits, "--network", town / "streets")
    assert (
        ran.err
        == f"sfumato: {visits}: wanted the columns trajectory, road, direction for the network that was given, found no roads\n"
    )
    ran = run("anonymize", "seqanon", town / "drives.csv", "--k", 2, "--m", 1, "--out", town / "never")
    assert ran.code == 2
    assert "wanted visits (trajectory, location), found roads (trajectory, road, direction)" in ran.err
    roads_alone = run("describe", town / "drives.csv", "--kind", "trajectories", "--columns", "location=road", "--json")
    assert json.loads(roads_alone.out)["kind"] == "trajectories"
