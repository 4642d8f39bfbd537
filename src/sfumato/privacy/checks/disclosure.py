"""The probability that a person with some known places was at a sensitive one (Monreale et al., 2011, Section 4.1)."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from sfumato.data import Taxonomy, Trajectories
from sfumato.data.base import Ints
from sfumato.errors import DataError
from sfumato.kernels.verify.disclosure import containing
from sfumato.privacy.checks.taxonomy_preorder import Walk

__all__ = ["Disclosure", "Unreadable"]

Pooled = tuple[int, ...]  # the sensitive nodes of a unit's matching records, in order


class Unreadable(Exception):
    """A published label that the taxonomy does not explain; args hold the witness."""


class Disclosure(Walk):
    """Published trajectories as an attacker with the taxonomy reads them.

    A label under which every leaf is sensitive is a sensitive place; every other label is a quasi-identifier and
    stands for the leaves under it that are not sensitive.  Records with the same sequence of quasi-identifiers
    are one class: an attacker who knows quasi-identifiers finds all of a class or none.

    >>> places = {"all": None, "bar": "all", "clinic": "all", "c1": "clinic", "c2": "clinic"}
    >>> tree = Taxonomy(places, sensitive=["clinic"])
    >>> walks = Trajectories.from_lists([["bar", "c1"], ["bar", "clinic", "clinic"], ["bar"]], taxonomy=tree)
    >>> seen = Disclosure(walks, tree)
    >>> print(seen.probability(["bar"], ["c1"]), seen.probability(["bar"], ["c1", "c2"]))
    7/12 1/6
    """

    def __init__(self, published: Trajectories, taxonomy: Taxonomy) -> None:
        super().__init__(taxonomy)
        self.unit = published.unit
        node_of_label = np.array([self._node_of(published, label) for label in published.names], dtype=np.int32)
        nodes = node_of_label[published.codes]
        sensitive = self.all_sensitive[nodes]
        record = published.record_of_element()
        units = published.units.tolist()
        shown = np.bincount(record[~sensitive], minlength=len(published))
        starts = np.concatenate(([0], np.cumsum(shown)))
        known, hidden = nodes[~sensitive], nodes[sensitive]
        ends = np.cumsum(np.bincount(record[sensitive], minlength=len(published)))
        self.class_records: list[list[int]] = []
        self.unit_of, self.secrets = units, [tuple(sorted(part.tolist())) for part in np.split(hidden, ends[:-1])]
        class_of: dict[bytes, int] = {}
        sequences: list[Ints] = []
        self.unreached = 0
        for row in range(len(published)):
            sequence = known[starts[row] : starts[row + 1]]
            if len(sequence) == 0:  # there is no place to know
                self.unreached += 1
                continue
            number = class_of.setdefault(sequence.tobytes(), len(sequences))
            if number == len(sequences):
                sequences.append(sequence)
                self.class_records.append([])
            self.class_records[number].append(row)
        self.offsets = np.concatenate(([0], np.cumsum([len(sequence) for sequence in sequences]))).astype(np.int64)
        self.nodes = np.concatenate([np.empty(0, dtype=np.int32), *sequences])

    def _node_of(self, published: Trajectories, label: str) -> int:
        node = self.number.get(label)
        if node is None:
            raise Unreadable({"label": label, "problem": "the taxonomy has no such node"})
        stands_for = set(published.members.get(label, ()))
        if stands_for and stands_for != set(self.leaves(label)):
            raise Unreadable({"label": label, "problem": "its members are not the leaves under it in the taxonomy"})
        return node

    def probability(self, known: Iterable[str], places: Iterable[str]) -> Fraction:
        """P(S_Q, S): the probability that a person with these places, in this order, was at all those sensitive leaves.

        `places` may be several: P is then the share of ways to read the labels in which all of them occur.
        """
        pattern = self._nodes(known, sensitive=False)
        wanted = sorted(set(self._nodes(places, sensitive=True).tolist()))
        if any(self.leaf_counts[node] > 1 or self.ends[node] > node + 1 for node in wanted):
            raise DataError("Disclosure: wanted sensitive leaves, found an inner node")
        classes = np.flatnonzero(self.classes_with(pattern))
        pools, count = self.pooled(classes)
        total = sum((times * self._chance_of_set(pool, wanted) for pool, times in pools.items()), Fraction(0))
        return total / count if count else Fraction(0)

    def _nodes(self, names: Iterable[str], *, sensitive: bool) -> Ints:
        nodes = [self.number[self.taxonomy.common_ancestor([name])] for name in names]
        for node in nodes:
            if bool(self.all_sensitive[node]) is not sensitive:
                kind = "a sensitive leaf" if sensitive else "a quasi-identifier"
                raise DataError(f"Disclosure: wanted the name of {kind}, found another")
        return np.array(nodes, dtype=np.int32)

    def classes_with(self, pattern: Ints) -> Any:
        """Which classes contain the known nodes, in this order."""
        matching = np.zeros(len(self.class_records), dtype=np.bool_)
        containing(pattern, self.nodes, self.offsets, self.ends, matching)
        return matching

    def pooled(self, classes: Iterable[int]) -> tuple[Counter[Pooled], int]:
        """The sensitive nodes in all records of each unit in these classes, counted alike; and how many units."""
        records = [row for number in classes for row in self.class_records[number]]
        if self.unit == "record":
            return Counter(self.secrets[row] for row in records if self.secrets[row]), len(records)
        pools: dict[int, Pooled] = {}
        for row in records:
            unit = self.unit_of[row]
            pools[unit] = pools.get(unit, ()) + self.secrets[row]
        return Counter(tuple(sorted(pool)) for pool in pools.values() if pool), len(pools)

    def worst(self, classes: Sequence[int]) -> tuple[Fraction, str]:
        """The largest probability of a sensitive leaf over these classes, and the leaf: ties by name."""
        pools, count = self.pooled(classes)
        best, place = Fraction(0), ""
        for node, total in self._totals(pools.items()):
            if total / count >= best:
                leaf = self._leaf_right_under(node, pools)
                if total / count > best or leaf < place:
                    best, place = total / count, leaf
        return best, place

    def prices(self) -> tuple[list[Fraction], Any]:
        """For each class what it discloses at most for each unit of its weight, and the weights.

        The weight of a class is the number of its records, each divided by how many records its unit has.  Several
        classes together disclose at most the weighted mean of their prices.
        """
        prices, weights = [], []
        for records in self.class_records:
            weight = sum((Fraction(1, self.records_of[self.unit_of[row]]) for row in records), Fraction(0))
            pools = Counter(self.secrets[row] for row in records if self.secrets[row])
            prices.append(max((total / weight for _, total in self._totals(pools.items())), default=Fraction(0)))
            weights.append(float(weight))
        return prices, np.array(weights)

    def sums(self) -> npt.NDArray[np.float64]:
        """For each class (row) and each sensitive node (column) the sum of P_t for a leaf right under the node."""
        rows = [(number, self.secrets[row]) for number, part in enumerate(self.class_records) for row in part]
        chances = self.chances([pool for _, pool in rows])
        column = {node: index for index, node in enumerate(sorted({node for row in chances for node, _ in row}))}
        table = np.zeros((len(self.class_records), len(column)))
        for (number, _), row in zip(rows, chances, strict=True):
            for node, chance in row:
                table[number, column[node]] += chance
        return table

    def chances(self, pools: Sequence[Pooled]) -> list[list[tuple[int, Fraction]]]:
        """For each record (by its sensitive nodes) the nodes that concern it, with P_t of a leaf right under each."""
        present = sorted({node for pool in pools for node in pool})
        under = {node: present[bisect_left(present, node) : bisect_left(present, self.ends[node])] for node in present}
        open_nodes = {node for node in present if self._right_under(node, under[node][1:]) > 0}
        known: dict[Pooled, list[tuple[int, Fraction]]] = {}
        for pool in pools:
            if pool not in known:
                concerned = {lower for label in pool for lower in under[label]} & open_nodes
                known[pool] = [(node, _chance(self._sizes(pool, node))) for node in sorted(concerned)]
        return [known[pool] for pool in pools]

    def _sizes(self, pool: Pooled, node: int) -> tuple[int, ...]:
        """How many leaves each label has that is a node or stands above it."""
        return tuple(self.leaf_counts[label] for label in pool if label <= node < self.ends[label])

    @cached_property
    def records_of(self) -> Counter[int]:
        """How many records with a quasi-identifier each unit has."""
        return Counter(self.unit_of[row] for records in self.class_records for row in records)

    def _totals(self, pools: Iterable[tuple[Pooled, int]]) -> list[tuple[int, Fraction]]:
        """The sum of P_t for a leaf right under each sensitive node: under it, and under no lower one of these nodes.

        All leaves right under a node have the same probability, visited or not.
        """
        pools = list(pools)
        present = sorted({node for pool, _ in pools for node in pool})
        met: dict[int, Counter[tuple[int, ...]]] = {node: Counter() for node in present}
        under = {node: present[bisect_left(present, node) : bisect_left(present, self.ends[node])] for node in present}
        for pool, times in pools:
            for node in {lower for label in pool for lower in under[label]}:
                met[node][self._sizes(pool, node)] += times
        return [
            (node, sum((times * _chance(sizes) for sizes, times in met[node].items()), Fraction(0)))
            for node in present
            if self._right_under(node, under[node][1:]) > 0
        ]

    def _right_under(self, node: int, below: list[int]) -> int:
        covered, end = 0, node
        for other in below:  # in walking order: what lies under one that was counted is skipped
            if other >= end:
                covered, end = covered + self.leaf_counts[other], int(self.ends[other])
        return self.leaf_counts[node] - covered

    def _leaf_right_under(self, node: int, pools: Counter[Pooled]) -> str:
        lower = {other for pool in pools for other in pool if node < other < self.ends[node]}
        taken = {leaf for other in lower for leaf in self.taxonomy.leaves_below(self.names[other])}
        return min(leaf for leaf in self.taxonomy.leaves_below(self.names[node]) if leaf not in taken)

    def _chance_of_set(self, pool: Pooled, wanted: list[int]) -> Fraction:
        """The share of ways to read the labels in which every wanted leaf occurs: inclusion and exclusion."""
        total = Fraction(0)
        for size in range(len(wanted) + 1):
            for absent in combinations(wanted, size):
                ways = Fraction(1)
                for node in pool:
                    hit = sum(node <= leaf < self.ends[node] for leaf in absent)
                    ways *= Fraction(self.leaf_counts[node] - int(hit), self.leaf_counts[node])
                total += (-1) ** size * ways
        return total


@lru_cache(maxsize=100_000)
def _chance(sizes: tuple[int, ...]) -> Fraction:
    """The probability that one of several labels stands for a leaf, each of so many leaves being as likely."""
    missed = Fraction(1)
    for size in sizes:
        missed *= Fraction(size - 1, size)
    return 1 - missed
