"""`sfumato prepare limit`: the same file with fewer records of each person, and how it helps where one dominates."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import polars as pl
import pytest

# u alone was at the clinic, in three of six days
DAYS = """user;day;poi;hour
u;1;bar;8
u;1;clinic;9
u;2;bar;8
u;2;clinic;9
u;3;gym;8
u;3;clinic;"9"
v;4;bar;8
w;5;gym;8
x;06;bar;8
"""
PLACES = "location,x,y,sensitive\nbar,0,0,false\ngym,1,0,false\nclinic,2,0,true\n"
READ = ("--columns", "trajectory=day,location=poi", "--person", "user")


@pytest.fixture
def days(tmp_path: Path) -> Path:
    (tmp_path / "days.csv").write_text(DAYS)
    (tmp_path / "places.csv").write_text(PLACES)
    return tmp_path


def test_data_that_one_person_dominates_can_be_published_after_it(run, days: Path) -> None:
    options = ("--places", days / "places.csv", "--k", 2, "--l", 3, "--m", 1, *READ)
    refused = run("anonymize", "zga", days / "days.csv", "--out", days / "out", *options)
    assert refused.code == 2
    assert "sfumato prepare limit --records-per-person N" in refused.err
    assert not (days / "out").exists()
    limited = days / "limited.csv"
    done = run("prepare", "limit", days / "days.csv", "--out", limited, "--records-per-person", 1, "--seed", 1, *READ)
    assert done.code == 0, done.err
    assert done.out == f"1 of 4 persons had more than 1 record: 2 of 6 records left out, 4 in {limited}\n"
    made = run("anonymize", "zga", limited, "--out", days / "out", *options)
    assert made.code == 0, made.err
    assert "DOES NOT HOLD" not in run("verify", days / "out").out


def test_the_output_is_the_input_without_some_records(run, days: Path) -> None:
    out = days / "limited.csv"
    said = run(
        "prepare", "limit", days / "days.csv", "--out", out, "--records-per-person", 2, "--seed", 5, "--json", *READ
    )
    facts = json.loads(said.out)
    assert {name: facts[name] for name in ("records", "persons_cut", "records_cut")} == {
        "records": 5,
        "persons_cut": 1,
        "records_cut": 1,
    }
    assert facts["parameters"] == {"records_per_person": 2, "seed": 5}
    before = pl.read_csv(days / "days.csv", separator=";", infer_schema=False)
    after = pl.read_csv(out, infer_schema=False)
    assert after.columns == before.columns
    assert after["day"].n_unique() == 5
    assert after.equals(before.filter(pl.col("day").is_in(after["day"].unique().to_list())))
    assert "06" in after["day"].to_list()
    assert stat.S_IMODE(out.stat().st_mode) == 0o600


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet"])
@pytest.mark.parametrize(
    ("columns", "options"),
    [
        ({"trajectory": [1, 1, 2, 3], "location": list("abab"), "person": [7, 7, 7, 8]}, ()),
        ({"record": ["r", "r", "s", "t"], "item": list("abab"), "person": list("uuuv")}, ()),
        ({"trajectory": [1, 1, 2, 3], "road": list("aaaa"), "direction": list("+-++"), "person": list("uuuv")}, ()),
        ({"who": list("uuvw"), "age": [1, 2, 3, 4]}, ("--person", "who")),
        ({"who": list("uuvw"), "age": [1, 2, 3, 4], "bought": ["a b", "", "b", None]}, ("--person", "who", "--items", "bought")),
    ],
    ids=["trajectories", "transactions", "roads", "table", "mixed"],
)  # fmt: skip
def test_every_kind_that_knows_persons(run, tmp_path: Path, ending: str, columns: dict, options: tuple) -> None:
    frame = pl.DataFrame(columns)
    file, out = tmp_path / f"data.{ending}", tmp_path / f"out.{ending}"
    if ending == "parquet":
        frame.write_parquet(file)
    elif ending == "csv":
        frame.write_csv(file)
    else:
        import gzip

        file.write_bytes(gzip.compress(frame.write_csv().encode()))
    said = run("prepare", "limit", file, "--out", out, "--records-per-person", 1, "--json", *options)
    assert said.code == 0, said.err
    assert json.loads(said.out)["persons_cut"] == 1
    assert json.loads(said.out)["records_cut"] == 1
    again = run("prepare", "limit", out, "--out", tmp_path / "again.csv", "--records-per-person", 1, *options)
    assert again.code == 0, again.err
    assert again.out.startswith("0 of ")
    left = pl.read_parquet(out) if ending == "parquet" else pl.read_csv(out)
    assert left.columns == frame.columns


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--records-per-person", 0, *READ), "records_per_person must be a whole number of at least 1, got 0"),
        (("--records-per-person", 1, *READ[:3], "usr"), "wanted a column 'usr', found user, day, poi, hour"),
    ],
)
def test_refusals(run, days: Path, arguments: tuple, sentence: str) -> None:
    said = run("prepare", "limit", days / "days.csv", "--out", days / "limited.csv", *arguments)
    assert said.code == 2
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert not (days / "limited.csv").exists()


def test_lines_of_names_have_no_persons(run, tmp_path: Path) -> None:
    (tmp_path / "days.txt").write_text("a b\nb\n")
    said = run("prepare", "limit", tmp_path / "days.txt", "--out", tmp_path / "out.csv", "--records-per-person", 1)
    assert said.code == 2
    assert "found no column of persons; name it (--person COLUMN)" in said.err


def test_a_record_of_two_persons_is_refused_and_outputs_are_looked_at(run, days: Path) -> None:
    (days / "shared.csv").write_text("trajectory,person,location\n1,u,a\n1,v,b\n")
    said = run("prepare", "limit", days / "shared.csv", "--out", days / "out.csv", "--records-per-person", 1)
    assert said.code == 2
    assert "wanted one person for each trajectory, found a second person" in said.err
    for out, sentence in (
        ("days.csv", "would replace an input of this command"),
        ("out.txt", "wanted a file that ends in .csv or .parquet"),
        ("nowhere/out.csv", "does not exist; make it first"),
    ):
        said = run("prepare", "limit", days / "days.csv", "--out", days / out, "--records-per-person", 1, *READ)
        assert said.code == 2
        assert sentence in said.err
    assert (days / "days.csv").read_text() == DAYS


def test_a_person_by_name_is_noted_and_none_is_refused(run, days: Path) -> None:
    words = ("prepare", "limit", days / "days.csv", "--out", days / "limited.csv", "--records-per-person", 1, *READ[:2])
    noted = run(*words)
    assert noted.code == 0
    assert "the column 'user' is read as the person by its name" in noted.err
    (days / "limited.csv").unlink()
    (days / "days.csv").write_text(DAYS.replace("user", "w", 1))
    refused = run(*words)
    assert refused.code == 2
    assert "found no column of persons; name it (--person COLUMN)" in refused.err
