"""What happened to single visits: names kept, distances, meanings, steps in the taxonomy."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations
from typing import Any

from twins.measures.plain import generalized, mean, meanings, members_of, rows_of


def appearance(original: Any, release: Any) -> float:
    before = Counter(name for row in rows_of(original) for name in row)
    after: Counter[str] = Counter()
    for row in meanings(release.data):
        for label in row:
            for member in label:
                after[member] += 1 / len(label)
    return mean((100 * after[name] / count for name, count in before.items()), empty=100.0)


def pairs_lost(original: Any, release: Any) -> float:
    def pairs(data: Any) -> int:
        return sum(1 for row in rows_of(data) for _ in combinations(range(len(row)), 2))

    return 100 * (1 - pairs(release.data) / pairs(original)) if pairs(original) else 0.0


def visits_kept(original: Any, release: Any) -> float:
    visits = sum(len(row) for row in rows_of(original))
    published = sum(len(row) for row in rows_of(release.data))
    kept = min(visits, published) if release.origin is None else len({at for at in release.origin.tolist() if at >= 0})
    return 100 * kept / visits if visits else 100.0


def subtrajectories(original: Any, release: Any, size: int = 2) -> float:
    """Of NGRAMS the grams that its tree keeps, which are known to the run alone."""

    def distinct(data: Any) -> int:
        return len({chosen for row in rows_of(data) for chosen in combinations(row, size)})

    counts = getattr(release, "counts", {})
    after = counts.get(f"grams_of_size_{size}", 0) if "grams" in counts else distinct(release.data)
    return 100 * after / distinct(original) if distinct(original) else 100.0


# --- labels ----------------------------------------------------------------------------------------------------------


def intact_names(original: Any, release: Any, count_sensitive: bool = True) -> tuple[set[str], set[str]]:
    """The original locations that are published under their own name, and all original locations."""
    before = {name for row in rows_of(original) for name in row}
    if not count_sensitive:
        before -= original.sensitive
    return {
        name for row in meanings(release.data) for label in row if len(label) == 1 for name in label
    } & before, before


def intact(original: Any, release: Any, **which: Any) -> float:
    kept, before = intact_names(original, release, **which)
    return 100 * len(kept) / len(before) if before else 100.0


def intact_number(original: Any, release: Any, **which: Any) -> float:
    return len(intact_names(original, release, **which)[0])


def number_of_generalized(original: Any, release: Any, per: str = "release") -> float:  # noqa: ARG001
    """Labels of the release, or per cluster: what clusters share is known to the run alone."""
    if per == "cluster":
        counts = release.counts
        return counts.get("cluster_labels", len(generalized(release.data))) / max(1, counts.get("clusters", 1))
    return len(generalized(release.data))


def label_size(original: Any, release: Any) -> float:  # noqa: ARG001
    return mean((len(members_of(release.data, label)) for label in generalized(release.data)), empty=1.0)


# --- distances -------------------------------------------------------------------------------------------------------


def distance(data: Any, one: str, other: str) -> float:
    """The straight distance between two places."""
    frame = data.places.frame
    where = {row["location"]: (row["x"], row["y"]) for row in frame.rows(named=True)}
    return math.dist(where[one], where[other])


def distance_percentage(original: Any, release: Any, relative_to: str = "data") -> float:
    names = {name for row in rows_of(original) for name in row}
    names |= {member for label in generalized(release.data) for member in members_of(release.data, label)}
    largest = max((distance(original, a, b) for a in names for b in names), default=0.0)
    shares = []
    for label in generalized(release.data):
        inside = members_of(release.data, label)
        apart = [distance(original, a, b) for a in inside for b in inside]
        whole = largest if relative_to == "data" else max(apart)
        shares.append(100 * mean(apart) / whole if whole else 0.0)
    return mean(shares)


def _visits(original: Any, release: Any) -> list[list[tuple[str, tuple[str, ...]]]]:
    """For every published record the original location of every visit, and the members of its label."""
    names = [original.names[code] for code in original.codes]
    places = iter(release.origin)
    return [[(names[next(places)], label) for label in row] for row in meanings(release.data)]


def _mean_of_records(records: list[list[float]]) -> float:
    return mean(mean(record) for record in records if record)


def displacement(original: Any, release: Any) -> float:
    return _mean_of_records(
        [
            [mean(distance(original, was, member) for member in label) for was, label in record]
            for record in _visits(original, release)
        ]
    )


# --- meanings --------------------------------------------------------------------------------------------------------


def ancestors(tree: Any, node: str) -> list[str]:
    """A node and those above it, up to the root."""
    above = tree.parent(node)
    return [node] if above is None else [node, *ancestors(tree, above)]


def leaves_below(tree: Any, node: str) -> set[str]:
    inner = {tree.parent(other) for other in tree.nodes}
    return {leaf for leaf in tree.nodes if leaf not in inner and node in ancestors(tree, leaf)}


def all_leaves(tree: Any) -> set[str]:
    return leaves_below(tree, next(node for node in tree.nodes if tree.parent(node) is None))


def dissimilarity(tree: Any, label: tuple[str, ...]) -> float:
    """The share of all leaves under the closest common ancestor of the members; 0 for a single location."""
    if len(label) == 1:
        return 0.0
    shared = set.intersection(*(set(ancestors(tree, member)) for member in label))
    closest = max(shared, key=lambda node: len(ancestors(tree, node)))
    return len(leaves_below(tree, closest)) / len(all_leaves(tree))


def semantic_penalty(original: Any, release: Any) -> float:
    tree = original.taxonomy
    return _mean_of_records([[dissimilarity(tree, label) for label in row] for row in meanings(release.data)])


def combined_displacement(original: Any, release: Any) -> float:
    tree = original.taxonomy
    return _mean_of_records(
        [
            [
                mean(distance(original, was, member) for member in label) * dissimilarity(tree, label)
                for was, label in record
            ]
            for record in _visits(original, release)
        ]
    )


def steps(tree: Any, low: str, high: str, unit: str) -> float:
    """How far a place has climbed, in steps of the depth or in leaves of all leaves; 1 if the label is not above it."""
    if high not in ancestors(tree, low):
        return 1.0
    if unit == "hops":
        return ancestors(tree, low).index(high) / max(len(ancestors(tree, node)) - 1 for node in tree.nodes)
    return (len(leaves_below(tree, high)) - len(leaves_below(tree, low))) / len(all_leaves(tree))


def generalization_cost(original: Any, release: Any, distance: str = "hops") -> float:
    tree = original.taxonomy
    rows = rows_of(original)
    record_of = [(record, at) for record, row in enumerate(rows) for at in range(len(row))]
    became: list[dict[int, str]] = [{} for _ in rows]
    labels = [label for row in rows_of(release.data) for label in row]
    for place, label in zip(release.origin, labels, strict=True):
        record, at = record_of[place]
        became[record][at] = label
    costs = []
    for row, published in zip(rows, became, strict=True):
        if not row:
            continue
        if len(published) < len(row):
            costs.append(1.0)
        else:
            costs.append(mean(steps(tree, was, published[at], distance) for at, was in enumerate(row)))
    return mean(costs)


PLACES = {
    "appearance": appearance,
    "combined-displacement": combined_displacement,
    "displacement": displacement,
    "distance-percentage": distance_percentage,
    "generalization-cost": generalization_cost,
    "generalized": number_of_generalized,
    "intact": intact,
    "intact-number": intact_number,
    "label-size": label_size,
    "pairs-lost": pairs_lost,
    "semantic-penalty": semantic_penalty,
    "subtrajectories": subtrajectories,
    "visits-kept": visits_kept,
}
