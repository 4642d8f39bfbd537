"""What a movement pattern is, and patterns that a user registers.

A pattern finds sets of segments.  It is a class that inherits from `Pattern`, or a plain function of a movement that
gives sets of rows of segments:

>>> @register_pattern("LONG")
... def long_stops(movement):
...     stops = movement.stops()
...     return [[row] for row in stops.filter(stops["end"] - stops["begin"] > 3600)["row"]]
>>> finder("LONG").type
'LONG'
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar

import polars as pl

from sfumato.errors import DataError, ParameterError, did_you_mean
from sfumato.params import Declared
from sfumato.semantics.movement.frames import empty, fitted

if TYPE_CHECKING:
    from sfumato.semantics.movement.movement import Movement

__all__ = ["Found", "Pattern", "finder", "register_pattern", "with_patterns"]

_REGISTERED: dict[str, Callable[[Movement], Any]] = {}


class Found:
    """Sets of segments: frames `sets` (set, begin, end), `members` (set, segment) and annotations of the sets.

    `annotations` has the columns of a movement's annotations but target_kind; its target is a set.
    """

    def __init__(self, sets: pl.DataFrame, members: pl.DataFrame, annotations: pl.DataFrame | None = None) -> None:
        self.sets, self.members, self.annotations = sets, members, annotations


class Pattern(Declared):
    """A kind of set of segments, by a rule with parameters."""

    type: ClassVar[str]

    @abstractmethod
    def find(self, movement: Movement) -> Found:
        """The sets of segments that fulfil the rule."""


class _Function:
    """A pattern by a function of a user."""

    def __init__(self, name: str, function: Callable[[Movement], Any]) -> None:
        self.type, self._function = name, function

    def find(self, movement: Movement) -> Found:
        """The sets that the function gives."""
        result = self._function(movement)
        return result if isinstance(result, Found) else _of_rows(result, self.type)


def _of_rows(groups: Iterable[Iterable[int]], name: str) -> Found:
    try:
        rows = [sorted({int(row) for row in group}) for group in groups]
    except (TypeError, ValueError):
        raise DataError(f"{name}: wanted sets of rows of segments, found other values") from None
    numbers = pl.Series(range(len(rows)), dtype=pl.Int64)
    frame = pl.DataFrame({"set": numbers, "segment": pl.Series(rows, dtype=pl.List(pl.Int64))})
    none = pl.Series([None] * len(rows), dtype=pl.Float64)
    sets = pl.DataFrame({"set": numbers, "begin": none, "end": none})
    return Found(sets, frame.explode("segment").drop_nulls())


def register_pattern(name: str) -> Callable[[Callable[[Movement], Any]], Callable[[Movement], Any]]:
    """Make a function of a movement, which gives sets of rows of segments, known by the name of a type."""

    def known(function: Callable[[Movement], Any]) -> Callable[[Movement], Any]:
        _REGISTERED[name] = function
        return function

    return known


def finder(pattern: Any) -> Pattern | _Function:
    """A pattern by an object, a function, or the name of a type that is built in or registered."""
    from sfumato.semantics.movement.patterns.flock import Flock
    from sfumato.semantics.movement.patterns.meeting import Meeting

    built_in: dict[str, type[Pattern]] = {kind.type: kind for kind in (Meeting, Flock)}
    if isinstance(pattern, Pattern):
        return pattern
    if isinstance(pattern, str):
        if pattern in _REGISTERED:
            return _Function(pattern, _REGISTERED[pattern])
        if pattern not in built_in:
            hint = did_you_mean(pattern, [*built_in, *_REGISTERED])
            raise ParameterError(f"no pattern is called {pattern!r}; {hint}")
        return built_in[pattern]()
    if callable(pattern):
        return _Function(getattr(pattern, "__name__", "PATTERN").upper(), pattern)
    raise ParameterError(f"wanted a pattern, a function or a name, found {type(pattern).__name__}")


def with_patterns(movement: Movement, patterns: Iterable[Any]) -> dict[str, pl.DataFrame]:
    """The frames patterns, members and annotations of a movement with those that are found added."""
    frames = {name: [movement.frames()[name]] for name in ("patterns", "members", "annotations")}
    start = len(movement.patterns)
    used = set(movement.patterns["name"].to_list())
    for pattern in map(finder, patterns):
        found = pattern.find(movement)
        rows = pl.Series(range(start, start + len(found.sets)), dtype=pl.Int64)
        numbers = pl.DataFrame({"set": found.sets["set"].cast(pl.Int64), "row": rows})
        frames["patterns"].append(
            fitted(
                "patterns",
                found.sets.select(
                    _names(pattern.type, len(rows), used), pl.lit(pattern.type).alias("type"), "begin", "end"
                ),
            )
        )
        members = found.members.cast({"set": pl.Int64}).join(numbers, on="set")
        frames["members"].append(fitted("members", members.select(pattern="row", segment="segment")))
        frames["annotations"].append(_annotations(found.annotations, numbers))
        start += len(rows)
    return {name: pl.concat(parts) for name, parts in frames.items()}


def _names(kind: str, count: int, used: set[str]) -> pl.Series:
    """New names of patterns: the type and a number."""
    made: list[str] = []
    number = 0
    while len(made) < count:
        number += 1
        name = f"{kind.lower()}/{number}"
        if name not in used:
            made.append(name)
    used.update(made)
    return pl.Series("name", made, dtype=pl.String)


def _annotations(given: pl.DataFrame | None, numbers: pl.DataFrame) -> pl.DataFrame:
    if given is None:
        return empty("annotations")
    rows = given.rename({"target": "set"}).cast({"set": pl.Int64}).join(numbers, on="set", maintain_order="left")
    return fitted("annotations", rows.drop("set").rename({"row": "target"}).with_columns(target_kind=pl.lit("pattern")))
