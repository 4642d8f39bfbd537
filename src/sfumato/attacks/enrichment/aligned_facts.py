"""Facts about places, aligned to the names that a release and its original use."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.attacks.enrichment.time_windows import Window, slot_windows
from sfumato.data.base import Ints
from sfumato.semantics.publishing.place_facts import WEEK_S, PlaceFacts

__all__ = ["AlignedFacts"]

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

_DAY_S = 86_400.0


class AlignedFacts:
    """What is known of each of some names; a time slot ``a@14`` has the facts of its place ``a``.

    known : which of the names the facts are about at all.

    >>> facts = PlaceFacts.of(hours={"place": ["cafe"], "opens_s": [32_400], "closes_s": [61_200]})
    >>> AlignedFacts(("cafe", "park"), facts).open_in(Window(0.0, 3600.0)).tolist()
    [False, True]
    """

    def __init__(self, names: tuple[str, ...], facts: PlaceFacts) -> None:
        self.names, self._facts = names, facts
        stated = set[str]().union(*(frame["place"].unique().to_list() for frame in self._frames)) | facts.sensitive
        if facts.places is not None:
            stated |= set(facts.places.frame["location"].to_list())
        self._place = [name if name in stated else name.rpartition("@")[0] or name for name in names]
        self.states_anything = bool(stated)
        self.known = np.array([place in stated for place in self._place], dtype=bool)
        self._rows: dict[str, list[int]] = {}
        for row, place in enumerate(self._place):
            self._rows.setdefault(place, []).append(row)
        self._open: dict[Window, Bools] = {}

    @property
    def _frames(self) -> tuple[pl.DataFrame, ...]:
        facts = self._facts
        return facts.categories, facts.classes, facts.hours, facts.events, facts.popularity

    def _aligned(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The rows of a frame of facts about these names, with a column `row`, the number of the name."""
        pairs = [(place, row) for place, rows in self._rows.items() for row in rows]
        numbers = pl.DataFrame(pairs, schema={"place": pl.String, "row": pl.Int64}, orient="row")
        return frame.join(numbers, on="place", how="inner")

    # -- opening hours ---------------------------------------------------------------------------------------------

    @cached_property
    def _hours(self) -> tuple[Ints, Floats, Floats]:
        rows = self._aligned(self._facts.hours)
        return rows["row"].to_numpy(), rows["opens_s"].to_numpy(), rows["closes_s"].to_numpy()

    @cached_property
    def has_hours(self) -> Bools:
        return self._flagged(self._hours[0])

    def open_in(self, window: Window) -> Bools:
        """Which places may be open during a window: those with an hour in it, and those without stated hours."""
        if window not in self._open:
            rows, opens, closes = self._hours
            cycle = _DAY_S if window.daily else float(WEEK_S)
            begin = window.begin % cycle
            hit = closes - opens >= cycle
            first = (
                opens % cycle
            )  # an hour lasts from `first` on, and the window may begin in the cycle before or after
            last = first + (closes - opens)
            for shift in (-cycle, 0.0, cycle):
                hit |= (first < begin + window.length + shift) & (last > begin + shift)
            self._open[window] = ~self.has_hours | self._flagged(rows[hit])
        return self._open[window]

    @cached_property
    def open_in_slot(self) -> Bools:
        """Which places may be open in the time slot that their name states; all whose name states none."""
        kinds, codes = slot_windows(self.names)
        possible = np.ones(len(self.names), dtype=bool)
        for number, window in enumerate(kinds):
            possible &= (codes != number) | self.open_in(window)
        return possible

    # -- events ----------------------------------------------------------------------------------------------------

    @cached_property
    def _events(self) -> tuple[Ints, Floats, Floats]:
        rows = self._aligned(self._facts.events)
        return rows["row"].to_numpy(), rows["begin"].to_numpy(), rows["end"].to_numpy()

    @property
    def knows_events(self) -> bool:
        return len(self._events[0]) > 0

    def events_during(self, begin: float, end: float) -> Bools:
        """Which places have an event that overlaps a stretch of time, for more than an instant."""
        rows, begins, ends = self._events
        return self._flagged(rows[(begins < end) & (ends > begin)])

    # -- categories ------------------------------------------------------------------------------------------------

    @cached_property
    def category(self) -> tuple[tuple[str, ...], Ints]:
        """All categories by name, and the one of each place, -1 for none."""
        rows = self._aligned(self._facts.categories)
        names = tuple(sorted(rows["category"].unique().to_list()))
        number = {name: code for code, name in enumerate(names)}
        codes = np.full(len(self.names), -1, dtype=np.int64)
        codes[rows["row"].to_numpy()] = [number[name] for name in rows["category"].to_list()]
        return names, codes

    @cached_property
    def in_category(self) -> Bools:
        """bool[categories, places]: whether each place is an instance of each category."""
        names, _ = self.category
        rows = self._aligned(self._facts.classes).filter(pl.col("class").is_in(names))
        number = {name: code for code, name in enumerate(names)}
        inside = np.zeros((len(names), len(self.names)), dtype=bool)
        inside[[number[name] for name in rows["class"].to_list()], rows["row"].to_numpy()] = True
        return inside

    # -- popularity, coordinates, sensitivity ----------------------------------------------------------------------

    @cached_property
    def popularity(self) -> Floats:
        """How popular each place is, NaN where not stated; 0 counts as half of the smallest number above 0."""
        rows = self._aligned(self._facts.popularity)
        popularity = np.full(len(self.names), np.nan)
        numbers = rows["popularity"].to_numpy()
        positive = numbers[numbers > 0]
        smallest = float(positive.min()) / 2 if len(positive) else np.nan
        popularity[rows["row"].to_numpy()] = np.where(numbers > 0, numbers, smallest)
        return popularity

    @cached_property
    def points(self) -> Floats | None:
        """float64[places, 3], NaN where a place has no coordinates; None without any."""
        places = self._facts.places
        if places is None or not places.located:
            return None
        rows = places.rows(self._place)
        points = np.full((len(self.names), 3), np.nan)
        there = np.flatnonzero(rows >= 0)
        points[there] = places.points([self._place[row] for row in there.tolist()])
        return points

    def along_surface(self, chords: Floats) -> Floats:
        assert self._facts.places is not None
        return np.asarray(self._facts.places.along_surface(chords))

    def chord(self, metres: float) -> float:
        """The straight distance between two points that are so far apart along the surface."""
        assert self._facts.places is not None
        radius = self._facts.places.radius
        if radius == 0:
            return metres
        return np.inf if metres >= np.pi * radius else 2 * radius * float(np.sin(metres / (2 * radius)))

    @cached_property
    def sensitive(self) -> Bools:
        return np.array([place in self._facts.sensitive for place in self._place], dtype=bool)

    def _flagged(self, rows: Ints) -> Bools:
        flags = np.zeros(len(self.names), dtype=bool)
        flags[rows] = True
        return flags
