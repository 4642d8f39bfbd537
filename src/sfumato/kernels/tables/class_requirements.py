"""What a group of rows must be before it may be published: enough persons, diverse, close to the whole table.

demand : (k, l, t, units, alone, secrets, everybody, pairs, seen, slot, tick, rows).
units : int32[n], who is behind each row; alone : whether nobody is behind two rows.
secrets : int32[n, columns], the sensitive values; everybody : int64[columns, values], how often each occurs in the
whole table (once a person), and rows : the same counting rows.  pairs : int32[n, columns], the number of each row's
pair of person and value.
l = 1 and t >= 1 ask for nothing.  seen, slot : int64[...], tick : int64[1]; scratch: what was seen in this turn carries
its number.
"""

import numpy as np
from numba import njit

__all__ = ["meets", "number_of"]


@njit(cache=True)
def meets(members, size, demand):
    """Whether the group of these rows (the first `size` of members) meets the demand."""
    k, l, t, units, alone, secrets, everybody, pairs, seen, slot, tick, rows = demand  # noqa: E741
    if size < k or (not alone and number_of(members, size, units, seen, tick) < k):
        return False
    for column in range(secrets.shape[1]):
        if l > 1:
            if number_of(members, size, secrets[:, column], seen, tick) < l:
                return False
            if not alone and matched_values(members, size, secrets[:, column], units, l, seen, slot, tick) < l:
                return False
        if t < 1.0 and not close(members, size, secrets[:, column], pairs[:, column], everybody[column], t, seen, tick):
            return False
        if t < 1.0 and not alone and not close_by_row(members, size, secrets[:, column], rows[column], t):
            return False
    return True


@njit(cache=True)
def number_of(members, size, of, seen, tick):
    """How many different numbers these rows have; of : int32[n], the number of each row."""
    tick[0] += 1
    found = 0
    for at in range(size):
        number = of[members[at]]
        if seen[number] != tick[0]:
            seen[number] = tick[0]
            found += 1
    return found


@njit(cache=True)
def first_rows(members, size, of, seen, slot, tick):
    """The first of these rows that has the same number as each."""
    tick[0] += 1
    first = np.empty(size, dtype=np.int64)
    for at in range(size):
        number = of[members[at]]
        if seen[number] != tick[0]:
            seen[number] = tick[0]
            slot[number] = at
        first[at] = slot[number]
    return first


@njit(cache=True)
def matched_values(members, size, values, units, enough, seen, slot, tick):
    """How many values can be given to different persons who have them; `enough` stops the count.

    A largest matching between values and persons, grown by one augmenting path after the other; a value or a person is
    known by the first row that has it.
    """
    first_value = first_rows(members, size, values, seen, slot, tick)
    first_unit = first_rows(members, size, units, seen, slot, tick)
    given = np.full(size, -1, dtype=np.int64)  # of a person: the value
    holder = np.full(size, -1, dtype=np.int64)  # of a value: the person
    asked = np.empty(size, dtype=np.int64)  # of a person: the value that asked for them in this turn
    waiting = np.empty(size, dtype=np.int64)
    matched = 0
    for value in range(size):
        if first_value[value] != value or matched >= enough:
            continue
        for at in range(size):
            asked[at] = -1
        waiting[0] = value
        n_waiting, end = 1, -1
        while n_waiting > 0 and end < 0:
            n_waiting -= 1
            asking = waiting[n_waiting]
            for at in range(size):
                person = first_unit[at]
                if first_value[at] == asking and asked[person] < 0 and end < 0:
                    asked[person] = asking
                    if given[person] < 0:
                        end = person
                    else:
                        waiting[n_waiting] = given[person]
                        n_waiting += 1
        if end >= 0:
            matched += 1
            while end >= 0:
                asking = asked[end]
                before = holder[asking]
                given[end] = asking
                holder[asking] = end
                end = before
    return matched


@njit(cache=True)
def close(members, size, values, pairs, everybody, t, seen, tick):
    """Whether the values of these rows are within t of the whole table's, by the earth mover's distance of equal steps.

    On the safe side by a rounding error: the verifier compares exactly.
    """
    tick[0] += 1
    counts = np.zeros(len(everybody), dtype=np.int64)
    n = 0
    for at in range(size):
        pair = pairs[members[at]]
        if seen[pair] != tick[0]:
            seen[pair] = tick[0]
            counts[values[members[at]]] += 1
            n += 1
    return within(counts, n, everybody, t)


@njit(cache=True)
def close_by_row(members, size, values, rows, t):
    """The same, every row counting."""
    counts = np.zeros(len(rows), dtype=np.int64)
    for at in range(size):
        counts[values[members[at]]] += 1
    return within(counts, size, rows, t)


@njit(cache=True)
def within(counts, n, everybody, t):
    """Whether the shares of n counts are within t of the whole table's."""
    total, apart = 0, 0
    for value in range(len(counts)):
        total += everybody[value]
    for value in range(len(counts)):
        apart += abs(counts[value] * total - everybody[value] * n)
    return apart == 0 or apart <= (t - 1e-12) * 2.0 * n * total
