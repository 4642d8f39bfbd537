"""Visits known by a description: the anonymity sets of an attacker who knows categories and times, not places."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sfumato.attacks.base import Finding
from sfumato.attacks.enrichment.aligned_facts import AlignedFacts
from sfumato.attacks.enrichment.time_windows import Window, Windows, slot_of
from sfumato.attacks.reidentify import Reidentify
from sfumato.attacks.view.setting import AttackSetting, Exposed
from sfumato.data.base import Ints, Progress
from sfumato.data.trajectories import Trajectories

__all__ = ["DescribedVisits", "Description"]

Bools = npt.NDArray[np.bool_]


class Description(NamedTuple):
    """What an attacker knows of a visit: its category, its time slot, its window of time, and whether of an event.

    category, window : numbers, -1 for unknown.  slot : in minutes, -1 for unknown.
    event : the absolute window of time in which an event took place at the visited place; None where none did.
    """

    category: int = -1
    slot: int = -1
    window: int = -1
    event: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False)
class DescribedVisits:
    """The original with descriptions in place of locations, beside a release whose labels stand for descriptions.

    windows : when each visit of the original was, as far as the attacker knows.
    published : when each visit of the release was, as far as it states that.
    """

    setting: AttackSetting
    facts: AlignedFacts
    windows: Windows
    published: Windows

    def attack(
        self, known: int, *, enriched: bool, seed: int | None = None, progress: Progress | None = None
    ) -> Finding:
        """Re-identification by `known` described visits; without enrichment only published time slots are used."""
        descriptions, codes = _distinct(self._descriptions(enriched))
        release, labels = self._release(enriched)
        members = _matching(map(self._places_of, descriptions), labels)
        width = len(str(max(len(descriptions), len(labels)) + 1))
        own = [f"d{number:0{width}}" for number in range(len(descriptions))]
        unmatched = [f"n{number:0{width}}" for number in range(len(labels))]
        called = tuple(f"r{number:0{width}}" for number in range(len(labels)))
        original = self._recoded(self.setting.original, codes, (*own, *unmatched))
        stands_for = {
            label: tuple(own[number] for number in matched) or (unmatched[index],)
            for index, (label, matched) in enumerate(zip(called, members, strict=True))
        }
        data = self._recoded(self.setting.release.data, release, called, stands_for)
        exposed = Exposed(data, self.setting.release.correspondence, unit=self.setting.release.unit)
        return Reidentify(known=known).run(AttackSetting(original, (exposed,)), seed=seed, progress=progress)

    @staticmethod
    def _recoded(
        data: Trajectories, codes: Ints, names: tuple[str, ...], members: dict[str, tuple[str, ...]] | None = None
    ) -> Trajectories:
        return Trajectories(
            offsets=data.offsets, codes=codes.astype(np.int32), names=names, persons=data.persons, members=members or {}
        )

    def _descriptions(self, enriched: bool) -> list[Description]:
        """What is known of each visit of the original; times only where the attacker knows them."""
        original = self.setting.original
        number = {name: code for code, name in enumerate(self.facts.names)}
        place = np.array([number[name] for name in original.names], dtype=np.int64)[original.codes]
        knows_times = len(self.windows.kinds) > 0
        slot = self._slots[place] if knows_times else np.full(len(place), -1)
        if not enriched:
            return [Description(slot=minute) for minute in slot.tolist()]
        category = self.facts.category[1][place]
        events = self._events(place)
        rows = zip(category.tolist(), slot.tolist(), self.windows.codes.tolist(), events, strict=True)
        return [Description(*row) for row in rows]

    @cached_property
    def _slots(self) -> Ints:
        """The time slot that each name states, in minutes, -1 for none."""
        slots = (slot_of(name) for name in self.facts.names)
        return np.array([-1 if slot is None else slot for slot in slots], dtype=np.int64)

    def _events(self, place: Ints) -> list[tuple[float, float] | None]:
        """The window of each visit during which an event took place at the visited place."""
        events: list[tuple[float, float] | None] = [None] * len(place)
        if not self.facts.knows_events:
            return events
        flags: dict[tuple[float, float], Bools] = {}
        for visit, (begin, end) in enumerate(zip(self.windows.begin.tolist(), self.windows.end.tolist(), strict=True)):
            if np.isnan(begin):
                continue
            if (begin, end) not in flags:
                flags[begin, end] = self.facts.events_during(begin, end)
            if flags[begin, end][place[visit]]:
                events[visit] = (begin, end)
        return events

    def _places_of(self, description: Description) -> Bools:
        """The places that a description fits."""
        fits = np.ones(len(self.facts.names), dtype=bool)
        if description.category >= 0:
            fits &= self.facts.in_category[description.category]
        if description.slot >= 0:
            fits &= (self._slots < 0) | (self._slots == description.slot)
        if description.window >= 0:
            fits &= self.facts.open_in(self.windows.kinds[description.window])
        if description.event is not None:
            fits &= self.facts.events_during(*description.event)
        return fits

    def _release(self, enriched: bool) -> tuple[Ints, list[Ints]]:
        """Of each published visit a number, and of each number the places that are possible there."""
        data = self.setting.release.data
        number = {name: code for code, name in enumerate(self.facts.names)}
        window = self.published.codes if enriched else np.full(len(data.codes), -1, dtype=np.int64)
        pairs = data.codes.astype(np.int64) * (len(self.published.kinds) + 1) + window + 1
        kinds, codes = np.unique(pairs, return_inverse=True)
        labels: list[Ints] = []
        for pair in kinds.tolist():
            label, when = divmod(pair, len(self.published.kinds) + 1)
            name = data.names[label]
            members = np.array(sorted(number[member] for member in data.members.get(name, (name,))), dtype=np.int64)
            possible = self._possible(members, None if when == 0 else self.published.kinds[when - 1], enriched)
            labels.append(members[possible] if possible.any() else members)
        return np.asarray(codes).reshape(-1), labels

    def _possible(self, members: Ints, window: Window | None, enriched: bool) -> Bools:
        """Which members of a label may be open at its published time or in its time slot."""
        if not enriched:
            return np.ones(len(members), dtype=bool)
        possible = self.facts.open_in_slot[members]
        return possible if window is None else possible & self.facts.open_in(window)[members]


def _distinct(descriptions: list[Description]) -> tuple[list[Description], Ints]:
    number: dict[Description, int] = {}
    codes = [number.setdefault(description, len(number)) for description in descriptions]
    return list(number), np.array(codes, dtype=np.int64)


def _matching(places: Iterable[Bools], labels: list[Ints]) -> list[list[int]]:
    """Of each label the descriptions that fit one of its places."""
    matching: list[list[int]] = [[] for _ in labels]
    if not labels:
        return matching
    flat = np.concatenate(labels)
    starts = np.concatenate(([0], np.cumsum([len(label) for label in labels])))[:-1]
    for number, fits in enumerate(places):
        for label in np.flatnonzero(np.logical_or.reduceat(fits[flat], starts)).tolist():
            matching[label].append(number)
    return matching
