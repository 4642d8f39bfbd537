"""Tables: roles, persons, missing values, publishing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Persons, Table, Taxonomy
from sfumato.data.frames import Source
from sfumato.errors import DataError, FileError

COLUMNS: dict[str, list[Any]] = {"age": [44, 31, None], "job": ["cook", None, "cook"], "who": ["u", "v", "u"]}


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS, index=[2, 1, 0]),
        pd.DataFrame(COLUMNS).convert_dtypes(),
        pa.table(COLUMNS),
        COLUMNS,
    ],
    ids=["polars", "shuffled index", "nullable", "arrow", "mapping"],
)
def test_every_frame_gives_the_same_table(frame: Any) -> None:
    table = Table.from_frame(frame, columns={"person": "who"}, sensitive=("job",))
    assert table["age"].to_list() == [44, 31, None]
    assert table["job"].to_list() == ["cook", None, "cook"]
    assert table.units.tolist() == [0, 1, 0]
    assert repr(table) == "<Table: 3 rows, columns age, job>"


def test_roles() -> None:
    table = Table(COLUMNS, sensitive=("job",))
    assert table.quasi_identifiers == ("age", "who")
    assert [table.role(column) for column in COLUMNS] == ["quasi-identifier", "sensitive", "quasi-identifier"]
    table = Table(COLUMNS, quasi_identifiers=("age",))
    assert [table.role(column) for column in COLUMNS] == ["quasi-identifier", "other", "other"]


@pytest.mark.parametrize(
    ("roles", "sentence"),
    [
        ({"quasi_identifiers": ("agee",)}, "wanted a column 'agee', found none; did you mean 'age'?"),
        ({"sensitive": ("salary",)}, "wanted a column 'salary', found none; known are age, job, who"),
        (
            {"hierarchies": {"salary": Taxonomy({"*": None})}},
            "wanted a column 'salary', found none; known are age, job, who",
        ),
    ],
)
def test_a_role_for_a_column_that_is_not_there(roles: dict[str, Any], sentence: str) -> None:
    with pytest.raises(DataError) as refusal:
        Table(COLUMNS, **roles)
    assert str(refusal.value) == f"the table: {sentence}"
    with pytest.raises(FileError) as refusal:
        Table.from_frame(COLUMNS, source=Source("t.csv", file=True, first_line=2), **roles)
    assert str(refusal.value) == f"t.csv: {sentence}"


def test_other_refusals() -> None:
    with pytest.raises(DataError, match=r"^the table: wanted one role for a column, found 'age'"):
        Table(COLUMNS, quasi_identifiers=("age",), sensitive=("age",))
    with pytest.raises(DataError, match=r"^the table: 3 rows, but 1 persons$"):
        Table(COLUMNS, persons=Persons.of(["u"]))
    with pytest.raises(DataError, match=r"^the frame: wanted the column role 'person', found 'location'$"):
        Table.from_frame(COLUMNS, columns={"location": "age"})
    with pytest.raises(DataError, match=r"^the frame: wanted a column 'whom', found none; did you mean 'who'\?$"):
        Table.from_frame(COLUMNS, columns={"person": "whom"})
    with pytest.raises(DataError, match=r"^the frame: wanted at least one row"):
        Table.from_frame({"age": []})
    with pytest.raises(DataError, match=r"^the frame, row 2: wanted a person"):
        Table.from_frame({"age": [1, 2], "who": ["u", None]}, columns={"person": "who"})


CELLS = st.fixed_dictionaries({"age": st.none() | st.integers(0, 3), "job": st.none() | st.sampled_from(["a", ""])})


@given(st.lists(CELLS, min_size=1, max_size=10))
def test_published_rows_are_sorted_by_content_with_missing_values_first(rows: list[dict[str, Any]]) -> None:
    frame = pl.DataFrame(rows, schema={"age": pl.Int64, "job": pl.String})
    table = Table(frame, sensitive=("job",), persons=Persons.of(range(len(rows))))
    frame = table.frame  # an empty text is a missing one
    public, order = table.published()
    assert public.persons is None
    assert public.sensitive == ("job",)

    def key(row: tuple[Any, ...]) -> list[tuple[bool, Any]]:
        return [(cell is not None, cell) for cell in row]

    assert public.frame.rows() == sorted(frame.rows(), key=key)
    assert frame[order].equals(public.frame)


def test_take_and_conversions() -> None:
    table = Table({"age": [1, 2, 3]}, persons=Persons.of("uvu"))
    some = table.take(np.array([2, 0]))
    assert some["age"].to_list() == [3, 1]
    assert some.units.tolist() == [0, 0]
    assert table.to_polars().equals(pl.DataFrame({"age": [1, 2, 3]}))
    assert table.to_pandas()["age"].tolist() == [1, 2, 3]
    assert table.to_arrow().to_pydict() == {"age": [1, 2, 3]}
    assert len(Table({"age": []})) == 0
