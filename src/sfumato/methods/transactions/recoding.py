"""Published transactions from the cuts that their records were recoded with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sfumato.data import Transactions
from sfumato.data.base import Ints
from sfumato.methods.base import Outcome
from sfumato.methods.transactions.hierarchy import Hierarchy
from sfumato.methods.transactions.hierarchy_cut import Cut

__all__ = ["recoded"]


def recoded(data: Transactions, tree: Hierarchy, parts: Sequence[tuple[Ints, Cut]]) -> Outcome[Transactions]:
    """Every part of the records under its own cut; the item that a label was first met at is its origin."""
    recoded_parts = []
    for records, cut in parts:
        record, label, item = cut.published()
        recoded_parts.append((records[record], label, data.elements_of(records)[item]))
    record, label, origin = (np.concatenate(column) for column in zip(*recoded_parts, strict=True))
    used = np.unique(label)
    name_of = {int(node): _name(data, tree, int(node)) for node in used}
    names = tuple(sorted(name_of.values()))
    position = {name: code for code, name in enumerate(names)}
    codes = np.array([position[name_of[int(node)]] for node in used], dtype=np.int32)[np.searchsorted(used, label)]
    order = np.lexsort((codes, record))
    inner = [int(node) for node in used if node < len(tree) and not tree.tree.is_leaf(tree.names[node])]
    counts = np.bincount(record, minlength=len(data))
    published = replace(
        data,
        offsets=np.concatenate(([0], np.cumsum(counts))),
        codes=codes[order],
        names=names,
        members={tree.names[node]: tree.members(node) for node in inner},
        ids=None,
        persons=None,
        taxonomy=None,
    )
    hidden = np.isin(label, inner)
    figures = {
        "empty_records": int(np.count_nonzero(data.lengths == 0)),
        "generalized_items": int(np.count_nonzero(hidden)),
        "labels": len(names),
    }
    return Outcome(published, origin[order], figures)


def _name(data: Transactions, tree: Hierarchy, label: int) -> str:
    return tree.names[label] if label < len(tree) else data.names[label - len(tree)]
