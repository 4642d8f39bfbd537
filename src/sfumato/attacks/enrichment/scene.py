"""The records that an attacker with a knowledge base attacks, and what the attacker knows of each visit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sfumato.attacks.enrichment.aligned_facts import AlignedFacts
from sfumato.attacks.enrichment.candidates import Beliefs, Candidates, published_frequencies
from sfumato.attacks.enrichment.time_windows import Windows, time_windows
from sfumato.attacks.view.setting import AttackSetting
from sfumato.attacks.view.targets import chosen
from sfumato.data.base import Ints
from sfumato.data.trajectories import Trajectories
from sfumato.errors import DataError

__all__ = ["KNOWLEDGE", "Assumptions", "Scene", "attacked"]

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

KNOWLEDGE = ("nothing", "times", "category", "event", "everything")
"""What an attacker may know of each visit of a person, besides the release."""

_USED: dict[str, frozenset[str]] = {
    "nothing": frozenset(),
    "times": frozenset({"times"}),
    "category": frozenset({"category"}),
    "event": frozenset({"times", "event"}),
    "everything": frozenset({"times", "category", "event"}),
}


class Assumptions(NamedTuple):
    """How precisely times are known, how far local time is ahead of them, and the highest speed."""

    precision_s: float
    offset_h: float
    fastest_kmh: float

    def windows(self, data: Trajectories) -> Windows:
        """When each visit was; unknown without times."""
        if data.times is None:
            return Windows.unknown(len(data.codes))
        return time_windows(data.times, self.precision_s, self.offset_h)


def attacked(setting: AttackSetting) -> Trajectories:
    """The published records: those of the release or, without an original, the data themselves."""
    data = setting.release.data if setting.releases else setting.original
    assert isinstance(data, Trajectories)
    return data


@dataclass(frozen=True, eq=False)
class Scene:
    """The attacked records with their candidates, and what is known of each visit.

    data : the attacked records of the release.  truth : of each of their visits the true place, -1 where not known.
    drawn : which visits count.  count : how many there are in the whole release that could count.
    known_windows, published_windows : the same for every visit of the original and of the release.
    """

    assumptions: Assumptions
    facts: AlignedFacts
    data: Trajectories
    truth: Ints
    drawn: Ints
    count: int
    blind: Candidates
    windows: Windows
    own_windows: Windows
    known_windows: Windows
    published_windows: Windows
    sensitive: Bools
    has_truth: bool

    @classmethod
    def of(
        cls, setting: AttackSetting, assumptions: Assumptions, at_most: int, budget: int, rng: np.random.Generator
    ) -> Scene:
        """Up to `at_most` generalized visits, at random if there are more, with the whole records that have them.

        budget : how many members, and pairs of members of neighbouring visits, may be read; it may allow for fewer.
        """
        original, whole = setting.original, attacked(setting)
        assert setting.facts is not None
        members = {member for label in whole.names for member in whole.members.get(label, (label,))}
        names = tuple(sorted(members | ({*original.names} if setting.releases else set())))
        facts = AlignedFacts(names, setting.facts)
        _require_known(facts)
        true, origin, has_truth = _truth(setting, names)
        wide = np.array([len(whole.members.get(name, ())) > 1 for name in whole.names], dtype=bool)[whole.codes]
        countable = np.flatnonzero(wide & (true >= 0)) if has_truth else np.flatnonzero(wide)
        record = np.searchsorted(whole.offsets, countable, side="right") - 1
        cost = float(np.mean(_costs(whole)[record])) if len(record) else 1.0
        some = countable[chosen(len(countable), min(at_most, max(1, int(budget / cost))), rng)]
        records = np.unique(np.searchsorted(whole.offsets, some, side="right") - 1)
        elements, data = whole.elements_of(records), whole.take(records)
        published = assumptions.windows(whole)
        known = assumptions.windows(original) if setting.releases else Windows.unknown(len(original.codes))
        hidden = original.sensitive_among(names) | whole.sensitive_among(names)
        return cls(
            assumptions=assumptions,
            facts=facts,
            data=data,
            truth=true[elements],
            drawn=np.searchsorted(elements, some),
            count=len(countable),
            blind=Candidates.of(data, names).weighted(published_frequencies(whole, names)),
            windows=published.take(elements),
            own_windows=_following(known, origin[elements]),
            known_windows=known,
            published_windows=published,
            sensitive=np.array([name in hidden for name in names], dtype=bool) | facts.sensitive,
            has_truth=has_truth,
        )

    @property
    def sampled(self) -> bool:
        return len(self.drawn) < self.count

    @property
    def visited_sensitive(self) -> Bools | None:
        """Whether each attacked record truly visited a sensitive place; None where that is not known of all visits."""
        if not self.has_truth or np.any(self.truth < 0):
            return None
        flags = self.sensitive[self.truth].astype(np.float64)
        return np.asarray(np.bincount(self.data.record_of_element(), weights=flags, minlength=len(self.data)) > 0)

    def has(self, level: str) -> bool:
        """Whether background knowledge of a kind can be simulated with these data and facts."""
        used = _USED[level]
        if used and not self.has_truth:
            return False
        if "times" in used and len(self.own_windows.kinds) == 0:
            return False
        if level == "event":
            return self.facts.knows_events
        return level != "category" or len(self.facts.category[0]) > 0

    def beliefs(self, level: str) -> Beliefs:
        """What an attacker with this background knowledge believes."""
        used = _USED[level]
        candidates = self.blind.by_popularity(self.facts.popularity).only_open(self.windows, self.facts)
        if "times" in used:
            candidates = candidates.only_open(self.own_windows, self.facts)
        if "category" in used and len(self.facts.category[0]):
            candidates = self._of_category(candidates)
        if "event" in used and self.facts.knows_events:
            candidates = self._at_event(candidates)
        windows = self.own_windows if "times" in used else self.windows
        beliefs = Beliefs.independent(candidates, self.sensitive)
        return beliefs.with_travel(windows, self.facts, self.assumptions.fastest_kmh, self.sensitive)

    def _of_category(self, candidates: Candidates) -> Candidates:
        """Only members of the category of the true place."""
        code = np.where(self.truth >= 0, self.facts.category[1][self.truth], -1)[candidates.visit_of]
        return candidates.only((code < 0) | self.facts.in_category[code, candidates.places])

    def _at_event(self, candidates: Candidates) -> Candidates:
        """Only members with an event at the time of the visit, if the true place had one."""
        possible = np.ones(len(candidates.places), dtype=bool)
        pairs = zip(self.own_windows.begin.tolist(), self.own_windows.end.tolist(), strict=True)
        flags: dict[tuple[float, float], Bools] = {}
        for visit, pair in enumerate(pairs):
            if self.truth[visit] < 0 or np.isnan(pair[0]):
                continue
            if pair not in flags:
                flags[pair] = self.facts.events_during(*pair)
            if flags[pair][self.truth[visit]]:
                part = slice(int(candidates.starts[visit]), int(candidates.starts[visit + 1]))
                possible[part] = flags[pair][candidates.places[part]]
        return candidates.only(possible)


def _costs(data: Trajectories) -> Floats:
    """Of each record how many members its labels have, and how many pairs of members neighbouring visits have."""
    sizes = np.array([len(data.members.get(name, (name,))) for name in data.names], dtype=np.float64)[data.codes]
    pairs = np.append(sizes[:-1] * sizes[1:], 0.0)[: len(sizes)]
    filled = data.offsets[1:][data.lengths > 0]
    pairs[filled - 1] = 0.0  # the last visit of a record has no next one
    return np.bincount(data.record_of_element(), weights=sizes + pairs, minlength=len(data)).astype(np.float64)


def _require_known(facts: AlignedFacts) -> None:
    """Refuse facts about other places, from which nothing could be learnt."""
    if facts.states_anything and not facts.known.any():
        raise DataError(
            f"enrichment: the knowledge base states facts about none of the {len(facts.names):,} places; places must "
            "have the names that the knowledge base gives them"
        )


def _truth(setting: AttackSetting, names: tuple[str, ...]) -> tuple[Ints, Ints, bool]:
    """Of each published visit the true place (-1 where not known) and the original visit, and whether any is known.

    Visits correspond where a record is published with all its visits.
    """
    data = attacked(setting)
    nowhere = np.full(len(data.codes), -1, dtype=np.int64)
    if not setting.releases or setting.release.correspondence is None:
        return nowhere, nowhere, False
    original = setting.original
    private = setting.release.correspondence[data.record_of_element()]
    whole = (private >= 0) & (data.lengths[data.record_of_element()] == original.lengths[private])
    step = np.arange(len(data.codes)) - data.offsets[:-1][data.record_of_element()]
    origin = np.where(whole, original.offsets[:-1][private] + step, -1)
    number = {name: code for code, name in enumerate(names)}
    place = np.array([number.get(name, -1) for name in original.names], dtype=np.int64)
    true = np.where(origin >= 0, place[original.codes[origin]], -1)
    return true, origin, True


def _following(windows: Windows, origin: Ints) -> Windows:
    """The windows of the original visits of published ones; unknown for a visit without an original one."""
    codes = np.where(origin >= 0, windows.codes[origin], -1) if len(windows.codes) else np.full(len(origin), -1)
    begin, end = (np.where(origin >= 0, side[origin], np.nan) for side in (windows.begin, windows.end))
    return Windows(windows.kinds, codes, begin, end)
