"""Random assignment of the subrecords of a chunk to distinct records (slots)."""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["draw_slots", "draw_slots_outside"]


@njit(cache=True)
def draw_slots(sizes, counts, uniforms):
    """Draw for each chunk as many distinct slots as it has subrecords, uniformly.

    sizes, counts : int64[chunks], slots and subrecords, counts <= sizes.  uniforms : float64[sum of counts], below 1.
    Returns int64[sum of counts], slots counted from 0 in each chunk.  O(sum of sizes) time.
    """
    slots, done = np.empty(len(uniforms), dtype=np.int64), 0
    slots_left = np.empty(0, dtype=np.int64)
    for chunk in range(len(sizes)):
        size = sizes[chunk]
        if size > len(slots_left):
            slots_left = np.empty(2 * size, dtype=np.int64)
        for i in range(size):
            slots_left[i] = i
        for i in range(counts[chunk]):
            j = i + np.int64(uniforms[done] * (size - i))
            slots_left[i], slots_left[j] = slots_left[j], slots_left[i]
            slots[done] = slots_left[i]
            done += 1
    return slots


@njit(cache=True)
def _free_slot(free, lows, highs, first, end, tries):
    """Draw a free slot outside the ranges first to end - 1; -1 where none exists."""
    size = len(free)
    for i in range(len(tries)):
        slot = np.int64(tries[i] * size)
        fine = free[slot]
        for position in range(first, end):
            fine = fine and not lows[position] <= slot < highs[position]
        if fine:
            return slot
    count = 0
    for turn in range(2):
        left = np.int64(tries[0] * count)
        slot, position = 0, first
        while slot < size:
            while position < end and highs[position] <= slot:
                position += 1
            if position < end and lows[position] <= slot:
                slot = highs[position]
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
def draw_slots_outside(size, n, narrow, starts, lows, highs, tries, uniforms):
    """Draw distinct slots for the n subrecords of a chunk, of which some must stay outside ranges of slots.

    narrow : int64[...], these subrecords, in the order in which they are served; the ranges of the i-th are
    lows[starts[i]:starts[i + 1]] and highs, rising.  tries : float64[len(narrow), ...], uniforms : float64[n].
    Returns int64[n], with -1 where no slot was left.
    """
    free, slots = np.ones(size, dtype=np.bool_), np.full(n, -2, dtype=np.int64)
    for i in range(len(narrow)):
        slot = _free_slot(free, lows, highs, starts[i], starts[i + 1], tries[i])
        slots[narrow[i]] = slot
        if slot >= 0:
            free[slot] = False
    slots_left, n_free = np.empty(size, dtype=np.int64), 0
    for slot in range(size):
        if free[slot]:
            slots_left[n_free] = slot
            n_free += 1
    done = 0
    for position in range(n):
        if slots[position] == -2:
            j = done + np.int64(uniforms[position] * (n_free - done))
            slots_left[done], slots_left[j] = slots_left[j], slots_left[done]
            slots[position] = slots_left[done]
            done += 1
    return slots
