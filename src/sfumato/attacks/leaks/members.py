"""Leaks of the file of members: foreign attributes, unused labels, and members that no data or hierarchy have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from sfumato.attacks.leaks.leak import Leak
from sfumato.catalogue import METHODS, method_class
from sfumato.data import Dataset, Mixed, Table, Taxonomy
from sfumato.data.base import Members
from sfumato.data.ragged import Ragged
from sfumato.data.tables.dates import calendar_nodes
from sfumato.data.tables.encoding import MISSING, texts_of
from sfumato.io.published.certificate import Certificate
from sfumato.io.published.directory import Published

__all__ = ["member_leaks"]


def member_leaks(published: Published, original: Dataset | None) -> Iterator[Leak]:
    """The leaks of the file of members; with the original, also members that it does not have."""
    data, certificate, file = published.data, published.certificate, f"members.{published.format}"
    if isinstance(data, Table | Mixed):
        yield from _columns(data, file)
    if original is None or data is None or data.kind != original.kind:
        return
    for attribute, labels in ((name, listed) for name, listed in _labels(data).items() if listed):
        values, tree, sensitive = _known(original, attribute)
        unknown = sum(
            _is_unknown(
                label, members, values, tree, sensitive, generated=_is_generated(data, attribute, label, certificate)
            )
            for label, members in labels.items()
        )
        if unknown:
            what = "labels stand" if unknown > 1 else "label stands"
            yield Leak("labels", file, f"{unknown} {what} for values that neither the original nor its hierarchy has")


def _labels(data: Dataset | None) -> dict[str, Members]:
    if isinstance(data, Mixed):
        return {**data.table.members, data.column: data.items.members}
    if isinstance(data, Table):
        return dict(data.members)
    return {data.attribute: data.members} if isinstance(data, Ragged) else {}


def _columns(data: Table | Mixed, file: str) -> Iterator[Leak]:
    """A row of the file of members belongs to a published column and to a label that occurs there."""
    table = data.table if isinstance(data, Mixed) else data
    for attribute, labels in table.members.items():
        if attribute not in table.frame.columns:
            yield Leak("labels", file, f"members of {attribute!r}, which is not a column of the data")
            continue
        used = {str(value) for value in table[attribute].unique().to_list()}
        if set(labels) - used:
            yield Leak("labels", file, f"labels of {attribute!r} that no published value has")
    if isinstance(data, Mixed) and set(data.items.members) - set(data.items.names):
        yield Leak("labels", file, f"labels of {data.column!r} that no published value has")


def _known(original: Any, attribute: str) -> tuple[set[str], Taxonomy | None, frozenset[str]]:
    """The values of an attribute of the original, its hierarchy if it has one, and its sensitive values."""
    if isinstance(original, Mixed) and attribute == original.column:
        original = original.items
    if isinstance(original, Ragged):
        tree = getattr(original, "taxonomy", None)
        names = tuple(original.names) if tree is None else (*original.names, *tree.leaves)
        return set(original.names), tree, original.sensitive_among(names)  # type: ignore[attr-defined]
    table = original.table if isinstance(original, Mixed) else original
    if attribute not in table.frame.columns:
        return set(), None, frozenset()
    values = {str(value) for value in texts_of(table[attribute]).drop_nulls().unique().to_list()}
    values |= calendar_nodes(table[attribute])
    return values, table.hierarchies.get(attribute), frozenset()


def _is_unknown(
    label: str,
    members: tuple[str, ...],
    values: set[str],
    tree: Taxonomy | None,
    sensitive: frozenset[str],
    *,
    generated: bool,
) -> bool:
    """Whether a member is neither a value of the original nor, under a node of its hierarchy, a leaf of that node.

    generated : the label was generated from the data, not taken from a tree that is not here and may have other leaves.
    """
    members = tuple(member for member in members if member in values or member.rstrip("*") != MISSING)
    foreign = {member for member in members if member not in values and not member.startswith("[")}
    if generated and foreign:
        return True
    if tree is not None and label in tree and not re.fullmatch(r"g+\d+", label):  # a label may be called like a node
        below = set(tree.leaves_below(label))
        return not set(members) <= below or not (tree.rule or below - set(members) <= sensitive)
    return tree is not None and bool(foreign - set(tree.leaves))


def _is_generated(data: Dataset, attribute: str, label: str, certificate: Certificate) -> bool:
    """Whether a label was generated from the data, so that each of its members is a value of the original.

    A node of a hierarchy that was given also stands for leaves that do not occur, and the hierarchy may not be here.  A
    policy that was given may name items that do not occur; the methods that keep it group only the items of the data.
    """
    policy = str((certificate.policy or {}).get("hierarchies", ""))
    parts = policy.removeprefix("derived: ").split(", ")
    if any(part == attribute or part.startswith(f"{attribute} by ") for part in parts):
        return True
    name = certificate.method
    if name not in METHODS:
        return False
    if _is_of_items(data, attribute):
        maker = certificate.parameters.get("transaction") if isinstance(data, Mixed) else name
        maker = maker.get("method") if isinstance(maker, dict) else maker  # with parameters of its own
        return maker in METHODS and not method_class(str(maker)).labels_are_nodes
    takes = method_class(name).side_knowledge()
    return not {"taxonomy", "hierarchies"} & set(takes) or (
        re.fullmatch(r"g+\d+", label) is not None and "taxonomy" not in takes
    )


def _is_of_items(data: Dataset, attribute: str) -> bool:
    """Whether an attribute holds items or locations, not cells of a column."""
    return isinstance(data, Ragged) or (isinstance(data, Mixed) and attribute == data.column)
