"""Tables of patterns beside all combinations of visits, counted one by one."""

from collections import defaultdict
from itertools import combinations

import numpy as np
import pytest

from sfumato import Places, Trajectories
from sfumato.privacy.checks.pattern_tables import association_table, pattern_supports


def random_walks(seed: int) -> tuple[list[list[str]], list[int]]:
    rng = np.random.default_rng(seed)
    visits = [[str(code) for code in rng.integers(0, 6, rng.integers(0, 7))] for _ in range(80)]
    return visits, rng.integers(0, 30, 80).tolist()


@pytest.mark.parametrize("m", [1, 2, 3])
def test_supports_are_those_of_all_combinations(m: int) -> None:
    visits, persons = random_walks(m)
    data = Trajectories.from_lists(visits, persons=persons)
    holders: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for row, person in zip(visits, persons, strict=True):
        for size in range(1, m + 1):
            for pattern in combinations(row, size):
                holders[pattern].add(person)
    patterns, supports = pattern_supports(data, m)
    counted = {
        tuple(data.names[code] for code in row if code >= 0): support
        for row, support in zip(patterns.tolist(), supports.tolist(), strict=True)
    }
    assert len(counted) == len(supports)
    assert counted == {pattern: len(people) for pattern, people in holders.items()}


def test_associations_are_those_of_all_combinations() -> None:
    visits, persons = random_walks(9)
    places = Places.planar({str(code): (code, 0) for code in range(6)}).with_sensitive(["0", "5"])
    data = Trajectories.from_lists(visits, persons=persons, places=places)
    holders: dict[tuple[tuple[str, ...], int], set[int]] = defaultdict(set)
    for row, person in zip(visits, persons, strict=True):
        values = [-1, *(number for number, name in enumerate(("0", "5")) if name in row)]
        for size in (1, 2):
            for pattern in combinations([place for place in row if place not in "05"], size):
                for value in values:
                    holders[pattern, value].add(person)
    table = association_table(data, 2)
    counted = {
        (tuple(data.names[code] for code in row if code >= 0), value): units
        for row, value, units in zip(table.patterns.tolist(), table.values.tolist(), table.units.tolist(), strict=True)
    }
    assert counted == {key: len(people) for key, people in holders.items()}


def test_nothing_has_no_patterns() -> None:
    patterns, supports = pattern_supports(Trajectories.from_lists([]), 2)
    assert patterns.shape == (0, 2)
    assert len(supports) == 0
