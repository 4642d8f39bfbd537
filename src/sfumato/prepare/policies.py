"""Policies derived from data or from a hierarchy, by the strategies of COAT.

G. Loukides, A. Gkoulalas-Divanis, B. Malin, "COAT: constraint-based anonymization of transactions", KAIS 28(2), 2011.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import numpy as np

from sfumato.data import Policy, Taxonomy, Transactions
from sfumato.errors import DataError, MissingKnowledge, ParameterError, did_you_mean
from sfumato.io.policies import read_policy
from sfumato.kernels.recoding.pattern_counts import count_patterns

__all__ = [
    "RULES",
    "every_set",
    "frequent_sets",
    "is_rule",
    "named_policy",
    "policy_of_rule",
    "rare_sets",
    "require_rule",
    "siblings",
    "split_rule",
]

Which = Literal["privacy", "utility"]

RULES: dict[Which, dict[str, tuple[str, ...]]] = {
    "privacy": {"all": ("SIZE",), "rare": ("SIZE", "BELOW"), "frequent": ("SIZE", "FROM")},
    "utility": {"siblings": ("LEVEL",)},
}
"""The rules that make a privacy or a utility policy, each with the names of its numbers."""


def is_rule(which: Which, text: str) -> bool:
    """Whether a text is a rule, such as ``all:2``, and no file.

    >>> is_rule("privacy", "all:2"), is_rule("utility", "all:2"), is_rule("privacy", "all.csv")
    (True, False, False)
    """
    name, colon, _ = text.partition(":")
    return bool(colon) and name in RULES[which]


def require_rule(which: Which, text: str) -> tuple[str, tuple[int, ...]]:
    """The name and the numbers of a rule; refuses numbers that the rule does not take.

    >>> require_rule("privacy", "rare:2:5")
    ('rare', (2, 5))
    """
    name, *numbers = text.split(":")
    wanted = RULES[which][name]
    if len(numbers) != len(wanted) or not all(re.fullmatch(r"[1-9]\d{0,8}", number) for number in numbers):
        raise ParameterError(f"wanted {':'.join((name, *wanted))} with whole numbers of at least 1, found {text!r}")
    return name, tuple(map(int, numbers))


def named_policy(which: Which, text: str | Path, data: Transactions) -> Policy:
    """The policy that a text names: a file, or a rule such as ``all:2``, ``rare:2:5`` or ``siblings:1``.

    >>> named_policy("privacy", "all:2", Transactions.from_lists([["a"]]))
    <Policy: all sets of up to 2 items>
    """
    if not isinstance(text, str) or not is_rule(which, text):
        _refuse_misspelt(which, str(text))
        return read_policy(text)
    name, numbers = require_rule(which, text)
    if name == "all":
        return every_set(*numbers)
    if name == "siblings":
        if data.taxonomy is None:
            raise MissingKnowledge(
                f"{text}: needs a hierarchy of the items, these data carry none", remedy="give-taxonomy"
            )
        return siblings(data.taxonomy, *numbers)
    return rare_sets(data, *numbers) if name == "rare" else frequent_sets(data, *numbers)


def _refuse_misspelt(which: Which, text: str) -> None:
    """Refuse a text that names no file and looks like a rule: a word, a colon and numbers."""
    if re.fullmatch(r"[a-z]+(:\d+)+", text) and not Path(text).exists():
        name = text.partition(":")[0]
        raise ParameterError(f"no rule is called {name!r}; {did_you_mean(name, RULES[which])}")


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
    keys, counts = count_patterns(grouped.codes, grouped.offsets, unit_offsets, len(data.names), size, size)
    rows = keys[(counts >= low) & (counts <= high)]
    if len(rows) == 0:
        raise DataError(f"wanted sets of {size} items with such a support, found none; choose another bound")
    rows = rows[np.lexsort(rows.T[::-1])]  # code order is name order
    return Policy(([data.names[code] for code in row] for row in rows.tolist()), rule=rule)


def siblings(tree: Taxonomy, level: int = 1) -> Policy:
    """A utility policy: items may share a label if they are below the same node, `level` steps above them.

    It names every leaf, whether the item occurs in data or not: what it leaves out would disclose what occurs.

    >>> food = Taxonomy({"food": None, "fruit": "food", "bread": "food", "apple": "fruit", "fig": "fruit"})
    >>> siblings(food).sets
    (('apple', 'fig'), ('bread',))
    """
    if level < 1:
        raise DataError(f"siblings: wanted a level of at least 1, found {level}")
    if tree.rule:
        raise DataError(
            "siblings: wanted a hierarchy that was given, found one that was computed from the data; its policy would "
            "disclose which items occur"
        )
    height = max(len(tree.ancestors(leaf)) for leaf in tree.leaves)
    if level > height:
        raise DataError(f"siblings: wanted a level of at most {height}, the height of the hierarchy, found {level}")
    groups: dict[str, list[str]] = {}
    for leaf in tree.leaves:
        path = (leaf, *tree.ancestors(leaf))
        groups.setdefault(path[min(level, len(path) - 1)], []).append(leaf)
    return Policy(groups.values())
