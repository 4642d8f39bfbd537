"""Items: certainty penalty, utility loss, supports of pairs, terms and itemsets lost."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

from twins.measures.chunks import Plain
from twins.measures.patterns import frequent
from twins.measures.plain import itemset_chance, mean, meanings, rows_of
from twins.measures.tables import _weights, leaves, root

Itemset = tuple[str, ...]


def item_ncp(original: Any, release: Any) -> float:
    """Every original occurrence: suppressed 1, under a label of n items n / N, unchanged 0.

    Without the run every published item has one label, and only items that are not published at all are suppressed.
    """
    rows, tree = rows_of(original), original.taxonomy
    everything = len(leaves(tree, root(tree))) if tree is not None else len({item for row in rows for item in row})
    published = meanings(release.data)
    if release.origin is None:
        seen = [{label for row in published for label in row}] * len(rows)
    else:
        record_of = [record for record, row in enumerate(rows) for _ in row]
        place = iter(release.origin)
        became: dict[int, set[tuple[str, ...]]] = {}
        for row in published:
            homes = {record_of[next(place)] for _ in row}
            became.update({home: set(row) for home in homes})
        seen = [became.get(record, set()) for record in range(len(rows))]
    costs = []
    for row, labels in zip(rows, seen, strict=True):
        for item in row:
            sizes = [len(label) for label in labels if item in label]
            costs.append(1.0 if not sizes else 0.0 if min(sizes) == 1 else min(sizes) / everything)
    return mean(costs)


def ul(original: Any, release: Any, weights: str = "", intact: str = "free") -> float:
    """The sets that the labels of a record may stand for, by the most: an intact item is free, or costs as printed."""
    data = release.data.items if original.kind == "mixed" else release.data
    weight = _weights(weights)
    losses = []
    for row in meanings(data):
        cost = 0.0
        for label in row:
            if len(label) > 1 or intact != "free":
                cost += mean(weight.get(item, 1.0) for item in label) * (2 ** len(label) - 1)
        losses.append(cost / (2 ** sum(map(len, row)) - 1) if row else 0.0)
    held = sum(1 for row in rows_of(original.items if original.kind == "mixed" else original) if row)
    emptied = held - sum(1 for row in meanings(data) if row)
    return (sum(losses) + max(0, emptied)) / max(held, len(data), 1)


# --- pairs -----------------------------------------------------------------------------------------------------------


def _asked(original: Any, first: int, number: int) -> list[Itemset]:
    """All pairs of the items after the most frequent ones; the last items where there are few."""
    counts = Counter(item for row in rows_of(original) for item in set(row))
    order = sorted(counts, key=lambda item: (-counts[item], item))
    start = max(0, min(first, len(order) - number))
    return [tuple(sorted(pair)) for pair in combinations(order[start : start + number], 2)]  # type: ignore[misc]


def _error(pairs: list[Itemset], before: dict[Itemset, float], after: dict[Itemset, float]) -> float:
    return mean(
        abs(before[pair] - after[pair]) / ((before[pair] + after[pair]) / 2)
        for pair in pairs
        if before[pair] + after[pair] > 0
    )


def _supports(rows: list[Any], pairs: list[Itemset]) -> dict[Itemset, float]:
    return {pair: sum(set(pair) <= set(row) for row in rows) for pair in pairs}


def relative_error(
    original: Any,
    release: Any,
    first: int = 200,
    number: int = 20,
    reconstructions: int = 1,
    seed: int = 0,
    estimate: str = "share",
) -> float:
    pairs = _asked(original, first, number)
    data = release.data
    if data.kind != "chunks":
        published = meanings(data)
        after = {pair: sum(itemset_chance(row, pair, estimate) for row in published) for pair in pairs}
    elif reconstructions:
        drawn = [_supports(rows_of(one), pairs) for one in data.reconstruct(reconstructions, seed=seed)]
        after = {pair: mean(one[pair] for one in drawn) for pair in pairs}
    else:
        after = {pair: Plain(data).expected(set(pair)) for pair in pairs}
    return _error(pairs, _supports(rows_of(original), pairs), after)


def relative_error_certain(original: Any, release: Any, first: int = 200, number: int = 20) -> float:
    pairs = _asked(original, first, number)
    rows = Plain(release.data).certain() if release.data.kind == "chunks" else rows_of(release.data)
    return _error(pairs, _supports(rows_of(original), pairs), _supports(rows, pairs))


def terms_lost(original: Any, release: Any, k: int | None = None) -> float:
    least = release.k if k is None else k
    whose = zip(rows_of(original), original.units.tolist(), strict=True)
    counts = Counter(item for item, _ in {(item, unit) for row, unit in whose for item in row})  # persons, if known
    often = {item for item, count in counts.items() if count > least}
    if release.data.kind == "chunks":
        kept = {item for _, rows in Plain(release.data).chunks for row in rows for item in row}
    else:
        kept = {item for row in rows_of(release.data) for item in row}
    return len(often - kept) / len(often) if often else 0.0


# --- the most frequent itemsets --------------------------------------------------------------------------------------


def top_itemsets(rows: list[Any], number: int) -> set[Itemset]:
    """The most frequent itemsets; of equally frequent ones the first by name."""
    counts = frequent([sorted(row) for row in rows], 1, None, sequential=False)
    return set(sorted(counts, key=lambda itemset: (-counts[itemset], itemset))[:number])


def _lost(before: set[Any], after: set[Any]) -> float:
    return 1 - len(before & after) / len(before) if before else 0.0


def _reconstructed(release: Any, seed: int) -> Any:
    return release.data.reconstruct(1, seed=seed)[0] if release.data.kind == "chunks" else release.data


def tkd(original: Any, release: Any, top: int = 1000, seed: int = 0) -> float:
    published = rows_of(_reconstructed(release, seed))
    return _lost(top_itemsets(rows_of(original), top), top_itemsets(published, top))


def tkd_certain(original: Any, release: Any, top: int = 1000) -> float:
    rows = Plain(release.data).certain() if release.data.kind == "chunks" else rows_of(release.data)
    return _lost(top_itemsets(rows_of(original), top), top_itemsets(rows, top))


def tkd_levels(original: Any, release: Any, top: int = 1000, seed: int = 0) -> float:
    """On every level items are replaced by their ancestors; a label with several ancestors there is lost."""
    tree = original.taxonomy
    data = _reconstructed(release, seed)
    before: set[tuple[int, Itemset]] = set()
    after: set[tuple[int, Itemset]] = set()
    paths = {leaf: _path(tree, leaf) for leaf in leaves(tree, root(tree))}
    for level in range(1, max(map(len, paths.values()))):

        def lifted(label: tuple[str, ...], level: int = level) -> set[str]:
            return {paths[leaf][min(level, len(paths[leaf]) - 1)] for leaf in label}

        plain = [{node for item in row for node in lifted((item,))} for row in rows_of(original)]
        published = [
            {node for label in row if len(lifted(label)) == 1 for node in lifted(label)} for row in meanings(data)
        ]
        before |= {(level, itemset) for itemset in top_itemsets(plain, top)}
        after |= {(level, itemset) for itemset in top_itemsets(published, top)}
    return _lost(before, after)


def _path(tree: Any, leaf: str) -> list[str]:
    """The nodes from the root to a leaf."""
    path = [leaf]
    while (above := tree.parent(path[0])) is not None:
        path.insert(0, above)
    return path


ITEMS = {
    "item-ncp": item_ncp,
    "ul": ul,
    "re": relative_error,
    "re-a": relative_error_certain,
    "tlost": terms_lost,
    "tkd": tkd,
    "tkd-a": tkd_certain,
    "tkd-ml2": tkd_levels,
}
