"""Numbers that are written as texts: which columns hold them, and which columns hold them except for a few cells."""

from __future__ import annotations

import polars as pl

from sfumato.data.base import missing
from sfumato.data.frames import Source
from sfumato.errors import shortened
from sfumato.remedies import with_remedy

__all__ = ["likely_share", "note_almost_numbers", "percent", "sample_share", "with_numbers"]

_WHOLE = r"^-?(0|[1-9][0-9]{0,18})$"
_DECIMAL = r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$"
_INEXACT = r"^-?[0-9]{16,}$"  # whole numbers that a decimal number may round
_LIKE_A_NUMBER = r"^[-+]?[0-9.,]+([eE][-+]?[0-9]+)?$"  # with leading zeros, too
_THOUSANDS = r"^[-+]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?$"
_DECIMAL_COMMA = r"^[-+]?([0-9]+|[0-9]{1,3}(\.[0-9]{3})+),[0-9]+$"
_SAMPLE = 1_000
_HALF = 0.5


def with_numbers(frame: pl.DataFrame, *, texts: tuple[str, ...] = ()) -> pl.DataFrame:
    """Columns of texts that are all numbers become numbers.

    A leading zero, as in ``02139``, and a whole number that 64 bits do not hold keep a column text: no id is rounded.
    So does a number too large for a decimal number, which would become infinite.
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
        numbers = column.cast(pl.Float64, strict=False)
        return None if numbers.is_infinite().any() else numbers
    return None


def _sample(present: pl.Series) -> pl.Series:
    """Some cells from the whole length of a column."""
    return present.gather_every(max(1, len(present) // _SAMPLE))


def sample_share(column: pl.Series, pattern: str) -> float:
    """The share of some cells from the whole length of a column that match a pattern; 0 where all are missing."""
    present = column.filter(~missing(column))
    return float(_sample(present).str.contains(pattern).mean()) if len(present) else 0.0  # type: ignore[arg-type]


def likely_share(column: pl.Series, is_fitting: pl.Series) -> float | None:
    """The share of the present cells that fit, where it is more than half; otherwise None."""
    present = len(column) - int(missing(column).sum())
    share = int((is_fitting & ~missing(column)).sum()) / max(1, present)
    return share if share > _HALF else None


def note_almost_numbers(frame: pl.DataFrame, source: Source, *, texts: tuple[str, ...]) -> None:
    """Note columns that are texts although most cells are numbers; the cells themselves are not quoted."""
    any_form = f"{_LIKE_A_NUMBER}|{_THOUSANDS}|{_DECIMAL_COMMA}"
    for column in frame.iter_columns():
        if column.dtype != pl.String or column.name in texts or sample_share(column, any_form) < _HALF:
            continue
        if not _note_commas(column, source):
            _note_exceptions(column, source)


def _note_commas(column: pl.Series, source: Source) -> bool:
    """Note numbers with decimal commas, or with commas between thousands; whether there are any."""
    ways = (_THOUSANDS, _DECIMAL_COMMA)
    is_thousands, is_decimal = (column.str.contains(way).fill_null(value=False) for way in ways)
    has_comma = is_thousands | is_decimal
    is_number = has_comma | column.str.contains(_DECIMAL).fill_null(value=False)
    if not has_comma.any() or likely_share(column, is_number) is None:
        return False
    if (has_comma & ~is_thousands).any():
        form, remedy = "a decimal comma", "write them with a decimal point"
    else:
        form, remedy = "commas between thousands", "write them without these commas"
    place = source.place(int(has_comma.arg_max() or 0))
    source.note(
        f"{place}: the column {shortened(column.name)!r} is read as text, because it holds "
        f"numbers with {form}, the first of them here; {remedy}"
    )
    return True


def _note_exceptions(column: pl.Series, source: Source) -> None:
    """Note the first cell that keeps a column from being one of numbers."""
    is_decimal = column.str.contains(_DECIMAL).fill_null(value=False)
    is_infinite = is_decimal & column.cast(pl.Float64, strict=False).is_infinite().fill_null(value=False)
    is_odd = is_infinite | ~column.str.contains(_LIKE_A_NUMBER).fill_null(value=False)
    is_odd &= ~missing(column)
    share = likely_share(column, is_decimal & ~is_infinite)
    if share is None or not is_odd.any():
        return
    row = int(is_odd.arg_max() or 0)
    why = "is a number that is too large" if is_infinite[row] else "is the first that is not a number"
    problem = (
        f"{source.place(row)}: the column {shortened(column.name)!r} is read as text, although "
        f"{percent(share)} of its values are numbers; the value here {why}"
    )
    source.note(with_remedy(problem, "name-missing"))


def percent(share: float) -> str:
    """A share below 100 %, not rounded up to it.

    >>> percent(0.99999), percent(0.912)
    ('99.9 %', '91.2 %')
    """
    return f"{min(99.9, round(100 * share, 1)):g} %"
