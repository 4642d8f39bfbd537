"""Side knowledge that a method computed from private data: the certificate names its rule, and it stays private."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np

from sfumato.data import Dataset, Mixed, Table, Taxonomy, Trajectories, Transactions
from sfumato.data.base import Ints, Members
from sfumato.data.ragged import Ragged
from sfumato.data.tables.published_names import is_numbered_group, masked_name
from sfumato.privacy import PrivacyModel, Verdict

__all__ = ["as_far_as_public", "policy_rules", "without_suppressed_members"]

DatasetT = TypeVar("DatasetT", bound=Dataset)
RaggedT = TypeVar("RaggedT", bound=Ragged)

_SOME = 1 << 20  # elements looked at together
_MOST_PAIRS = 50_000_000  # of labels and values, a byte each


def policy_rules(private: Dataset, context: set[str]) -> dict[str, str]:
    """The rules by which side knowledge was computed from the data, for the field `policy` of a certificate.

    context : the side knowledge that the promises speak of.

    >>> from sfumato.prepare.policies import rare_sets
    >>> baskets = Transactions.from_lists([["a", "b"], ["a", "b"], ["a", "c"]])
    >>> policy_rules(baskets.with_policies(rare_sets(baskets, 2, 2)), {"privacy_policy"})
    {'privacy_policy': 'rare:2:2'}
    """
    rules: dict[str, str] = {}
    if isinstance(private, Transactions | Mixed):
        for name in ("privacy_policy", "utility_policy"):
            policy = getattr(private, name)
            if name in context and policy is not None and policy.private:
                rules[name] = policy.rule
    elif isinstance(private, Trajectories):
        if "taxonomy" in context and private.taxonomy is not None and private.taxonomy.rule:
            rules["taxonomy"] = private.taxonomy.rule
        if context & {"owner", "sensitive"} and private.places is not None and private.places.derived:
            rules["places"] = "visits"
    items = private.items if isinstance(private, Mixed) else private
    if isinstance(items, Transactions) and items.taxonomy is not None and items.taxonomy.rule:
        rules["taxonomy"] = items.taxonomy.rule
    table = private.table if isinstance(private, Mixed) else private
    if isinstance(table, Table):
        known = set(table.quasi_identifiers)
        derived = [name for name in table.frame.columns if name in known and _is_derived(table.hierarchies.get(name))]
        if derived:
            rules["hierarchies"] = f"derived: {', '.join(derived)}"
    return rules


def _is_derived(tree: Taxonomy | None) -> bool:
    """Whether the hierarchy of a column is computed from the data.

    Its rule is not named: `auto` chooses it by all values, also by those of suppressed rows.
    """
    return tree is None or bool(tree.rule)


def as_far_as_public(model: PrivacyModel, verdict: Verdict, private: Dataset) -> Verdict:
    """The verdict; what was measured under a policy or tree that is private counts as taken from the original."""
    rules = policy_rules(private, set(model.context))
    read_by = {"privacy_policy", "utility_policy", "taxonomy"} & set(model.context)
    if verdict.checked_from == "files" and read_by & rules.keys():
        return replace(verdict, checked_from="original")
    return verdict


def without_suppressed_members(
    private: Dataset, data: DatasetT, origin: Ints | None, *, nodes: bool = False
) -> tuple[DatasetT, Ints | None]:
    """The data of an outcome, whose labels no longer list values of which every occurrence was suppressed; its origin.

    nodes : whether the labels are nodes of a hierarchy.  A node of a hierarchy that was given stands for all leaves
    below it, whether they occur or not.
    """
    if isinstance(data, Mixed) and isinstance(private, Mixed) and origin is not None:
        items = _pruned(private.items, data.items, lambda: np.asarray(origin), None, nodes=True)[0]
        return replace(data, items=items), origin
    if isinstance(data, Ragged) and isinstance(private, Ragged) and origin is not None and data.members:
        pruned, order = _pruned(private, data, lambda: _records_behind(private, data, origin), origin, nodes=nodes)
        return pruned, origin if order is None else origin[order]
    return data, origin


def _records_behind(private: Ragged, data: Ragged, origin: Ints) -> Ints:
    """The private record behind each record, -1 for none."""
    records = np.full(len(data), -1, dtype=np.int64)
    real = np.flatnonzero(np.asarray(origin) >= 0)
    records[data.record_of_element()[real]] = np.searchsorted(private.offsets, origin[real], side="right") - 1
    return records


def _pruned(
    private: Ragged, data: RaggedT, records: Callable[[], Ints], origin: Ints | None, *, nodes: bool
) -> tuple[RaggedT, Ints | None]:
    """The data, and how their elements are ordered where they moved.

    records : gives the private record behind each record of the outcome, -1 for none.
    origin : the private element behind each element, where that is known.
    """
    data = data.with_used_names()
    generated = {
        label: group for label, group in data.members.items() if not (nodes and _is_node(private, label, group))
    }
    members_of = {member for group in generated.values() for member in group}
    left = members_of - (_published_elements(private, data, origin) if origin is not None and members_of else set())
    unseen = _unseen(private, data, records(), left) if left else set()
    tree: Taxonomy | None = getattr(private, "taxonomy", None)
    in_order = sorted if nodes and tree is not None and tree.rule else list  # the order of a private tree is private
    members: Members = {
        label: tuple(in_order(member for member in group if member not in unseen)) if label in generated else group
        for label, group in data.members.items()
    }
    pruned = replace(data, members=members) if members != data.members else data
    if not nodes:
        return _renumbered(pruned)
    return _with_published_names(pruned, tree.rule) if tree is not None and tree.rule else (pruned, None)


def _renumbered(data: RaggedT) -> tuple[RaggedT, Ints | None]:
    """Generated labels numbered in the order of their members, as if suppressed values had never been there."""
    generated = [label for label in data.members if re.fullmatch(r"g+\d+", label)]
    generated.sort(key=lambda label: int(label.lstrip("g")))
    prefix = generated[0].rstrip("0123456789") if generated else ""
    if generated == [f"{prefix}{number}" for number in range(1, len(generated) + 1)] and _in_order(data, generated):
        return data, None
    by_members = sorted(generated, key=lambda label: sorted(data.members[label]))
    new_name = {label: f"{prefix}{number}" for number, label in enumerate(by_members, start=1)}
    return _renamed(data, new_name)


def _with_published_names(data: RaggedT, rule: str) -> tuple[RaggedT, Ints | None]:
    """Groups and masks of a derived tree, named after their members as if suppressed values had never been there."""
    values = {member for group in data.members.values() for member in group} | (set(data.names) - set(data.members))
    groups = sorted((sorted(group), label) for label, group in data.members.items() if _is_group(label, rule))
    prefix = "g"
    while any(re.fullmatch(rf"{prefix}\d+", value) for value in values):
        prefix += "g"
    new_name = {label: f"{prefix}{number}" for number, (_, label) in enumerate(groups, start=1)}
    if "prefix:" in rule:
        new_name |= {label: masked_name(label, values) for label in data.members}
    return _renamed(data, new_name) if any(label != name for label, name in new_name.items()) else (data, None)


def _is_group(label: str, rule: str) -> bool:
    return ("balanced:" in rule or "frequency:" in rule) and is_numbered_group(label.replace("_", " "))


def _renamed(data: RaggedT, new_name: dict[str, str]) -> tuple[RaggedT, Ints]:
    """The data with other names of labels, and the order of their elements."""
    named = [new_name.get(name, name) for name in data.names]
    names = tuple(sorted(named))
    code_of = {name: code for code, name in enumerate(names)}
    codes = np.array([code_of[name] for name in named], dtype=np.int32)[data.codes]
    members = {new_name.get(label, label): group for label, group in data.members.items()}
    order = np.arange(len(codes))
    if isinstance(data, Transactions):  # the labels of a set rise
        order = np.lexsort((codes, data.record_of_element()))
    return replace(data, codes=codes[order], names=names, members=members), order


def _in_order(data: Ragged, labels: list[str]) -> bool:
    firsts = [min(data.members[label], default="") for label in labels]
    return firsts == sorted(firsts)


def _is_node(private: Ragged, label: str, group: tuple[str, ...]) -> bool:
    """Whether a label is a node of a taxonomy that was given: its members are then public."""
    tree: Taxonomy | None = getattr(private, "taxonomy", None)
    if tree is None or tree.rule or not all(member in tree for member in group):
        return False
    node = label if label in tree else tree.common_ancestor(group)
    below = tree.leaves_below(node)
    return len(group) == len(below) or set(below) - set(group) <= private.sensitive_among(below)  # type: ignore[attr-defined]


def _published_elements(private: Ragged, published: Ragged, origin: Ints) -> set[str]:
    """The values of which an element is published under a label that stands for it."""
    if len(private.names) * len(published.names) > _MOST_PAIRS:
        return set()
    is_pair = np.zeros((len(published.names), len(private.names)), dtype=bool)
    for start in range(0, len(origin), _SOME):  # some at a time: as many pairs as visits would fill the memory
        behind = np.asarray(origin[start : start + _SOME])
        real = behind >= 0
        is_pair[published.codes[start : start + _SOME][real], private.codes[behind[real]]] = True
    names = ((published.names[label], private.names[code]) for label, code in np.argwhere(is_pair).tolist())
    return {name for label, name in names if name in published.members.get(label, (label,))}


def _unseen(private: Ragged, published: Ragged, records: Ints, members: set[str]) -> set[str]:
    """Those of the members that no published record was read from."""
    by_record = np.argsort(records, kind="stable")
    sorted_records = records[by_record]
    by_code = np.argsort(private.codes, kind="stable")
    starts = np.searchsorted(private.codes[by_code], np.arange(len(private.names) + 1))
    record_of = private.record_of_element()
    code_of = {name: code for code, name in enumerate(private.names)}
    label_sets: dict[int, set[str]] = {}

    def is_published(member: str) -> bool:
        """Whether a record that holds the member is published under a label that stands for it."""
        code = code_of.get(member)
        if code is None:
            return False
        for record in record_of[by_code[starts[code] : starts[code + 1]]].tolist():
            first, stop = np.searchsorted(sorted_records, [record, record + 1])
            for row in by_record[first:stop].tolist():
                if row not in label_sets:
                    label_sets[row] = set(published.labels(row))
                if any(member in published.members.get(label, (label,)) for label in label_sets[row]):
                    return True
        return False

    return {member for member in members if not is_published(member)}
