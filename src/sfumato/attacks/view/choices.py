"""The background knowledge that is tried about each target: every choice where these are few, otherwise a sample."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from sfumato.attacks.view.background import choices_of
from sfumato.attacks.view.published_view import Knowledge
from sfumato.attacks.view.targets import chosen, known_elements, known_points
from sfumato.data import Dataset, Mixed, Table
from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged

__all__ = ["Choices"]


@dataclass(frozen=True, eq=False)
class Choices:
    """Choices of `known` visits or items of a record, all of them where it has fewer.

    tries : how many are drawn for a record whose choices are too many to try them all.
    budget : how many choices are tried in all before something is drawn.
    without : places or items that the attacker does not know.

    >>> from sfumato import Trajectories
    >>> walks = Trajectories.from_lists([["a", "b", "a"]])
    >>> choices = Choices(walks, known=2, tries=1, budget=10)
    >>> [known.elements for known in choices.about(0, np.random.default_rng(1), every=True)]
    [(0, 0), (0, 1), (1, 0)]
    """

    original: Dataset
    known: int
    tries: int
    budget: int
    ordered: bool = True
    without: frozenset[int] = frozenset()

    def targets(self, records: Ints, at_most: int, rng: np.random.Generator) -> tuple[Ints, bool]:
        """The records to try, and whether every choice about each of them is tried.

        All records if the budget allows to try all their choices, otherwise up to `at_most` at random.
        """
        counts = self._counts
        if counts[records].sum() <= self.budget:
            return records, True
        some = records[chosen(len(records), at_most, rng)]
        return some, bool(counts[some].sum() <= self.budget)

    def units(self, starts: Ints, records: Ints, at_most: int, rng: np.random.Generator) -> tuple[Ints, bool]:
        """As `targets`, for persons whose records begin at `starts`."""
        counts = np.add.reduceat(np.append(self._counts[records], 0.0), starts[:-1]) if len(starts) > 1 else np.zeros(0)
        if counts.sum() <= self.budget:
            return np.arange(len(counts)), True
        some = chosen(len(counts), at_most, rng)
        return some, bool(counts[some].sum() <= self.budget)

    @property
    def _counts(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """How many choices there are about each record, those that are equal included; of a row there is one."""
        part = self.original.items if isinstance(self.original, Mixed) else self.original
        if not isinstance(part, Ragged):
            return np.ones(len(self.original))
        knowable = ~np.isin(part.codes, list(self.without))
        lengths = np.bincount(part.record_of_element()[knowable], minlength=len(part)).astype(np.int64)
        return choices_of(lengths, np.minimum(lengths, self.known))

    def is_settled(self, record: int, every: bool) -> bool:
        """Whether all choices about a record are tried."""
        return every or self._counts_of(record) <= self.tries

    def _counts_of(self, record: int) -> float:
        length = np.array([len(known_elements(self.original, record, self.without))])
        return 1.0 if isinstance(self.original, Table) else float(choices_of(length, np.minimum(length, self.known))[0])

    def about(self, record: int, rng: np.random.Generator, every: bool) -> list[Knowledge]:
        """The distinct choices about a record that are tried; none where nothing can be known of it."""
        if not self.is_settled(record, every):
            drawn = (
                known_points(self.original, record, self.known, rng, ordered=self.ordered, without=self.without)
                for _ in range(self.tries)
            )
            return list(dict.fromkeys(known for known in drawn if known is not None))
        row = record if isinstance(self.original, Table | Mixed) else -1
        elements = known_elements(self.original, record, self.without).tolist()
        if not elements or isinstance(self.original, Table):
            return [Knowledge(row=row)] if row >= 0 else []
        in_order = self.ordered and self.original.kind == "trajectories"
        size = min(self.known, len(elements))
        points = {points if in_order else tuple(sorted(set(points))) for points in combinations(elements, size)}
        return [Knowledge(known, in_order, row) for known in sorted(points)]

    def about_unit(self, records: Ints, rng: np.random.Generator, every: bool) -> list[Knowledge]:
        """The distinct choices about a person that are tried: all about each record, or some about random ones."""
        own = records.tolist()
        if every or all(self.is_settled(record, every) for record in own):
            return list(dict.fromkeys(known for record in own for known in self.about(record, rng, every)))
        drawn = (
            known_points(
                self.original, int(rng.choice(records)), self.known, rng, ordered=self.ordered, without=self.without
            )
            for _ in range(self.tries)
        )
        return list(dict.fromkeys(known for known in drawn if known is not None))
