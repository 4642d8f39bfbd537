"""What is linked: positions or segments of a movement, with where and when they are and the texts about them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.base import Ints
from sfumato.data.globe import means_of_runs
from sfumato.errors import DataError, listed
from sfumato.semantics.movement.movement import Movement
from sfumato.semantics.vocabulary import BQ, PREFIXES, RDFS

__all__ = ["Targets", "text_rows"]

Floats = npt.NDArray[np.float64]
COLUMNS = {"place": BQ + "ppText", "text": RDFS + "comment", "tags": BQ + "tag"}  # of posts, as properties


@dataclass(frozen=True)
class Targets:
    """Numbered targets.

    kind : "position" or "segment".  rows : the row of each in the frame of the movement.  where : longitude, latitude.
    begin, end : seconds.  texts : owner (number of the target) and text, as they were written.
    kinds : owner and class (IRI) of the places that targets visit, where these are known.
    """

    kind: str
    rows: Ints
    where: Floats
    begin: Floats
    end: Floats
    texts: pl.DataFrame
    kinds: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema={"owner": pl.Int64, "class": pl.String}))

    def __len__(self) -> int:
        return len(self.rows)

    @classmethod
    def positions(cls, movement: Movement, names: str, kinds: str = "") -> Targets:
        """Every position; `names` says which annotations are its texts and `kinds` which state a class."""
        frame = movement.positions
        texts, classes = (
            rows.filter(pl.col("target_kind") == "position")
            for rows in (text_rows(movement, names), _kinds(movement, kinds))
        )
        return cls(
            kind="position",
            rows=np.arange(len(frame)),
            where=_where(movement),
            begin=frame["begin"].to_numpy(),
            end=frame["end"].to_numpy(),
            texts=texts.select(owner="target", text="value"),
            kinds=classes.select("value", owner="target").select("owner", **{"class": "value"}),
        )

    @classmethod
    def segments(cls, movement: Movement, names: str, kinds: str = "", types: tuple[str, ...] = ("STOP",)) -> Targets:
        """The segments of some types at the centre of their positions, with their texts and those of the positions."""
        frame = movement.of_type(*types)
        if frame.is_empty() and len(movement.positions):
            raise DataError("link: wanted stops, found a movement without stops")
        if frame["first"].null_count():
            raise DataError("link: wanted segments with the rows of their positions, found segments without")
        order = np.lexsort((frame["first"].to_numpy(), frame["tree"].to_numpy(), frame["object"].to_numpy()))
        frame = frame[order]
        first, end = frame["first"].to_numpy(), frame["last"].to_numpy() + 1
        return cls(
            kind="segment",
            rows=frame["row"].to_numpy().astype(np.int64),
            where=_centres(_where(movement), first, end),
            begin=frame["begin"].to_numpy(),
            end=frame["end"].to_numpy(),
            texts=_of_segments(text_rows(movement, names), frame["row"].to_numpy(), first, end),
            kinds=_of_segments(_kinds(movement, kinds), frame["row"].to_numpy(), first, end).rename({"text": "class"}),
        )


def text_rows(movement: Movement, names: str) -> pl.DataFrame:
    """The annotations that name what was visited: target_kind, target, value.

    names : "place" (the names of places in posts), "text" (what posts say), "tags", "none", or another property.
    """
    frame = movement.annotations.filter(pl.col("kind").is_in(["text", "tag"]))
    columns = ("target_kind", "target", "value")
    if names == "none":
        return frame.clear().select(columns)
    chosen = frame.filter((pl.col("kind") == "tag") if names == "tags" else (pl.col("property") == _property(names)))
    if chosen.is_empty() and len(movement.positions):
        words = {iri: word for word, iri in COLUMNS.items()}
        known = [words.get(name, name.removeprefix(BQ)) for name in frame["property"].unique().sort().to_list()]
        has = f"texts of {listed(known)}" if known else "no texts"
        raise DataError(f"link: wanted texts of {names!r} to compare with labels, found {has}")
    return chosen.select(columns)


def _kinds(movement: Movement, kinds: str) -> pl.DataFrame:
    """The annotations that state the class of a place: target_kind, target, value."""
    columns = movement.annotations.select("target_kind", "target", "value")
    if not kinds:
        return columns.clear()
    stated = (pl.col("property") == _property(kinds)) & (pl.col("kind") == "resource")
    if not movement.annotations.select(stated.any()).item():
        raise DataError(f"link: wanted annotations with a class under the property {kinds!r}, found none")
    return movement.annotations.filter(stated).select("target_kind", "target", "value")


def _property(name: str) -> str:
    """The IRI of a property: a column of posts, an IRI, ``prefix:name``, or a name of the ontology of movements."""
    if name in COLUMNS:
        return COLUMNS[name]
    prefix, colon, rest = name.partition(":")
    if colon and prefix in PREFIXES:
        return PREFIXES[prefix] + rest
    return name if colon else BQ + name


def _where(movement: Movement) -> Floats:
    if not movement.geographic:
        raise DataError("link: wanted positions in longitude and latitude, found positions on a plane")
    return np.ascontiguousarray(movement.positions.select("x", "y").to_numpy())


def _centres(where: Floats, first: Ints, end: Ints) -> Floats:
    """The centre of each run of positions; runs of several trees may overlap."""
    centres = np.empty((len(first), 2))
    level = _levels(first, end)
    for number in np.unique(level):
        own = np.flatnonzero(level == number)
        centres[own] = means_of_runs(where, first[own], end[own], geographic=True)
    return centres


def _levels(first: Ints, end: Ints) -> Ints:
    """Numbers such that runs with the same number are disjoint and rising."""
    levels = np.zeros(len(first), dtype=np.int64)
    rest = np.arange(len(first))
    number = 0
    while len(rest):
        ends = np.maximum.accumulate(end[rest])
        free = np.concatenate(([True], first[rest][1:] >= ends[:-1]))
        levels[rest[free]] = number
        rest, number = rest[~free], number + 1
    return levels


def _of_segments(texts: pl.DataFrame, rows: Ints, first: Ints, end: Ints) -> pl.DataFrame:
    """owner, text: what is written about the segments and about their positions."""
    number = pl.DataFrame({"target": rows.astype(np.int64), "owner": np.arange(len(rows))})
    own = texts.filter(pl.col("target_kind") == "segment").join(number, on="target").select("owner", text="value")
    below = texts.filter(pl.col("target_kind") == "position").sort("target")
    place = below["target"].to_numpy()
    low, high = np.searchsorted(place, first), np.searchsorted(place, end)
    sizes = high - low
    owner = np.repeat(np.arange(len(rows)), sizes)
    index = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes - low, sizes)
    covered = pl.DataFrame({"owner": owner, "text": below["value"].gather(index)}, schema=own.schema)
    return pl.concat([own, covered]).unique(maintain_order=True)
