"""The members that each published visit may stand for, and how probable facts about places make each of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from sfumato.attacks.enrichment.aligned_facts import AlignedFacts
from sfumato.attacks.enrichment.chains import Chain, chain_probabilities
from sfumato.attacks.enrichment.time_windows import Windows
from sfumato.data.base import Ints
from sfumato.data.trajectories import Trajectories

__all__ = ["Beliefs", "Candidates", "best_guess", "published_frequencies"]

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

_EQUAL = 1e-9  # probabilities that differ by a smaller share count as equal


@dataclass(frozen=True, eq=False)
class Candidates:
    """Flat arrays: visit v of some records may be at the places ``places[starts[v]:starts[v + 1]]``.

    offsets : where the visits of each record begin.  weights : how probable each candidate is, not scaled.
    contradictions : for how many visits a filter left no candidate, and was not applied.
    """

    starts: Ints
    places: Ints
    offsets: Ints
    weights: Floats
    contradictions: int = 0

    @classmethod
    def of(cls, data: Trajectories, names: tuple[str, ...]) -> Self:
        """Every member of every published label, all equally probable; places are numbers into `names`."""
        number = {name: code for code, name in enumerate(names)}
        groups = [
            np.array(sorted({number[member] for member in data.members.get(label, (label,))}), dtype=np.int64)
            for label in data.names
        ]
        sizes = np.array([len(group) for group in groups], dtype=np.int64)[data.codes]
        starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        places = np.concatenate([np.empty(0, dtype=np.int64), *(groups[code] for code in data.codes.tolist())])
        return cls(starts, places, data.offsets, np.ones(len(places)))

    @property
    def sizes(self) -> Ints:
        return np.diff(self.starts)

    @property
    def visit_of(self) -> Ints:
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def _sums(self, values: Floats) -> Floats:
        return np.bincount(self.visit_of, weights=values, minlength=len(self.sizes)).astype(np.float64)

    def weighted(self, weights: Floats) -> Candidates:
        """With a weight for each place."""
        return replace(self, weights=weights[self.places])

    def by_popularity(self, popularity: Floats) -> Candidates:
        """With popularity as weight, at visits of which it is stated for a candidate; another one gets their mean."""
        stated = popularity[self.places]
        known = ~np.isnan(stated)
        counts = self._sums(known.astype(np.float64))
        means = self._sums(np.where(known, stated, 0.0)) / np.maximum(1.0, counts)
        filled = np.where(known, stated, means[self.visit_of])
        return replace(self, weights=np.where(counts[self.visit_of] > 0, filled, self.weights))

    def only(self, possible: Bools) -> Candidates:
        """Without impossible candidates; a visit of which none would be left keeps all."""
        left = self._sums((possible & (self.weights > 0)).astype(np.float64)) > 0
        weights = np.where(possible | ~left[self.visit_of], self.weights, 0.0)
        return replace(self, weights=weights, contradictions=self.contradictions + int(np.count_nonzero(~left)))

    def only_open(self, windows: Windows, facts: AlignedFacts) -> Candidates:
        """Without places that are closed at the known time of a visit, or in the time slot that their name states."""
        if not facts.has_hours.any():
            return self
        possible = facts.open_in_slot[self.places]
        if windows.kinds:
            tables = np.stack([facts.open_in(window) for window in windows.kinds])
            window = windows.codes[self.visit_of]
            possible &= (window < 0) | tables[window, self.places]
        return self if possible.all() else self.only(possible)


@dataclass(frozen=True, eq=False)
class Beliefs:
    """What an attacker believes: the probability of each candidate, flat, and of each record a sensitive visit.

    impossible : how many records have no possible sequence of visits, so that sequences were not used for them.
    """

    candidates: Candidates
    chances: Floats
    sensitive: Floats
    impossible: int = 0

    @classmethod
    def independent(cls, candidates: Candidates, sensitive: Bools) -> Self:
        """Each visit on its own."""
        sums = candidates._sums(candidates.weights)
        chances = candidates.weights / sums[candidates.visit_of]
        flagged = np.minimum(1.0, candidates._sums(np.where(sensitive[candidates.places], chances, 0.0)))
        with np.errstate(divide="ignore"):
            logs = np.log1p(-flagged)
        lengths = np.diff(candidates.offsets)
        record = np.repeat(np.arange(len(lengths)), lengths)
        without = np.exp(np.bincount(record, weights=logs, minlength=len(lengths)))
        return cls(candidates, chances, 1.0 - without)

    def with_travel(self, windows: Windows, facts: AlignedFacts, fastest_kmh: float, sensitive: Bools) -> Beliefs:
        """Without sequences in which two visits are farther apart than their times allow."""
        metres = (windows.end[1:] - windows.begin[:-1]) * fastest_kmh / 3.6
        steps = _doubtful_steps(self.candidates, metres, facts)
        if not steps.any():
            return self
        chances, flagged, impossible = self.chances.copy(), self.sensitive.copy(), 0
        offsets, starts = self.candidates.offsets, self.candidates.starts
        records = np.unique(np.searchsorted(offsets, np.flatnonzero(steps), side="right") - 1)
        for record in records.tolist():
            first, end = int(offsets[record]), int(offsets[record + 1])
            chain = _chain(self.candidates, first, end, steps, metres, facts, sensitive)
            if chain is None:
                impossible += 1
                continue
            chances[starts[first] : starts[end]] = np.concatenate(chain.places)
            flagged[record] = 1.0 - chain.without_flagged
        return replace(self, chances=chances, sensitive=flagged, impossible=impossible)

    @property
    def confidence(self) -> Floats:
        """The probability that the attacker gives to the guess for each visit."""
        return np.maximum.reduceat(self.chances, self.candidates.starts[:-1]) if len(self.chances) else np.zeros(0)

    @property
    def remaining(self) -> Ints:
        """How many candidates of each visit are possible."""
        possible = (self.chances > 0).astype(np.float64)
        return self.candidates._sums(possible).astype(np.int64)


def best_guess(beliefs: Beliefs, truth: Ints) -> Floats:
    """The probability that the most probable candidate of each visit is the true place, ties drawn at random."""
    candidates = beliefs.candidates
    best = beliefs.chances >= (beliefs.confidence * (1 - _EQUAL))[candidates.visit_of]
    ties = candidates._sums(best.astype(np.float64))
    right = candidates._sums((best & (candidates.places == truth[candidates.visit_of])).astype(np.float64))
    return right / np.maximum(1.0, ties)


def published_frequencies(data: Trajectories, names: tuple[str, ...]) -> Floats:
    """How often each place is published, a generalized label shared equally among its members."""
    number = {name: code for code, name in enumerate(names)}
    frequencies = np.zeros(len(names))
    counts = np.bincount(data.codes, minlength=len(data.names))
    for label, count in zip(data.names, counts.tolist(), strict=True):
        members = sorted(set(data.members.get(label, (label,))))
        frequencies[[number[member] for member in members]] += count / len(members)
    return frequencies


def _doubtful_steps(candidates: Candidates, metres: Floats, facts: AlignedFacts) -> Bools:
    """Between which neighbouring visits of a record some pair of places may be too far apart: bool[visits - 1]."""
    visits = len(candidates.sizes)
    doubtful = np.zeros(max(0, visits - 1), dtype=bool)
    if facts.points is None or visits < 2:
        return doubtful
    points = facts.points[candidates.places]
    located = ~np.isnan(points[:, 0])
    middles = np.stack([candidates._sums(np.where(located, points[:, axis], 0.0)) for axis in range(3)], axis=1)
    counts = candidates._sums(located.astype(np.float64))
    middles /= np.maximum(1.0, counts)[:, None]
    spread = np.where(located, np.linalg.norm(points - middles[candidates.visit_of], axis=1), 0.0)
    radius = np.maximum.reduceat(spread, candidates.starts[:-1])
    farthest = np.linalg.norm(middles[1:] - middles[:-1], axis=1) + radius[1:] + radius[:-1]
    same_record = np.ones(visits - 1, dtype=bool)
    inner = candidates.offsets[1:-1]
    same_record[inner[(inner > 0) & (inner < visits)] - 1] = False
    both_located = (counts[1:] > 0) & (counts[:-1] > 0)
    doubtful = same_record & both_located & ~np.isnan(metres)
    doubtful &= facts.along_surface(farthest) > np.where(np.isnan(metres), np.inf, metres)
    return doubtful


def _chain(
    candidates: Candidates, first: int, end: int, steps: Bools, metres: Floats, facts: AlignedFacts, sensitive: Bools
) -> Chain | None:
    """The chain of the visits from `first` up to but without `end`, which are those of one record."""
    starts = candidates.starts
    places = [candidates.places[starts[visit] : starts[visit + 1]] for visit in range(first, end)]
    weights = [candidates.weights[starts[visit] : starts[visit + 1]] for visit in range(first, end)]
    follow = [
        _reachable(places[visit - first], places[visit - first + 1], float(metres[visit]), facts)
        if steps[visit]
        else None
        for visit in range(first, end - 1)
    ]
    return chain_probabilities(weights, follow, [sensitive[codes] for codes in places])


def _reachable(here: Ints, there: Ints, metres: float, facts: AlignedFacts) -> Floats:
    """1 where a place is within a distance of another, else 0; a place without coordinates is near every one."""
    assert facts.points is not None
    squares = np.zeros((len(here), len(there)))
    for axis in range(3):
        apart = np.subtract.outer(facts.points[here, axis], facts.points[there, axis])
        squares += apart * apart
    return (~(squares > facts.chord(metres) ** 2)).astype(np.float64)
