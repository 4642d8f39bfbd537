"""Set packing: the largest number of pairwise disjoint sets, by reduction, greedy choice, and branch and bound.

sets : int64[s, k].  holding[begin[e]:begin[e + 1]] : the sets that hold an element.
"""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["cover_bound", "greedy_packing", "largest_packing", "simplify"]


@njit(cache=True, nogil=True)
def simplify(sets, begin, holding, alive, count):
    """Reduce the sets in one pass: take those that share nothing, drop those that another can always replace.

    A set can replace every other that holds all of its shared elements.  alive : bool[s], sets that are left; count :
    int64[elements], how many of them hold each.  Returns (sets taken, whether anything changed).
    """
    taken, changed = 0, False
    for t in range(len(sets)):
        if not alive[t]:
            continue
        rare = -1
        for e in sets[t]:
            if count[e] > 1 and (rare < 0 or count[e] < count[rare]):
                rare = e
        if rare < 0:
            _drop(sets, t, alive, count)
            taken, changed = taken + 1, True
            continue
        for i in range(begin[rare], begin[rare + 1]):
            s = holding[i]
            if s != t and alive[s] and _replaces(sets, t, s, count):
                _drop(sets, s, alive, count)
                changed = True
    return taken, changed


@njit(cache=True, nogil=True)
def _drop(sets, s, alive, count):
    alive[s] = False
    for e in sets[s]:
        count[e] -= 1


@njit(cache=True, nogil=True)
def _replaces(sets, t, s, count):
    for e in sets[t]:
        if count[e] > 1:
            held = False
            for f in sets[s]:
                if f == e:
                    held = True
            if not held:
                return False
    return True


@njit(cache=True, nogil=True)
def cover_bound(begin, holding, alive, order):
    """An upper bound on the number of disjoint sets: so many elements, in this order, hit every set."""
    met, bound = np.zeros(len(alive), dtype=np.bool_), 0
    for e in order:
        helps = False
        for i in range(begin[e], begin[e + 1]):
            if alive[holding[i]] and not met[holding[i]]:
                met[holding[i]] = True
                helps = True
        if helps:
            bound += 1
    return bound


@njit(cache=True, nogil=True)
def greedy_packing(sets, used):
    """Count the sets of a greedy choice of disjoint sets; used : bool[elements], receives their elements."""
    count = 0
    for s in range(len(sets)):
        free = True
        for element in sets[s]:
            if used[element]:
                free = False
        if free:
            for element in sets[s]:
                used[element] = True
            count += 1
    return count


@njit(cache=True, nogil=True)
def largest_packing(sets, begin, holding, state, cover, option, picked, budget):
    """Resume branch and bound over the elements, each covered by a set that holds it or left free.

    sets : int64[s, k].  holding[begin[e]:begin[e + 1]] : the sets that hold an element.  state : int64[5], the current
    element, sets chosen, elements not decided yet, the best number so far, and whether to enter (1) or go on (0).
    cover, option, picked : int64[elements], zeros at first.  Returns whether it has ended; state[3] is then the most.
    """
    n, k = len(begin) - 1, sets.shape[1]
    e, chosen, free, best, enter = state[0], state[1], state[2], state[3], state[4] == 1
    ended = False
    for _ in range(budget):
        if enter:
            if e == n or chosen + free // k <= best:
                best = max(best, chosen)
                enter, e = False, e - 1
            elif cover[e] == 1:
                option[e], e = -1, e + 1
                continue
            else:
                option[e], picked[e], enter = begin[e], -1, False
        if e < 0:
            ended = True
            break
        if option[e] < 0:
            e -= 1
            continue
        if option[e] > begin[e + 1]:  # it was left free, the last choice
            cover[e], free, e = 0, free + 1, e - 1
            continue
        if picked[e] >= 0:
            for element in sets[picked[e]]:
                cover[element] = 0
            chosen, free, picked[e] = chosen - 1, free + k, -1
        free_row = False
        while option[e] < begin[e + 1] and not free_row:
            s = holding[option[e]]
            option[e] += 1
            free_row = True
            for element in sets[s]:
                if cover[element] != 0:
                    free_row = False
            if free_row:
                for element in sets[s]:
                    cover[element] = 1
                chosen, free, picked[e] = chosen + 1, free - k, s
        if not free_row:
            option[e], cover[e], free = begin[e + 1] + 1, 2, free - 1
        enter, e = True, e + 1
    state[0], state[1], state[2], state[3], state[4] = e, chosen, free, best, 1 if enter else 0
    return ended
