"""Frequent subgraphs in files."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import polars as pl
import pytest

from sfumato.errors import FileError, OutputError
from sfumato.io import read_graphs
from sfumato.mining import Pattern, Subgraphs
from sfumato.mining.subgraphs.files import read_patterns, write_subgraphs

FOUND = Subgraphs(
    (
        Pattern(("bar", "ice cream"), ((0, 1, ""),), 7, directed=True),
        Pattern(("bar", "shop", "bar"), ((0, 1, "by car"), (1, 0, "x"), (2, 1, "x")), 5, directed=True),
    ),
    threshold=5,
    exact=True,
    stopped="time",
    complete_edges=2,
    counts={"candidates": 9},
)


def test_lg_and_back(tmp_path: Path) -> None:
    write_subgraphs(FOUND, tmp_path / "p.lg")
    assert (tmp_path / "p.lg").read_text() == (
        't # 1 * 7\nv 0 bar\nv 1 "ice cream"\ne 0 1\n'
        't # 2 * 5\nv 0 bar\nv 1 shop\nv 2 bar\ne 0 1 "by car"\ne 1 0 x\ne 2 1 x\n'
    )
    again = read_patterns(tmp_path / "p.lg", directed=True)
    assert [(p.labels, set(p.edges), p.directed) for p in again] == [
        (p.labels, set(p.edges), True) for p in FOUND.patterns
    ]
    assert len(read_graphs(tmp_path / "p.lg")) == 2


def test_unlabelled_patterns_come_back(tmp_path: Path) -> None:
    plain = Subgraphs((Pattern(("", ""), ((0, 1, ""),), 3),), 3)
    write_subgraphs(plain, tmp_path / "p.lg.gz")
    (again,) = read_patterns(tmp_path / "p.lg.gz")
    assert (again.labels, again.edges) == (("", ""), ((0, 1, ""),))


def test_json_and_tables(tmp_path: Path) -> None:
    for name in ("p.json", "p.csv", "p.parquet"):
        write_subgraphs(FOUND, tmp_path / name)
    said = json.loads((tmp_path / "p.json").read_text())
    assert {name: said[name] for name in said if name != "patterns"} == {
        "support": 5,
        "exact": True,
        "complete": False,
        "stopped": "time",
        "complete_edges": 2,
        "counts": {"candidates": 9},
    }
    assert said["patterns"][0] == {"nodes": ["bar", "ice cream"], "edges": [[0, 1, ""]], "support": 7}
    rows = list(csv.reader((tmp_path / "p.csv").read_text().splitlines()))
    assert [json.loads(rows[2][0]), json.loads(rows[2][1]), rows[2][2]] == [
        ["bar", "shop", "bar"],
        ["0>1 by car", "1>0 x", "2>1 x"],
        "5",
    ]
    assert pl.read_parquet(tmp_path / "p.parquet")["support"].to_list() == [7, 5]


def test_nothing_found(tmp_path: Path) -> None:
    for name in ("p.lg", "p.json", "p.csv", "p.parquet"):
        write_subgraphs(Subgraphs((), 5), tmp_path / name)
    assert (tmp_path / "p.lg").read_text() == ""
    assert (tmp_path / "p.csv").read_text() == "nodes,edges,support\n"


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"p\.doc: wanted a file that ends in \.lg, \.json, \.csv, \.parquet"):
        write_subgraphs(FOUND, tmp_path / "p.doc")
    for text in ("v 0 a\nv 0 b\nv 1 a\ne 0 1\n", "v 0 a\nv 1\ne 0 1\n"):
        (tmp_path / "p.lg").write_text(text)
        with pytest.raises(FileError, match="wanted one label on each node of a pattern"):
            read_patterns(tmp_path / "p.lg")
