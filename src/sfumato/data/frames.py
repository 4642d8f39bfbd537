"""Conversion of frames: polars, pandas, geopandas and Arrow in and out, and the checks of incoming columns."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from sfumato.data.base import Frame, Ints, Persons, missing, numbered
from sfumato.data.column_names import likely_columns
from sfumato.errors import DataError, FileError, MissingExtra, a_or_an, did_you_mean, listed, shortened
from sfumato.remedies import keep_remedy, with_remedy

if TYPE_CHECKING:
    import geopandas as gpd
    import pandas as pd
    import pyarrow as pa

__all__ = [
    "Grouped",
    "Source",
    "columns_text",
    "grouped",
    "parsed_times",
    "persons_of",
    "plain_columns",
    "refuse_missing",
    "refuse_mixed_zones",
    "refuse_names",
    "seconds",
    "tidy",
    "to_arrow",
    "to_geopandas",
    "to_pandas",
    "to_polars",
    "with_swap",
]

_TIME_PATTERNS = [
    f"%Y-%m-%d{between}{clock}"
    for clock in ("%H:%M:%S%.f", "%H:%M:%S%.f%#z", "%H:%M", "%H:%M%#z")
    for between in ("T", " ")
] + ["%Y-%m-%d"]
_ZONE = r":\d{2}(?:\.\d+)?\s*([zZ]|[+-]\d{2}(?::?\d{2})?)$"
# names of units, the smallest number that is in the unit, and how many make a second
_UNITS = (("milliseconds", 1e11, 1e3), ("microseconds", 1e14, 1e6), ("nanoseconds", 1e17, 1e9))
_UNSUPPORTED_TYPES = (pl.Binary, pl.Object, pl.Duration)


@dataclass(frozen=True)
class Source:
    """The origin of a frame, so that an error can name the file and the line.

    first_line : the line of the first row, if each row is one line.  lines : the line of each row, if not.
    notes : sentences about how the data were read, for somebody who collects them.  columns : of roles, where they
    have other names than the role.

    >>> str(Source("visits.csv", file=True, first_line=2).error("wanted a location, found nothing", row=0))
    'visits.csv, line 2: wanted a location, found nothing'
    """

    name: str = "the frame"
    file: bool = False
    first_line: int | None = None
    lines: Sequence[int] | Ints | None = None
    notes: list[str] | None = field(default=None, compare=False, repr=False)
    columns: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    def note(self, sentence: str) -> None:
        """Keep a sentence about how the data were read, where somebody collects them."""
        if self.notes is not None and sentence not in self.notes:
            self.notes.append(sentence)

    def place(self, row: int) -> str:
        """The name of the file or frame, and the line or row."""
        line = self._line(row)
        return f"{self.name}, row {row + 1}" if line is None else f"{self.name}, line {line}"

    def _line(self, row: int) -> int | None:
        if self.lines is not None:
            return int(self.lines[row])
        return None if self.first_line is None else self.first_line + row

    def error(self, problem: str, row: int | None = None) -> DataError:
        line = None if row is None else self._line(row)
        where = self.name if row is None or line is not None else f"{self.name}, row {row + 1}"
        return (
            FileError(where, problem, line=line)
            if self.file
            else DataError(keep_remedy(f"{where}: {problem}", problem))
        )


def to_polars(frame: Frame, *, lists: Sequence[str] = ()) -> pl.DataFrame:
    """A polars frame of plain values from polars, pandas, geopandas points, Arrow, or a mapping of columns.

    lists : columns that may hold lists, such as the items of mixed data.
    """
    return plain_columns(_as_polars(frame), Source(), lists=lists)


def _as_polars(frame: Any) -> pl.DataFrame:
    if isinstance(frame, pl.DataFrame):
        return frame
    if isinstance(frame, pl.LazyFrame):
        return frame.collect()
    module = type(frame).__module__.partition(".")[0]
    if module == "geopandas":
        return _from_geopandas(frame)
    try:
        if module == "pandas":
            return pl.from_pandas(frame)
        if hasattr(frame, "__arrow_c_stream__") or isinstance(frame, Mapping):
            return pl.DataFrame(frame, strict=False)
    except ImportError as absent:
        raise MissingExtra("pyarrow", "frames") from absent
    except (pl.exceptions.PolarsError, TypeError, ValueError):  # their messages quote values
        raise DataError(
            "the frame: wanted columns of equal length with one type each, found columns of unequal length or "
            "mixed types"
        ) from None
    raise DataError(f"wanted a frame (polars, pandas, geopandas, Arrow or a mapping), found {type(frame).__name__}")


def plain_columns(frame: pl.DataFrame, source: Source, *, lists: Sequence[str] = ()) -> pl.DataFrame:
    """The frame with texts, numbers, booleans, dates and times in its columns; refuses a column of another type.

    Categories, bytes that are text and columns without any value become texts; decimal fractions become numbers.

    >>> plain_columns(pl.DataFrame({"age": [[1, 2]]}), Source("people.parquet", file=True))
    Traceback (most recent call last):
    sfumato.errors.FileError: people.parquet: wanted texts, numbers, dates or times in the column 'age', found List
    """
    converted = []
    for column in frame.iter_columns():
        dtype = column.dtype
        if isinstance(dtype, pl.Decimal):
            converted.append(_plain_decimals(column, dtype))
        elif dtype in (pl.Categorical, pl.Enum, pl.Null) or (dtype == pl.Binary and _is_text(column)):
            converted.append(column.cast(pl.String))
        elif (dtype.is_nested() or dtype in _UNSUPPORTED_TYPES) and not (column.name in lists and _is_list(dtype)):
            name = shortened(column.name)
            problem = f"wanted texts, numbers, dates or times in the column {name!r}, found {dtype.base_type()}"
            raise source.error(problem)
    return frame.with_columns(converted) if converted else frame


def _plain_decimals(column: pl.Series, dtype: pl.Decimal) -> pl.Series:
    """Decimal fractions as numbers; whole numbers exactly, as texts where 64 bits do not hold them."""
    if dtype.scale:
        return column.cast(pl.Float64)
    whole = column.cast(pl.Int64, strict=False)
    return whole if whole.null_count() == column.null_count() else column.cast(pl.String)


def _is_list(dtype: pl.DataType) -> bool:
    """Whether values are lists of plain values."""
    return isinstance(dtype, pl.List) and not (dtype.inner.is_nested() or dtype.inner in _UNSUPPORTED_TYPES)


def _is_text(column: pl.Series) -> bool:
    try:
        column.cast(pl.String)
    except pl.exceptions.PolarsError:  # bytes that are no UTF-8
        return False
    return True


def refuse_names(names: Sequence[str], source: Source) -> None:
    """Refuse column names that cannot be written to a file and read again, or that polars takes for a pattern.

    Names for internal use begin with a NUL character, so that no column of a table has such a name.
    """
    for name in names:
        if any(unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") for sign in name):
            raise source.error(f"wanted column names without control characters, found {shortened(name)!r}")
        if name.startswith("\ufeff"):
            raise source.error("wanted column names without a byte-order mark, found one; save the file without it")
        if name != name.strip():
            raise source.error(f"wanted column names without blanks at their ends, found {shortened(name)!r}")
        if name == "*" or (name.startswith("^") and name.endswith("$")):
            raise source.error(
                f"wanted column names that are not patterns, found {shortened(name)!r}; rename the column"
            )


def _from_geopandas(frame: Any) -> pl.DataFrame:
    import pandas

    points = frame.geometry
    if not (points.geom_type == "Point").all():
        raise DataError("geopandas: wanted a point in every row, found another geometry or a missing one")
    geographic = points.crs is not None and points.crs.is_geographic
    x, y = ("lon", "lat") if geographic else ("x", "y")
    plain = to_polars(pandas.DataFrame(frame.drop(columns=points.name)))
    return plain.with_columns(pl.Series(x, points.x.to_numpy()), pl.Series(y, points.y.to_numpy()))


def to_pandas(frame: pl.DataFrame) -> pd.DataFrame:
    try:
        return frame.to_pandas()
    except ImportError as absent:
        raise MissingExtra("pandas", "frames") from absent


def to_arrow(frame: pl.DataFrame) -> pa.Table:
    try:
        return frame.to_arrow()
    except ImportError as absent:
        raise MissingExtra("pyarrow", "frames") from absent


def to_geopandas(frame: pl.DataFrame, points: Any, *, geographic: bool) -> gpd.GeoDataFrame:
    """A GeoDataFrame with one point per row; points hold x (or longitude) first."""
    try:
        import geopandas
    except ImportError as absent:
        raise MissingExtra("geopandas", "frames") from absent
    geometry = geopandas.points_from_xy(points[:, 0], points[:, 1])
    return geopandas.GeoDataFrame(to_pandas(frame), geometry=geometry, crs="EPSG:4326" if geographic else None)


def tidy(
    frame: Frame,
    *,
    required: Sequence[str],
    optional: Sequence[str],
    columns: Mapping[str, str],
    source: Source,
) -> pl.DataFrame:
    """The columns under their standard names; refuses a missing value in a required column."""
    polars_frame = to_polars(frame)
    standard = (*required, *optional)
    for name, actual in columns.items():
        if name not in standard:
            raise source.error(f"wanted a known column role, found {name!r}; {did_you_mean(name, standard)}")
        if actual not in polars_frame.columns:
            raise source.error(
                f"wanted a column {actual!r} for {name}, found none; {did_you_mean(actual, polars_frame.columns)}"
            )
    actual_names = {name: columns.get(name, name) for name in standard}
    if any(actual_names[name] not in polars_frame.columns for name in required):
        required_names = ", ".join(actual_names[name] for name in required)
        problem = f"wanted the columns {required_names}, found {listed(polars_frame.columns)}"
        example = likely_columns(polars_frame, required, optional, columns)
        raise source.error(with_remedy(problem, "name-columns", columns=columns_text(example)) if example else problem)
    result = polars_frame.select(
        pl.col(actual).alias(name) for name, actual in actual_names.items() if actual in polars_frame.columns
    )
    if len(result) == 0:
        raise source.error("wanted at least one row, found none")
    for name in (*required, "person", "time"):
        if name in result.columns:
            refuse_missing(result[name], name, source)
    return result.with_columns(pl.col(required[-1]).cast(pl.String))


def columns_text(columns: Mapping[str, str]) -> str:
    """Roles and their columns as one text, as the option that names columns takes it.

    >>> columns_text({"trajectory": "tid", "location": "place, town"})
    'trajectory=tid,"location=place, town"'
    """
    pairs = (f"{role}={column}" for role, column in columns.items())
    quoted = ('"' + pair.replace('"', '""') + '"' if any(sign in pair for sign in ',"') else pair for pair in pairs)
    return ",".join(quoted)


def with_swap(problem: str, source: Source) -> str:
    """A sentence about coordinates that seem exchanged, with the columns that exchange them again."""
    lat, lon = (source.columns.get(role, role) for role in ("lat", "lon"))
    columns = {**source.columns, "lat": lon, "lon": lat}
    return with_remedy(problem, "swap-coordinates", columns=columns_text(columns))


def refuse_missing(column: pl.Series, name: str, source: Source) -> None:
    is_missing = missing(column)
    if is_missing.any():
        raise source.error(
            f"wanted {a_or_an(shortened(name))}, found nothing (is the file cut off?)", row=is_missing.arg_max()
        )


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


class Grouped(NamedTuple):
    """Rows grouped into records.

    record : the record of each row.  order : the rows, record by record.  offsets : of the records in that order.
    """

    record: Ints
    order: Ints
    offsets: Ints


def grouped(key: pl.Series, *, sort_by: Ints | None = None) -> Grouped:
    """Group rows into records by a key; records are numbered by first appearance.

    Within a record, rows are sorted by `sort_by` (a stable sort).
    """
    runs = key.rle_id().to_numpy()
    run_heads = _heads(runs)
    record, distinct = numbered(key.gather(run_heads))
    record = record[runs]
    order: Ints = np.arange(len(key), dtype=np.uint32)
    record_order: Any = slice(None)  # a view where the rows of each key are adjacent already, as in most files
    if len(distinct) < len(run_heads):
        order = record_order = _stable_order(record)
    if sort_by is not None:
        records, values = record[record_order], sort_by[record_order]
        if np.any((values[1:] < values[:-1]) & (records[1:] == records[:-1])):
            order = order[_stable_order(records, values)]
    return Grouped(record, order, np.concatenate(([0], np.cumsum(np.bincount(record)))))


def _heads(*keys: Ints) -> Ints:
    """The rows at which a key differs from the row before."""
    changes = np.any([key[1:] != key[:-1] for key in keys], axis=0)
    return np.concatenate(([0], np.flatnonzero(changes) + 1))


def _stable_order(*keys: Ints) -> Ints:
    columns = pl.DataFrame({str(number): key for number, key in enumerate(keys)})
    return columns.select(pl.arg_sort_by(columns.columns, maintain_order=True)).to_series().to_numpy()


def persons_of(person: pl.Series, record: Ints, key: str, source: Source) -> Persons:
    """The person of each record, given the person and the record of each row; refuses a record with two persons."""
    first_row = np.empty(int(record.max()) + 1, dtype=np.uint32)
    first_row[record[::-1]] = np.arange(len(record), dtype=np.uint32)[::-1]  # the earliest row is written last
    first_person = person.gather(first_row)
    heads = _heads(person.rle_id().to_numpy(), record)
    is_other_person = person.gather(heads) != first_person.gather(record[heads])
    if is_other_person.any():
        row = int(heads[is_other_person.arg_max()])
        raise source.error(f"wanted one person for each {key}, found a second person", row=row)
    return Persons.of(first_person)
