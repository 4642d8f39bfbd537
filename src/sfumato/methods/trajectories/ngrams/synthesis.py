"""Synthetic trajectories from noisy counts of n-grams: walks that remember as much as the counts show."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sfumato.methods.trajectories.ngrams.exploration_tree import Tree

__all__ = ["walk"]

Whole = npt.NDArray[np.int64]

_TRIES = 30  # where nearly every symbol is spoken for, the last one drawn is as good as any


def walk(tree: Tree, most_visits: int, rng: np.random.Generator) -> tuple[Whole, Whole]:
    """As many trajectories as the noisy number of begins, as offsets and places.

    Nothing private is examined: this is post-processing of a tree of noisy counts.
    """
    walks = _Walks(tree, rng)
    number = int(tree.count[tree.places + 1]) if walks.visits > 0 else 0  # the last child of the root is the begin
    walking = np.arange(number)
    known = walks.after(np.zeros((number, 1), dtype=np.int64), np.full(number, tree.places))
    steps: list[tuple[Whole, Whole]] = []
    lengths = np.zeros(number, dtype=np.int64)
    for step in range(most_visits):
        symbol = walks.next(known, ends=step > 0)
        goes_on = symbol < tree.places
        walking, symbol, known = walking[goes_on], symbol[goes_on], known[goes_on]
        if len(walking) == 0:
            break
        steps.append((walking, symbol))
        lengths[walking] += 1
        known = walks.after(known, symbol)
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    codes = np.empty(offsets[-1], dtype=np.int64)
    for step, (walking, symbol) in enumerate(steps):
        codes[offsets[walking] + step] = symbol
    return offsets, codes


class _Walks:
    """What comes next after the last symbols of many walks at once."""

    def __init__(self, tree: Tree, rng: np.random.Generator) -> None:
        self._tree, self._rng = tree, rng
        self._first, self._end = tree.children()
        self._sums = np.concatenate(([0], np.cumsum(tree.count)))
        total = self._sums[self._end] - self._sums[self._first]
        # children that sum to less than their gram leave the rest to shorter grams; if to more, they are scaled down
        self._own = np.divide(total, np.maximum(total, tree.count), out=np.zeros(len(tree)), where=total > 0)
        self.visits = int(self._sums[tree.places + 1] - self._sums[1])
        begins = int(tree.count[tree.places + 1])
        self._ending = min(1.0, begins / self.visits) if self.visits else 1.0  # as many ends as begins
        self._depth = _depth(tree)

    def after(self, known: Whole, symbol: Whole) -> Whole:
        """The grams that end each walk, by length from 0: -1 where the tree has none, or none after it."""
        longer = np.zeros((len(known), min(known.shape[1] + 1, self._depth)), dtype=np.int64)
        for length in range(1, longer.shape[1]):
            longer[:, length] = self._tree.child(known[:, length - 1], symbol)
        return longer

    def next(self, known: Whole, *, ends: bool) -> Whole:
        """The next symbol of each walk; one that a longer gram has a count for is not taken from a shorter one.

        Where it was drawn by a shorter gram nevertheless, it is drawn again, by grams of up to that length.
        """
        symbol = np.full(len(known), -1, dtype=np.int64)
        longest = np.full(len(known), known.shape[1] - 1)
        waiting = np.arange(len(known))
        for _ in range(_TRIES):
            if len(waiting) == 0:
                break
            grams = known[waiting]
            symbol[waiting], by = self._drawn(grams, longest[waiting], ends)
            spoken_for = np.full(len(waiting), -1)
            for length in range(known.shape[1] - 1, 0, -1):
                child = self._tree.child(grams[:, length], symbol[waiting])
                spoken_for[(by < length) & (child >= 0) & self._tree.believed[child]] = length
            longest[waiting] = spoken_for - 1
            waiting = waiting[spoken_for > 0]
        return symbol

    def _drawn(self, known: Whole, longest: Whole, ends: bool) -> tuple[Whole, Whole]:
        """A symbol by the longest gram that takes it upon itself, and the length of that gram."""
        symbol = self._any_place(len(known), ends)
        by = np.zeros(len(known), dtype=np.int64)
        for length in range(known.shape[1] - 1, 0, -1):
            gram = known[:, length]
            own = (by == 0) & (length <= longest) & (gram >= 0)
            own &= self._rng.random(len(known)) < self._own[gram]
            symbol[own] = self._child(gram[own])
            by[own] = length
        return symbol, by

    def _child(self, gram: Whole) -> Whole:
        low, high = self._sums[self._first[gram]], self._sums[self._end[gram]]
        drawn = low + self._rng.integers(0, high - low) if len(gram) else low
        return self._tree.symbol[np.searchsorted(self._sums, drawn, side="right") - 1]

    def _any_place(self, number: int, ends: bool) -> Whole:
        """A place by how popular it is, or the end."""
        drawn = self._sums[1] + self._rng.integers(0, self.visits, size=number)
        symbol = self._tree.symbol[np.searchsorted(self._sums, drawn, side="right") - 1]
        return np.where(self._rng.random(number) < self._ending, self._tree.places, symbol) if ends else symbol


def _depth(tree: Tree) -> int:
    """The length of the longest gram."""
    depth, nodes = 0, np.array([len(tree) - 1])
    while len(nodes) and nodes[0] > 0:  # the last node is among the deepest
        nodes = tree.parent[nodes]
        depth += 1
    return depth
