"""What is in a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet", "txt"])
def test_generate_and_describe(run, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"town.{ending}"
    small = ["--trajectories", 50, "--locations", 9, "--seed", 1, "--out", path]
    assert run("generate", "checkins", *small).code == 0
    facts = json.loads(run("describe", path, "--json").out)
    assert facts["kind"] == "trajectories"
    assert facts["records"] == 50
    assert sum(facts["records_by_length"].values()) == 50
    again = json.loads(run("generate", "checkins", *small, "--json").out)
    assert again["parameters"]["locations"] == 9


def test_describe_every_kind(run, tmp_path: Path) -> None:
    (tmp_path / "baskets.dat").write_text("milk bread\nmilk\n")
    (tmp_path / "people.csv").write_text("age;job;codes\n31;cook;401 250\n44;;250\n")
    assert json.loads(run("describe", tmp_path / "baskets.dat", "--json").out)["distinct_items"] == 2
    table = json.loads(run("describe", tmp_path / "people.csv", "--sensitive", "job", "--json").out)
    assert [(c["column"], c["role"], c["missing"]) for c in table["columns"]][1] == ("job", "sensitive", 1)
    mixed = json.loads(run("describe", tmp_path / "people.csv", "--items", "codes", "--json").out)
    assert (mixed["kind"], mixed["items"]) == ("mixed", 3)
    for extra in ([], ["--items", "codes"]):
        assert run("describe", tmp_path / "people.csv", *extra).code == 0
