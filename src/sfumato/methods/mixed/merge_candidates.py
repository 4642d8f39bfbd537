"""Which clusters to merge next: those with similar rows, similar items, or both."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sfumato.data import Transactions
from sfumato.data.base import Ints
from sfumato.errors import Infeasible
from sfumato.methods.base import FEWER_RECORDS
from sfumato.methods.mixed.basket_similarity import Spreads
from sfumato.methods.mixed.clusters import Clusters
from sfumato.methods.mixed.item_recoding import ItemsRecoder

__all__ = ["NOISE", "Merging", "make_viable", "unviable"]

Floats = npt.NDArray[np.float64]
NOISE = 1e-12  # of sums of floats


class Merging:
    """The clusters, their items, and how a partner for the next seed is chosen.

    by : "r" for the most similar rows, "t" for the most similar items, "rt" for the least sum of both ranks.
    btd : whether items are compared by BTD, or by what recoding them would lose.
    """

    def __init__(self, clusters: Clusters, items: Transactions, recoder: ItemsRecoder, by: str, btd: bool) -> None:
        self.clusters, self._recoder, self._by = clusters, recoder, by
        self._spreads = Spreads(items, clusters.rows) if btd and by != "r" else None

    def next(self, delta: float = np.inf) -> tuple[int, int] | None:
        """The seed and its partner, or None; a merge keeps NCP of all rows at most delta."""
        clusters = self.clusters
        if len(clusters) < 2:
            return None
        seed = clusters.seed()
        others = clusters.numbers
        others = others[others != seed]
        merged, total = clusters.with_each(seed, others)
        fits = total <= delta + NOISE
        if self._by == "t":  # the others do not matter to the order of those that fit
            others, merged, fits = others[fits], merged[fits], fits[fits]
        for place in self._order(seed, others, merged).tolist():
            if self._by == "r" and not fits[place]:
                return None  # D does not change
            if fits[place] and self._recoder.viable(
                np.concatenate((clusters.rows[seed], clusters.rows[others[place]]))
            ):
                return seed, int(others[place])
        return None

    def _order(self, seed: int, others: Ints, merged: Floats) -> Ints:
        """The candidates, the best first; ties by number."""
        by_rows = _ranked(merged)
        if self._by == "r" or not len(others):
            return by_rows
        by_items = _ranked(self._items_apart(seed, others))
        if self._by == "t":
            return by_items
        places = np.empty(len(others), dtype=np.int64)
        places[by_rows] = np.arange(len(others))
        both = places.copy()
        both[by_items] += np.arange(len(others))
        return np.lexsort((places, both))

    def _items_apart(self, seed: int, others: Ints) -> Floats:
        if self._spreads is not None:
            return self._spreads.with_each(seed, others)
        rows = self.clusters.rows
        together = (np.sort(np.concatenate((rows[seed], rows[other]))) for other in others)
        return np.array([self._loss(records) for records in together])

    def _loss(self, records: Ints) -> float:
        return self._recoder.recoded(records).lost / len(records) if self._recoder.viable(records) else np.inf

    def merge(self, first: int, second: int) -> int:
        if self._spreads is not None:
            self._spreads.merge(first, second)
        return self.clusters.merge(first, second)


def _ranked(losses: Floats) -> Ints:
    """The order of losses, in which those that differ by the noise of floats are equal."""
    return np.argsort(np.round(losses, 12), kind="stable")


def unviable(who: str, recoder: ItemsRecoder, records: Ints) -> Infeasible:
    """Why all records together cannot be made safe."""
    if recoder.viable(records, in_records=False):
        return Infeasible(
            f"{who}: l is too large for these data: even among all records, more than one in l has the same sensitive "
            f"item; {FEWER_RECORDS}: lower l",
            remedy="fewer-records",
        )
    return Infeasible(
        f"{who}: k and l are too large for these data: even among all records, more than one in l has the same "
        "sensitive item; lower them"
    )


def make_viable(clusters: Clusters, recoder: ItemsRecoder, who: str) -> None:
    """Merge every cluster in which a sensitive item is too frequent with the one whose rows are most similar."""
    waiting = [number for number in clusters.numbers.tolist() if not recoder.viable(clusters.rows[number])]
    while waiting:
        number = waiting.pop(0)
        if not clusters.alive[number] or recoder.viable(clusters.rows[number]):
            continue
        others = clusters.numbers
        others = others[others != number]
        if not len(others):
            raise unviable(who, recoder, clusters.rows[number])
        merged, _ = clusters.with_each(number, others)
        waiting.insert(0, clusters.merge(number, int(others[_ranked(merged)[0]])))
