"""c-safety: an attacker who knows nonsensitive places of a person infers a sensitive one with probability at most c.

A. Monreale, R. Trasarti, D. Pedreschi, C. Renso, V. Bogorny, "C-safety: a framework for the anonymization of semantic
trajectories", Transactions on Data Privacy 4(2), 2011, Definition 9.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, nextafter
from typing import Any, ClassVar

import numpy as np

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.kernels.verify.disclosure import advance
from sfumato.params import JsonObject, exact, param
from sfumato.privacy.base import CheckedFrom, PrivacyModel, Verdict
from sfumato.privacy.checks.correspondence import persons_behind
from sfumato.privacy.checks.disclosure import Disclosure, Unreadable
from sfumato.privacy.checks.persons_and_records import by_both
from sfumato.privacy.checks.taxonomy_preorder import require_taxonomy
from sfumato.privacy.not_covered import COMPOSITION, LEARNED, PRESENCE, TIMES, TOGETHER, Limit

__all__ = ["CSafety"]

_WITNESSES = 5
_WORK = 100_000_000  # positions that may be read to find the worst case, once it is known whether the promise holds
_MORE_WORK = 3_000_000_000  # the same while it is not
_RECORD = 1_000  # what it costs to look at a record, in positions
_WORST = ("worst_probability", "worst_place", "worst_known", "probability_bound")
_SLACK = 1e-9  # bounds are computed in floats, what is found in fractions
_PERSONS_UNKNOWN = (
    "counted in records, the promise holds; the persons behind locally recoded records cannot be determined"
)
_ENDLESS = (
    "some groups of records disclose a sensitive place with a probability above c; no background knowledge that "
    "selects such a group alone was found, and there is too much possible knowledge to try all of it"
)


@dataclass(frozen=True, kw_only=True)
class CSafety(PrivacyModel):
    """No sensitive place of a person is inferred with a probability above c from any of their other places.

    Notes
    -----
    An attacker knows a sequence of quasi-identifiers: any places of the taxonomy that are not sensitive, leaves or
    inner nodes, at least one, in the order of the visits and perhaps with others between.  A published label contains a
    known place that it is or stands above.  Among all that fit, the probability of a sensitive leaf s is the mean of
    P_t(s), the share of ways to read t's sensitive labels as leaves in which s occurs.  Labels of
    quasi-identifiers never stand for a sensitive leaf.  Leaves without visits count too.  Where persons are known,
    the mean must be at most c over the fitting records and over the fitting persons, all fitting records of a person
    read together.

    *Sets.*  A reading that contains a set of sensitive leaves contains each of them, so P_t(S) <= P_t(s) for s in S,
    and single leaves decide (Lemma 14 of the paper).  `sfumato.privacy.checks.disclosure.Disclosure` computes both.

    *Why the check is exact.*  What an attacker knows is not anti-monotone: a longer sequence may disclose more or less.
    But whether a record fits depends on its published quasi-identifiers only, so all that fit are a union of classes of
    records with equal ones.  For records, the probability is then a weighted mean of the classes' own, and at most
    their largest.  For persons, let n(u) be the number of records of u: those who fit are at least the sum of
    1 / n(u) over the fitting records, and what they disclose is at most the sum of P_t(s) over them; the quotient is
    again at most the largest of the classes' own quotients, their prices.  So the promise holds if no price exceeds
    c.  A class with a higher price is asked for its own sequence, which finds the fewest; if that does not decide, all
    knowledge that finds such a class is tried.  A node is worth as much to an attacker as the lowest published label
    above it, so that only published labels need trying.

    Files do not say whose record it is: what they show is checked by records.

    The search for the worst probability ends after a fixed amount of work.  The verdict then states an upper bound,
    ``probability_bound``, in place of ``worst_probability``: the truth is not above it.

    Probabilities are exact fractions, and c is read by its digits: 3/10 is not above 0.3.

    Examples
    --------
    >>> from sfumato import Taxonomy, Trajectories
    >>> places = {"all": None, "bar": "all", "clinic": "all", "c1": "clinic", "c2": "clinic"}
    >>> tree = Taxonomy(places, sensitive=["clinic"])
    >>> walks = Trajectories.from_lists([["bar", "c1"], ["bar", "c2"], ["bar"]], taxonomy=tree)
    >>> CSafety(c=0.4).check(walks).holds
    True
    >>> CSafety(c=0.3).check(walks).witnesses
    ({'known': ['bar'], 'place': 'c1', 'probability': '1/3'},)
    """

    name: ClassVar[str] = "c-safety"
    title: ClassVar[str] = "c-safety"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    context: ClassVar[tuple[str, ...]] = ("taxonomy",)
    not_covered: ClassVar[tuple[Limit, ...]] = (
        Limit(
            "who-is-who-places",
            "re-identification: an attacker may single out a record and learn all its other nonsensitive places",
            rank=3,
        ),
        Limit("knows-sensitive-place-of", "an attacker who knows a sensitive place of a person", rank=2),
        Limit(
            "knows-no-place",
            "an attacker who knows no place of a person, or knows that a person visited sensitive places only: "
            "records without nonsensitive places are published unchanged",
        ),
        Limit(
            "never-there",
            "an attacker who knows that a person was never at a place, or that a person made no visits besides the "
            "known ones",
        ),
        Limit(
            "some-sensitive-place",
            "some sensitive place: it may be certain that a person visited one, because c bounds the probability of "
            "each place separately",
            rank=3,
        ),
        Limit(
            "places-likelier", "prior knowledge that makes some places under a taxonomy node more probable than others"
        ),
        Limit(
            "ruled-out-likelier",
            "an attacker who knows that some matching records belong to other people: among the remaining records, a "
            "sensitive place may have a probability above c",
        ),
        Limit(
            "choices-of-nodes",
            "an attacker who knows how the method chooses its changes: a group contains a node because a place under "
            "it was visited too often there (minimality attack)",
        ),
        Limit(
            "untold-sensitive-place",
            "a place that reveals a sensitive value but is not marked as sensitive, such as the car park of a clinic",
        ),
        TOGETHER,
        LEARNED,
        COMPOSITION,
        PRESENCE,
        TIMES,
    )

    c: float = param(
        above=0, at_most=1, stronger="lower", help="largest probability of inferring a sensitive place; the paper's c"
    )

    def check(self, published: Trajectories, original: Trajectories | None = None) -> Verdict:
        self._require_kind(published)
        data: Trajectories = published
        fallback = None if original is None else original.taxonomy
        taxonomy = require_taxonomy(self.name, data.taxonomy or fallback)
        if data.persons is None and original is not None and original.persons is not None:
            persons = persons_behind(data, original)
            if persons is None:
                verdict = self._check(data, taxonomy)
                if verdict.holds is True:
                    verdict = replace(verdict, holds="not checkable", reason=_PERSONS_UNKNOWN)
                return verdict
            data = data.with_persons(persons)
        return self._check(data, taxonomy)

    def _check(self, data: Trajectories, taxonomy: Any) -> Verdict:
        source: CheckedFrom = "files" if data.persons is None else "original"
        return by_both(
            lambda counted_data: self._counted(counted_data, taxonomy, source),
            data,
            ratios=_WORST,
            worst=_worst_probability,
        )

    def _counted(self, data: Trajectories, taxonomy: Any, source: CheckedFrom) -> Verdict:
        try:
            seen = Disclosure(data, taxonomy)
        except Unreadable as strange:
            return Verdict(False, source, {"unit": data.unit}, (strange.args[0],))
        limit = exact(self.c)
        search = _Search(seen, limit)
        measured = {
            "unit": data.unit,
            "classes": len(seen.class_records),
            "without_quasi_identifier": seen.unreached,
            **search.figures(),
        }
        if search.best > limit:
            return Verdict(False, source, measured, tuple(search.witnesses))
        if search.at_most > limit:
            return Verdict("not checkable", source, measured, reason=_ENDLESS)
        return Verdict(True, source, measured)


def _worst_probability(measured: JsonObject) -> float:
    figures = (measured[name] for name in ("probability_bound", "worst_probability") if name in measured)
    return float(next(figures, 0.0))


class _Search:
    """The knowledge that discloses most.  `at_most` bounds what was not tried; it is the best itself if complete."""

    def __init__(self, seen: Disclosure, limit: Fraction) -> None:
        self._seen, self._limit = seen, limit
        self.worst: JsonObject | None = None
        self.witnesses: list[JsonObject] = []
        self._prices, self._weights = seen.prices()
        self._sums = seen.sums()
        self._set_best(Fraction(0))
        self._work = _MORE_WORK if max(self._prices, default=0) > limit else _WORK
        self._ask_classes()
        if self.best > limit:  # decided: what is left to find is how much worse it gets
            self._work = min(self._work, _WORK)
        self._ask_everything()
        unasked = [self._prices[number] for number in np.flatnonzero(self._open)]
        self.complete = self._work > 0 or not unasked
        self.at_most = self.best if self.complete else min(max(unasked), Fraction(1))

    def figures(self) -> JsonObject:
        """The worst probability and the knowledge behind it; where not all was tried, an upper bound on it instead."""
        if not self.complete:
            return {"probability_bound": _rounded_up(self.at_most)}
        worst_case = (
            {} if self.worst is None else {"worst_place": self.worst["place"], "worst_known": self.worst["known"]}
        )
        return {"worst_probability": float(self.best), **worst_case}

    def _set_best(self, chance: Fraction) -> None:
        """Only classes of a higher price can disclose more from here on."""
        self.best = chance
        self._open = np.array([price > chance for price in self._prices], dtype=np.bool_)

    def _ask_classes(self) -> None:
        """Each class by its own sequence, which finds the fewest others; the most promising first."""
        promising = []
        for number in sorted(np.flatnonzero(self._open).tolist(), key=lambda number: -self._prices[number]):
            if self._work <= 0:
                break
            self._work -= len(self._seen.nodes) // 4
            promising.append((-self._at_most(np.flatnonzero(self._matching_records(number))), number))
        for bound, number in sorted(promising):
            if -bound < self.best - _SLACK or self._work <= 0:
                break
            first, end = self._seen.offsets[number : number + 2]
            self._ask(self._seen.nodes[first:end], np.flatnonzero(self._matching_records(number)))

    def _matching_records(self, number: int) -> Any:
        first, end = self._seen.offsets[number : number + 2]
        return self._seen.classes_with(self._seen.nodes[first:end])

    def _at_most(self, classes: Any) -> float:
        """What several classes disclose together, for records in floats; for persons no less than that."""
        self._work -= self._sums.shape[1] * len(classes)
        return float(self._sums[classes].sum(axis=0).max(initial=0) / self._weights[classes].sum())

    def _ask_everything(self) -> None:
        """All knowledge that finds a class which may disclose more; equal states of the search are visited once."""
        labels = np.unique(self._seen.nodes)
        start = np.zeros(len(self._seen.class_records), dtype=np.int64)
        waiting: list[tuple[tuple[int, ...], Ints]] = [((), start)]
        visited = {start.tobytes()}
        while waiting and self._open.any() and self._work > 0:
            pattern, places = waiting.pop()
            for label in labels.tolist():
                moved = np.empty_like(places)
                self._work -= len(self._seen.nodes)
                if advance(places, label, self._seen.nodes, self._seen.offsets, self._seen.ends, moved) == 0:
                    continue
                state = moved.tobytes()
                matching = np.flatnonzero(moved >= 0)
                if state in visited or not self._open[matching].any():
                    continue
                visited.add(state)
                longer = (*pattern, label)
                self._ask(longer, matching)
                waiting.append((longer, moved))

    def _ask(self, pattern: Any, classes: Any) -> None:
        if self._at_most(classes) < self.best - _SLACK:
            return
        self._work -= _RECORD * sum(len(self._seen.class_records[number]) for number in classes)
        chance, place = self._seen.worst(classes.tolist())
        if chance <= self.best and (chance <= self._limit or len(self.witnesses) >= _WITNESSES):
            return
        known = [self._seen.names[node] for node in pattern]
        finding = {"known": known, "place": place, "probability": str(chance)}
        if chance > self.best:
            self._set_best(chance)
            self.worst = finding
        if chance > self._limit and len(self.witnesses) < _WITNESSES:
            self.witnesses.append(finding)


def _rounded_up(bound: Fraction) -> float:
    """The bound as a number that is not below it."""
    near = float(bound)
    return near if Fraction(near) >= bound else nextafter(near, inf)
