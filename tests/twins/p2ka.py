"""Pensa et al., PiLBA 2008, written down literally: Definition 1, Algorithms 1 to 5, SIM1 and SIM2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Any

Path = tuple[Any, ...]


def contained(pattern: Sequence[Any], record: Sequence[Any], members: dict[Any, tuple[Any, ...]] | None = None) -> bool:
    """Whether the record has a member of each label of the pattern, in its order."""
    rest = iter(record)
    return all(any(visit in (members or {}).get(label, (label,)) for visit in rest) for label in pattern)


def sequence_k_holds(model: Any, published: Any, original: Any) -> bool:
    """Definition 1: every subsequence, of every length, has k supporters in the original."""
    rows, units = original.to_lists(), original.units.tolist()
    found = {
        part for row in set(map(tuple, published.to_lists())) for n in range(1, len(row) + 1)
        for part in combinations(row, n)
    }  # fmt: skip
    return all(
        len({unit for row, unit in zip(rows, units, strict=True) if contained(part, row, published.members)}) >= model.k
        for part in found
    )


class Node:
    """A node of the prefix tree; `who` tells which units are counted by it."""

    def __init__(self, item: Any, parent: Node | None) -> None:
        self.item, self.parent = item, parent
        self.support, self.who = 0, set()
        self.children: dict[Any, Node] = {}

    @property
    def path(self) -> Path:
        return () if self.parent is None else (*self.parent.path, self.item)

    @property
    def ending(self) -> int:
        """How many sequences end here."""
        return self.support - sum(child.support for child in self.children.values())

    def below(self) -> list[Node]:
        return [self, *(node for child in self.children.values() for node in child.below())]


def prefix_tree(records: Sequence[Sequence[Any]], units: Sequence[Any]) -> Node:
    """Algorithm 3."""
    root = Node(None, None)
    for record, unit in zip(records, units, strict=True):
        node = root
        for item in record:
            node = node.children.setdefault(item, Node(item, node))
            node.support += 1
            node.who.add(unit)
    root.support = sum(child.support for child in root.children.values())
    return root


def prune(node: Node, k: int) -> Counter[Path]:
    """Algorithm 4."""
    cut: Counter[Path] = Counter()
    if len(node.who) < k:
        for inner in node.below():
            cut[inner.path] += inner.ending
        above = node.parent
        while above is not None:
            above.support -= node.support
            above = above.parent
        assert node.parent is not None
        del node.parent.children[node.item]
    else:
        for child in list(node.children.values()):
            cut += prune(child, k)
    return +cut


def all_lcs(one: Path, other: Path) -> set[Path]:
    """Every longest common subsequence."""

    @cache
    def of(i: int, j: int) -> frozenset[Path]:
        if i == 0 or j == 0:
            return frozenset([()])
        if one[i - 1] == other[j - 1]:
            return frozenset((*found, one[i - 1]) for found in of(i - 1, j - 1))
        either = of(i - 1, j) | of(i, j - 1)
        longest = max(map(len, either))
        return frozenset(found for found in either if len(found) == longest)

    return set(of(len(one), len(other)))


def minimum_prefix(sequence: Path, part: Path) -> Path:
    """Definition 2."""
    return next(sequence[:size] for size in range(len(sequence) + 1) if contained(part, sequence[:size]))


def levenshtein(one: Path, other: Path) -> int:
    """Definition 4."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        previous, row = row, [i]
        for j, b in enumerate(other, start=1):
            row.append(min(previous[j] + 1, row[-1] + 1, previous[j - 1] + (a != b)))
    return row[-1]


def bf_p2ka(records: Sequence[Sequence[Any]], units: Sequence[Any], k: int) -> tuple[list[Path], int]:
    """Algorithm 1: the published sequences in order, and how many have nothing in common with the pruned tree."""
    root = prefix_tree(records, units)
    cut: Counter[Path] = Counter()
    for child in list(root.children.values()):  # Algorithm 2
        cut += prune(child, k)
    whole = [node.path for node in root.below() if not node.children and node is not root]
    dropped = 0
    for sequence, count in cut.items():  # Algorithm 5
        options = []
        for path in whole:
            for part in all_lcs(sequence, path):
                prefix = minimum_prefix(path, part)
                options.append((-len(part), levenshtein(part, prefix), prefix))
        best = min(options, default=(0, 0, ()))
        if best[0] == 0:
            dropped += count
            continue
        node = root
        for item in best[2]:
            node = node.children[item]
            node.support += count
    root.support = sum(child.support for child in root.children.values())
    return sorted(node.path for node in root.below() if node is not root for _ in range(node.ending)), dropped


def frequent(records: Sequence[Sequence[Any]], support: int) -> dict[Path, int]:
    """Every frequent subsequence and how many records have it."""
    counts = Counter(
        part for row in records for part in {part for n in range(1, len(row) + 1) for part in combinations(row, n)}
    )
    return {part: count for part, count in counts.items() if count >= support}


def sim1(before: Sequence[Sequence[Any]], after: Sequence[Sequence[Any]], support: int) -> float:
    """Frequent Pattern Support Similarity, on relative frequencies."""
    published = frequent(after, support)
    if not published:
        return float(not frequent(before, support))
    everything = frequent(before, 1)
    shares = [(count / len(after), everything.get(part, 0) / len(before)) for part, count in published.items()]
    return sum(min(pair) / max(pair) for pair in shares) / len(shares)


def sim2(before: Sequence[Sequence[Any]], after: Sequence[Sequence[Any]], support: int) -> float:
    """Frequent Pattern Collection Size Similarity."""
    sizes = len(frequent(before, support)), len(frequent(after, support))
    return min(sizes) / max(sizes) if max(sizes) else 1.0
