"""Releases of different hierarchies, as one hierarchy reads them, so that their figures can be compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from sfumato.data.base import Dataset, Ints, Members
from sfumato.data.mixed import Mixed
from sfumato.data.tables.encoding import Attribute, Coding
from sfumato.data.tables.published_labels import Labels
from sfumato.data.tables.table import Table
from sfumato.data.taxonomy import Taxonomy
from sfumato.data.trajectories import Trajectories
from sfumato.data.transactions import Transactions

__all__ = ["read_with"]


def read_with(published: Dataset, private: Dataset, reference: Dataset) -> Dataset:
    """Published data with labels put in terms of another hierarchy of the same original.

    private, reference : the original with the hierarchy of the release, and with the other one.  A label of a column or
    of items stands for its members, as far as the other hierarchy has them; a label of places becomes the lowest node
    over its members.

    >>> ages, own = {"age": [1, 2, 3, 9]}, Taxonomy({"*": None, "low": "*", "1": "low", "2": "low", "3": "*", "9": "*"})
    >>> other = Taxonomy({"*": None, "low": "*", **dict.fromkeys("123", "low"), "9": "*"})
    >>> published = Table({"age": ["low", "low", "3", "9"]}, members={"age": {"low": ("1", "2")}})
    >>> before, after = (Table(ages, hierarchies={"age": tree}) for tree in (own, other))
    >>> read_with(published, before, after).members  # low has another meaning there
    {'age': {"low'": ('1', '2')}}
    """
    if isinstance(published, Mixed) and isinstance(private, Mixed) and isinstance(reference, Mixed):
        return replace(
            published,
            table=_table(published.table, private.table, reference.table),
            items=_items(published.items, private.items, reference.items),
        )
    if isinstance(published, Table) and isinstance(private, Table) and isinstance(reference, Table):
        return _table(published, private, reference)
    if isinstance(published, Transactions) and isinstance(private, Transactions):
        return _items(published, private, reference)
    if isinstance(published, Trajectories) and isinstance(private, Trajectories):
        return _places(published, private, reference)
    return published


def _table(published: Table, private: Table, reference: Table) -> Table:
    frame, members = published.frame, dict(published.members)
    own = {attribute.name: attribute for attribute in Coding.of(private).attributes}
    for attribute in Coding.of(reference).attributes:
        column = attribute.name
        if private.hierarchies.get(column) == reference.hierarchies.get(column):
            continue
        labels = Labels.of(own[column], published)
        values = {
            text: _values(own[column], attribute, leaves)
            for text, leaves in zip(labels.texts, labels.leaves, strict=True)
            if text is not None and _stands_for_several(own[column], text, leaves)
        }
        names = _unused_names(values, attribute.names)
        texts = published[column].cast(str)
        frame = frame.with_columns(texts.replace(list(names), list(names.values())).alias(column))
        members[column] = {names[text]: group for text, group in values.items()}
    return replace(published, frame=frame, members=members)


def _stands_for_several(own: Attribute, text: str, leaves: Ints) -> bool:
    return len(leaves) > 1 or text != own.names[own.leaf_node[leaves[0]]]


def _values(own: Attribute, attribute: Attribute, leaves: Ints) -> tuple[str, ...]:
    """The leaves of one hierarchy by their names in another one; a value that it does not have is left out."""
    known = {attribute.names[node] for node in attribute.leaf_node}
    names = [own.names[own.leaf_node[leaf]] for leaf in leaves if leaf != own.missing]
    missing = [attribute.names[attribute.leaf_node[attribute.missing]]] if own.missing in leaves else []
    return tuple(name for name in (*names, *missing) if name in known)


def _unused_names(labels: Mapping[str, object], nodes: tuple[str, ...]) -> dict[str, str]:
    """A name for each label that is no node of a hierarchy, which may give the same name to other values."""
    taken = set(nodes)
    names = {}
    for label in labels:
        name = label
        while name in taken:
            name += "'"
        taken.add(name)
        names[label] = name
    return names


def _items(published: Transactions, private: Transactions, reference: Dataset) -> Transactions:
    """Labels stand for those of their members that the other hierarchy, or without one the data, have."""
    tree: Taxonomy | None = reference.taxonomy if isinstance(reference, Transactions) else None
    if tree == private.taxonomy:
        return published
    domain = {*private.names, *(() if tree is None else tree.leaves)}
    members: Members = {
        label: tuple(member for member in group if member in domain) for label, group in published.members.items()
    }
    return replace(published, members=members)


def _places(published: Trajectories, private: Trajectories, reference: Dataset) -> Trajectories:
    """Labels become nodes of the other taxonomy."""
    tree = reference.taxonomy if isinstance(reference, Trajectories) else None
    if tree is None or tree == private.taxonomy:
        return published
    node_of = {}
    for label in published.names:
        leaves = [tree.leaf_of(member) for member in published.members.get(label, (label,))]
        known = [leaf for leaf in leaves if leaf in tree]
        is_place = label not in published.members
        node_of[label] = label if is_place or not known else tree.common_ancestor(known)
    names = tuple(sorted(set(node_of.values())))
    number = {name: code for code, name in enumerate(names)}
    codes = np.array([number[node_of[label]] for label in published.names], dtype=np.int32)[published.codes]
    members: Members = {
        node_of[label]: tree.leaves_below(node_of[label]) for label in published.members if node_of[label] in tree
    }
    return replace(published, codes=codes, names=names, members=members)
