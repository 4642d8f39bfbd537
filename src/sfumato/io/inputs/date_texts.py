"""Dates and times that are written as texts: which columns hold them, and in which order day and month stand."""

from __future__ import annotations

import polars as pl

from sfumato.data.base import missing
from sfumato.data.frames import Source
from sfumato.data.rows.times import parsed_times, refuse_mixed_zones
from sfumato.errors import shortened
from sfumato.io.inputs.numbers import likely_share, percent, sample_share
from sfumato.remedies import with_remedy

__all__ = ["DATE_WORDS", "with_dates"]

DATE_WORDS = ("month", "week", "text", "day-first", "month-first")
"""What can be said about dates: their hierarchy, that they are texts, and the order of day and month."""

_ISO_DAY = r"^[0-9]{4}[-/.][0-9]{2}[-/.][0-9]{2}$"
_ISO_TIME = (
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?\s*([zZ]|[+-][0-9]{2}(:?[0-9]{2})?)?$"
)
_YEAR_LAST = r"^([0-9]{1,2})([-/.])([0-9]{1,2})([-/.])([0-9]{4})$"
_ANY = f"{_ISO_DAY}|{_ISO_TIME}|{_YEAR_LAST}"
_ORDERS = {"day-first": "%d-%m-%Y", "month-first": "%m-%d-%Y"}


def with_dates(
    frame: pl.DataFrame, source: Source, *, order: str | None, texts: tuple[str, ...], required: tuple[str, ...]
) -> pl.DataFrame:
    """Columns of texts that are all dates, or dates with times, become such.

    order : "day-first" or "month-first" for dates that end in the year; if None, the whole column decides.
    texts : columns to leave alone.  required : columns in which an undecidable order is refused, not left a text.
    """
    columns = []
    for column in frame.iter_columns():
        if column.dtype != pl.String or column.name in texts:
            continue
        dates = _dates(column, source, order, refuse=column.name in required)
        if dates is not None:
            columns.append(dates)
        else:
            _note_almost_dates(column, source, order)
    return frame.with_columns(columns) if columns else frame


def _dates(column: pl.Series, source: Source, order: str | None, *, refuse: bool) -> pl.Series | None:
    present = column.filter(~missing(column))
    if not len(present) or not present.head(1).str.contains(_ANY).item():
        return None
    if present.str.contains(_ISO_DAY).all():
        return _complete(column.str.replace_all("[/.]", "-").str.to_date("%Y-%m-%d", strict=False), len(present))
    if present.str.contains(f"{_ISO_DAY}|{_ISO_TIME}").all():
        refuse_mixed_zones(column, source)
        local = column.str.replace(r"\s*([zZ]|[+-][0-9]{2}(:?[0-9]{2})?)$", "")
        local = pl.select(pl.when(column.str.contains(_ISO_DAY)).then(column).otherwise(local)).to_series()
        return _complete(parsed_times(local).alias(column.name), len(present))
    if present.str.contains(_YEAR_LAST).all():
        return _year_last(column, source, order, refuse=refuse)
    return None


def _complete(dates: pl.Series, present: int) -> pl.Series | None:
    """The dates, unless some cells are no dates, such as the 30th of February."""
    return dates if len(dates) - dates.null_count() == present else None


def _year_last(column: pl.Series, source: Source, order: str | None, *, refuse: bool) -> pl.Series | None:
    """Dates such as 31/12/2024 or 12/31/2024, in the order that the whole column shows."""
    present = len(column) - int(missing(column).sum())
    plain = column.str.replace_all("[/.]", "-")
    fits = {name: _complete(plain.str.to_date(way, strict=False), present) for name, way in _ORDERS.items()}
    if order is not None:
        return fits[order]
    known = {name: dates for name, dates in fits.items() if dates is not None}
    if len(known) == 1:
        name, dates = next(iter(known.items()))
        words = name.replace("-first", "")
        source.note(f"{source.name}: the dates in the column {shortened(column.name)!r} begin with the {words}")
        return dates
    if not known:
        return None
    first, second = known.values()
    if first.equals(second):  # 5/5/2024 and the like
        return first
    if refuse:
        row = int((first != second).fill_null(value=False).arg_max() or 0)
        problem = (
            f"wanted dates of one order in the column {shortened(column.name)!r}, found dates that may begin with the "
            "day or with the month, the first of them here"
        )
        raise source.error(with_remedy(problem, "say-date-order"), row=row)
    return None


def _note_almost_dates(column: pl.Series, source: Source, order: str | None) -> None:
    """Note a column that is text although most cells are dates, and why."""
    if sample_share(column, _ANY) < 0.5:
        return
    forms = _cells_by_form(column, order)
    is_date = pl.Series([False]).new_from_index(0, len(column))
    for cells in forms.values():
        is_date |= cells
    share = likely_share(column, is_date)
    if share is None:
        return
    name, is_odd = shortened(column.name), ~is_date & ~missing(column)
    if is_odd.any():
        problem = (
            f"{source.place(int(is_odd.arg_max() or 0))}: the column {name!r} is read as text, although "
            f"{percent(share)} of its values are dates; the value here is the first that is not"
        )
        source.note(with_remedy(problem, "name-missing"))
        return
    usual = max(forms.values(), key=lambda cells: int(cells.sum()))
    is_other = ~usual & ~missing(column)
    if is_other.any():
        source.note(
            f"{source.place(int(is_other.arg_max() or 0))}: the column {name!r} is read as text, because its dates "
            "have several forms, and the first of another form is here; write all dates as YYYY-MM-DD"
        )
    else:
        problem = f"{source.name}: the dates in the column {name!r} may begin with the day or the month, and stay texts"
        source.note(with_remedy(problem, "say-date-order"))


def _cells_by_form(column: pl.Series, order: str | None) -> dict[str, pl.Series]:
    """Which cells are dates of which form: ISO days and times, and the orders of day and month."""
    plain = column.str.replace_all("[/.]", "-")
    local = column.str.replace(r"\s*([zZ]|[+-][0-9]{2}(:?[0-9]{2})?)$", "")
    is_day = column.str.contains(_ISO_DAY) & plain.str.to_date("%Y-%m-%d", strict=False).is_not_null()
    is_time = column.str.contains(_ISO_TIME) & parsed_times(local).is_not_null()
    is_year_last = column.str.contains(_YEAR_LAST)
    forms = {"iso": is_day.fill_null(value=False) | is_time.fill_null(value=False)}
    for name, way in _ORDERS.items():
        if order in (None, name):
            is_fitting = is_year_last & plain.str.to_date(way, strict=False).is_not_null()
            forms[name] = is_fitting.fill_null(value=False)
    return forms
