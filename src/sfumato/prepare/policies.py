"""Policies derived from data or from a hierarchy, by the strategies of COAT.

G. Loukides, A. Gkoulalas-Divanis, B. Malin, "COAT: constraint-based anonymization of transactions", KAIS 28(2), 2011.
"""

from __future__ import annotations

import re

import numpy as np

from sfumato.data import Policy, Taxonomy, Transactions
from sfumato.errors import DataError
from sfumato.kernels.recoding.subsequence_supports import count_patterns

__all__ = ["every_set", "frequent_sets", "policy_of_rule", "rare_sets", "siblings", "split_rule"]


def every_set(size: int) -> Policy:
    """A privacy policy that protects all sets of up to `size` items: k^m-anonymity as a policy."""
    if size < 1:
        raise DataError(f"every_set: wanted a size of at least 1, found {size}")
    return Policy(size=size)


def rare_sets(data: Transactions, size: int, below: int) -> Policy:
    """A privacy policy of the sets of `size` items that occur, but in fewer than `below` records (or persons).

    >>> baskets = Transactions.from_lists([["a", "b"], ["a", "b"], ["a", "c"]])
    >>> rare_sets(baskets, size=2, below=2).sets
    (('a', 'c'),)
    """
    return _by_support(data, size, 1, below - 1, rule=f"rare:{size}:{below}")


def frequent_sets(data: Transactions, size: int, at_least: int) -> Policy:
    """A privacy policy of the sets of `size` items with a support of at least this many records (or persons)."""
    return _by_support(data, size, at_least, np.iinfo(np.int64).max, rule=f"frequent:{size}:{at_least}")


def policy_of_rule(rule: str, data: Transactions) -> Policy:
    """The private policy that a rule, as a certificate names it, computes from the original.

    >>> policy_of_rule("rare:2:2", Transactions.from_lists([["a", "b"], ["a", "b"], ["a", "c"]])).sets
    (('a', 'c'),)
    """
    name, size, bound = split_rule(rule)
    return (rare_sets if name == "rare" else frequent_sets)(data, size, bound)


def split_rule(rule: str) -> tuple[str, int, int]:
    """The name of a rule that computes a policy from data, the size of its sets, and its bound."""
    match = re.fullmatch(r"(rare|frequent):([1-9]\d{0,8}):([1-9]\d{0,8})", rule)
    if match is None:
        raise DataError("wanted a rule rare:SIZE:BELOW or frequent:SIZE:FROM, found something else")
    return match[1], int(match[2]), int(match[3])


def _by_support(data: Transactions, size: int, low: int, high: int, *, rule: str) -> Policy:
    grouped, unit_offsets = data.by_unit()
    keys, counts, _, _ = count_patterns(grouped.codes, grouped.offsets, unit_offsets, len(data.names), size, size)
    rows = keys[(keys[:, 0] >= 0) & (counts >= low) & (counts <= high)]
    if len(rows) == 0:
        raise DataError(f"wanted sets of {size} items with such a support, found none; choose another bound")
    rows = rows[np.lexsort(rows.T[::-1])]  # code order is name order
    return Policy(([data.names[code] for code in row] for row in rows.tolist()), rule=rule)


def siblings(tree: Taxonomy, level: int = 1) -> Policy:
    """A utility policy: items may share a label if they are below the same node, `level` steps above them.

    >>> food = Taxonomy({"food": None, "fruit": "food", "bread": "food", "apple": "fruit", "fig": "fruit"})
    >>> siblings(food).sets
    (('apple', 'fig'), ('bread',))
    """
    if level < 1:
        raise DataError(f"siblings: wanted a level of at least 1, found {level}")
    groups: dict[str, list[str]] = {}
    for leaf in tree.leaves:
        path = (leaf, *tree.ancestors(leaf))
        groups.setdefault(path[min(level, len(path) - 1)], []).append(leaf)
    return Policy(groups.values())
