"""Times in a column: numbers of any unit, dates and ISO texts as seconds since 1970."""

from __future__ import annotations

import polars as pl

from sfumato.data.frames import Source

__all__ = ["parsed_times", "refuse_mixed_zones", "seconds"]

_TIME_PATTERNS = [
    f"%Y-%m-%d{between}{clock}"
    for clock in ("%H:%M:%S%.f", "%H:%M:%S%.f%#z", "%H:%M", "%H:%M%#z")
    for between in ("T", " ")
] + ["%Y-%m-%d"]
# names of units, the smallest number that is in the unit, and how many make a second
_UNITS = (("milliseconds", 1e11, 1e3), ("microseconds", 1e14, 1e6), ("nanoseconds", 1e17, 1e9))
_ZONE = r":\d{2}(?:\.\d+)?\s*([zZ]|[+-]\d{2}(?::?\d{2})?)$"


def seconds(column: pl.Series, source: Source) -> pl.Series:
    """Times as seconds: numbers unchanged, dates and ISO texts as seconds since 1970 (UTC).

    Numbers of 100,000,000,000 or more are milliseconds, microseconds or nanoseconds since 1970, by their size.
    """
    if column.dtype == pl.String:
        column = _times(column, source)
    if column.dtype == pl.Date or isinstance(column.dtype, pl.Datetime):
        return column.cast(pl.Datetime("us")).to_physical().cast(pl.Float64) / 1e6
    if not column.dtype.is_numeric():
        raise source.error(f"wanted times as numbers, dates or ISO texts, found {column.dtype}")
    numbers = column.cast(pl.Float64)
    invalid = (numbers < 0) | ~numbers.is_finite()
    if invalid.any():
        raise source.error("wanted a time of 0 or later, found a negative or unreadable one", row=invalid.arg_max())
    return _since_1970(numbers, source)


def _since_1970(numbers: pl.Series, source: Source) -> pl.Series:
    """Seconds from numbers in the one unit of time that their size shows; refuses numbers in several units."""
    largest = numbers.max()
    if not isinstance(largest, float) or largest < _UNITS[0][1]:
        return numbers
    name, smallest, per_second = next(unit for unit in reversed(_UNITS) if largest >= unit[1])
    other = numbers < smallest
    if other.any():
        problem = f"wanted every time in one unit, found a time here that is too small for {name} since 1970"
        raise source.error(f"{problem}, as others are; convert all times to seconds", row=other.arg_max())
    source.note(f"{source.name}: the times are read as {name} since 1970, by their size")
    return numbers / per_second


def _times(column: pl.Series, source: Source) -> pl.Series:
    numbers = column.cast(pl.Float64, strict=False)
    if numbers.null_count() == 0:
        return numbers
    parsed = parsed_times(column)
    if parsed.null_count() == 0:
        refuse_mixed_zones(column, source)
        return parsed
    unreadable = parsed.is_null() & numbers.is_null()
    raise source.error(
        "wanted a time as a number of seconds or as YYYY-MM-DDTHH:MM:SS, found another text",
        row=(unreadable if unreadable.any() else parsed.is_null()).arg_max(),
    )


def parsed_times(column: pl.Series) -> pl.Series:
    """ISO texts as times in UTC, nothing where a text is no time."""
    parsed = pl.repeat(None, len(column), dtype=pl.Datetime("us"), eager=True)
    for pattern in _TIME_PATTERNS:  # one after the other: most files use one pattern throughout
        matches = column.str.to_datetime(pattern, strict=False, time_unit="us").cast(pl.Datetime("us"))
        parsed = parsed.zip_with(parsed.is_not_null(), matches)
        if parsed.null_count() == column.null_count():
            break
    return parsed


def refuse_mixed_zones(column: pl.Series, source: Source) -> None:
    """Refuse ISO texts that do not all name one time zone, or none."""
    present = column.drop_nulls()
    if column.dtype != pl.String or not len(present):
        return
    zone = column.str.extract(_ZONE).str.replace_all(":", "").str.to_uppercase()
    zone = zone.replace({"Z": "+0000"}).fill_null("")
    zone = pl.select(pl.when(zone.str.len_chars() == 3).then(zone + "00").otherwise(zone)).to_series()
    first = zone.filter(column.is_not_null())[0]
    differs = (zone != first) & column.is_not_null()
    if differs.any():
        row = int(differs.arg_max() or 0)
        first_zone, second_zone = (f"UTC{text[:3]}:{text[3:]}" if text else "none" for text in (first, zone[row]))
        raise source.error(
            f"wanted every time in one time zone, found {first_zone} before and {second_zone} here; convert all "
            "times to one zone",
            row=row,
        )
