"""Bad input: one sentence on stderr, exit code 2, nothing written."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

GOOD = "trajectory,location,x,y\n1,a,0,0\n1,b,1,0\n2,a,0,0\n"


@pytest.fixture
def refused(run, tmp_path: Path):
    """Run a command that must be refused, and give its sentence."""

    def check(*args: object) -> str:
        before = sorted(path.name for path in tmp_path.rglob("*"))
        ran = run(*args)
        assert ran.code == 2, ran.out + ran.err
        assert ran.err.count("\n") == 1, ran.err
        assert ran.out == ""
        assert sorted(path.name for path in tmp_path.rglob("*")) == before
        return ran.err.strip()

    return check


@pytest.fixture
def anonymize(refused, tmp_path: Path):
    """`anonymize seqanon` on a file with this content."""

    def check(content: str | bytes, *more: object, name: str = "visits.csv", k: object = 2, m: object = 1) -> str:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        said = refused("anonymize", "seqanon", path, "--k", k, "--m", m, "--out", tmp_path / "out", *more)
        return said.replace(str(tmp_path) + os.sep, "")

    return check


FILES = {
    "empty": ("", "sfumato: visits.csv: the file is empty"),
    "header only": ("trajectory,location\n", "sfumato: visits.csv: wanted at least one row, found none"),
    "mis-headed": (
        "walk,spot\n1,a\n",
        "sfumato: visits.csv: wanted the columns trajectory, location, found walk, spot; "
        "say which column is which, such as trajectory=walk,location=spot (--columns trajectory=walk,location=spot)",
    ),
    "binary": (b"\xff\xfe\x00\x01\xff\n\xff\n", "sfumato: visits.csv, line 1: wanted text in UTF-8, found something else"),
    "truncated": ("trajectory,location\n1,a\n2", "sfumato: visits.csv, line 3: wanted a location, found nothing (is the file cut off?)"),
    "missing value": ("trajectory,location\n1,a\n,b\n", "sfumato: visits.csv, line 3: wanted a trajectory, found nothing (is the file cut off?)"),
    "mis-typed coordinate": ("trajectory,location,x,y\n1,a,0,0\n1,b,east,0\n", "sfumato: visits.csv, line 3: wanted x as a number, found something else"),
    "latitude": (
        "trajectory,location,lat,lon\n1,a,0,0\n1,b,91,0\n",
        "sfumato: visits.csv, line 3: wanted lat as a number between -90 and 90, found something else; "
        "if lat and lon are swapped, exchange the two columns (--columns lat=lon,lon=lat)",
    ),
    "negative time": (
        "trajectory,location,time\n1,a,3\n1,b,-4\n",
        "sfumato: visits.csv, line 3: wanted a time of 0 or later, found a negative or unreadable one",
    ),
    "mis-typed time": (
        "trajectory,location,time\n1,a,2026-01-01T10:00:00\n1,b,noon\n",
        "sfumato: visits.csv, line 3: wanted a time as a number of seconds or as YYYY-MM-DDTHH:MM:SS, found another text",
    ),
    "too many fields": (
        "trajectory,location\n1,a\n1,b,c,d\n",
        "sfumato: visits.csv, line 3: wanted as many fields as the header has, found a line with too many fields",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", FILES)
def test_a_file_that_cannot_be_used(anonymize, what: str) -> None:
    content, sentence = FILES[what]
    assert anonymize(content) == sentence


def test_a_truncated_gzip_file(anonymize) -> None:
    whole = gzip.compress(GOOD.encode() * 50)
    assert anonymize(whole[: len(whole) // 2], name="visits.csv.gz") == (
        "sfumato: visits.csv.gz: the gzip file ends early or is damaged"
    )


def test_a_truncated_parquet_file(anonymize, tmp_path: Path) -> None:
    import polars as pl

    pl.DataFrame({"trajectory": [1], "location": ["a"]}).write_parquet(tmp_path / "whole.parquet")
    content = (tmp_path / "whole.parquet").read_bytes()
    said = anonymize(content[:-20], name="visits.parquet")
    assert (
        said == "sfumato: visits.parquet: wanted a Parquet file, found another format, or a damaged or truncated file"
    )


def test_an_unreadable_path(refused, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert "visits.csv: no such file" in refused(
        "anonymize", "seqanon", tmp_path / "visits.csv", "--k", 2, "--m", 1, "--out", out
    )
    (tmp_path / "folder.csv").mkdir()
    said = refused("anonymize", "seqanon", tmp_path / "folder.csv", "--k", 2, "--m", 1, "--out", out)
    assert said.endswith("folder.csv: wanted a file, found a directory")
    (tmp_path / "visits.doc").write_text(GOOD)
    assert "wanted a file that ends in .csv" in refused("describe", tmp_path / "visits.doc")


def test_a_location_without_a_place(anonymize, tmp_path: Path) -> None:
    (tmp_path / "places.csv").write_text("location,x,y\na,0,0\n")
    said = anonymize(GOOD, "--places", tmp_path / "places.csv")
    assert said == "sfumato: places.csv: wanted a place for every location, found none for 1 of 2"
    assert anonymize("trajectory,location\n1,a\n2,a\n") == (
        "sfumato: seqanon: needs places, these data carry none; give places, or lat and lon (or x and y) columns in the data (--places FILE)"
    )


TAXONOMIES = {
    "a cycle": ("node,parent\nroot,\nx,y\ny,x\n", "wanted a tree, found a cycle"),
    "two roots": ("node,parent\nroot,\nother,\n", "wanted one root, found 2, the second one here"),
    "no root": ("node,parent\nx,y\ny,x\n", "wanted a root, found none: the nodes form a cycle"),
    "a missing leaf": (
        "node,parent\nroot,\na,root\n",
        "wanted a leaf for every location of the data, found none for 1",
    ),
    "two parents": ("a;x;*\nb;y;*\nc;x;z;*\n", "wanted one parent for each node, found a second one"),
    "a missing parent": (
        "node,parent\nroot,\na,nobody\n",
        "wanted a parent that is a node itself, found an unknown name",
    ),
}


@pytest.mark.parametrize("what", TAXONOMIES)
def test_a_taxonomy_that_cannot_be_used(refused, tmp_path: Path, what: str) -> None:
    content, problem = TAXONOMIES[what]
    (tmp_path / "visits.csv").write_text(GOOD)
    (tmp_path / "tree.csv").write_text(content)
    said = refused("describe", tmp_path / "visits.csv", "--taxonomy", tmp_path / "tree.csv")
    assert said.endswith(problem)
    assert "tree.csv" in said


@pytest.mark.parametrize(
    ("k", "m", "sentence"),
    [
        (1, 1, "sfumato: anonymize seqanon: Invalid value for '--k': k must be a whole number of at least 2, got 1"),
        (
            "x",
            1,
            "sfumato: anonymize seqanon: Invalid value for '--k': k must be a whole number of at least 2, got 'x'",
        ),
        (2, 0, "sfumato: anonymize seqanon: Invalid value for '--m': m must be a whole number of at least 1, got 0"),
        (3, 1, "sfumato: seqanon: k=3 needs at least 3 records with a visit, these data have 2"),
    ],
)
def test_parameters_that_cannot_be_met(anonymize, k: object, m: object, sentence: str) -> None:
    assert anonymize(GOOD, k=k, m=m) == sentence


def test_wrong_names_and_options(refused, anonymize, tmp_path: Path) -> None:
    assert (
        refused("anonymize", "seqannon", "x")
        == "sfumato: anonymize: no method is called 'seqannon'; did you mean 'seqanon'?"
    )
    assert (
        refused("generate", "chekins")
        == "sfumato: generate: no generator is called 'chekins'; did you mean 'checkins'?"
    )
    assert "no command is called 'anonymise'; did you mean 'anonymize'?" in refused("anonymise")
    assert "--kk" in anonymize(GOOD, "--kk", 3)
    assert "no measure is called 'intakt'; did you mean 'intact'?" in anonymize(GOOD, "--measure", "intakt")
    assert "--columns: wanted role=column pairs" in anonymize(GOOD, "--columns", "poi")
    assert "wanted a known column role, found 'place'" in anonymize(GOOD, "--columns", "place=location")
    assert "wanted a column 'locatio' for location, found none; did you mean 'location'?" in anonymize(
        GOOD, "--columns", "location=locatio"
    )
    missing = refused("anonymize", "seqanon", "x.csv", "--m", 1, "--out", tmp_path / "o")
    assert "anonymize seqanon: --k is required: how many persons must share" in missing
    assert "name the privacy model to check" in refused("verify", tmp_path / "visits.csv")
    assert "--k needs --model" in refused("verify", tmp_path, "--k", 3)
    assert "km: --m is required" in refused("verify", tmp_path / "visits.csv", "--model", "km", "--k", 2)
    assert "no parameter is called 'm'" in refused(
        "verify", tmp_path / "visits.csv", "--model", "k-anonymity", "--k", 2, "--m", 1
    )
    assert "wanted a published directory, found none" in refused("verify", tmp_path / "nowhere")


def test_outputs_that_cannot_be_written(anonymize, refused, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "precious.txt").write_text("mine")
    assert anonymize(GOOD) == "sfumato: out: exists already; choose another name or remove it first"
    assert (tmp_path / "out" / "precious.txt").read_text() == "mine"
    said = refused(
        "anonymize", "seqanon", tmp_path / "visits.csv", "--k", 2, "--m", 1, "--out", tmp_path / "no" / "where"
    )
    assert "make it first" in said
    said = refused(
        "anonymize", "seqanon", tmp_path / "visits.csv", "--k", 2, "--m", 1,
        "--out", tmp_path / "new", "--report", tmp_path / "new" / "report.json",
    )  # fmt: skip
    assert "the report is private and must not be in the directory to publish" in said


def test_a_report_without_a_place_is_refused_before_the_work(anonymize, refused, tmp_path: Path) -> None:
    assert "make it first" in anonymize(GOOD, "--report", tmp_path / "no" / "report.json")
    assert "make it first" in refused("generate", "checkins", "--out", tmp_path / "no" / "town.csv")


def test_directories_and_files_are_not_mixed_up(refused, run, tmp_path: Path) -> None:
    (tmp_path / "visits.csv").write_text(GOOD)
    run("anonymize", "seqanon", tmp_path / "visits.csv", "--k", 2, "--m", 1, "--out", tmp_path / "out")
    km = ("--model", "km", "--k", 2, "--m", 1)
    assert "states its own promise; leave --model out" in refused("verify", tmp_path / "out", *km)
    both = ("verify", tmp_path / "visits.csv", "--original", tmp_path / "visits.csv", *km)
    assert "leave one of them out" in refused(*both)


def test_a_trajectory_of_two_persons(anonymize) -> None:
    said = anonymize("trajectory,person,location,x,y\n7777,u,a,0,0\n7777,v,a,0,0\n")
    assert said == "sfumato: visits.csv, line 3: wanted one person for each trajectory, found a second person"


def test_an_unexpected_error_quotes_nothing(run, tmp_path: Path, monkeypatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError("Anna Example, 7 Main Street")

    monkeypatch.setattr("sfumato.io.read", broken)
    monkeypatch.delenv("SFUMATO_TRACEBACK", raising=False)
    ran = run("describe", tmp_path / "visits.csv")
    assert ran.code == 1
    assert "Anna" not in ran.err + ran.out
    assert "this is a bug" in ran.err


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_stopped_leaves_no_directory(sent: signal.Signals, tmp_path: Path) -> None:
    from sfumato.generate import Checkins
    from sfumato.io import write

    write(Checkins(trajectories=50, locations=5).make(seed=1), tmp_path / "small.csv")
    compiled = [
        sys.executable,
        "-m",
        "sfumato",
        "anonymize",
        "seqanon",
        "small.csv",
        "--k",
        "2",
        "--m",
        "2",
        "--out",
        "small",
    ]
    subprocess.run(compiled, cwd=tmp_path, stdout=subprocess.DEVNULL, check=True)
    write(Checkins(trajectories=400_000, locations=12_000, zipf=0.3).make(seed=1), tmp_path / "visits.csv")
    command = [
        sys.executable,
        "-m",
        "sfumato",
        "anonymize",
        "seqanon",
        "visits.csv",
        "--k",
        "5",
        "--m",
        "2",
        "--out",
        "out",
    ]
    running = subprocess.Popen(
        command,
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        # whoever runs the tests in the background has their signals ignored, which children inherit
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    time.sleep(1.5)
    assert running.poll() is None, "the run was over before it could be stopped"
    running.send_signal(sent)
    _, err = running.communicate(timeout=60)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["small", "small.csv", "visits.csv"]
    if sent != signal.SIGKILL:
        assert running.returncode == 130
        assert err.strip() == "sfumato: interrupted, nothing was written"


def test_columns_with_other_names_are_asked_for(refused, run, tmp_path: Path) -> None:
    """A file is taken for a table if nobody says which of its columns is which."""
    odd = tmp_path / "odd.csv"
    odd.write_text("walk,spot\n1,a\n1,b\n2,a\n2,b\n")
    verify = ("verify", odd, "--model", "km", "--k", 2, "--m", 1)
    problems = {
        ("audit", odd): "the audit of a table needs quasi-identifiers, and this one has the columns walk, spot",
        verify: "wanted trajectories or transactions, found a table with the columns walk, spot",
    }
    for command, problem in problems.items():
        said = refused(*command)
        assert problem in said
        assert "--columns trajectory=walk,location=spot)" in said
        assert run(*command, "--columns", "trajectory=walk,location=spot").code == 0


def test_the_original_where_a_promise_speaks_of_it(refused, run, tmp_path: Path) -> None:
    visits, out = tmp_path / "visits.csv", tmp_path / "out"
    visits.write_text("walk,spot,who\n1,a,u\n1,b,u\n2,a,v\n2,b,v\n3,b,w\n")
    columns = ("--columns", "trajectory=walk,location=spot", "--person", "who")
    assert run("anonymize", "bf-p2ka", visits, *columns, "--k", 2, "--out", out).code == 0
    assert "cannot be fully checked" in run("verify", out).out
    assert "holds" in run("verify", out, "--original", visits, *columns).out
    assert "columns trajectory, location" in refused("verify", out, "--original", visits)
    model = ("--model", "sequence-k", "--k", 2)
    (tmp_path / "seen.csv").write_text("walk,spot\n1,a\n1,b\n")
    alone = run("verify", tmp_path / "seen.csv", *model, *columns[:2])
    assert alone.code == 3
    assert "give the original to check it fully (--original FILE)" in alone.out
    assert run("verify", tmp_path / "seen.csv", *model, "--original", visits, *columns).code == 0
    three = (*model[:3], 3)
    broken = run("verify", tmp_path / "seen.csv", *three, "--original", visits, *columns)
    assert broken.code == 1
    assert "DOES NOT HOLD" in broken.out


def test_where_a_visit_came_from_is_not_asked_of_made_up_sequences(refused, tmp_path: Path) -> None:
    visits = tmp_path / "visits.csv"
    visits.write_text("trajectory,location,x,y\n1,a,0,0\n2,a,0,0\n")
    report = ("--report", tmp_path / "report.json", "--out", tmp_path / "out")
    said = refused("anonymize", "bf-p2ka", visits, "--k", 2, "--measure", "displacement", *report)
    assert said == (
        "sfumato: displacement: wanted the original visit or item of each published one, "
        "found a release of bf-p2ka, which has none"
    )
    assert not (tmp_path / "out").exists()
