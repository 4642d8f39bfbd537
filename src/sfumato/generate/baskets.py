"""Baskets: synthetic transactions of itemsets that are often bought together (the Quest process)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data import Transactions
from sfumato.errors import ParameterError
from sfumato.generate.base import Generator
from sfumato.kernels.items.basket_filling import corrupt, pack
from sfumato.params import param

__all__ = ["Baskets"]

Ints = npt.NDArray[np.int64]

CHUNK = 200_000  # itemsets in one draw
HIGHEST_LEVEL = 0.99  # below 1, so that an itemset does not always lose all items
PATIENCE = 100  # itemsets without a new item after which a basket stays smaller than its size


@dataclass(frozen=True, kw_only=True)
class Baskets(Generator):
    """Transactions of items bought together.

    There are `patterns` itemsets that are often bought together; about half of an itemset's items come from the
    previous itemset.  A basket has a size, and is filled with itemsets drawn by their weights, each without some of its
    items. An itemset that does not fit is added anyway with probability 1/2, and otherwise goes into the next basket.

    Notes
    -----
    The process of [1]_, Section 4.1: sizes of baskets and itemsets are Poisson (here one more than Poisson with the
    mean less 1, so that none is empty); the share of items from the previous itemset is exponential with mean
    `correlation`; weights are exponential; an itemset's corruption level c is normal with mean `corruption` and
    variance 0.1, clipped to 0 and 0.99, and items are dropped at random as long as a uniform number is below c.
    The first itemset of a basket is added even if it does not fit.  An item that occurs in several itemsets of a basket
    counts once.  As in the paper there are twice as many itemsets as items.

    References
    ----------
    .. [1] R. Agrawal and R. Srikant, "Fast algorithms for mining association rules", Proc. VLDB, 1994.

    Examples
    --------
    >>> Baskets(records=1000, items=50, patterns=20).make(seed=1)
    <Transactions: 1,000 records, 9,578 items, 40 distinct>
    """

    name: ClassVar[str] = "baskets"

    records: int = param(1_000_000, at_least=1, help="number of baskets; the paper's D")
    items: int = param(5_000, at_least=1, help="number of items; the paper's N")
    mean_size: float = param(10.0, at_least=1, help="mean size of a basket; the paper's T")
    patterns: int = param(10_000, at_least=1, help="number of itemsets that are bought together; the paper's L")
    pattern_size: float = param(4.0, at_least=1, help="mean size of these itemsets; the paper's I")
    correlation: float = param(
        0.5, at_least=0, help="mean share of an itemset's items that come from the previous itemset"
    )
    corruption: float = param(0.5, at_least=0, at_most=1, help="mean corruption level of the itemsets")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("mean_size", "pattern_size"):
            if getattr(self, name) > self.items:
                raise ParameterError(
                    f"Baskets: {name} must be at most the number of items, {self.items}, got {getattr(self, name):g}"
                )

    def make(self, *, seed: int | None = None) -> Transactions:
        """Generate a dataset; a seed repeats it."""
        rng = np.random.default_rng(seed)
        itemsets = self._itemsets(rng)
        used_items = np.unique(np.concatenate(itemsets))
        sizes = np.minimum(1 + rng.poisson(self.mean_size - 1, self.records), len(used_items))
        stream = _Stream(itemsets, self._corruption_levels(rng), rng)
        codes, ends = _fill(sizes, stream, self.items)
        width = len(str(self.items))
        return Transactions(
            offsets=np.concatenate(([0], ends)),
            codes=codes,
            names=tuple(f"i{number:0{width}}" for number in range(1, self.items + 1)),
            ids=pl.Series("record", np.arange(1, self.records + 1)),
        ).with_used_names()

    def _itemsets(self, rng: np.random.Generator) -> list[Ints]:
        sizes = np.minimum(1 + rng.poisson(self.pattern_size - 1, self.patterns), self.items)
        shares = np.minimum(rng.exponential(self.correlation, self.patterns), 1.0)
        itemsets: list[Ints] = []
        for size, share in zip(sizes.tolist(), shares.tolist(), strict=True):
            before = itemsets[-1] if itemsets else np.empty(0, dtype=np.int64)
            reused = rng.permutation(before)[: round(share * size)]
            fresh = rng.choice(self.items, size=min(2 * size, self.items), replace=False, shuffle=True)
            fresh = fresh[~np.isin(fresh, reused)][: size - len(reused)]  # at most `size` of them are among the reused
            itemsets.append(np.concatenate((reused, fresh)))
        return itemsets

    def _corruption_levels(self, rng: np.random.Generator) -> npt.NDArray[np.float64]:
        return np.clip(rng.normal(self.corruption, np.sqrt(0.1), self.patterns), 0.0, HIGHEST_LEVEL)


class _Stream:
    """An endless stream of corrupted itemsets."""

    def __init__(self, itemsets: list[Ints], levels: npt.NDArray[np.float64], rng: np.random.Generator) -> None:
        self._items = np.concatenate(itemsets).astype(np.int32)
        self._starts = np.concatenate(([0], np.cumsum([len(items) for items in itemsets])))
        self._levels, self._rng = levels, rng
        weights = np.cumsum(rng.exponential(1.0, len(itemsets)))
        self._weights = weights[:-1] / weights[-1]

    def draw(self, count: int) -> tuple[Ints, npt.NDArray[np.int32]]:
        """The lengths and the items of the next itemsets, some of them empty."""
        picks = np.searchsorted(self._weights, self._rng.random(count), side="right")
        sizes = np.diff(self._starts)[picks]
        with np.errstate(divide="ignore"):  # a level of 0 drops nothing
            drops = np.log(1.0 - self._rng.random(count)) // np.log(self._levels[picks])
        lengths = sizes - np.minimum(np.abs(drops), sizes).astype(np.int64)
        items = corrupt(picks, lengths, self._starts, self._items, self._rng.random(int(lengths.sum())))
        return lengths, items

    def coins(self, count: int) -> npt.NDArray[np.bool_]:
        """Whether each of the next itemsets is added even if it does not fit."""
        return self._rng.random(count) < 0.5


def _fill(sizes: Ints, stream: _Stream, items: int) -> tuple[npt.NDArray[np.int32], Ints]:
    """The items of all baskets, and the end of each basket."""
    parts = list(_fill_batches(sizes, stream, items))
    shifts = np.cumsum([0, *(len(codes) for codes, _ in parts)])
    ends = [part + shift for (_, part), shift in zip(parts, shifts[:-1], strict=True)]
    return np.concatenate([codes for codes, _ in parts]), np.concatenate(ends)


def _fill_batches(sizes: Ints, stream: _Stream, items: int) -> Iterator[tuple[npt.NDArray[np.int32], Ints]]:
    stamps, stamp, n_filled = np.zeros(items, dtype=np.int64), 0, 0
    lengths, pending = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int32)
    is_forced = np.empty(0, dtype=bool)
    while n_filled < len(sizes):
        new_lengths, new_items = stream.draw(min(CHUNK, 1000 + 10 * int(sizes[n_filled:].sum())))
        lengths, pending = np.concatenate((lengths, new_lengths)), np.concatenate((pending, new_items))
        is_forced = np.concatenate((is_forced, stream.coins(len(new_lengths))))
        starts = np.concatenate(([0], np.cumsum(lengths)))
        codes = np.empty(len(pending), dtype=np.int32)
        ends, n_used = pack(sizes[n_filled:], starts, pending, is_forced, stamps, stamp, PATIENCE, codes)
        stamp += len(ends) + 1
        n_filled += len(ends)
        lengths, pending, is_forced = lengths[n_used:], pending[starts[n_used] :], is_forced[n_used:]
        yield codes[: ends[-1] if len(ends) else 0].copy(), ends
