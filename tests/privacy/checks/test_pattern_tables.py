"""Tables of patterns beside all combinations of visits, counted one by one."""

from collections import defaultdict
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

from sfumato import Places, Trajectories
from sfumato.privacy.checks.label_images import LabelImages
from sfumato.privacy.checks.pattern_tables import association_table, image_tables, pattern_supports


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


@pytest.mark.parametrize("m", [1, 2, 3])
@pytest.mark.parametrize("units_at_once", [1, 4, 1000])
def test_images_of_a_sequence_count_a_person_once(m: int, units_at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.privacy.checks.pattern_tables._UNITS", units_at_once)
    rng = np.random.default_rng(m)
    sets = [["a", "g2", "y"], ["g1", "c", "z"], ["g3", "y", "z"], ["a", "b", "c"]]  # of labels that share no member
    members = {"g1": ("a", "b"), "g2": ("b", "c"), "g3": ("a", "b", "c")}
    visits = [rng.choice(sets[rng.integers(4)], rng.integers(1, 6)).tolist() for _ in range(60)]
    people = rng.integers(0, 15, 60).tolist()
    places = Places.planar(dict.fromkeys("abcyz", (0, 0))).with_sensitive("yz")
    data = replace(Trajectories.from_lists(visits, persons=people, places=places), members=members)
    images = LabelImages.of(data, [code for code, name in enumerate(data.names) if name not in "yz"])
    assert images is not None
    holders: dict[tuple[tuple[str, ...], int], set[int]] = defaultdict(set)
    for row, person in zip(visits, people, strict=True):
        values = [-1, *(number for number, name in enumerate("yz") if name in row)]
        for size in range(1, m + 1):
            for pattern in combinations([label for label in row if label not in "yz"], size):
                for places_known in product(*(members.get(label, (label,)) for label in pattern)):
                    for value in values:
                        holders[places_known, value].add(person)
    counted: dict[tuple[tuple[str, ...], int], int] = defaultdict(int)
    for table in image_tables(data, images, m):
        for row, value, units in zip(*(column.tolist() for column in table), strict=True):
            counted[tuple(images.names[profile] for profile in row if profile >= 0), value] += units
    assert counted == {key: len(found) for key, found in holders.items()}
    overlapping = images.overlapping_units(data)
    assert overlapping.any() == images.overlap_in_units(data)
    shared = {}
    for person in set(people):
        labels = {label for row, one in zip(visits, people, strict=True) if one == person for label in row} - {*"yz"}
        known = [member for label in labels for member in members.get(label, (label,))]
        shared[data.persons.names.to_list().index(person)] = len(known) > len(set(known))
    assert overlapping.tolist() == [shared[number] for number in range(len(shared))]
