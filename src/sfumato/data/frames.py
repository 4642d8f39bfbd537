"""The edge: frames of any make come in as polars and go out as what the caller likes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from sfumato.data.base import Ints, Persons
from sfumato.errors import DataError, FileError, MissingExtra, did_you_mean

__all__ = ["Source", "grouped", "persons_of", "tidy", "to_arrow", "to_geopandas", "to_pandas", "to_polars"]


@dataclass(frozen=True)
class Source:
    """Where a frame came from, so that an error can name the file and the line.

    >>> str(Source("visits.csv", first_line=2).error("wanted a location, found nothing", row=0))
    'visits.csv, line 2: wanted a location, found nothing'
    """

    name: str = "the frame"
    first_line: int | None = None

    def error(self, problem: str, row: int | None = None) -> DataError:
        if self.first_line is not None:
            return FileError(self.name, problem, line=None if row is None else self.first_line + row)
        where = self.name if row is None else f"{self.name}, row {row + 1}"
        return DataError(f"{where}: {problem}")


def to_polars(frame: Any) -> pl.DataFrame:
    """A polars frame from polars, pandas, geopandas points, Arrow, or a mapping of columns."""
    if isinstance(frame, pl.DataFrame):
        return frame
    if isinstance(frame, pl.LazyFrame):
        return frame.collect()
    module = type(frame).__module__.partition(".")[0]
    if module == "geopandas":
        return _from_geopandas(frame)
    if module == "pandas":
        try:
            return pl.from_pandas(frame)
        except ImportError as missing:
            raise MissingExtra("pyarrow", "frames") from missing
    if hasattr(frame, "__arrow_c_stream__") or isinstance(frame, Mapping):
        return pl.DataFrame(frame, strict=False)
    raise DataError(f"a frame is wanted (polars, pandas, geopandas, Arrow or a mapping), got {type(frame).__name__}")


def _from_geopandas(frame: Any) -> pl.DataFrame:
    points = frame.geometry
    if not (points.geom_type == "Point").all():
        raise DataError("geopandas: every geometry must be a point, found another or a missing one")
    geographic = points.crs is not None and points.crs.is_geographic
    x, y = ("lon", "lat") if geographic else ("x", "y")
    plain = to_polars(frame.drop(columns=points.name).copy(deep=False).pipe(lambda rest: _plain_pandas(rest)))
    return plain.with_columns(pl.Series(x, points.x.to_numpy()), pl.Series(y, points.y.to_numpy()))


def _plain_pandas(frame: Any) -> Any:
    import pandas as pd

    return pd.DataFrame(frame)


def to_pandas(frame: pl.DataFrame) -> Any:
    try:
        return frame.to_pandas()
    except ImportError as missing:
        raise MissingExtra("pandas", "frames") from missing


def to_arrow(frame: pl.DataFrame) -> Any:
    try:
        return frame.to_arrow()
    except ImportError as missing:
        raise MissingExtra("pyarrow", "frames") from missing


def to_geopandas(frame: pl.DataFrame, points: Any, *, geographic: bool) -> Any:
    """A GeoDataFrame with a point per row; x (or longitude) first."""
    try:
        import geopandas
    except ImportError as missing:
        raise MissingExtra("geopandas", "frames") from missing
    geometry = geopandas.points_from_xy(points[:, 0], points[:, 1])
    return geopandas.GeoDataFrame(to_pandas(frame), geometry=geometry, crs="EPSG:4326" if geographic else None)


def tidy(
    frame: Any,
    *,
    required: Sequence[str],
    optional: Sequence[str],
    columns: Mapping[str, str],
    source: Source,
) -> pl.DataFrame:
    """The named columns under their standard names, with nothing missing from the required ones."""
    found = to_polars(frame)
    standard = (*required, *optional)
    for name, actual in columns.items():
        if name not in standard:
            raise source.error(f"no column role is called {name!r}; {did_you_mean(name, standard)}")
        if actual not in found.columns:
            raise source.error(f"wanted a column {actual!r} for {name}; {did_you_mean(actual, found.columns)}")
    chosen = {name: columns.get(name, name) for name in standard}
    missing = [actual for name, actual in chosen.items() if name in required and actual not in found.columns]
    if missing:
        raise source.error(
            f"wanted the columns {', '.join(required)}, found {', '.join(found.columns)}; "
            f"say which is which, e.g. --columns {required[-1]}={found.columns[-1]}"
        )
    result = found.select(pl.col(actual).alias(name) for name, actual in chosen.items() if actual in found.columns)
    if len(result) == 0:
        raise source.error("wanted at least one row, found none")
    result = result.with_columns(pl.col(required[-1]).cast(pl.String))
    for name in (*required, "person", "time"):
        if name in result.columns:
            _refuse_missing(result[name], name, source)
    return result


def _refuse_missing(column: pl.Series, name: str, source: Source) -> None:
    gone = column.is_null()
    if column.dtype == pl.String:
        gone = gone | (column == "")
    if gone.any():
        raise source.error(f"wanted a {name}, found nothing (is the file cut off?)", row=gone.arg_max())


def with_seconds(frame: pl.DataFrame, source: Source) -> pl.DataFrame:
    """The time column as seconds: numbers as they are, dates and ISO texts since 1970 (UTC)."""
    if "time" not in frame.columns:
        return frame
    column = frame["time"]
    if column.dtype == pl.String:
        column = _parsed_times(column, source)
    if column.dtype.is_temporal():
        seconds = column.cast(pl.Datetime("us")).to_physical().cast(pl.Float64) / 1e6
    elif column.dtype.is_numeric():
        seconds = column.cast(pl.Float64)
        wrong = ~(seconds >= 0) | seconds.is_infinite()
        if wrong.any():
            raise source.error("wanted a time of 0 or later, found a negative or unreadable one", row=wrong.arg_max())
    else:
        raise source.error(f"wanted times as numbers, dates or ISO texts, found {column.dtype}")
    return frame.with_columns(seconds.alias("time"))


def _parsed_times(column: pl.Series, source: Source) -> pl.Series:
    as_numbers = column.cast(pl.Float64, strict=False)
    if as_numbers.null_count() == 0:
        return as_numbers
    parsed = column.to_frame("t").select(
        pl.coalesce(
            pl.col("t").str.to_datetime(pattern, strict=False, time_unit="us")
            for pattern in (
                "%Y-%m-%dT%H:%M:%S%.f",
                "%Y-%m-%d %H:%M:%S%.f",
                "%Y-%m-%dT%H:%M",
                "%Y-%m-%d %H:%M",
                "%Y-%m-%d",
            )
        )
    )["t"]
    if parsed.null_count():
        row = parsed.is_null().arg_max()
        raise source.error(
            "wanted a time as a number of seconds or as YYYY-MM-DDTHH:MM:SS, found another text", row=row
        )
    return parsed


def grouped(frame: pl.DataFrame, key: str, *, sort_by: str) -> tuple[pl.DataFrame, Ints]:
    """The rows of each key together, keys by first appearance, sorted inside; and where each begins."""
    runs = frame[key].rle_id()
    sorting = sort_by in frame.columns
    if int(runs[-1]) + 1 != frame[key].n_unique():
        first = frame.select(key).with_row_index("run").group_by(key).agg(pl.col("run").min())
        runs = frame.select(key).join(first, on=key, how="left", maintain_order="left")["run"]
    elif sorting:
        falls = (frame[sort_by].shift(1) > frame[sort_by]) & (runs.shift(1) == runs)
        sorting = bool(falls.any())
        if not sorting:
            return frame, _starts(runs)
    else:
        return frame, _starts(runs)
    by = ["__run", sort_by] if sorting else ["__run"]
    frame = frame.with_columns(runs.alias("__run")).sort(by, maintain_order=True)
    return frame.drop("__run"), _starts(frame["__run"])


def _starts(runs: pl.Series) -> Ints:
    values = runs.to_numpy()
    return np.concatenate(([0], np.flatnonzero(values[1:] != values[:-1]) + 1)).astype(np.int64)


def persons_of(frame: pl.DataFrame, first: pl.DataFrame, starts: Ints, key: str, source: Source) -> Persons | None:
    """The one person behind each group of rows."""
    if "person" not in frame.columns:
        return None
    lengths = np.diff(np.append(starts, len(frame)))
    expected = first["person"].gather(np.repeat(np.arange(len(first)), lengths))
    if not (frame["person"] == expected).all():
        raise source.error(f"a {key} belongs to one person, found one that belongs to two")
    return Persons.of(first["person"])
