"""Items in groups that are published as one, without a hierarchy: merge, suppress, publish.

Shared by the methods that keep a policy.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from sfumato.data import Policy, Transactions
from sfumato.data.base import Ints
from sfumato.kernels.items.item_merging import best_partner, join, next_violation, violations
from sfumato.kernels.recoding.pattern_counts import count_patterns
from sfumato.methods.base import Outcome

__all__ = ["Groups"]

_ABSENT = -2


class Groups:
    """Every item under its current group, a number, that of one of its items; suppressed items are under none.

    Groups are ranked by the first of their items in name order.  Only items of the same utility constraint can come
    to be under one group.
    """

    def __init__(self, data: Transactions, utility: Policy | None) -> None:
        self._data = data
        self._grouped, self._unit_offsets = data.by_unit()
        n = len(data.names)
        records = self._grouped.record_of_element()
        order = np.argsort(self._grouped.codes, kind="stable")
        self._arena = records[order]
        bounds = np.searchsorted(self._grouped.codes[order], np.arange(n + 1))
        self._start, self._stop = bounds[:-1].astype(np.int64), bounds[1:].astype(np.int64)
        self._used = len(self._arena)
        self._sizes = np.ones(n, dtype=np.int64)
        self._units = np.repeat(np.arange(len(self._unit_offsets) - 1), np.diff(self._unit_offsets))
        self._allowed = np.zeros(n, dtype=np.int64) if utility is None else np.array(utility.group_of(data.names))
        self._active = np.ones(n, dtype=bool)
        self.rank = np.arange(n)
        self.group_of = np.arange(n)

    @property
    def suppressed(self) -> int:
        """How many items are suppressed."""
        return int(np.count_nonzero(self.group_of < 0))

    @property
    def suppressed_occurrences(self) -> int:
        """How many items of records are suppressed: an item counts in every record that has it."""
        return int(np.count_nonzero(self.group_of[self._data.codes] < 0))

    def holders(self, group: int) -> int:
        """How many records hold a group."""
        return int(self._stop[group] - self._start[group])

    def next_violation(
        self, sets: npt.NDArray[np.int32], first: int, k: int, known: npt.NDArray[np.int32]
    ) -> tuple[int, list[int], int]:
        """Where the next set stands that leads to too few, its groups, and to how many it leads."""
        result = np.zeros(sets.shape[1] + 2, dtype=np.int64)
        row = next_violation(
            sets, first, self.group_of, self._arena, self._start, self._stop, self._units, k, known, result
        )
        return int(row), result[2 : 2 + int(result[1])].tolist(), int(result[0])

    @staticmethod
    def nothing_known(sets: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """A buffer for the sets whose support is large enough."""
        return np.full((1 << (2 * len(sets) + 1).bit_length(), sets.shape[1]), -1, dtype=np.int32)

    def suspects(self, policy: Policy, k: int) -> npt.NDArray[np.int32]:
        """The sets of a privacy policy that may lead to too few, as sets of items: the best supported first."""
        return self._small_sets(policy.size, k) if policy.size else self._listed(policy, k)

    def _listed(self, policy: Policy, k: int) -> npt.NDArray[np.int32]:
        items, subsets = policy.coded_subsets
        code = {name: number for number, name in enumerate(self._data.names)}
        codes = np.array([*(code.get(item, _ABSENT) for item in items), -1], dtype=np.int32)  # the last one pads
        sets = codes[subsets]
        sets = np.ascontiguousarray(sets[(sets != _ABSENT).all(axis=1)])  # nobody holds an item that does not occur
        supports = violations(
            *(sets, self.group_of, self._arena, self._start, self._stop, self._units, k, self.nothing_known(sets))
        )
        broken = np.flatnonzero(supports)
        return np.ascontiguousarray(sets[broken[np.argsort(-supports[broken], kind="stable")]])

    def _small_sets(self, size: int, k: int) -> npt.NDArray[np.int32]:
        """One set of items for each published set of up to `size` groups that leads to too few."""
        codes, offsets, _ = self._published()
        keys, counts = count_patterns(codes.astype(np.int32), offsets, self._unit_offsets, len(self.group_of), 1, size)
        rows = np.flatnonzero(counts < k)
        sets, supports = keys[rows], counts[rows]
        return np.ascontiguousarray(sets[np.lexsort((*sets.T[::-1], -supports))])

    def partner(self, group: int, nothing: float = np.inf) -> tuple[int, float]:
        """The group that loses least utility as one with this group, and how much; -1 where none exists."""
        if self._allowed[group] < 0:
            return -1, np.inf
        candidates = np.flatnonzero(self._active & (self._allowed == self._allowed[group]))
        best, loss = best_partner(
            *(group, candidates, self._arena, self._start, self._stop, self._sizes, self.rank, nothing)
        )
        return int(best), float(loss)

    def merge(self, first: int, second: int) -> None:
        """Publish two groups as one; the earlier name ranks it."""
        kept, gone = (first, second) if self.rank[first] < self.rank[second] else (second, first)
        wanted = self._used + self.holders(kept) + self.holders(gone)
        if wanted > len(self._arena):
            self._tidy(wanted)
        self._used = int(join(self._arena, self._start, self._stop, kept, gone, self._used))
        self._sizes[kept] += self._sizes[gone]
        self._active[gone] = False
        self.group_of[self.group_of == gone] = kept

    def _tidy(self, wanted: int) -> None:
        """Move the living groups together and leave room behind them."""
        lengths = self._stop - self._start
        living = np.flatnonzero(lengths > 0)
        parts = [self._arena[self._start[group] : self._stop[group]] for group in living]
        ends = np.cumsum(lengths[living])
        self._start[living], self._stop[living] = ends - lengths[living], ends
        self._used = int(ends[-1]) if len(ends) else 0
        self._arena = np.concatenate([*parts, np.zeros(max(wanted, 2 * self._used), dtype=np.int64)])

    def suppress(self, group: int) -> None:
        """Take a group out of every record."""
        self.group_of[self.group_of == group] = -1
        self._active[group] = False
        self._stop[group] = self._start[group]

    def _published(self) -> tuple[Ints, Ints, Ints]:
        """Of the records grouped by unit the groups, rising and distinct, the offsets, and the item of each group."""
        groups = self.group_of[self._grouped.codes]
        record = self._grouped.record_of_element()
        item = np.arange(len(groups))
        keep = groups >= 0
        order = np.lexsort((item[keep], groups[keep], record[keep]))
        groups, record, item = groups[keep][order], record[keep][order], item[keep][order]
        fresh = np.ones(len(groups), dtype=bool)
        fresh[1:] = (np.diff(groups) != 0) | (np.diff(record) != 0)
        offsets = np.concatenate(([0], np.cumsum(np.bincount(record[fresh], minlength=len(self._grouped)))))
        return groups[fresh], offsets.astype(np.int64), item[fresh]

    def _known_names(self) -> set[str]:
        """The items that the data, the policies or the hierarchy name: no label is called like one of them."""
        data = self._data
        policies = [policy for policy in (data.privacy_policy, data.utility_policy) if policy is not None]
        leaves = () if data.taxonomy is None else data.taxonomy.leaves
        return {*data.names, *leaves, *(item for policy in policies for item in policy.items)}

    def outcome(self) -> Outcome[Transactions]:
        """Merged items under short labels, numbered in name order; others keep their names."""
        data = self._data
        moved = np.arange(len(data)) if data.persons is None else np.argsort(data.persons.codes, kind="stable")
        groups, offsets, item = self._published()
        below: dict[int, list[str]] = {}
        for code, group in enumerate(self.group_of.tolist()):
            if group >= 0:
                below.setdefault(group, []).append(data.names[code])
        prefix = "g"
        while any(name.startswith(prefix) and name[len(prefix) :].isdigit() for name in self._known_names()):
            prefix += "g"
        merged = [group for group in sorted(below) if len(below[group]) > 1]
        label = {group: f"{prefix}{number}" for number, group in enumerate(merged, start=1)}
        final = {group: label.get(group, items[0]) for group, items in below.items()}
        names = tuple(sorted(final.values()))
        position = {name: code for code, name in enumerate(names)}
        codes = np.array([position.get(final.get(group, ""), -1) for group in range(len(self.group_of))])[groups]
        record = moved[np.repeat(np.arange(len(data)), np.diff(offsets))]
        order = np.lexsort((codes, record))
        counts = np.bincount(record, minlength=len(data))
        published = replace(
            data,
            offsets=np.concatenate(([0], np.cumsum(counts))),
            codes=codes[order],
            names=names,
            members={label[group]: tuple(below[group]) for group in merged},
            ids=None,
            persons=None,
            taxonomy=None,
        )
        figures = {
            "empty_records": int(np.count_nonzero(data.lengths == 0)),
            "suppressed_records": int(np.count_nonzero((counts == 0) & (data.lengths > 0))),
            "suppressed_items": self.suppressed,
            "suppressed_occurrences": self.suppressed_occurrences,
            "merged_items": sum(len(below[group]) for group in merged),
        }
        return Outcome(published, data.elements_of(moved)[item][order], figures)
