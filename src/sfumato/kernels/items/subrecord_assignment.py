"""Dealing the subrecords of a chunk to distinct records."""

import numpy as np
from numba import njit

__all__ = ["deal_around", "deal_slots"]


@njit(cache=True)
def deal_slots(sizes, counts, uniforms):
    """For each chunk as many distinct slots as it has subrecords, each choice as likely as another.

    sizes, counts : int64[chunks], slots and subrecords, counts <= sizes.  uniforms : float64[sum of counts], below 1.
    Returns int64[sum of counts], slots counted from 0 in each chunk.  O(sum of sizes) time.
    """
    slots, done = np.empty(len(uniforms), dtype=np.int64), 0
    deck = np.empty(0, dtype=np.int64)
    for chunk in range(len(sizes)):
        size = sizes[chunk]
        if size > len(deck):
            deck = np.empty(2 * size, dtype=np.int64)
        for i in range(size):
            deck[i] = i
        for i in range(counts[chunk]):
            j = i + np.int64(uniforms[done] * (size - i))
            deck[i], deck[j] = deck[j], deck[i]
            slots[done] = deck[i]
            done += 1
    return slots


@njit(cache=True)
def _free_slot(free, lows, highs, first, end, tries):
    """A free slot outside the stretches first to end - 1: the first tried that fits, else one of all; -1 for none."""
    size = len(free)
    for i in range(len(tries)):
        slot = np.int64(tries[i] * size)
        fine = free[slot]
        for at in range(first, end):
            fine = fine and not lows[at] <= slot < highs[at]
        if fine:
            return slot
    count = 0
    for turn in range(2):
        left = np.int64(tries[0] * count)
        slot, at = 0, first
        while slot < size:
            while at < end and highs[at] <= slot:
                at += 1
            if at < end and lows[at] <= slot:
                slot = highs[at]
                continue
            if free[slot]:
                if turn == 0:
                    count += 1
                elif left == 0:
                    return slot
                else:
                    left -= 1
            slot += 1
    return -1


@njit(cache=True)
def deal_around(size, n, narrow, starts, lows, highs, tries, uniforms):
    """Distinct slots for the n subrecords of a chunk, of which some must keep out of stretches of slots.

    narrow : int64[...], these subrecords, in the order in which they are served; the stretches of the i-th are
    lows[starts[i]:starts[i + 1]] and highs, rising.  tries : float64[len(narrow), ...], uniforms : float64[n].
    Returns int64[n], with -1 where no slot was left.
    """
    free, slots = np.ones(size, dtype=np.bool_), np.full(n, -2, dtype=np.int64)
    for i in range(len(narrow)):
        slot = _free_slot(free, lows, highs, starts[i], starts[i + 1], tries[i])
        slots[narrow[i]] = slot
        if slot >= 0:
            free[slot] = False
    deck, n_free = np.empty(size, dtype=np.int64), 0
    for slot in range(size):
        if free[slot]:
            deck[n_free] = slot
            n_free += 1
    done = 0
    for at in range(n):
        if slots[at] == -2:
            j = done + np.int64(uniforms[at] * (n_free - done))
            deck[done], deck[j] = deck[j], deck[done]
            slots[at] = deck[done]
            done += 1
    return slots
