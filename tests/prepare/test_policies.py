"""Policies derived from data or a hierarchy."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from oracles import support
from sfumato import Policy, Taxonomy, Transactions
from sfumato.errors import DataError
from sfumato.prepare.policies import every_set, frequent_sets, rare_sets, siblings


def test_sets_by_support_are_those_of_brute_force() -> None:
    chance = Random(3)
    rows = [sorted({chance.choice("abcde") for _ in range(3)}) for _ in range(20)]
    who = [chance.randrange(9) for _ in rows]
    data = Transactions.from_lists(rows, persons=who)
    supports = {pair: support(pair, rows, who) for pair in combinations("abcde", 2)}
    assert rare_sets(data, 2, 4).sets == tuple(pair for pair, count in supports.items() if 0 < count < 4)
    assert frequent_sets(data, 2, 4).sets == tuple(pair for pair, count in supports.items() if count >= 4)


def test_siblings_share_an_ancestor_so_many_steps_above() -> None:
    tree = Taxonomy({"*": None, "A": "*", "B": "*", "a": "A", "b": "A", "c": "B", "d": "*"})
    assert siblings(tree).sets == (("a", "b"), ("c",), ("d",))
    assert siblings(tree, 2).sets == (("a", "b", "c", "d"),)


def test_refusals() -> None:
    assert every_set(2) == Policy(size=2)
    with pytest.raises(DataError, match="every_set: wanted a size of at least 1, found 0"):
        every_set(0)
    with pytest.raises(DataError, match="siblings: wanted a level of at least 1, found 0"):
        siblings(Taxonomy({"a": None}), 0)
    with pytest.raises(DataError, match="wanted sets of 2 items with such a support"):
        rare_sets(Transactions.from_lists([["a", "b"]]), 2, 1)
