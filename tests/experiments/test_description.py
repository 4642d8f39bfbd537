"""What a description says of each kind of data, and of a file as of what it holds."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from sfumato import Disassociate, Graph, Mixed, Persons, SeqAnon, Table, Trajectories, Transactions, write
from sfumato.errors import FileError
from sfumato.experiments.description import ColumnSummary, Description, describe

WALKS = Trajectories.from_lists([["a", "b"], ["a", "b", "b"], ["a"], []], places=dict.fromkeys("ab", (0.0, 0.0)))
BASKETS = Transactions.from_lists([["ale", "tea"]] * 4 + [["ale"]] * 4)
PEOPLE = Table({"age": [30, 31, None], "town": ["Rome", "Rome", "Oslo"]}, sensitive=("town",))


def test_trajectories() -> None:
    found = describe(WALKS.with_persons(Persons.of(["x", "x", "y", "z"])))
    assert found.kind == "trajectories"
    assert found.figures == {
        "kind": "trajectories", "records": 4, "unit": "person", "persons": 3, "visits": 6, "distinct_locations": 2,
        "mean_length": 1.5, "longest": 3, "empty_records": 1, "generalized_labels": 0, "times": "unknown",
        "places": "x, y",
    }  # fmt: skip
    assert found.histograms == {
        "records_by_length": {"0": 1, "1": 1, "2-3": 2},
        "locations_by_number_of_records": {"2-3": 2},
    }
    assert found.columns is None
    assert found.to_polars().rows() == [
        ("records_by_length", "0", 1),
        ("records_by_length", "1", 1),
        ("records_by_length", "2-3", 2),
        ("locations_by_number_of_records", "2-3", 2),
    ]
    assert len(found.columns_to_polars()) == 0


def test_a_table() -> None:
    found = describe(PEOPLE)
    assert found.columns == (
        ColumnSummary("age", "Int64", "quasi-identifier", 2, 1),
        ColumnSummary("town", "String", "sensitive", 2, 0),
    )
    assert found.columns_to_polars()["missing"].to_list() == [1, 0]
    assert list(found.to_json()) == ["kind", "records", "unit", "persons", "columns", "hierarchies"]
    assert found.to_polars().schema == {"histogram": pl.String, "range": pl.String, "count": pl.Int64}


def test_mixed_records_are_a_table_and_items() -> None:
    found = describe(Mixed(table=PEOPLE, items=Transactions.from_lists([["a"], ["a", "b"], []]), column="bought"))
    assert (found.kind, found.figures["records"], found.figures["items"]) == ("mixed", 3, 3)
    assert [column.column for column in found.columns or ()] == ["age", "town"]
    assert list(found.to_json())[:6] == ["kind", "records", "unit", "persons", "columns", "items"]
    assert list(found.to_json())[-3:-1] == list(found.histograms)


def test_a_graph() -> None:
    found = describe(Graph.from_edges([(0, 1), (1, 2)], ["bar", "shop", "bar"]))
    assert (found.figures["nodes"], found.figures["edges"], found.figures["node_labels"]) == (3, 2, 2)
    assert found.histograms["nodes_by_degree"] == {"1": 2, "2-3": 1}


def test_a_release_is_described_as_its_directory(tmp_path: Path) -> None:
    for number, method in enumerate((Disassociate(k=2, m=1), SeqAnon(k=2, m=1))):
        data = BASKETS if number == 0 else WALKS.take([0, 1, 2])
        release = method.anonymize(data, seed=1)
        folder = release.write(tmp_path / str(number))
        read = {name: value for name, value in describe(folder).to_json().items() if name != "places"}
        own = {name: value for name, value in describe(release).to_json().items() if name != "places"}
        assert read == own
        json.dumps(read)


def test_a_file_is_described_as_what_is_read_from_it(tmp_path: Path) -> None:
    write(BASKETS, tmp_path / "baskets.csv")
    assert describe(tmp_path / "baskets.csv").to_json() == describe(BASKETS).to_json()
    assert describe(str(tmp_path / "any"), reader=lambda _: WALKS) == describe(WALKS)
    with pytest.raises(FileError, match="no such file"):
        describe(tmp_path / "nothing.csv")


def test_a_directory_that_was_altered_is_refused(tmp_path: Path) -> None:
    folder = SeqAnon(k=2, m=1).anonymize(WALKS.take([0, 1, 2])).write(tmp_path / "out")
    (folder / "data.csv").write_text("trajectory,step,location\n1,1,a\n")
    with pytest.raises(FileError, match=r"data\.csv was altered"):
        describe(folder)


@pytest.mark.parametrize("data", [WALKS.take([]), BASKETS.take([])])
def test_nothing_to_describe(data: Trajectories | Transactions) -> None:
    found = describe(data)
    assert isinstance(found, Description)
    assert found.figures["records"] == 0
    assert all(not histogram for histogram in found.histograms.values())
