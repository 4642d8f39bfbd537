"""Itemsets with optional items, written as all the sets that they stand for."""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["count_sets", "rename_items", "write_sets"]


@njit(cache=True)
def count_sets(ends, fixed, shortest, longest, most):
    """The number of sets between two lengths, and of their items; counting ends above `most` items.

    ends : int64[n], where the items of each set end.  fixed : int64[n], how many of them are not optional.
    """
    n_sets, n_items, begin = 0, 0, 0
    for i in range(len(ends)):
        n_fixed = fixed[i]
        n_optional = ends[i] - begin - n_fixed
        begin = ends[i]
        choices = 1  # of so many optional items
        for extra in range(min(n_optional, longest - n_fixed) + 1):
            if n_fixed + extra >= shortest:
                n_sets += choices
                n_items += choices * (n_fixed + extra)
            if n_items > most or choices > most:
                return n_sets, most + 1
            choices = choices * (n_optional - extra) // (extra + 1)
    return n_sets, n_items


@njit(cache=True)
def write_sets(found, shortest, longest, codes, ends, supports):
    """Write every set that the found ones stand for, its items sorted.

    found : FoundItemsets, each with its fixed items sorted, and its optional ones.
    codes : int32[items], ends, supports : int64[sets], as `count_sets` counts them.
    """
    index, written, used, begin = np.empty(longest + 1, dtype=np.int64), 0, 0, 0
    for i in range(len(found.ends)):
        middle, end = begin + found.fixed[i], found.ends[i]
        n_fixed, n_optional = middle - begin, end - middle
        for extra in range(max(0, shortest - n_fixed), min(n_optional, longest - n_fixed) + 1):
            for k in range(extra):
                index[k] = middle + k
            last = 0
            while last >= 0:
                used = _merge(found.codes, begin, middle, index, extra, codes, used)
                ends[written], supports[written] = used, found.supports[i]
                written += 1
                last = extra - 1  # the next combination: raise the last index that can be raised
                while last >= 0 and index[last] == end - extra + last:
                    last -= 1
                if last >= 0:
                    index[last] += 1
                for k in range(last + 1, extra if last >= 0 else 0):
                    index[k] = index[k - 1] + 1
        begin = end


@njit(cache=True)
def _merge(found, begin, end, index, n_index, codes, used):
    """Write the sorted items from begin to end and at the indexes in their order; returns where they end."""
    k = 0
    for i in range(begin, end):
        while k < n_index and found[index[k]] < found[i]:
            codes[used] = found[index[k]]
            used, k = used + 1, k + 1
        codes[used] = found[i]
        used += 1
    while k < n_index:
        codes[used] = found[index[k]]
        used, k = used + 1, k + 1
    return used


@njit(cache=True)
def rename_items(codes, ends, fixed, labels):
    """Replace the items of every set by their labels, and sort the fixed ones and the optional ones; in place.

    codes : int32[...].  ends, fixed : int64[n].  labels : int32[items].
    """
    begin = 0
    for i in range(len(ends)):
        _rename(codes, begin, begin + fixed[i], labels)
        _rename(codes, begin + fixed[i], ends[i], labels)
        begin = ends[i]


@njit(cache=True)
def _rename(codes, begin, end, labels):
    for i in range(begin, end):
        label, place = labels[codes[i]], i
        while place > begin and codes[place - 1] > label:
            codes[place] = codes[place - 1]
            place -= 1
        codes[place] = label
