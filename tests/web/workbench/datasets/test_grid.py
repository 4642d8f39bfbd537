"""Windows of rows with edits: equal to the same rows of everything computed at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.errors import DataError
from sfumato.web.workbench.datasets.cell_values import parsed
from sfumato.web.workbench.datasets.grid import Grid, row_order
from sfumato.web.workbench.datasets.operations import ROW, step_words

N = 30
FRAME = pl.DataFrame({"age": list(range(N)), "town": [f"t{number % 4}" for number in range(N)], "w": [0.5] * N})


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("grid") / "rows.parquet"
    FRAME.write_parquet(path, row_group_size=7)
    return path


def twin(operations: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows after the operations, computed slowly with dictionaries."""
    rows = [{ROW: number, **row} for number, row in enumerate(FRAME.iter_rows(named=True))]
    names = list(FRAME.columns)
    for op in operations:
        if op["do"] == "set":
            for row in rows:
                if row[ROW] == op["row"]:
                    row[op["column"]] = op["value"]
        elif op["do"] == "replace":
            for row in rows:
                if row[op["column"]] == op["old"]:
                    row[op["column"]] = op["new"]
        elif op["do"] == "add-row":
            rows.append({**dict.fromkeys(names), **op["values"], ROW: op["row"]})
        elif op["do"] == "delete-rows":
            rows = [row for row in rows if row[ROW] not in op["rows"]]
        elif op["do"] == "rename":
            names = [op["to"] if name == op["column"] else name for name in names]
            rows = [{op["to"] if name == op["column"] else name: row[name] for name in row} for row in rows]
    return rows


@st.composite
def edits(draw: st.DrawFn) -> list[dict[str, Any]]:
    number, operations, town = N, [], "town"
    for _ in range(draw(st.integers(0, 8))):
        what = draw(st.sampled_from(["set", "set-age", "replace", "add", "delete", "rename"]))
        row = draw(st.integers(0, number - 1))
        if what == "set":
            value = draw(st.sampled_from(["t1", "x", None]))
            operations.append({"do": "set", "column": town, "row": row, "value": value})
        elif what == "set-age":
            operations.append({"do": "set", "column": "age", "row": row, "value": draw(st.integers(0, 5))})
        elif what == "replace":
            operations.append({"do": "replace", "column": town, "old": "t1", "new": "t2"})
        elif what == "add":
            operations.append({"do": "add-row", "row": number, "values": {town: "new", "age": 7}})
            number += 1
        elif what == "delete":
            operations.append({"do": "delete-rows", "rows": [row]})
        else:
            operations.append({"do": "rename", "column": town, "to": town + "x"})
            town += "x"
    return operations


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(operations=edits(), start=st.integers(0, N))
def test_a_window_equals_the_slow_twin(file: Path, operations: list[dict[str, Any]], start: int) -> None:
    grid = Grid(file, operations)
    expected = twin(operations)
    assert len(grid) == len(expected)
    assert grid.window(start, 9).to_dicts() == [
        {name: row[name] for name in (*grid.types, ROW)} for row in expected[start : start + 9]
    ]
    assert grid.all_rows().collect().sort(ROW).to_dicts() == [
        {name: row[name] for name in (*grid.types, ROW)} for row in expected
    ]
    assert len(step_words(operations)) <= len(operations)


def test_filter_and_sort_keep_an_order(file: Path, tmp_path: Path) -> None:
    filters = [{"column": "town", "test": "equals", "text": "t1"}, {"column": "age", "test": "between", "low": "5"}]
    order = row_order(Grid(file), filters, {"column": "age", "descending": True}, tmp_path)
    grid = Grid(file, [{"do": "delete-rows", "rows": [25]}], order, N)
    assert grid.window(0)["age"].to_list() == [29, 21, 17, 13, 9, 5]
    added = Grid(file, [{"do": "add-row", "row": N, "values": {"age": 1}}], order, N)
    assert added.window(0)["age"].to_list()[-1] == 1
    assert row_order(Grid(file), filters, {"column": "age", "descending": True}, tmp_path) == order
    for test, count in (("is missing", 0), ("is not missing", N)):
        assert len(Grid(file, (), row_order(Grid(file), [{"column": "town", "test": test}], None, tmp_path))) == count
    contains = row_order(Grid(file), [{"column": "town", "test": "contains", "text": "T3"}], None, tmp_path)
    assert len(Grid(file, (), contains)) == 7


@pytest.mark.parametrize(
    ("operation", "words"),
    [
        ({"do": "set", "column": "nope", "row": 1, "value": 2}, "wanted the column 'nope'"),
        ({"do": "rename", "column": "age", "to": "town"}, "no other column has"),
        ({"do": "add-column", "column": "age", "type": "text", "value": ""}, "no other column has"),
        ({"do": "add-row", "row": N, "values": {"nope": 1}}, "wanted the column 'nope'"),
    ],
)
def test_an_operation_refuses_by_name(file: Path, operation: dict[str, Any], words: str) -> None:
    with pytest.raises(DataError, match=words):
        Grid(file, [operation]).window(0)


def test_columns_are_added_typed_and_deleted(file: Path) -> None:
    operations = [
        {"do": "add-column", "column": "seen", "type": "whole number", "value": 3},
        {"do": "type", "column": "age", "type": "text"},
        {"do": "delete-column", "column": "w"},
        {"do": "role", "column": "age", "role": "sensitive"},
    ]
    window = Grid(file, operations).window(2, 1)
    assert window.to_dicts() == [{"age": "2", "town": "t2", "seen": 3, ROW: 2}]
    assert step_words(operations)[1] == "age turned into texts"


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [("7", pl.Int64, 7), ("", pl.Int64, None), ("1.5", pl.Float64, 1.5), ("2031-05-17", pl.Date, "2031-05-17")],
)
def test_texts_become_values(text: str, kind: Any, value: Any) -> None:
    assert parsed(text, kind(), "age") == value


@pytest.mark.parametrize(("text", "kind"), [("x", pl.Int64), ("inf", pl.Float64), ("17.5.2031", pl.Date)])
def test_a_text_of_another_type_is_refused_without_quoting_it(text: str, kind: Any) -> None:
    with pytest.raises(DataError, match="found another text") as error:
        parsed(text, kind(), "age")
    assert f"'{text}'" not in str(error.value)


def test_a_type_that_would_lose_values_is_known_before(file: Path) -> None:
    grid = Grid(file)
    assert grid.lost_by_type("town", pl.Float64()) == N
    assert grid.lost_by_type("w", pl.Int64()) == N
    assert grid.lost_by_type("age", pl.String()) == 0
    with pytest.raises(DataError, match="found 'nope'"):
        grid.lost_by_type("nope", pl.String())
