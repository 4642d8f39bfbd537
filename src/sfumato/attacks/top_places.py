"""Attacks by home and work, and by the places that a person visits most."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.attacks.base import Attack, Finding
from sfumato.attacks.view.published_view import Knowledge, PublishedView
from sfumato.attacks.view.setting import AttackSetting
from sfumato.attacks.view.targets import records_of_units
from sfumato.data import Trajectories
from sfumato.data.base import Ints, Progress
from sfumato.params import param

__all__ = ["HomeWork", "TopPlaces"]

Bools = npt.NDArray[np.bool_]

_DAY, _HOUR = 86_400, 3_600
_THURSDAY = 4  # time 0 was a Thursday


class _ByPlaces(Attack):
    """What the two attacks share: some places of every person, and who matches them."""

    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    against: ClassVar[bool] = False

    def _places(self, data: Trajectories) -> list[tuple[int, ...]]:
        raise NotImplementedError

    def _knowledge(self, data: Trajectories) -> str:
        raise NotImplementedError

    def run(self, setting: AttackSetting, *, seed: int | None = None, progress: Progress | None = None) -> Finding:  # noqa: ARG002
        """Every person is a target; nothing is drawn, so the seed does not matter."""
        original: Trajectories = setting.original
        places = self._places(original)
        baseline = 1 / max(1, len(places))
        if setting.releases:
            successes, smallest, unit = _in_release(setting, setting.seen, places)
            baseline = _guessing(setting, setting.seen)
        else:
            set_sizes = _counts_with_same_places(places)
            successes, smallest, unit = 1.0 / set_sizes, int(set_sizes.min(initial=0)), original.unit
        known_persons = not setting.releases or setting.release.correspondence is not None
        return Finding(
            self.name,
            self.title,
            self._knowledge(original),
            "the probability of identifying the person among all "
            + ("who match" if setting.releases else "who have the same places there"),
            successes,
            of=len(places),
            unit=original.unit,
            baseline=baseline,
            at_most=not known_persons,
            facts={"smallest_anonymity_set": smallest or None, "anonymity_set_unit": unit},
        )


@dataclass(frozen=True, kw_only=True)
class TopPlaces(_ByPlaces):
    """Identify a person by the `n` places that they visit most.

    Notes
    -----
    Zang and Bolot, "Anonymization of location data does not work" (MobiCom 2011).  In the data as they are, the set
    is all with the same set of n places; fewer than n are taken as they are, ties go to the first by name.  In a
    release, where persons are not named, the attacker takes those of the places that the person has in one record (the
    one with most of them), and the anonymity set is all whose published record matches.  Where the persons of the
    published records are not known, records are counted, of which a person may have as many as in the original.

    Examples
    --------
    >>> walks = Trajectories.from_lists([["a", "b", "a"], ["a", "b", "b", "c"], ["c"]])
    >>> TopPlaces(n=2).run(AttackSetting.of(walks)).successes.tolist()
    [0.5, 0.5, 1.0]
    """

    name: ClassVar[str] = "top-places"
    title: ClassVar[str] = "the most visited places of a person"
    idea: ClassVar[str] = "identifies a person by the places that they visit most"

    n: int = param(2, at_least=1, at_most=20, help="how many of the most visited places are known")

    def _places(self, data: Trajectories) -> list[tuple[int, ...]]:
        return _as_sets(_most_visited(data, np.ones(len(data.codes), dtype=bool), self.n))

    def _knowledge(self, data: Trajectories) -> str:  # noqa: ARG002
        return f"the {self.n} places that a person visits most"


@dataclass(frozen=True, kw_only=True)
class HomeWork(_ByPlaces):
    """Identify a person by home and work.

    Notes
    -----
    Golle and Partridge, "On the anonymity of home/work location pairs" (Pervasive 2009).  Where visits have times, home
    is the place most visited by night (from `night_from` to `night_to` o'clock) and work the place most visited
    otherwise on Monday to Friday, home excepted; times are seconds since 1970 in local time.  Without times they are
    the two places most visited.  Anonymity sets are those of `TopPlaces`.

    Examples
    --------
    >>> walks = Trajectories.from_frame({"trajectory": [1, 1, 2, 2], "location": ["a", "b", "b", "a"],
    ...                                  "time": [7200, 43200, 7200, 43200]})
    >>> HomeWork().run(AttackSetting.of(walks)).successes.tolist()
    [1.0, 1.0]
    """

    name: ClassVar[str] = "home-work"
    title: ClassVar[str] = "home and work"
    idea: ClassVar[str] = "identifies a person by where they live and work"

    night_from: int = param(20, at_least=0, at_most=23, help="the hour at which the night begins")
    night_to: int = param(7, at_least=0, at_most=23, help="the hour at which the night ends")

    def _places(self, data: Trajectories) -> list[tuple[int, ...]]:
        if data.times is None:
            return _as_sets(_most_visited(data, np.ones(len(data.codes), dtype=bool), 2))
        hour = (data.times % _DAY) // _HOUR
        begins, ends = self.night_from, self.night_to
        night = (hour >= begins) | (hour < ends) if begins > ends else (hour >= begins) & (hour < ends)
        weekday = (np.floor(data.times / _DAY) + _THURSDAY) % 7
        homes = _most_visited(data, night, 1)
        works = _most_visited(data, ~night & (weekday >= 1) & (weekday <= 5), 2)
        pairs: list[tuple[int, ...]] = []
        for home, work in zip(homes, works, strict=True):
            others = [place for place in work if place not in home]
            pairs.append((home[0] if home else -1, others[0] if others else -1))
        return pairs

    def _knowledge(self, data: Trajectories) -> str:
        how = "by night and by day" if data.times is not None else "most, because times are not known"
        return f"where a person lives and works: the places visited {how}"


def _most_visited(data: Trajectories, counted: Bools, n: int) -> list[tuple[int, ...]]:
    """For each person (or record) the n places with most visits among those counted, most first."""
    present, inverse = np.unique(data.units, return_inverse=True)
    owner = inverse.reshape(-1)[data.record_of_element()][counted]
    keys, visits = np.unique(owner * max(1, len(data.names)) + data.codes[counted], return_counts=True)
    who, place = np.divmod(keys, max(1, len(data.names)))
    order = np.lexsort((place, -visits, who))
    starts = np.searchsorted(who[order], np.arange(len(present) + 1))
    return [
        tuple(place[order[starts[unit] : min(starts[unit] + n, starts[unit + 1])]].tolist())
        for unit in range(len(present))
    ]


def _as_sets(places: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    return [tuple(sorted(visited)) for visited in places]


def _counts_with_same_places(places: list[tuple[int, ...]]) -> Ints:
    """How many have the same places."""
    counts = Counter(places)
    return np.array([counts[visited] for visited in places], dtype=np.int64)


def _in_release(
    setting: AttackSetting, seen: PublishedView, places: list[tuple[int, ...]]
) -> tuple[npt.NDArray[np.float64], int, str]:
    """Who fits the known places that the person has in one record."""
    original: Trajectories = setting.original
    present, starts, records = records_of_units(original)
    successes, smallest = np.zeros(len(places)), 0
    known_persons = setting.release.correspondence is not None
    for target, wanted in enumerate(places):
        best: set[int] = set()
        for record in records[starts[target] : starts[target + 1]].tolist():
            here = set(original.codes[original.offsets[record] : original.offsets[record + 1]].tolist()) & set(wanted)
            best = here if len(here) > len(best) else best
        if not best:
            continue
        fitting = seen.fitting(Knowledge(tuple(sorted(best))))
        set_size = seen.set_size(fitting)
        smallest = min(smallest or set_size, set_size) if set_size else smallest
        if known_persons and not np.any(seen.units[fitting] == present[target]):
            continue
        # of records any may be the person's, as many as they have
        own = 1 if seen.unit == original.unit else min(set_size, int(starts[target + 1] - starts[target]))
        successes[target] = own / set_size if set_size else 0.0
    return successes, smallest, seen.unit


def _guessing(setting: AttackSetting, seen: PublishedView) -> float:
    """The mean success of picking any person of the release, or any record where its persons are not known."""
    everyone = max(1, seen.set_size(np.arange(len(seen))))
    if seen.unit == setting.original.unit:
        return 1 / everyone
    _, starts, _ = records_of_units(setting.original)
    own = np.minimum(np.diff(starts), everyone)
    return float(own.mean() / everyone) if len(own) else 0.0
