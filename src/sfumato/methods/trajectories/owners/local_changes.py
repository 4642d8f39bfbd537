"""Suppressing and splitting piece by piece, the change that gains most first: the loop of LSUP, SPLIT and MIX."""

from __future__ import annotations

import numpy as np

from sfumato.kernels.owners.change_queue import LISTED, NEXT_KIN, TODO, VERSION, WAITING, Queue, push
from sfumato.kernels.owners.local_changes import (
    commit_split,
    commit_suppression,
    evaluate_splits,
    evaluate_suppressions,
    take_splits,
    take_suppressions,
)
from sfumato.kernels.owners.projections import DEPENDENTS, HEAP, LENGTH, NODES, PERSON, PIECES, START
from sfumato.methods.base import Run
from sfumato.methods.trajectories.owners.projections import Projections, wider

__all__ = ["LocalChanges"]


class LocalChanges:
    """Changes of single pieces, `batch` in a loop, until there is no problem left or no change that gains.

    splits : whether pieces are split, or places suppressed in them.  mixed : suppress where that leaves a piece
    without problems.  candidates : of how many pieces for each change those with the least loss are taken.
    """

    def __init__(
        self, work: Projections, *, batch: int, splits: bool = False, mixed: bool = False, candidates: int = 1
    ) -> None:
        self._work = work
        self._batch, self._splits, self._mixed, self._candidates = batch, splits, mixed, candidates
        self.suppressions = self.splittings = 0
        state = work.state
        n, cap = int(state.sizes[PIECES]), state.pieces.shape[1]
        looks = np.zeros((7, cap), dtype=np.int64)
        looks[LISTED] = looks[NEXT_KIN] = -1
        looks[WAITING, :n] = 1
        looks[TODO, :n] = np.arange(n)[::-1]
        kin = np.full(state.n_persons, -1, dtype=np.int64)
        if state.n_persons:
            for piece, person in enumerate(state.pieces[PERSON, :n].tolist()):
                looks[NEXT_KIN, piece], kin[person] = kin[person], piece
        state.sizes[DEPENDENTS] = state.sizes[HEAP] = 0
        nodes, heap = state.nodes.shape[1], 1024 + 2 * n
        self._queue = Queue(
            looks=looks,
            head=np.full(nodes, -1, dtype=np.int64),
            aim=np.full(nodes, -1, dtype=np.int64),
            kin=kin,
            entries=np.zeros((3, 1024 + 3 * int(state.pieces[LENGTH, :n].sum())), dtype=np.int64),
            keys=np.zeros(heap),
            heap=np.zeros((3, heap), dtype=np.int64),
            count=np.array([n]),
        )

    @property
    def changes(self) -> int:
        return self.suppressions + self.splittings

    def run(self, run: Run) -> None:
        """Change until nothing gains any more."""
        first = max(1, self._work.problems)
        while self._work.problems > 0:
            self._evaluate()
            run.advance(first - self._work.problems, first)
            if not self._loop():
                return

    def _loop(self) -> bool:
        """The changes of one loop; whether there was one."""
        take = take_splits if self._splits else take_suppressions
        most = min(self._batch * self._candidates, self._work.state.pieces.shape[1])
        keys, pieces, choices = take(self._work.state, self._queue, most)
        order = np.arange(len(keys))
        if self._splits:
            lengths = self._work.state.pieces[LENGTH, pieces]
            loss = choices * (lengths - choices) / (lengths * (lengths - 1))
            order = np.lexsort((self._work.state.pieces[START, pieces], -keys, loss))
        for at in order[: self._batch]:
            self._commit(int(pieces[at]), int(choices[at]))
        for at in order[self._batch :]:
            self._make_room(self._length(pieces[at]))
            push(self._work.state, self._queue, keys[at], pieces[at], choices[at])
        return len(keys) > 0

    def _commit(self, piece: int, choice: int) -> None:
        self._make_room(self._length(piece))
        if self._splits:
            done = commit_split(self._work.state, self._queue, piece, choice, self._mixed)
            self.suppressions += done == 1
            self.splittings += done == 2
        else:
            self.suppressions += commit_suppression(self._work.state, self._queue, piece, choice)

    def _evaluate(self) -> None:
        evaluate = evaluate_splits if self._splits else evaluate_suppressions
        while count := int(self._queue.count[0]):
            self._make_room(self._length(self._queue.looks[TODO, count - 1]))
            room = self._work.room()
            room[NODES] = min(room[NODES], len(self._queue.head))
            room[DEPENDENTS], room[HEAP] = self._queue.entries.shape[1], len(self._queue.keys)
            evaluate(self._work.state, self._queue, room)

    def _length(self, piece: int) -> int:
        return int(self._work.state.pieces[LENGTH, piece])

    def _make_room(self, length: int) -> None:
        self._work.make_room(length)
        state, queue = self._work.state, self._queue
        nodes = state.nodes.shape[1]
        if len(queue.head) < nodes:
            queue = queue._replace(head=wider(queue.head, nodes, -1), aim=wider(queue.aim, nodes, -1))
        entries = int(state.sizes[DEPENDENTS]) + 3 * length
        if entries > queue.entries.shape[1]:
            queue = queue._replace(entries=wider(queue.entries, 2 * entries))
        if state.sizes[HEAP] + 1 > len(queue.keys):
            queue = self._without_void(queue)
        self._queue = queue

    def _without_void(self, queue: Queue) -> Queue:
        """The heap without entries that are out of date, in twice the space if that does not help."""
        state, n = self._work.state, len(queue.keys)
        pieces, versions, _ = queue.heap[:, : int(state.sizes[HEAP])]
        valid = np.flatnonzero(versions == queue.looks[VERSION, pieces])
        order = valid[np.lexsort((state.pieces[START, pieces[valid]], -queue.keys[valid]))]  # sorted, so a heap
        state.sizes[HEAP] = len(order)
        size = n if 2 * len(order) < n else 2 * n
        return queue._replace(keys=wider(queue.keys[order], size), heap=wider(queue.heap[:, order], size))
