"""Frequent subgraphs of the mobility graph, by all maps of all patterns."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from twins.measures.plain import members_of, rows_of
from twins.subgraphs import Form, Plain, all_frequent


def mobility(data: Any, categories: dict[str, str], directed: bool) -> Plain:
    """Published labels as nodes, joined where visits follow each other; a label of one category carries it."""
    rows = rows_of(data)
    names = sorted({name for row in rows for name in row})
    labels = []
    for name in names:
        common = {categories.get(member, "") for member in members_of(data, name)}
        labels.append(frozenset(common - {""}) if len(common) == 1 else frozenset())
    steps = {(names.index(a), names.index(b), "") for row in rows for a, b in pairwise(row) if a != b}
    if not directed:
        steps |= {(b, a, name) for a, b, name in steps}
    return Plain(tuple(labels), frozenset(steps), directed)


def categories_of(data: Any) -> dict[str, str]:
    """The category of every location: of its place, or its parent in the taxonomy."""
    if data.places is not None and "category" in data.places.frame.columns:
        return {row["location"]: row["category"] for row in data.places.frame.rows(named=True) if row["category"]}
    return {leaf: data.taxonomy.parent(leaf) for leaf in data.taxonomy.nodes if data.taxonomy.parent(leaf) is not None}


def compared(share: Callable[[set[Form], set[Form]], float]) -> Callable[..., float]:
    def twin(original: Any, release: Any, support: float = 0.05, largest: int = 3, directed: bool = True) -> float:
        places = len({name for row in rows_of(original) for name in row})
        least = max(2, math.ceil(support * places - 1e-9)) if support < 1 else math.ceil(support)
        known = categories_of(original)
        before, after = (
            set(all_frequent(mobility(data, known, directed), least, largest)) for data in (original, release.data)
        )
        return 100 * share(before, after)

    return twin


GRAPHS = {
    "subgraphs-preserved": compared(lambda before, after: len(before & after) / len(before) if before else 1.0),
    "subgraphs-spurious": compared(lambda before, after: len(after - before) / len(after) if after else 0.0),
}
