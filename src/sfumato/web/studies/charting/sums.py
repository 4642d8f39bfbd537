"""Whether sums and differences of published numbers say how many people are in a group of a few.

A group is disclosed if its number is the same for every table that agrees with the published numbers, that is if every
solution of their homogeneous equations sums to zero over it.  A random solution modulo primes does so only for these
groups, so that they are found by searching sums of zero: half of a group is looked up among all other halves.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt
from django.utils.translation import gettext as _

__all__ = ["few_people"]

_PRIME = 2**31 - 1
_MOST_HALVES = 2_000_000
Matrix = npt.NDArray[np.int64]


def few_people(shown: Matrix, counts: Matrix, k: int) -> str:
    """A sentence if published numbers disclose a group of fewer than k people, or if this cannot be decided.

    shown : a row for each published number, which says the parts of the people that it counts.  counts : of the parts.

    >>> few_people(np.array([[1, 1, 1], [1, 1, 0]]), np.array([30, 20, 2]), 5)
    'together with charts that were shared before it would reveal a count below 5'
    >>> few_people(np.array([[1, 1, 1], [1, 1, 0]]), np.array([30, 2, 20]), 5)
    ''
    """
    small = counts < k
    if not small.any():
        return ""
    solutions = np.array([_random_solution(shown, seed) for seed in (20, 21)])
    values, sizes = solutions[:, small], counts[small]
    reach = _reach(sizes, k)
    if sum(comb(len(sizes), number) for number in range(1, reach + 1)) > _MOST_HALVES:
        return _("it and charts that were shared before divide people into too many small groups; choose wider groups")
    if (shown @ solutions.T % _PRIME).any() or _sums_to_zero(values, sizes, reach, k):
        return _("together with charts that were shared before it would reveal a count below %(k)s") % {"k": k}
    return ""


def _reach(sizes: Matrix, k: int) -> int:
    """How many parts half of a group of fewer than k people has at most."""
    most = int((np.cumsum(np.sort(sizes)) < k).sum())
    return (most + 1) // 2


def _sums_to_zero(values: Matrix, sizes: Matrix, reach: int, k: int) -> bool:
    """Whether some parts with fewer than k people together have the sum zero."""
    sums, people = [], []
    for number in range(1, reach + 1):
        places = _choices(len(sizes), number)
        held = sizes[places].sum(axis=1)
        places = places[held < k]
        sums.append(sum(values[:, place] for place in places.T) % _PRIME)
        people.append(held[held < k])
    halves, held = np.hstack(sums), np.concatenate(people)
    keys = (halves[0] << 31) | halves[1]
    if not keys.all():
        return True
    order = np.lexsort((held, keys))
    keys, held, halves = keys[order], held[order], halves[:, order]  # of equal sums, the fewest people first
    opposite = -halves % _PRIME
    wanted = (opposite[0] << 31) | opposite[1]
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return bool(((keys[places] == wanted) & (held[places] + held < k)).any())


def _choices(many: int, number: int) -> Matrix:
    """Every choice of so many parts."""
    if number == 1:
        return np.arange(many)[:, None]
    if number == 2:
        return np.column_stack(np.triu_indices(many, 1))
    return np.array(list(combinations(range(many), number)), dtype=np.int64).reshape(-1, number)


def _random_solution(equations: Matrix, seed: int) -> Matrix:
    """A random solution of the homogeneous equations modulo a prime: a random vector less its part in their span."""
    random: Matrix = np.random.default_rng(seed).integers(1, _PRIME, (equations.shape[1],))
    products = np.rint(equations.astype(float) @ equations.T.astype(float)).astype(np.int64)
    factors = _solved(products, equations @ random % _PRIME)
    return (random - equations.T @ factors) % _PRIME


def _solved(matrix: Matrix, right: Matrix) -> Matrix:
    """A solution of linear equations modulo a prime that are known to have one; free unknowns are zero."""
    table = np.column_stack([matrix, right]) % _PRIME
    pivots: list[int] = []
    for column in range(matrix.shape[1]):
        row = len(pivots)
        places = np.flatnonzero(table[row:, column])
        if not places.size:
            continue
        table[[row, row + places[0]]] = table[[row + places[0], row]]
        table[row] = table[row] * pow(int(table[row, column]), -1, _PRIME) % _PRIME
        others = np.flatnonzero(table[:, column])
        others = others[others != row]
        table[others] = (table[others] - table[others, column][:, None] * table[row]) % _PRIME
        pivots.append(column)
    solution = np.zeros(matrix.shape[1], dtype=np.int64)
    solution[pivots] = table[: len(pivots), -1]
    return solution
