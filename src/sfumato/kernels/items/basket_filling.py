"""Synthetic transactions of given sizes, filled with itemsets from which items were removed."""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["corrupt", "pack"]


@njit(cache=True)
def corrupt(picks, kept, starts, items, luck):
    """Draw some items of each picked itemset, uniformly.

    picks, kept : int64[s], which itemset and how many of its items.  starts : int64[n + 1] into items : int32[...].
    luck : float64[kept.sum()] in [0, 1).  Returns int32[kept.sum()].
    """
    chosen = np.empty(len(luck), dtype=np.int32)
    rest = items.copy()  # every itemset in the order that its last choice left
    position = 0
    for number in range(len(picks)):
        first, end = starts[picks[number]], starts[picks[number] + 1]
        for place in range(first, first + kept[number]):
            other = place + int(luck[position] * (end - place))
            rest[place], rest[other] = rest[other], rest[place]
            chosen[position] = rest[place]
            position += 1
    return chosen


@njit(cache=True)
def pack(sizes, starts, items, anyway, seen, stamp, patience, codes):
    """Fill transactions, in order, as far as the itemsets reach.

    sizes : int64[t], at least 1.  starts : int64[s + 1] into items : int32[...], distinct within an itemset.
    anyway : bool[s], whether an itemset that does not fit is put in nevertheless; otherwise it opens the next
    transaction, and what opens a transaction is always put in.  A transaction that has items and wants more is left as
    it is after `patience` itemsets without a new one.  seen : int64[items], only numbers up to `stamp`.
    codes : int32[...], receives the items.
    Returns ends int64[t'] of the transactions that were filled and how many itemsets they took.
    """
    ends = np.empty(len(sizes), dtype=np.int64)
    done = taken = position = 0
    while done < len(sizes):
        stamp += 1
        first, itemset, idle, full = position, taken, 0, False
        while not full and idle < patience:
            if itemset == len(starts) - 1:
                return ends[:done], taken
            fits = position - first + starts[itemset + 1] - starts[itemset] <= sizes[done]
            if not fits and position > first and not anyway[itemset]:
                break
            before = position
            for place in range(starts[itemset], starts[itemset + 1]):
                if seen[items[place]] != stamp:
                    seen[items[place]] = stamp
                    codes[position] = items[place]
                    position += 1
            itemset += 1
            idle = idle + 1 if position == before and position > first else 0
            full = position - first >= sizes[done]
        taken = itemset
        codes[first:position].sort()
        ends[done] = position
        done += 1
    return ends, taken
