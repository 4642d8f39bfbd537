"""Grouping of CAST against trying all groups."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from sfumato.data import Taxonomy
from sfumato.methods.base import Run
from sfumato.methods.trajectories.cast import grouping as cast_grouping
from sfumato.methods.trajectories.cast.grouping import Pool, grouped
from sfumato.methods.trajectories.cast.lengths import group_lengths
from sfumato.methods.trajectories.cast.taxonomy_arrays import Tree
from twins.cast import best_groups, generalization_cost


def random_tree(chance: Random) -> Taxonomy:
    parents: dict[str, str | None] = {"root": None}
    for number in range(chance.randint(1, 5)):
        parents[f"n{number}"] = chance.choice(list(parents))
    inner = list(parents)
    parents |= {f"leaf{number:02}": chance.choice(inner) for number in range(chance.randint(4, 12))}
    return Taxonomy(parents)


def test_groups_cost_at_most_a_fifth_more_than_by_exact_search_on_200_small_inputs() -> None:
    chance = Random(2011)
    ratios = []
    for _ in range(200):
        tree, distance = random_tree(chance), chance.choice(["hops", "leaves"])
        leaves = [leaf for leaf in tree.leaves if leaf.startswith("leaf")]
        size, length = chance.randint(2, 4), chance.randint(1, 3)
        rows = sorted(tuple(chance.choice(leaves) for _ in range(length)) for _ in range(chance.randint(size, 9)))
        arrays = Tree.of(tree, distance)
        coded = np.array([[arrays.number[place] for place in row] for row in rows])
        order = np.lexsort(coded.T[::-1])
        found, left = grouped(Pool(np.arange(len(rows)), coded[order], np.arange(len(rows))), size, arrays)
        assert sorted([member for group in found for member in group] + left) == list(range(len(rows)))
        assert len(left) == len(rows) % size
        assert all(len(group) == size for group in found)
        names = [[rows[order[member]] for member in group] for group in found]
        mine = sum(generalization_cost(group, tree, distance) for group in names)
        exact = sum(generalization_cost(group, tree, distance) for group in best_groups(rows, size, tree, distance))
        for group, members in zip(names, found, strict=True):
            assert arrays.cost(coded[order[members]]) == pytest.approx(generalization_cost(group, tree, distance))
        ratios.append(1.0 if mine <= exact + 1e-9 else mine / exact)
    assert max(ratios) <= 1.2
    assert np.mean(ratios) <= 1.01


@pytest.mark.parametrize("distance", ["hops", "leaves"])
def test_large_pools_try_fewer_middles_and_still_group_well(distance: str, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random(3)
    tree = Taxonomy.balanced([f"p{number:03}" for number in range(64)], 4)
    arrays = Tree.of(tree, distance)
    rows = np.array(sorted([arrays.number[chance.choice(tree.leaves)] for _ in range(3)] for _ in range(120)))
    costs = []
    for work in (cast_grouping._WORK, 1):
        monkeypatch.setattr(cast_grouping, "_WORK", work)
        monkeypatch.setattr(cast_grouping, "_PAIRS", 0)
        found, left = grouped(Pool(np.arange(120), rows, np.arange(120)), 5, arrays)
        assert (len(found), left) == (24, [])
        costs.append(sum(arrays.cost(rows[group]) for group in found))
    at_random = sum(arrays.cost(rows[np.arange(start, 120, 24)]) for start in range(24))
    assert max(costs) <= 1.2 * min(costs)
    assert max(costs) < 0.85 * at_random


def test_nobody_is_twice_in_a_group() -> None:
    tree = Tree.of(Taxonomy({"*": None, "a": "*", "b": "*"}), "hops")
    a, b = tree.number["a"], tree.number["b"]
    rows, units = np.array([[a], [a], [a], [b], [b]]), np.array([0, 0, 1, 1, 2])
    assert grouped(Pool(np.arange(5), rows, units), 4, tree) == ([], [0, 1, 2, 3, 4])
    assert grouped(Pool(np.arange(5), rows, units), 3, tree) == ([[0, 2, 4]], [1, 3])
    found, _ = grouped(Pool(np.arange(5), rows, units), 2, tree)
    assert len(found) == 2
    assert all(len(set(units[group])) == 2 for group in found)


def test_what_is_left_over_loses_the_place_whose_loss_costs_least_and_joins_the_next_length() -> None:
    tree = Tree.of(Taxonomy({"*": None, "x": "*", "y": "*", "a": "x", "b": "x", "c": "y", "d": "y"}), "hops")

    def coded(text: str) -> tuple[int, ...]:
        return tuple(tree.number[place] for place in text)

    groups, left = group_lengths([coded("acb"), coded("ab"), coded("d")], np.arange(3), 2, tree, Run())
    assert [(group.records, group.positions) for group in groups] == [([0, 1], [(0, 2), (0, 1)])]  # without c: (a, b)
    assert [tree.names[label] for label in groups[0].labels] == ["a", "b"]
    assert left == [2]


def test_places_that_fewer_visit_go_first_where_the_loss_costs_the_same() -> None:
    tree = Tree.of(Taxonomy({"*": None, "a": "*", "b": "*", "c": "*"}), "hops")
    a, b, c = (tree.number[name] for name in "abc")
    groups, left = group_lengths([(a, b, c), (b,), (c,)], np.arange(3), 2, tree, Run())
    # nothing has length 2: a is visited once, b and c twice; then b or c fits the next length, b by name
    assert [(group.records, group.positions[0]) for group in groups] == [([0, 2], (2,))]
    assert left == [1]
