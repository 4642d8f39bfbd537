"""Tests whether a group of rows meets k-anonymity, l-diversity and t-closeness, counted in persons and in rows."""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["Demand", "distinct_numbers", "meets"]


class Demand(NamedTuple):
    """The privacy parameters of a group, the sensitive values that they are about, and scratch arrays.

    l = 1 and t >= 1 ask for nothing.  A scratch entry counts only where it holds the present `tick`.
    """

    k: Any  # int: persons
    l: Any  # int: distinct values of each sensitive column  # noqa: E741
    t: Any  # float: largest distance to the distribution of the whole table
    units: Any  # int32[n]: the person of each row
    alone: Any  # bool: no person has two rows
    sensitive: Any  # int32[n, columns]: the sensitive values
    pairs: Any  # int32[n, columns]: the number of each row's pair of person and value
    person_counts: Any  # int64[columns, values]: persons of the whole table with each value
    row_counts: Any  # int64[columns, values]: rows of the whole table with each value
    seen: Any  # int64[...], scratch
    slot: Any  # int64[...], scratch
    tick: Any  # int64[1], scratch


@njit(cache=True)
def meets(members, size, demand):
    """Whether the group of these rows (the first `size` of members) meets the demand."""
    units, alone, l, t, seen, tick = demand.units, demand.alone, demand.l, demand.t, demand.seen, demand.tick  # noqa: E741
    if size < demand.k or (not alone and distinct_numbers(members, size, units, seen, tick) < demand.k):
        return False
    for column in range(demand.sensitive.shape[1]):
        values = demand.sensitive[:, column]
        if l > 1:
            if distinct_numbers(members, size, values, seen, tick) < l:
                return False
            if not alone and matched_values(members, size, values, units, l, seen, demand.slot, tick) < l:
                return False
        if t < 1.0 and not close_by_person(
            members, size, values, demand.pairs[:, column], demand.person_counts[column], t, seen, tick
        ):
            return False
        if t < 1.0 and not alone and not close_by_row(members, size, values, demand.row_counts[column], t):
            return False
    return True


@njit(cache=True)
def distinct_numbers(members, size, numbers, seen, tick):
    """Count the distinct numbers of these rows; numbers : int32[n], the number of each row."""
    tick[0] += 1
    count = 0
    for position in range(size):
        number = numbers[members[position]]
        if seen[number] != tick[0]:
            seen[number] = tick[0]
            count += 1
    return count


@njit(cache=True)
def first_rows(members, size, numbers, seen, slot, tick):
    """For each of these rows the first one with the same number: int64[size]."""
    tick[0] += 1
    first = np.empty(size, dtype=np.int64)
    for position in range(size):
        number = numbers[members[position]]
        if seen[number] != tick[0]:
            seen[number] = tick[0]
            slot[number] = position
        first[position] = slot[number]
    return first


@njit(cache=True)
def matched_values(members, size, values, units, enough, seen, slot, tick):
    """The size of a largest matching between sensitive values and persons who have them; counting stops at `enough`.

    The matching grows by augmenting paths.  The first row with a value or a person stands for it.
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
        for position in range(size):
            asked[position] = -1
        waiting[0] = value
        n_waiting, end = 1, -1
        while n_waiting > 0 and end < 0:
            n_waiting -= 1
            asking = waiting[n_waiting]
            for position in range(size):
                person = first_unit[position]
                if first_value[position] == asking and asked[person] < 0 and end < 0:
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
def close_by_person(members, size, values, pairs, person_counts, t, seen, tick):
    """Whether the values of these rows are t-close to the whole table's, each value counted once a person.

    The distance is the earth mover's with equal steps.  A rounding error makes the test stricter: the verifier compares
    exactly.
    """
    tick[0] += 1
    counts = np.zeros(len(person_counts), dtype=np.int64)
    n = 0
    for position in range(size):
        pair = pairs[members[position]]
        if seen[pair] != tick[0]:
            seen[pair] = tick[0]
            counts[values[members[position]]] += 1
            n += 1
    return within_distance(counts, n, person_counts, t)


@njit(cache=True)
def close_by_row(members, size, values, row_counts, t):
    """Whether the values of these rows are t-close to the whole table's, each row counted."""
    counts = np.zeros(len(row_counts), dtype=np.int64)
    for position in range(size):
        counts[values[members[position]]] += 1
    return within_distance(counts, size, row_counts, t)


@njit(cache=True)
def within_distance(counts, n, all_counts, t):
    """Whether the distribution of n counts is within t of the whole table's."""
    total, apart = 0, 0
    for value in range(len(counts)):
        total += all_counts[value]
    for value in range(len(counts)):
        apart += abs(counts[value] * total - all_counts[value] * n)
    return apart == 0 or apart <= (t - 1e-12) * 2.0 * n * total
