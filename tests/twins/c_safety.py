"""c-safety, literally: all readings of all labels, all knowledge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

from sfumato.data import Taxonomy

_SECRETS: list[tuple[Taxonomy, frozenset[str]]] = []  # asked for again and again


def is_secret(tree: Taxonomy, label: str) -> bool:
    """Whether every leaf under a label is sensitive."""
    for known, secrets in _SECRETS:
        if known is tree:
            return label in secrets
    leaves = tree.sensitive
    _SECRETS.insert(0, (tree, frozenset(node for node in tree.nodes if leaves.issuperset(tree.leaves_below(node)))))
    return is_secret(tree, label)


def stands_for(tree: Taxonomy, label: str) -> set[str]:
    """All leaves under a sensitive label, otherwise those that are not sensitive."""
    below = set(tree.leaves_below(label))
    return below if is_secret(tree, label) else {leaf for leaf in below if not is_secret(tree, leaf)}


def contains(tree: Taxonomy, record: Sequence[str], known: Sequence[str]) -> bool:
    """Definition 5, over the labels that are not sensitive."""
    rest = iter(label for label in record if not is_secret(tree, label))
    return all(any(place == label or label in tree.ancestors(place) for label in rest) for place in known)


def chance_in(tree: Taxonomy, labels: Sequence[str], places: Iterable[str]) -> Fraction:
    """P_t(S): the share of ways to read the sensitive labels as leaves in which all of the places occur."""
    wanted = set(places)
    secrets = [tree.leaves_below(label) for label in labels if is_secret(tree, label)]
    readings = list(product(*secrets))
    return Fraction(sum(wanted <= set(reading) for reading in readings), len(readings))


def disclosure(
    tree: Taxonomy, records: Sequence[Sequence[str]], units: Sequence[Any], known: Sequence[str], places: Iterable[str]
) -> Fraction:
    """P(S_Q, S): over the fitting units, with all fitting records of a unit read together."""
    places = list(places)
    fitting: dict[Any, list[str]] = {}
    for record, unit in zip(records, units, strict=True):
        if contains(tree, record, known):
            fitting.setdefault(unit, []).extend(record)
    total = sum((chance_in(tree, labels, places) for labels in fitting.values()), Fraction(0))
    return total / len(fitting) if fitting else Fraction(0)


def own_disclosures(
    tree: Taxonomy,
    records: Sequence[Sequence[str]],
    units: Sequence[Any],
    known: Sequence[str],
    victim: Sequence[str],
) -> list[Fraction]:
    """P(S_Q, S) for each sensitive visit of a victim's trajectory and each leaf that it stands for, as often as equal.

    Empty for a victim without a sensitive visit.
    """
    visits = [label for label in victim if is_secret(tree, label)]
    widest = 1
    for label in visits:
        widest *= len(tree.leaves_below(label))
    return [
        disclosure(tree, records, units, known, [leaf])
        for label in visits
        for leaf in tree.leaves_below(label)
        for _ in range(widest // len(tree.leaves_below(label)))
    ]


def all_knowledge(tree: Taxonomy, records: Sequence[Sequence[str]]) -> set[tuple[str, ...]]:
    """Every sequence of nodes that are not sensitive which some record contains."""
    nodes = [node for node in tree.nodes if not is_secret(tree, node)]
    found: set[tuple[str, ...]] = set()
    grown: list[tuple[str, ...]] = [()]
    while grown:
        longer = [(*known, node) for known in grown for node in nodes]
        grown = [known for known in longer if any(contains(tree, record, known) for record in records)]
        found |= set(grown)
    return found


def distinct_knowledge(tree: Taxonomy, records: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """The same, but of knowledge that leaves the same rest of every record only one."""
    nodes = [node for node in tree.nodes if not is_secret(tree, node)]
    above = {node: {node, *tree.ancestors(node)} for node in nodes}
    shown = [[label for label in record if not is_secret(tree, label)] for record in records]
    seen: dict[tuple[int | None, ...], tuple[str, ...]] = {}
    waiting: list[tuple[tuple[str, ...], tuple[int | None, ...]]] = [((), tuple(0 for _ in shown))]
    while waiting:
        known, used = waiting.pop()
        for node in nodes:
            rest = tuple(
                None
                if at is None
                else next((spot + 1 for spot in range(at, len(row)) if row[spot] in above[node]), None)
                for at, row in zip(used, shown, strict=True)
            )
            if any(at is not None for at in rest) and rest not in seen:
                seen[rest] = (*known, node)
                waiting.append(((*known, node), rest))
    return list(seen.values())


def fitting_rows(tree: Taxonomy, records: Sequence[Sequence[str]]) -> set[tuple[int, ...]]:
    """The rows that fit to each knowledge; what fits to no row is left out."""
    return {
        tuple(row for row, record in enumerate(records) if contains(tree, record, known))
        for known in distinct_knowledge(tree, records)
    }


def worst(tree: Taxonomy, records: Sequence[Sequence[str]], *countings: Sequence[Any]) -> Fraction:
    """The largest probability of any sensitive leaf given any knowledge, whoever counts as a unit."""
    leaves = [leaf for leaf in tree.leaves if is_secret(tree, leaf)]
    found = Fraction(0)
    for rows, units in product(fitting_rows(tree, records), countings):
        who, whose = [records[row] for row in rows], [units[row] for row in rows]
        found = max(found, *(disclosure(tree, who, whose, (), [leaf]) for leaf in leaves))
    return found


def sets_of(places: Sequence[str], largest: int) -> list[tuple[str, ...]]:
    """Every non-empty set of up to so many places."""
    return list(chain.from_iterable(combinations(places, size) for size in range(1, largest + 1)))


def c_safety_holds(model: Any, published: Any, original: Any = None) -> bool:
    """c-safety; a label that the taxonomy does not explain is a violation."""
    tree = published.taxonomy or original.taxonomy
    if any(label not in tree for label in published.names):
        return False
    if any(set(members) != stands_for(tree, label) for label, members in published.members.items()):
        return False
    records = published.to_lists()
    in_records = range(len(records))  # the ratio must hold in records, too
    return worst(tree, records, published.units.tolist(), in_records) <= Fraction(str(model.c))
