"""Conversion of frames: polars, pandas, geopandas and Arrow in and out, and the checks of incoming columns."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl

from sfumato.data.base import Frame, Ints, missing
from sfumato.data.column_names import likely_columns
from sfumato.errors import DataError, FileError, MissingExtra, a_or_an, did_you_mean, listed, shortened
from sfumato.remedies import keep_remedy, with_remedy

if TYPE_CHECKING:
    import geopandas as gpd
    import pandas as pd
    import pyarrow as pa

__all__ = [
    "Source",
    "columns_text",
    "plain_columns",
    "refuse_missing",
    "refuse_names",
    "tidy",
    "to_arrow",
    "to_geopandas",
    "to_pandas",
    "to_polars",
    "with_swap",
]

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
    lists: Sequence[str] = (),
) -> pl.DataFrame:
    """The columns under their standard names; refuses a missing value in a required column.

    lists : roles whose column may hold lists.
    """
    polars_frame = to_polars(frame, lists=[columns.get(name, name) for name in lists])
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
