"""Numbers that are written as texts: which columns hold them, and which columns hold them except for a few cells."""

from __future__ import annotations

import polars as pl

from sfumato.data.base import missing
from sfumato.data.frames import Source
from sfumato.errors import shortened
from sfumato.remedies import with_remedy

__all__ = ["almost_all", "note_almost_numbers", "with_numbers"]

_WHOLE = r"^-?(0|[1-9][0-9]{0,18})$"
_DECIMAL = r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$"
_INEXACT = r"^-?[0-9]{16,}$"  # whole numbers that a decimal number may round
_LIKE_A_NUMBER = r"^[-+]?[0-9.,]+([eE][-+]?[0-9]+)?$"  # with leading zeros, too
_SAMPLE = 1_000
ALMOST = 0.9
"""The share of cells from which a column is almost one of numbers, or of dates."""


def with_numbers(frame: pl.DataFrame, *, texts: tuple[str, ...] = ()) -> pl.DataFrame:
    """Columns of texts that are all numbers become numbers.

    A leading zero, as in ``02139``, and a whole number that 64 bits do not hold keep a column text: no id is rounded.
    """
    columns = [
        numbers
        for column in frame.iter_columns()
        if column.dtype == pl.String and column.name not in texts and (numbers := _numbers(column)) is not None
    ]
    return frame.with_columns(columns) if columns else frame


def _numbers(column: pl.Series) -> pl.Series | None:
    present = column.filter(~missing(column))
    if not len(present) or not _sample(present).str.contains(_DECIMAL).all():
        return None
    if present.str.contains(_WHOLE).all():
        numbers = column.cast(pl.Int64, strict=False)
        return numbers if len(numbers) - numbers.null_count() == len(present) else None
    if present.str.contains(_DECIMAL).all() and not present.str.contains(_INEXACT).any():
        return column.cast(pl.Float64, strict=False)
    return None


def _sample(present: pl.Series) -> pl.Series:
    """Some cells from the whole length of a column."""
    return present.gather_every(max(1, len(present) // _SAMPLE))


def almost_all(column: pl.Series, pattern: str, allowed: str) -> tuple[float, int] | None:
    """The share of cells that match a pattern, and the row of the first other cell, where they are almost all.

    allowed : a pattern of other cells that do not count as exceptions; None where all others are of this kind.
    """
    is_present = ~missing(column)
    present = column.filter(is_present)
    if not len(present) or _sample(present).str.contains(pattern).mean() < 0.5:  # type: ignore[operator]
        return None
    matches = present.str.contains(pattern)
    share = float(matches.mean())  # type: ignore[arg-type]
    exceptions = is_present & ~column.str.contains(allowed).fill_null(value=False)
    if share < ALMOST or share == 1 or not exceptions.any():
        return None
    return share, int(exceptions.arg_max() or 0)


def note_almost_numbers(frame: pl.DataFrame, source: Source, *, texts: tuple[str, ...]) -> None:
    """Note columns that are texts because of a few cells; the cells themselves are not quoted."""
    for column in frame.iter_columns():
        if column.dtype != pl.String or column.name in texts:
            continue
        almost = almost_all(column, _DECIMAL, _LIKE_A_NUMBER)
        if almost is not None:
            share, row = almost
            problem = (
                f"{source.place(row)}: the column {shortened(column.name)!r} is read as text, although "
                f"{_percent(share)} of its values are numbers; the value here is the first that is not a number"
            )
            source.note(with_remedy(problem, "name-missing"))


def _percent(share: float) -> str:
    """A share below 100 %, not rounded up to it.

    >>> _percent(0.99999), _percent(0.912)
    ('99.9 %', '91.2 %')
    """
    return f"{min(99.9, round(100 * share, 1)):g} %"
