"""Edits of lists of rows, and their refusals."""

from __future__ import annotations

import polars as pl
import pytest

from sfumato.errors import DataError
from sfumato.prepare.editing.row_edits import edited_rows

PLACES = pl.DataFrame({"location": ["a", "b"], "x": [1.5, 2.0]})


def test_operations() -> None:
    changed = edited_rows(
        PLACES, [("column", "owner"), ("set", "2", "owner", "o"), ("remove", "1"), ("add", "c", "3", "")]
    )
    assert changed.rows() == [("b", "2.0", "o"), ("c", "3", None)]
    assert PLACES.columns == ["location", "x"]


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (("set", "3", "x", "1"), "edit 1: wanted the number of a row from 1 to 2"),
        (("set", "1", "z", "1"), "wanted a column of the list"),
        (("add", "c"), "with 2 texts, found 1"),
        (("column", "x"), "wanted a new name for the column"),
        (("drop",), "wanted an operation"),
    ],
)
def test_refusals(edit: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        edited_rows(PLACES, [edit])
