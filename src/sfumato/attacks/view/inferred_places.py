"""Simulated attackers with a few known places of a victim, and the sensitive places that they infer."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.kernels.verify.inference import place_probabilities
from sfumato.privacy.checks.disclosure import Disclosure

__all__ = ["Attackers", "PlaceProbabilities", "draw_attackers"]

Floats = npt.NDArray[np.float64]
Pool = tuple[int, ...]
"""The sensitive nodes of a trajectory, in order, each as often as it is visited."""


class Attackers(NamedTuple):
    """What each attacker knows, and the sensitive nodes of the victim's trajectory.

    patterns : nodes of one record in order, -1 behind the last; of a generalized label a leaf under it.
    """

    patterns: Ints
    own: list[Pool]


def draw_attackers(seen: Disclosure, known: int, attackers: int, rng: np.random.Generator) -> Attackers:
    """Attackers, each with a victim drawn at random among the records that have a nonsensitive place."""
    classes = np.repeat(np.arange(len(seen.class_records)), [len(part) for part in seen.class_records])
    if len(classes) == 0:
        return Attackers(np.empty((0, known), dtype=np.int32), [])
    chosen_records = rng.integers(len(classes), size=attackers)
    secrets = [seen.secrets[row] for part in seen.class_records for row in part]
    own = [secrets[number] for number in chosen_records.tolist()]
    victims = classes[chosen_records]
    lengths = np.diff(seen.offsets)[victims]
    ranks = rng.random((attackers, int(lengths.max())))
    ranks[np.arange(ranks.shape[1]) >= lengths[:, None]] = np.inf
    first = np.argpartition(ranks, known - 1, axis=1) if known < ranks.shape[1] else np.argsort(ranks, axis=1)
    chosen = first[:, :known]
    there = np.take_along_axis(ranks, chosen, axis=1) < np.inf
    chosen = np.sort(np.where(there, chosen, ranks.shape[1]), axis=1)
    there = chosen < ranks.shape[1]
    nodes = seen.nodes[seen.offsets[victims][:, None] + np.where(there, chosen, 0)][there]
    patterns = np.full((attackers, known), -1, dtype=np.int32)
    inside = np.full(there.shape, -1, dtype=np.int32)
    inside[there] = _leaves_at_random(seen, nodes, rng)
    patterns[:, : inside.shape[1]] = inside
    return Attackers(patterns, own)


def _leaves_at_random(seen: Disclosure, nodes: Ints, rng: np.random.Generator) -> Ints:
    """For each node one of the leaves under it."""
    distinct, which = np.unique(nodes, return_inverse=True)
    below = [[seen.number[leaf] for leaf in seen.leaves(seen.names[node])] for node in distinct.tolist()]
    sizes = np.array([len(part) for part in below], dtype=np.int64)
    starts = np.cumsum(sizes) - sizes
    picks = (rng.random(len(nodes)) * sizes[which]).astype(np.int64)
    chosen: Ints = np.array([leaf for part in below for leaf in part], dtype=np.int32)[starts[which] + picks]
    return chosen


class PlaceProbabilities:
    """What each record may stand for, record by record, those of a unit together."""

    def __init__(self, seen: Disclosure) -> None:
        self._seen = seen
        rows = [(seen.unit_of[row], number, row) for number, part in enumerate(seen.class_records) for row in part]
        rows.sort()
        self._units = np.array([unit for unit, _, _ in rows], dtype=np.int64)
        self._class_of = np.array([number for _, number, _ in rows], dtype=np.int64)
        chances = seen.chances([seen.secrets[row] for _, _, row in rows])
        self._starts = np.concatenate(([0], np.cumsum([len(row) for row in chances]))).astype(np.int64)
        flat = [pair for row in chances for pair in row]
        self._column = {node: index for index, node in enumerate(sorted({node for node, _ in flat}))}
        self._columns = np.array([self._column[node] for node, _ in flat], dtype=np.int64)
        self._misses = np.array([1.0 - float(chance) for _, chance in flat])

    def guesses(self, drawn: Attackers) -> tuple[Floats, Floats, Floats]:
        """For each attacker the largest probability of a place; the mean and the largest of the victim's own places.

        The last two are -1 where the victim has no sensitive place.
        """
        pools, pool_of = _distinct(drawn.own)
        asks, ask_of = _distinct_rows(np.column_stack((drawn.patterns, pool_of)))
        is_new = np.any(np.diff(asks[:, :-1], axis=0, prepend=-2) != 0, axis=1)  # asks of one pattern are adjacent
        own_of_pool = [self._own(pool) for pool in pools]
        own = [own_of_pool[pool] for pool in asks[:, -1]]
        ask = np.repeat(np.arange(len(own)), [len(columns) for columns, _ in own])
        starts = np.searchsorted(ask, np.append(np.flatnonzero(is_new), len(own)))
        asked, shares = (np.concatenate(parts) for parts in zip(*own, strict=True))
        most, answers = self._answers(np.ascontiguousarray(asks[is_new, :-1], dtype=np.int32), starts, asked)
        means = np.bincount(ask, weights=shares * answers, minlength=len(own)).astype(np.float64)
        largest = np.zeros(len(own))
        np.maximum.at(largest, ask, answers)
        without = np.array([not pools[pool] for pool in asks[:, -1]])
        means[without] = largest[without] = -1.0
        return most[np.cumsum(is_new) - 1][ask_of], means[ask_of], largest[ask_of]

    def _own(self, pool: Pool) -> tuple[Ints, Floats]:
        """The columns of the leaves that a victim's sensitive labels stand for, and the share of each column."""
        shares: dict[int, float] = {}
        for node in pool:
            leaves = self._seen.leaves(self._seen.names[node])
            for leaf in leaves:
                above = (self._seen.number[name] for name in (leaf, *self._seen.taxonomy.ancestors(leaf)))
                column = next((self._column[other] for other in above if other in self._column), None)
                if column is not None:  # otherwise no published label stands for the leaf
                    shares[column] = shares.get(column, 0.0) + 1 / len(leaves) / len(pool)
        return np.array(list(shares), dtype=np.int64), np.array(list(shares.values()), dtype=np.float64)

    def _answers(self, patterns: Ints, asked_starts: Ints, asked: Ints) -> tuple[Floats, Floats]:
        seen = self._seen
        most, answers = place_probabilities(
            patterns,
            seen.nodes,
            seen.offsets,
            seen.ends,
            self._class_of,
            self._units,
            self._starts,
            self._columns,
            self._misses,
            len(self._column),
            asked_starts,
            asked,
        )
        return most, answers


def _distinct_rows(rows: Ints) -> tuple[Ints, Ints]:
    """The distinct rows of numbers of at least -1, in order, and which of them each row is; column by column."""
    number = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:
        _, first, number = np.unique(number * (column.max() + 2) + column + 1, return_index=True, return_inverse=True)
    return rows[first], number


def _distinct(pools: list[Pool]) -> tuple[list[Pool], Ints]:
    """The distinct pools, and which of them each one is."""
    number: dict[Pool, int] = {}
    numbers = [number.setdefault(pool, len(number)) for pool in pools]
    return list(number), np.array(numbers, dtype=np.int64)
