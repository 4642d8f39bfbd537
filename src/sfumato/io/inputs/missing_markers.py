"""Texts that stand for a missing value, such as NA and ?."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan

import polars as pl

from sfumato.data.frames import Source
from sfumato.data.taxonomy import Taxonomy
from sfumato.errors import counted, listed, shortened
from sfumato.remedies import with_remedy

__all__ = ["MARKERS", "with_named_missing", "with_usual_missing"]

MARKERS = ("NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "?")
"""The markers that are recognised in a table unless others are named; an empty cell is always missing."""

_CODE = r"^[A-Z]{2}$"


def with_usual_missing(
    frame: pl.DataFrame, source: Source, *, hierarchies: Mapping[str, Taxonomy], texts: tuple[str, ...]
) -> pl.DataFrame:
    """The frame with nothing in place of the usual markers, and a note of how many there were.

    A marker stays a value if the hierarchy of its column has it, and ``NA`` among codes of two letters: it is Namibia.
    """
    counts: dict[str, dict[str, int]] = {}
    changed = []
    for column in frame.iter_columns():
        if column.dtype != pl.String or column.name in texts:
            continue
        is_marker = column.is_in(list(MARKERS))
        if not is_marker.any():
            continue
        markers = column.filter(is_marker).unique().to_list()
        tree = hierarchies.get(column.name)
        markers = [marker for marker in markers if tree is None or marker not in tree]
        if "NA" in markers and _has_codes(column):
            markers.remove("NA")
            name = shortened(column.name)
            problem = f"{source.name}: NA in the column {name!r} is read as a value, as its other values are such codes"
            source.note(with_remedy(problem, "name-missing"))
        if markers:
            is_marker = column.is_in(markers)
            changed.append(pl.select(pl.when(~is_marker).then(column)).to_series().alias(column.name))
            for marker, count in column.filter(is_marker).value_counts().sort(column.name).iter_rows():
                counts.setdefault(marker, {})[column.name] = count
    for marker, columns in counts.items():
        named = listed([f"{shortened(name)} ({count:,})" for name, count in columns.items()])
        cells = counted(sum(columns.values()), "cell")
        problem = f"{source.name}: {marker} stands for a missing value in {cells}, in {named}"
        source.note(with_remedy(problem, "keep-markers"))
    return frame.with_columns(changed) if changed else frame


def _has_codes(column: pl.Series) -> bool:
    """Whether there are other values than NA, all of which are codes of two letters."""
    others = column.drop_nulls().unique()
    others = others.filter(others != "NA")
    return bool(len(others)) and bool(others.str.contains(_CODE).all())


def with_named_missing(frame: pl.DataFrame, markers: Sequence[str]) -> pl.DataFrame:
    """The frame with nothing in place of the markers that the user named, in columns of texts and of numbers.

    >>> with_named_missing(pl.DataFrame({"age": [31, -99], "job": ["?", "cook"]}), ["?", "-99"]).rows()
    [(31, None), (None, 'cook')]
    """
    numbers = [number for marker in markers if (number := _number(marker)) is not None]
    changed = []
    for column in frame.iter_columns():
        if column.dtype == pl.String:
            is_marker = column.is_in(list(markers))
        elif column.dtype.is_numeric() and numbers:
            is_marker = column.cast(pl.Float64).is_in(numbers)
        else:
            continue
        if is_marker.any():
            changed.append(pl.select(pl.when(~is_marker).then(column)).to_series().alias(column.name))
    return frame.with_columns(changed) if changed else frame


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return None if isnan(number) else number
