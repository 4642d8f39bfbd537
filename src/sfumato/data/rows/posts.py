"""Details of positions such as posts and photos: end of an interval, tags, a text, the name of a place, a geometry."""

from __future__ import annotations

import csv
from typing import Any

import numpy as np
import polars as pl

from sfumato.data.areas.outlines import shapely_package
from sfumato.data.base import Ints, missing
from sfumato.data.frames import Source
from sfumato.data.rows.times import seconds

__all__ = ["DETAILS", "OBJECT_DETAILS", "centres_of", "details_of", "joined_tags", "merged_rows"]

OBJECT_DETAILS = ("object", "person_class", "means", "means_class")
"""The columns about the moving object of a position: an account or device, and the class of its person."""

DETAILS = (*OBJECT_DETAILS, "end", "tags", "text", "place", "wkt")
"""The columns of details; a file may have `tag`, one tag a row, in place of `tags`."""

_SEPARATORS = (",", ";", "|")  # of tags in a text; the first that occurs in the column is taken
_QUOTED = r'"(?:[^"]|"")*"'


def details_of(rows: pl.DataFrame, times: Any, source: Source) -> pl.DataFrame | None:
    """The details among the columns of tidy rows, one row a position; None without any.

    An end that is missing is the time itself.
    """
    columns = [_texts(rows[name]) for name in OBJECT_DETAILS if name in rows.columns]
    if "end" in rows.columns:
        columns.append(_ends(rows, times, source))
    if "tags" in rows.columns:
        columns.append(_tag_lists(rows["tags"], source))
    elif "tag" in rows.columns:
        columns.append(rows["tag"].cast(pl.String).alias("tag"))
    columns += [_texts(rows[name]) for name in ("text", "place", "wkt") if name in rows.columns]
    if "wkt" in rows.columns:
        _refuse_other_than_wkt(columns[-1], source)
    return pl.DataFrame(columns) if columns else None


def merged_rows(positions: pl.DataFrame, tag: pl.Series) -> tuple[Ints, pl.Series]:
    """The first row of each position where there is one row per position and tag, and the tags of each position.

    Rows of one position agree in every column of `positions`.

    >>> rows, tags = merged_rows(pl.DataFrame({"time": [5, 5, 7]}), pl.Series("tag", ["sea", "sun", None]))
    >>> rows.tolist(), tags.to_list()
    ([0, 2], [['sea', 'sun'], []])
    """
    numbered = positions.with_row_index("row").with_columns(tag.alias("tag"))
    merged = numbered.group_by(positions.columns, maintain_order=True).agg(pl.col("row").first(), pl.col("tag"))
    return merged["row"].to_numpy(), _clean(merged["tag"])


def joined_tags(tags: pl.Series) -> pl.Series:
    """Lists of tags as texts separated by commas, in quotation marks where a tag holds a separator.

    >>> joined_tags(pl.Series([["sea", "sun, sand"], []])).to_list()
    ['sea,"sun, sand"', '']
    """
    tag = pl.element()
    marks = "".join(_SEPARATORS)
    quoted = pl.concat_str(pl.lit('"'), tag.str.replace_all('"', '""', literal=True), pl.lit('"'))
    safe = pl.when(tag.str.contains(f'[{marks}"\\r\\n]')).then(quoted).otherwise(tag)
    return tags.list.eval(safe).list.join(_SEPARATORS[0])


def centres_of(wkt: pl.Series, source: Source) -> Any:
    """Longitude and latitude of the centre of each geometry."""
    if wkt.null_count():
        raise source.error("wanted lat and lon, or a geometry, found neither", row=wkt.is_null().arg_max())
    shapely = shapely_package()
    centres = shapely.centroid(shapely.from_wkt(wkt.to_numpy()))
    centres[shapely.is_empty(centres)] = None  # whose coordinates are not a number
    where = np.column_stack((shapely.get_x(centres), shapely.get_y(centres)))
    invalid = ~(np.abs(where) <= (180, 90)).all(axis=1)
    if invalid.any():
        problem = "wanted a geometry in longitude and latitude, found one that is empty or outside their range"
        raise source.error(problem, row=int(invalid.argmax()))
    return where


def _texts(column: pl.Series) -> pl.Series:
    texts = column.cast(pl.String)
    return texts.set(missing(texts), None)


def _ends(rows: pl.DataFrame, times: Any, source: Source) -> pl.Series:
    end, time = rows["end"], rows["time"]
    absent = missing(end)
    if absent.all():
        return pl.Series("end", times)
    numeric = end.dtype.is_numeric() and time.dtype.is_numeric()
    if absent.any() and not numeric and end.dtype != time.dtype:
        raise source.error("wanted time and end in one format, found two", row=absent.arg_max())
    numbers = seconds(pl.select(pl.when(absent).then(time).otherwise(end)).to_series(), source)
    early = numbers < times
    if early.any():
        raise source.error("wanted an end that is not before the time, found an earlier one", row=early.arg_max())
    return numbers.alias("end")


def _tag_lists(column: pl.Series, source: Source) -> pl.Series:
    """Tags as lists, from lists or from texts that hold several tags."""
    if isinstance(column.dtype, pl.List):
        return _clean(column.cast(pl.List(pl.String))).alias("tags")
    texts = column.cast(pl.String).fill_null("")
    bare = texts.str.replace_all(_QUOTED, "")
    present = [mark for mark in _SEPARATORS if bare.str.contains(mark, literal=True).any()]
    separator = present[0] if present else _SEPARATORS[0]
    if separator != _SEPARATORS[0]:
        source.note(f"{source.name}: tags are read as separated by {separator!r}, since none holds a comma")
    lists = texts.str.split(separator)
    quoted = texts.str.contains('"', literal=True)
    if quoted.any():
        rows = np.arange(len(texts))
        rows[quoted.to_numpy()] = len(texts) + np.arange(int(quoted.sum()))
        lists = pl.concat([lists, _parsed(texts.filter(quoted), separator, source)]).gather(rows)
    return _clean(lists).alias("tags")


def _parsed(texts: pl.Series, separator: str, source: Source) -> pl.Series:
    """Texts with quotation marks around tags, split as lines of CSV are."""
    try:
        lines = [next(csv.reader([text], delimiter=separator, skipinitialspace=True), []) for text in texts]
    except csv.Error:
        raise source.error("wanted tags in a text, with quotation marks in pairs, found another text") from None
    return pl.Series(lines, dtype=pl.List(pl.String))


def _clean(lists: pl.Series) -> pl.Series:
    """Each tag once, without blanks at its ends; no empty ones."""
    tag = pl.element().str.strip_chars()
    full = lists.list.eval(tag.filter(tag.is_not_null() & (tag != "")))
    return full.list.unique(maintain_order=True).fill_null([]).alias("tags")


def _refuse_other_than_wkt(wkt: pl.Series, source: Source) -> None:
    if wkt.null_count() == len(wkt):
        return
    shapely = shapely_package()
    invalid = shapely.is_missing(shapely.from_wkt(wkt.to_numpy(), on_invalid="ignore")) & wkt.is_not_null().to_numpy()
    if invalid.any():
        raise source.error(
            "wanted a geometry as WKT, such as POINT (9.19 45.46), found another text", row=invalid.argmax()
        )
