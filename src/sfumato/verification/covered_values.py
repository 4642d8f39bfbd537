"""Which original values the published cells of a table may stand for, column by column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data import Table
from sfumato.data.base import Ints, Members, numbered
from sfumato.data.labels.calendar_labels import days_of
from sfumato.data.queries import span_of
from sfumato.data.tables.dates import is_temporal
from sfumato.data.tables.encoding import MISSING, texts_of
from sfumato.io.frames import csv_text

__all__ = ["Covering", "columns_of"]


@dataclass(frozen=True, eq=False)
class Covering:
    """A column of a release and the same column of the original.

    labels, values : int32[published rows] and int32[original rows], numbers of distinct labels and values.
    covers : bool[distinct values, distinct labels], whether a value may have been published under a label.
    """

    labels: Ints
    values: Ints
    covers: npt.NDArray[np.bool_]

    @classmethod
    def of_cells(cls, published: pl.Series, original: pl.Series, members: Members) -> Self:
        """A missing value is published as nothing, or under a label that lists it."""
        texts = texts_of(original)
        shown = texts_of(published)
        if original.dtype.is_float():  # a label reads 30 where a cell reads 30.0
            shown = shown.str.replace(r"\.0$", "")
        values, value_names = numbered(texts.fill_null(_NOTHING))
        labels, label_names = numbered(shown.fill_null(_NOTHING))
        numbers = value_names.cast(pl.Float64, strict=False).to_numpy()
        days = _day_numbers(value_names) if is_temporal(original.dtype) else None
        position = {name: index for index, name in enumerate(value_names.to_list())}
        # a cell that was not generalized is spelled as a file has it: 2026-05-01T00:00:00 where a label has a blank
        for text, value in zip(_as_in_a_file(original), values.tolist(), strict=True):
            if text is not None:
                position.setdefault(text, value)
        covers = np.zeros((len(value_names), len(label_names)), dtype=bool)
        for index, label in enumerate(label_names.to_list()):
            if label in position:
                covers[position[label], index] = True
            for part in members.get(label, (label,)):
                covers[:, index] |= _covered(part, position, numbers, days)
        return cls(labels, values, covers)

    @property
    def image(self) -> Ints | None:
        """The one label of each original row, -1 where none exists; None where a value has several."""
        several = self.covers.sum(axis=1)
        if several.max(initial=0) > 1:
            return None
        label = np.where(several == 1, self.covers.argmax(axis=1), -1) if self.covers.shape[1] else several * 0 - 1
        return np.asarray(label[self.values])


def columns_of(published: Table, original: Table) -> list[Covering] | None:
    """Every published column with the original's; None where the original lacks one of them."""
    if any(column not in original.frame.columns for column in published.frame.columns):
        return None
    return [
        Covering.of_cells(published[column], original[column], published.members.get(column, {}))
        for column in published.frame.columns
    ]


_NOTHING = "\0"


def _as_in_a_file(column: pl.Series) -> list[str | None]:
    if column.dtype == pl.String:
        return column.to_list()
    text = csv_text(pl.DataFrame({"x": column}))
    return pl.read_csv(text.encode(), infer_schema=False)["x"].to_list() if len(column) else []


def _day_numbers(values: pl.Series) -> Ints:
    """The day of each date or time, 0 for the missing value."""
    days = (days_of(value[:10]) for value in values.to_list())
    return np.array([0 if day is None else day.first for day in days], dtype=np.int64)


def _covered(
    part: str, position: dict[str, int], numbers: npt.NDArray[np.float64], dates: Ints | None
) -> npt.NDArray[np.bool_]:
    """The values that a label, or a member of one, stands for: itself, the missing value, a range or a calendar label.

    dates : the day of each value in a column of dates.
    """
    covered = np.zeros(len(numbers), dtype=bool)
    place = position.get(part)
    if place is None and part.rstrip("*") == MISSING:
        place = position.get(_NOTHING)
    if place is not None:
        covered[place] = True
    span = span_of(part) if part.startswith("[") else None
    if span is not None:
        covered |= (numbers >= span[0]) & (numbers <= span[1])
    days = None if dates is None else days_of(part)
    if days is not None and dates is not None:
        covered |= (dates >= days.first) & (dates <= days.last)
    return covered
