"""`sfumato mine`, as a person and as a machine use it."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest


@pytest.fixture
def walks(tmp_path: Path) -> Path:
    path = tmp_path / "walks.txt"
    path.write_text("home gym work\nhome work\nwork home\n")
    return path


def test_a_person_reads_a_table(run, walks: Path) -> None:
    ran = run("mine", "sequences", walks, "--support", 2)
    assert ran.code == 0, ran.err
    assert ran.out.startswith("3 patterns with a support of at least 2 records\n")
    assert "home -> work" in ran.out
    assert "--out FILE" not in ran.out
    many = run("mine", "sequences", walks, "--support", 1, "--maximal")
    assert many.out.startswith("2 maximal patterns with a support of at least 1 records\n")


def test_a_machine_reads_json(run, walks: Path) -> None:
    said = json.loads(run("mine", "sequences", walks, "--top", 2, "--min-length", 2, "--json").out)
    assert said == {
        "input": str(walks),
        "kind": "trajectories",
        "unit": "record",
        "support": 1,
        "keep": "all",
        "patterns": 2,
        "found": [
            {"pattern": ["home", "work"], "length": 2, "support": 2},
            {"pattern": ["gym", "work"], "length": 2, "support": 1},
        ],
    }


@pytest.mark.parametrize(
    ("support", "count"), [("2", 2), ("50%", 2), ("0.5", 2), ("100%", 3), ("34%", 2), ("0.1%", 1), ("1", 1)]
)
def test_support_is_a_count_or_a_share(run, walks: Path, support: str, count: int) -> None:
    assert json.loads(run("mine", "sequences", walks, "--support", support, "--json").out)["support"] == count


def test_long_tables_are_cut(run, tmp_path: Path) -> None:
    (tmp_path / "walk.txt").write_text("a b c d e\n")
    assert (
        "and 11 more; --out FILE writes all patterns."
        in run("mine", "sequences", tmp_path / "walk.txt", "--support", 1).out
    )


@pytest.mark.parametrize("ending", ["csv", "parquet", "csv.gz"])
def test_all_patterns_in_a_file(run, walks: Path, tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"patterns.{ending}"
    ran = run("mine", "sequences", walks, "--support", 2, "--closed", "--out", out)
    assert ran.code == 0, ran.err
    assert f"All patterns are in {out}." in ran.out
    frame = pl.read_parquet(out) if ending == "parquet" else pl.read_csv(out)
    patterns = frame["pattern"].to_list()
    patterns = patterns if ending == "parquet" else [json.loads(pattern) for pattern in patterns]
    assert patterns == [["home"], ["work"], ["home", "work"]]
    assert frame["support"].to_list() == [3, 3, 2]
    said = json.loads(run("mine", "sequences", walks, "--support", 2, "--closed", "--out", out, "--json").out)
    assert said["out"] == str(out)
    assert "found" not in said


def test_itemsets_of_every_source(run, tmp_path: Path) -> None:
    (tmp_path / "baskets.txt").write_text("milk bread\nmilk bread beer\n")
    (tmp_path / "tidy.csv").write_text("record,item,who\n1,milk,u\n1,bread,u\n2,milk,u\n2,bread,u\n3,milk,v\n")
    (tmp_path / "people.csv").write_text("age,codes,who\n31,401 250,u\n44,250,u\n44,250,v\n")
    said = json.loads(run("mine", "itemsets", tmp_path / "baskets.txt", "--support", 2, "--maximal", "--json").out)
    assert said["found"] == [{"pattern": ["bread", "milk"], "length": 2, "support": 2}]
    tidy = run("mine", "itemsets", tmp_path / "tidy.csv", "--person", "who", "--support", 2, "--json")
    assert json.loads(tidy.out)["found"] == [{"pattern": ["milk"], "length": 1, "support": 2}]
    mixed = run(
        "mine", "itemsets", tmp_path / "people.csv", "--items", "codes", "--person", "who", "--support", 1, "--top", 1,
        "--json",
    )  # fmt: skip
    assert json.loads(mixed.out)["found"] == [{"pattern": ["250"], "length": 1, "support": 2}]
    assert json.loads(mixed.out)["unit"] == "person"


def test_a_published_directory(run, visits: Path, tmp_path: Path) -> None:
    run("anonymize", "seqanon", visits, "--k", 2, "--m", 2, "--out", tmp_path / "out")
    said = json.loads(run("mine", "sequences", tmp_path / "out", "--support", 2, "--json").out)
    assert said["unit"] == "record"
    assert said["patterns"] > 0


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        ([], "sfumato: mine sequences: wanted --support, --top or both, found neither"),
        (["--top", 1, "--closed", "--maximal"], "sfumato: mine sequences: --closed and --maximal exclude each other"),
        (
            ["--support", "1.5"],
            "sfumato: mine sequences: Invalid value for '--support': "
            "wanted a whole number, or a share such as 0.5%, found '1.5'",
        ),
        (["--top", 1, "--out", "x.txt"], "sfumato: x.txt: wanted a file that ends in .csv or .parquet"),
        (
            ["--top", 1, "--min-length", 3, "--max-length", 2],
            "sfumato: FrequentSequences: max_length must be at least min_length=3, got 2",
        ),
    ],
)
def test_mistakes(run, walks: Path, args: list[object], sentence: str) -> None:
    ran = run("mine", "sequences", walks, *args)
    assert (ran.code, ran.out, ran.err) == (2, "", f"{sentence}\n")


@pytest.mark.parametrize("support", ["0", "-1", "0%", "101%", "x", "", "nan", "1/0", "%"])
def test_a_support_that_is_none(run, walks: Path, support: str) -> None:
    ran = run("mine", "sequences", walks, "--support", support)
    assert ran.code == 2
    assert f"wanted a whole number, or a share such as 0.5%, found {support!r}" in ran.err


def test_wrong_names_and_kinds(run, walks: Path, tmp_path: Path) -> None:
    assert "no miner is called 'sequence'; did you mean 'sequences'?" in run("mine", "sequence", walks).err
    (tmp_path / "visits.csv").write_text("trajectory,location\n1,a\n")
    ran = run("mine", "itemsets", tmp_path / "visits.csv", "--top", 1)
    assert ran.code == 2
    assert "visits.csv" in ran.err
    out = tmp_path / "visits.csv"
    assert (
        "would replace an input of this command; choose another name"
        in run("mine", "sequences", out, "--top", 1, "--out", out).err
    )
    assert out.read_text() == "trajectory,location\n1,a\n"
