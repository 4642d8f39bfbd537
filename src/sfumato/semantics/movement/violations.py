"""Violations of Definitions 1 to 3 (Baquara2, 2015) in the frames of a movement, by rule and row.

Rules 01 to 11 are those that the query over triples has; the others follow from the reading of the definitions and
from the frames.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import polars as pl

from sfumato.semantics.movement.frames import IRI, KINDS, TARGETS
from sfumato.semantics.vocabulary import BQ

__all__ = ["violations"]

_LANGUAGE = r"^[a-z]{1,8}(-[a-z0-9]{1,8})*$"
_Found = tuple[str, str, np.ndarray]  # rule, frame, rows


def violations(frames: Mapping[str, pl.DataFrame], minutes: pl.Series | None = None) -> pl.DataFrame:
    """Every violation as a row of rule, frame and row; none for a sound movement.

    frames : objects, positions, segments, annotations, patterns, members, descriptions.
    minutes : durations that were stated for the segments, where they were.
    """
    rows = [
        pl.DataFrame({"rule": [rule] * len(where), "frame": [frame] * len(where), "row": where.astype(np.int64)})
        for rule, frame, where in _all(frames, minutes)
        if len(where)
    ]
    schema = {"rule": pl.String, "frame": pl.String, "row": pl.Int64}
    return pl.concat(rows).sort("rule", "frame", "row") if rows else pl.DataFrame(schema=schema)


def _all(frames: Mapping[str, pl.DataFrame], minutes: pl.Series | None) -> Iterator[_Found]:
    yield from _names(frames)
    yield from _classes(frames["objects"])
    yield from _positions(frames)
    yield from _intervals(frames)
    yield from _spans(frames)
    yield from _fathers(frames["segments"])
    yield from _siblings(frames["segments"])
    yield from _roots(frames)
    yield from _durations(frames["segments"], minutes)
    yield from _annotations(frames)
    yield from _members(frames)


def _rows(frame: pl.DataFrame, column: str) -> np.ndarray:
    """Row numbers of a column, -1 for none."""
    return frame[column].cast(pl.Int64).fill_null(-1).to_numpy()


def _unknown(frame: pl.DataFrame, columns: list[str], count: int) -> np.ndarray:
    """Whether a row names a row that does not exist."""
    outside = pl.any_horizontal(((pl.col(columns) < 0) | (pl.col(columns) >= count)).fill_null(False))
    return frame.select(outside).to_series().to_numpy()


def _where(mask: np.ndarray) -> np.ndarray:
    return np.flatnonzero(mask)


def _names(frames: Mapping[str, pl.DataFrame]) -> Iterator[_Found]:
    for frame, column in (("objects", "object"), ("segments", "name"), ("patterns", "name"), ("descriptions", "name")):
        names = frames[frame][column]
        yield "18 names are unique", frame, _where((~names.is_first_distinct()).to_numpy())
    objects = np.zeros(len(frames["objects"]), dtype=bool)
    for frame in ("positions", "segments"):
        owners = _rows(frames[frame], "object")
        known = owners < len(objects)
        yield "15 references name existing rows", frame, _where(~known)
        objects[owners[known]] = True
    yield "17 a moving object has a position or a segment", "objects", _where(~objects)


def _classes(objects: pl.DataFrame) -> Iterator[_Found]:
    for name in ("person", "means"):
        column = pl.col(f"{name}_class")
        wrong = objects.select((column.is_not_null() & ~column.str.contains(IRI)).fill_null(False)).to_series()
        yield "24 a class is an IRI", "objects", _where(wrong.to_numpy())
        several = objects.select((column.ne_missing(column.first().over(name))) & pl.col(name).is_not_null())
        yield "25 a person has one class, and so has a means", "objects", _where(several.to_series().to_numpy())


def _positions(frames: Mapping[str, pl.DataFrame]) -> Iterator[_Found]:
    positions = frames["positions"]
    owners = _rows(positions, "object")
    begin, end = positions["begin"].to_numpy(), positions["end"].to_numpy()
    same = owners[1:] == owners[:-1]
    yield "01 positions in strict order of time", "positions", _where(same & ~(end[:-1] < begin[1:])) + 1
    yield "13 positions in the order of their moving objects", "positions", _where(owners[1:] < owners[:-1]) + 1


def _intervals(frames: Mapping[str, pl.DataFrame]) -> Iterator[_Found]:
    for frame in ("positions", "segments", "patterns"):
        reversed_time = (frames[frame]["begin"] > frames[frame]["end"]).fill_null(False)
        yield "02 begins before it ends", frame, _where(reversed_time.to_numpy())


def _spans(frames: Mapping[str, pl.DataFrame]) -> Iterator[_Found]:
    segments, positions = frames["segments"], frames["positions"]
    first, last = _rows(segments, "first"), _rows(segments, "last")
    count = len(positions)
    unknown = _unknown(segments, ["first", "last"], count)
    yield "15 references name existing rows", "segments", _where(unknown)
    half = (first < 0) != (last < 0)
    given = (first >= 0) & (last >= 0) & ~unknown
    first, last = np.where(given, first, 0), np.where(given, last, 0)
    wrong = first > last
    if count:
        owners = _rows(positions, "object")
        own = _rows(segments, "object")
        wrong |= (owners[first] != own) | (owners[last] != own)
        wrong |= positions["begin"].to_numpy()[first] != segments["begin"].to_numpy()
        wrong |= positions["end"].to_numpy()[last] != segments["end"].to_numpy()
    yield "03 spans its positions", "segments", _where((given & wrong) | (half & ~unknown))


def _fathers(segments: pl.DataFrame) -> Iterator[_Found]:
    count = len(segments)
    father = _rows(segments, "father")
    yield "15 references name existing rows", "segments", _where(_unknown(segments, ["father", "prev", "next"], count))
    father = np.where((father >= 0) & (father < count), father, -1)
    child = father >= 0
    above = np.where(child, father, 0)
    if count:
        begin, end = segments["begin"].to_numpy(), segments["end"].to_numpy()
        object_of = _rows(segments, "object")
        tree = segments["tree"].rank("dense").to_numpy()
        level = segments["level"].to_numpy()
        uncovered = (begin < begin[above]) | (end > end[above])
        yield "04 father covers it", "segments", _where(child & uncovered)
        yield "05 father is of the same moving object", "segments", _where(child & (object_of[above] != object_of))
        yield "14 father is of the same tree", "segments", _where(child & (tree[above] != tree))
        yield "07 level", "segments", _where(level != np.where(child, level[above] + 1, 0))
    yield "16 fathers lead to a root", "segments", _where(_endless(father))


def _endless(father: np.ndarray) -> np.ndarray:
    """Which rows never reach a root by going from father to father."""
    ancestor = father.copy()
    for _ in range(max(len(father), 1).bit_length() + 1):  # doubles the number of steps each time
        ancestor = np.where(ancestor >= 0, ancestor[ancestor], -1)
    return ancestor >= 0


def _siblings(segments: pl.DataFrame) -> Iterator[_Found]:
    """Rules among segments of one father, in the order of their begin, then of their name."""
    count = len(segments)
    father = _rows(segments, "father")
    begin, end = segments["begin"].to_numpy(), segments["end"].to_numpy()
    name = segments["name"].rank("ordinal").to_numpy() if count else father
    family = np.where(father >= 0, father, -1 - np.arange(count))  # a root has no siblings
    order = np.lexsort((name, begin, family))
    begins_family = np.ones(count, dtype=bool)
    begins_family[1:] = family[order[1:]] != family[order[:-1]]
    number = np.cumsum(begins_family)
    latest = pl.DataFrame({"family": number, "end": end[order]}).select(
        pl.col("end").cum_max().shift(1).over("family").fill_null(-np.inf)
    )
    shared = np.zeros(count, dtype=bool)
    shared[order] = begin[order] <= latest.to_series().to_numpy()
    yield "06 siblings share no instant", "segments", _where(shared)
    earlier = pl.DataFrame({"family": family, "begin": begin}).select(pl.col("begin").rank("min").over("family"))
    yield "08 ord", "segments", _where(segments["ord"].to_numpy() != earlier.to_series().to_numpy())
    yield "09 prev and next", "segments", _where(_unlinked(segments, order, begins_family))


def _unlinked(segments: pl.DataFrame, order: np.ndarray, begins_family: np.ndarray) -> np.ndarray:
    """Segments that do not know their next sibling, or are not known to it; ends that claim a neighbour."""
    previous, following = _rows(segments, "prev"), _rows(segments, "next")
    wrong = np.zeros(len(segments), dtype=bool)
    pairs = _where(~begins_family)
    left, right = order[pairs - 1], order[pairs]
    wrong[left] = (following[left] != right) | (previous[right] != left)
    ends_family = np.roll(begins_family, -1)
    firsts, lasts = order[begins_family], order[ends_family]
    wrong[firsts] |= previous[firsts] != -1
    wrong[lasts] |= following[lasts] != -1
    return wrong


def _roots(frames: Mapping[str, pl.DataFrame]) -> Iterator[_Found]:
    segments = frames["segments"].with_row_index("row")
    roots = segments.filter(pl.col("father").is_null())
    doubled = roots.sort("name").filter(~pl.struct("object", "tree").is_first_distinct())
    yield "10 one root", "segments", doubled["row"].to_numpy()
    misplaced = segments.filter(pl.col("father").is_null() != (pl.col("type") == "HISTORY"))
    yield "12 a root is a history", "segments", misplaced["row"].to_numpy()
    spans = (
        frames["positions"].group_by("object").agg(pl.col("begin").min().alias("from"), pl.col("end").max().alias("to"))
    )
    short = roots.join(spans, on="object").filter((pl.col("begin") > pl.col("from")) | (pl.col("end") < pl.col("to")))
    yield "19 a history covers all positions", "segments", short["row"].to_numpy()


def _durations(segments: pl.DataFrame, minutes: pl.Series | None) -> Iterator[_Found]:
    if minutes is not None:
        difference = (segments["end"] - segments["begin"]) / 60 - minutes.cast(pl.Float64)
        wrong = (difference.abs() > 1e-6).fill_null(False)  # a microsecond is less than this share of a minute
        yield "11 duration in minutes", "segments", _where(wrong.to_numpy())


def _annotations(frames: Mapping[str, pl.DataFrame]) -> Iterator[_Found]:
    annotations = frames["annotations"]
    counts = {kind: len(frames[frame]) for kind, frame in TARGETS.items()}
    rows = annotations["target_kind"].replace_strict(counts, default=0, return_dtype=pl.Int64)
    target = annotations["target"]
    yield "20 an annotation has a target", "annotations", _where(((target < 0) | (target >= rows)).to_numpy())
    sound = annotations.select(
        pl.col("kind").is_in(KINDS)
        & ((pl.col("kind") == "number") == pl.col("number").is_not_null())
        & ((pl.col("kind") == "tag") == (pl.col("property") == BQ + "tag"))
        & (pl.col("language").is_null() | pl.col("kind").is_in(["text", "tag"]))
        & pl.col("language").str.contains(_LANGUAGE).fill_null(True)
        & pl.col("property").str.contains(IRI)
        & ((pl.col("kind") != "resource") | pl.col("value").str.contains(IRI))
        & (pl.col("value").cast(pl.Float64, strict=False) == pl.col("number")).fill_null(pl.col("number").is_null())
    )
    yield "21 the value of an annotation is of its kind", "annotations", _where(~sound.to_series().to_numpy())
    yield "22 annotations are distinct", "annotations", _where(annotations.is_duplicated().to_numpy())


def _members(frames: Mapping[str, pl.DataFrame]) -> Iterator[_Found]:
    members = frames["members"]
    known = members.select(
        pl.col("pattern").is_between(0, len(frames["patterns"]) - 1)
        & pl.col("segment").is_between(0, len(frames["segments"]) - 1)
    )
    yield "15 references name existing rows", "members", _where(~known.to_series().to_numpy())
    yield "23 a pattern is a set of segments", "members", _where(members.is_duplicated().to_numpy())
