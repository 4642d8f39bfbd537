"""Mixed data as published: clusters' labels for the rows, each cluster's own labels for its items."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sfumato.data import Mixed, Transactions
from sfumato.data.base import Ints
from sfumato.methods.base import Outcome
from sfumato.methods.mixed.clusters import Clusters
from sfumato.methods.mixed.item_recoding import Group, Recoded

__all__ = ["publish"]


def publish(
    data: Mixed, clusters: Clusters, parts: Sequence[Recoded], origin: Ints, *, renamed: bool
) -> Outcome[Mixed]:
    """The outcome.

    origin : the private row of each record of `data`.  renamed : labels get new names, because different clusters may
    have given one name to different groups of items.
    """
    coding, rows, nodes = clusters.labelled()
    table = coding.published(nodes, rows)
    items = _items(data.items, parts, rows, renamed=renamed)
    hidden = sum(
        int(np.count_nonzero(~np.isin(cells, attribute.leaf_node)))
        for attribute, cells in zip(coding.attributes, nodes, strict=True)
    )
    several = np.array([len(items.members.get(name, ())) > 1 for name in items.names], dtype=bool)
    counts = {
        "suppressed_records": len(data) - len(rows),
        "clusters": len(clusters),
        "merges": clusters.merges,
        "largest_cluster": int(clusters.sizes[clusters.alive].max(initial=0)),
        "generalized_cells": hidden,
        "generalized_items": int(np.count_nonzero(several[items.codes])),
        "suppressed_items": sum(part.suppressed for part in parts),
    }
    return Outcome(Mixed(table, items, data.column), origin[rows], counts)


def _items(data: Transactions, parts: Sequence[Recoded], rows: Ints, *, renamed: bool) -> Transactions:
    """All clusters' items, with one name for each group of items."""
    used = {part.groups[number]: part.names[number] for part in parts for number in np.unique(part.label).tolist()}
    name_of = _names(data.names, used, renamed=renamed)
    names = tuple(sorted(name_of.values()))
    position = {name: code for code, name in enumerate(names)}
    record: list[Ints] = [np.empty(0, dtype=np.int64)]
    code: list[Ints] = [np.empty(0, dtype=np.int64)]
    for part in parts:
        codes = np.array(
            [position[name_of[group]] if group in name_of else -1 for group in part.groups], dtype=np.int64
        )
        record.append(part.record)
        code.append(codes[part.label])
    place = np.zeros(len(data), dtype=np.int64)
    place[rows] = np.arange(len(rows))
    row, labels = place[np.concatenate(record)], np.concatenate(code)
    order = np.lexsort((labels, row))
    return replace(
        data,
        offsets=np.concatenate(([0], np.cumsum(np.bincount(row, minlength=len(rows))))),
        codes=labels[order],
        names=names,
        members={name: group for group, name in name_of.items() if group != (name,)},
        ids=None,
        persons=None,
        taxonomy=None,
    )


def _names(items: Sequence[str], used: dict[Group, str], *, renamed: bool) -> dict[Group, str]:
    """A name for each group, without blanks, which separate the items of a record."""
    taken = {*items, *(item for group in used for item in group)}  # a hierarchy has items that do not occur
    names: dict[Group, str] = {group: group[0] for group in used if len(group) == 1 and not re.search(r"\s", group[0])}
    prefix = "g"
    while any(re.fullmatch(rf"{prefix}\d+", name) for name in taken):
        prefix += "g"
    for number, group in enumerate(sorted(set(used) - set(names)), start=1):
        name = f"{prefix}{number}" if renamed else re.sub(r"\s+", "_", used[group])
        while name in taken:
            name += "_"
        taken.add(name)
        names[group] = name
    return names
