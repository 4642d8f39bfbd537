"""The loop of LSUP, SPLIT and MIX: suppress or split one fragment after the other, the largest gain first."""

from __future__ import annotations

import numpy as np

from sfumato.kernels.owners.best_changes import (
    Changes,
    evaluate_splits,
    evaluate_suppressions,
    take_splits,
    take_suppressions,
)
from sfumato.kernels.owners.change_queue import LISTED, NEXT_OF_PERSON, VERSION, WAITING, WAITING_STACK, Queue, push
from sfumato.kernels.owners.local_changes import commit_split, commit_suppression, split_by_owner
from sfumato.kernels.owners.projections import DEPENDENTS, FRAGMENTS, HEAP, LENGTH, NODES, PERSON, START
from sfumato.methods.base import Run
from sfumato.methods.trajectories.owners.projections import Projections, wider

__all__ = ["LocalChanges"]


class LocalChanges:
    """Changes of single fragments, `batch` in a loop, until there is no problem left or no change that helps.

    splits : whether fragments are split, or places suppressed in them.  mixed : suppress where that leaves a fragment
    without problems.  candidates : of how many fragments for each change those with the least loss are taken.

    A suppression must remove problems.  A split must do so, too, as long as one does; then it must not add any.
    changes, splittings : how many single changes were made, and how many cuts.
    """

    def __init__(
        self, work: Projections, *, batch: int, splits: bool = False, mixed: bool = False, candidates: int = 1
    ) -> None:
        self._work = work
        self._batch, self._splits, self._mixed, self._candidates = batch, splits, mixed, candidates
        self.changes = self.splittings = 0
        self._queue = _queue_of_all(work)

    def run(self, run: Run) -> None:
        """Change until no problem is left, or no suppression removes one, or every split adds some."""
        first = max(1, self._work.first_problems)
        while self._work.problems > 0:
            run.advance(max(0, first - self._work.problems), first)
            if not self._loop():
                return

    def split_by_owner(self) -> None:
        """Split the fragment at the head of the queue wherever the owner changes."""
        (fragment,) = self._take(1).fragments.tolist()
        self._reserve(self._length(fragment))
        self.splittings += int(split_by_owner(self._work.state, self._queue, fragment))

    def evaluate_again(self) -> None:
        """Queue all fragments, after others have changed them."""
        self._queue = _queue_of_all(self._work)

    def _loop(self) -> bool:
        """The changes of one loop; whether there was one."""
        keys, fragments, choices = self._take(self._batch * self._candidates)
        order = np.arange(len(keys))
        if self._splits:
            lengths = self._work.state.fragments[LENGTH, fragments]
            loss = choices * (lengths - choices) / (lengths * (lengths - 1))
            order = np.lexsort((self._work.state.fragments[START, fragments], -keys, loss))
        helpful = len(keys) > 0 and bool(keys[0] >= 0)
        most = self._batch if helpful else 0
        for change in order[:most]:
            self._commit(int(fragments[change]), int(choices[change]), gains=bool(keys[0] > 0))
        for change in order[most:]:
            self._reserve(self._length(fragments[change]))
            push(self._work.state, self._queue, keys[change], fragments[change], choices[change])
        return helpful

    def _take(self, most: int) -> Changes:
        """The best changes, taken out of the queue."""
        self._evaluate()
        take = take_splits if self._splits else take_suppressions
        return Changes(*take(self._work.state, self._queue, min(most, self._work.state.fragments.shape[1])))

    def _commit(self, fragment: int, choice: int, *, gains: bool) -> None:
        self._reserve(self._length(fragment))
        if self._splits:
            done = commit_split(self._work.state, self._queue, fragment, choice, int(gains), self._mixed)
            self.changes += done > 0
            self.splittings += done == 2
        else:
            self.changes += commit_suppression(self._work.state, self._queue, fragment, choice)

    def _evaluate(self) -> None:
        evaluate = evaluate_splits if self._splits else evaluate_suppressions
        while count := int(self._queue.count[0]):
            self._reserve(self._length(self._queue.status[WAITING_STACK, count - 1]))
            capacity = self._work.capacity()
            capacity[NODES] = min(capacity[NODES], len(self._queue.members_head))
            capacity[DEPENDENTS], capacity[HEAP] = self._queue.entries.shape[1], len(self._queue.keys)
            evaluate(self._work.state, self._queue, capacity)

    def _length(self, fragment: int) -> int:
        return int(self._work.state.fragments[LENGTH, fragment])

    def _reserve(self, length: int) -> None:
        self._work.reserve(length)
        state, queue = self._work.state, self._queue
        nodes = state.nodes.shape[1]
        if len(queue.members_head) < nodes:
            queue = queue._replace(
                members_head=wider(queue.members_head, nodes, -1), joiners_head=wider(queue.joiners_head, nodes, -1)
            )
        entries = int(state.sizes[DEPENDENTS]) + 3 * length
        if entries > queue.entries.shape[1]:
            queue = queue._replace(entries=wider(queue.entries, 2 * entries))
        if state.sizes[HEAP] + 1 > len(queue.keys):
            queue = self._without_void(queue)
        self._queue = queue

    def _without_void(self, queue: Queue) -> Queue:
        """The heap without void entries, in twice the space if that does not help."""
        state, n = self._work.state, len(queue.keys)
        fragments, versions, _ = queue.heap[:, : int(state.sizes[HEAP])]
        valid = np.flatnonzero(versions == queue.status[VERSION, fragments])
        order = valid[np.lexsort((state.fragments[START, fragments[valid]], -queue.keys[valid]))]  # sorted, so a heap
        state.sizes[HEAP] = len(order)
        size = n if 2 * len(order) < n else 2 * n
        return queue._replace(keys=wider(queue.keys[order], size), heap=wider(queue.heap[:, order], size))


def _queue_of_all(work: Projections) -> Queue:
    """A queue in which every fragment waits to be evaluated."""
    state = work.state
    n, cap = int(state.sizes[FRAGMENTS]), state.fragments.shape[1]
    status = np.zeros((7, cap), dtype=np.int64)
    status[LISTED] = status[NEXT_OF_PERSON] = -1
    status[WAITING, :n] = 1
    status[WAITING_STACK, :n] = np.arange(n)[::-1]
    person_head = np.full(state.n_persons, -1, dtype=np.int64)
    if state.n_persons:
        for fragment, person in enumerate(state.fragments[PERSON, :n].tolist()):
            status[NEXT_OF_PERSON, fragment], person_head[person] = person_head[person], fragment
    state.sizes[DEPENDENTS] = state.sizes[HEAP] = 0
    nodes, heap = state.nodes.shape[1], 1024 + 2 * n
    return Queue(
        status=status,
        members_head=np.full(nodes, -1, dtype=np.int64),
        joiners_head=np.full(nodes, -1, dtype=np.int64),
        person_head=person_head,
        entries=np.zeros((3, 1024 + 3 * int(state.fragments[LENGTH, :n].sum())), dtype=np.int64),
        keys=np.zeros(heap),
        heap=np.zeros((3, heap), dtype=np.int64),
        count=np.array([n]),
    )
