"""A movement: positions of moving objects, their segments in hierarchies, annotations and patterns, as columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from sfumato.errors import DataError, counted
from sfumato.semantics.movement import relatives
from sfumato.semantics.movement.building import built
from sfumato.semantics.movement.canonical import canonical
from sfumato.semantics.movement.files import write_movement
from sfumato.semantics.movement.frames import FRAMES, fitted
from sfumato.semantics.movement.geometries import centres, geometries
from sfumato.semantics.movement.triples.names import BASE
from sfumato.semantics.movement.violations import violations

if TYPE_CHECKING:
    from sfumato.semantics.movement.triples.pairs import Knowledge

__all__ = ["Movement"]


@dataclass(frozen=True, eq=False, repr=False)
class Movement:
    """Positions of moving objects, segments of them in hierarchies, annotations and patterns (Baquara2, 2015).

    Frames refer to each other by row number.  Times are seconds since 1970, UTC.  The constructor checks every
    constraint; `Movement.of` derives what follows from the positions.

    Parameters
    ----------
    objects : object, person, person_class, means, means_class
        Moving objects: a person with a means of monitoring.  One person may be several moving objects.
    positions : object, begin, end, x, y, wkt
        Sorted by object, then time; `wkt` only where a position is not a point.
    segments : name, object, tree, type, first, last, begin, end, father, level, prev, next, ord, wkt
        `first` and `last` are rows of positions, null where the positions are not given.  A `tree` is one segmentation
        of the positions of an object; its root has the type HISTORY.  `wkt` is null where the geometry follows from
        the positions.
    annotations : target_kind, target, property, kind, value, number, language, metres, similarity, source
        What is stated about an object (its sequence of positions), position, segment, pattern or description.
    patterns : name, type, begin, end
        Sets of segments, such as meetings.
    members : pattern, segment
        The segments of each pattern.
    geographic : bool
        Whether x and y are longitude and latitude in degrees; else they are metres.
    descriptions : name, type
        Movement segment categories and movement pattern categories that annotations describe.

    References
    ----------
    .. [1] R. Fileto et al., "The Baquara2 knowledge-based framework for semantic enrichment and analysis of movement
       data", Data & Knowledge Engineering, 2015.

    Examples
    --------
    >>> positions = {"object": ["a"] * 4, "begin": [0, 600, 4000, 5000], "x": [12.5, 12.5, 12.6, 12.7], "y": [41.9] * 4}
    >>> segments = {"object": ["a"] * 3, "type": ["TRAIL", "STOP", "MOVE"], "first": [0, 0, 2], "last": [3, 1, 3]}
    >>> m = Movement.of({"object": ["a"]}, positions, segments)
    >>> m
    Movement(1 object, 4 positions, 4 segments, 0 annotations, 0 patterns, 0 members, 0 descriptions)
    >>> m.segments.select("name", "end", "father", "level", "prev", "ord").rows()[1:]
    [('a/stop/1', 600.0, 0, 2, None, 1), ('a/move/1', 5000.0, 0, 2, 1, 2), ('a/history', 5000.0, None, 0, None, 1)]
    >>> m.ancestors([1])["relative"].to_list(), m.stops()["name"].to_list()
    ([3, 0], ['a/stop/1'])
    """

    objects: pl.DataFrame
    positions: pl.DataFrame
    segments: pl.DataFrame
    annotations: pl.DataFrame = None  # type: ignore[assignment]
    patterns: pl.DataFrame = None  # type: ignore[assignment]
    members: pl.DataFrame = None  # type: ignore[assignment]
    geographic: bool = True
    descriptions: pl.DataFrame = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        for name in FRAMES:
            object.__setattr__(self, name, fitted(name, getattr(self, name)))
        if not isinstance(self.geographic, bool):
            raise DataError(f"Movement: wanted geographic as true or false, found {type(self.geographic).__name__}")
        broken = violations(self.frames())
        if len(broken):
            raise DataError(_sentence(broken))

    def __repr__(self) -> str:
        """The sizes alone: the frames are private."""
        return f"Movement({', '.join(counted(len(frame), name[:-1]) for name, frame in self.frames().items())})"

    @classmethod
    def of(
        cls,
        objects: Any,
        positions: Any,
        segments: Any = None,
        *,
        annotations: Any = None,
        patterns: Any = None,
        members: Any = None,
        descriptions: Any = None,
        geographic: bool = True,
    ) -> Movement:
        """A movement with what follows from its frames: spans, hierarchies by containment, histories, names.

        objects : at least `object`; a person is the object where none is given.
        positions : object (row or name), begin, x, y; `end` is `begin` where it is not given.
        segments : object (row or name), type, first, last, or begin and end where the positions are not given;
            `name` and `tree` may be left out.  Missing histories are added behind the given rows.
        annotations : rows that are equal are one; the `value` of a number may be left out.
        """
        frames = built(objects, positions, segments, annotations)
        others = {"patterns": patterns, "members": members, "descriptions": descriptions}
        return cls(**frames, **others, geographic=geographic)

    @staticmethod
    def violations(frames: Any) -> pl.DataFrame:
        """Every violation of the constraints in frames, given by name, as rule, frame and row."""
        return violations({name: fitted(name, frames.get(name)) for name in FRAMES})

    def frames(self) -> dict[str, pl.DataFrame]:
        """The frames by name."""
        return {name: getattr(self, name) for name in FRAMES}

    # relatives of segments, as pairs (row, relative)

    def children(self, rows: Any) -> pl.DataFrame:
        """Segments whose father is a row."""
        return relatives.children(self.segments, rows)

    def descendants(self, rows: Any) -> pl.DataFrame:
        """Children of a row, their children, and so on."""
        return relatives.descendants(self.segments, rows)

    def ancestors(self, rows: Any) -> pl.DataFrame:
        """The father of a row, its father, and so on; the root first."""
        return relatives.ancestors(self.segments, rows)

    def siblings(self, rows: Any) -> pl.DataFrame:
        """Other segments of the same father."""
        return relatives.siblings(self.segments, rows)

    def predecessors(self, rows: Any) -> pl.DataFrame:
        """Siblings that are over before a row begins."""
        return relatives.predecessors(self.segments, rows)

    def successors(self, rows: Any) -> pl.DataFrame:
        """Siblings that begin when a row is over."""
        return relatives.successors(self.segments, rows)

    def lineage(self, rows: Any) -> pl.DataFrame:
        """A row with its ancestors and descendants."""
        return relatives.lineage(self.segments, rows)

    # parts

    def of_type(self, *types: str) -> pl.DataFrame:
        """Segments of some types, with their rows in the column `row`."""
        return self.segments.with_row_index("row").filter(pl.col("type").is_in(types))

    def stops(self) -> pl.DataFrame:
        """Segments of type STOP, with their rows in the column `row`."""
        return self.of_type("STOP")

    def trails(self) -> pl.DataFrame:
        """Segments of type TRAIL, with their rows in the column `row`."""
        return self.of_type("TRAIL")

    def minutes(self) -> pl.Series:
        """The duration of each segment."""
        return ((self.segments["end"] - self.segments["begin"]) / 60).alias("minutes")

    def geometries(self) -> pl.Series:
        """Well-known text of each segment: as given, or from its positions (a stop: the centroid; else a line)."""
        return geometries(self)

    def centres(self) -> pl.DataFrame:
        """x and y of each segment: the centroid of its geometry or of its positions; null without both."""
        return centres(self)

    def annotated(self, annotations: Any) -> Movement:
        """This movement with more annotations; rows that are equal are one."""
        from sfumato.semantics.movement.building import annotation_rows

        more = annotation_rows(annotations)
        return replace(self, annotations=pl.concat([self.annotations, more]).unique(maintain_order=True))

    def with_patterns(self, *patterns: Any) -> Movement:
        """This movement with patterns: `Meeting()`, `Flock()`, a function that gives sets of rows, or a type's name."""
        from sfumato.semantics.movement.patterns.base import with_patterns

        found: dict[str, Any] = dict(with_patterns(self, patterns))
        return replace(self, **found)

    # files and triples

    def write(self, directory: str | Path) -> None:
        """Write the movement to a new directory, readable by its owner alone; `read_movement` reads it."""
        write_movement(self, directory)

    def triples(self, base_iri: str = BASE) -> Iterator[bytes]:
        """The movement as N-Triples, in parts that hold whole lines.

        base_iri : what the IRIs of objects, segments and so on begin with; names that are IRIs stay as they are.
        """
        from sfumato.semantics.movement.triples.writing import triples

        return triples(self, base_iri)

    def to_triples(self, base_iri: str = BASE) -> bytes:
        """The movement as N-Triples."""
        return b"".join(self.triples(base_iri))

    @classmethod
    def from_knowledge_base(cls, knowledge_base: Knowledge, base_iri: str = BASE) -> Movement:
        """The movement in a knowledge base, with every constraint checked, also the durations that it states.

        base_iri : what IRIs begin with whose names are wanted; other things have their IRI as name.
        """
        from sfumato.semantics.movement.triples.reading import read_frames

        frames, minutes = read_frames(knowledge_base, base_iri)
        if not len(frames["objects"]):
            raise DataError("Movement: wanted a knowledge base with moving objects, found none")
        broken = violations(frames, minutes)
        if len(broken):
            raise DataError(_sentence(broken))
        complete: dict[str, Any] = dict(frames)
        return canonical(cls(**complete))

    def canonical(self) -> Movement:
        """This movement with its rows in one order that follows from their content.

        Objects, patterns and descriptions by name, segments by object, tree and time; a geometry that follows from
        the positions is left out.  Two movements are the same if their canonical frames are equal.
        """
        return canonical(self)

    def equals(self, other: Movement) -> bool:
        """Whether two movements are the same but for the order of their rows."""
        mine, theirs = self.canonical().frames(), other.canonical().frames()
        return self.geographic == other.geographic and all(mine[name].equals(theirs[name]) for name in FRAMES)


def _sentence(broken: pl.DataFrame) -> str:
    """The first rule that does not hold, in how many rows, and how many others there are."""
    rule, frame, row = broken.row(0)
    rows = len(broken.filter(pl.col("rule") == rule))
    others = broken["rule"].n_unique() - 1
    more = f"; {others} other rule{'s do' if others > 1 else ' does'} not hold either" if others else ""
    where = f"{rows:,} row{'' if rows == 1 else 's'}, the first is row {row} of {frame}"
    return f"Movement: rule {rule!r} does not hold in {where}{more}"
