"""Policies derived from data or a hierarchy."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from oracles import support
from sfumato import Policy, Taxonomy, Transactions
from sfumato.errors import DataError, MissingKnowledge, ParameterError
from sfumato.prepare.policies import every_set, frequent_sets, named_policy, rare_sets, siblings


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


def test_a_policy_is_named_by_a_rule_or_a_file(tmp_path: Path) -> None:
    tree = Taxonomy({"*": None, "A": "*", "a": "A", "b": "A", "c": "*"})
    data = Transactions.from_lists([["a", "b"], ["a"], ["a", "b"]], taxonomy=tree)
    assert named_policy("privacy", "all:3", data) == every_set(3)
    assert named_policy("privacy", "rare:2:3", data) == rare_sets(data, 2, 3)
    assert named_policy("privacy", "frequent:1:3", data) == frequent_sets(data, 1, 3)
    assert named_policy("utility", "siblings:1", data).sets == (("a", "b"), ("c",))
    (tmp_path / "p.txt").write_text("a b\n")
    assert named_policy("privacy", tmp_path / "p.txt", data).sets == (("a", "b"),)
    with pytest.raises(
        ParameterError, match=r"wanted rare:SIZE:BELOW with whole numbers of at least 1, found 'rare:2'"
    ):
        named_policy("privacy", "rare:2", data)
    with pytest.raises(MissingKnowledge, match="siblings:1: needs a hierarchy of the items"):
        named_policy("utility", "siblings:1", Transactions.from_lists([["a"]]))


def test_siblings_of_a_hierarchy_that_was_computed_from_the_data_would_disclose_them() -> None:
    tree = Taxonomy({"*": None, "a": "*"}, rule="balanced:2")
    with pytest.raises(DataError, match="siblings: wanted a hierarchy that was given"):
        siblings(tree)


def test_refusals() -> None:
    assert every_set(2) == Policy(size=2)
    with pytest.raises(DataError, match="every_set: wanted a size of at least 1, found 0"):
        every_set(0)
    with pytest.raises(DataError, match="siblings: wanted a level of at least 1, found 0"):
        siblings(Taxonomy({"a": None}), 0)
    with pytest.raises(DataError, match="wanted sets of 2 items with such a support"):
        rare_sets(Transactions.from_lists([["a", "b"]]), 2, 1)


def test_a_level_above_the_height_is_refused() -> None:
    tree = Taxonomy({"food": None, "fruit": "food", "apple": "fruit", "fig": "fruit"})
    assert siblings(tree, 2).sets == (("apple", "fig"),)
    with pytest.raises(DataError, match="wanted a level of at most 2, the height of the hierarchy, found 9"):
        siblings(tree, 9)


def test_a_misspelt_rule_is_no_missing_file() -> None:
    with pytest.raises(ParameterError, match="no rule is called 'sibling'; did you mean 'siblings'"):
        named_policy("utility", "sibling:1", Transactions.from_lists([["a"]]))
