"""The anonymity sets of all targets, counted over every choice of background knowledge about them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sfumato.attacks.view.published_view import PublishedView
from sfumato.data import Dataset, Mixed, Table
from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.kernels.verify.background import background_supports, earlier_positions

__all__ = ["BackgroundSets", "SetsOfTargets", "choices_of", "own_units"]

Floats = npt.NDArray[np.float64]

_NONE = int(np.iinfo(np.int64).max)
_ENTRIES = 100_000_000  # entries of a release whose labels overlap


class SetsOfTargets(NamedTuple):
    """For each target the smallest anonymity set (0 for none), and the mean success of a random choice.

    smallest : the size of the smallest set of all, also of those without the target; None where no record matches.
    """

    set_sizes: Ints
    chances: Floats
    smallest: int | None

    def with_smaller(self, other: SetsOfTargets) -> SetsOfTargets:
        """The sets of the same targets, from the other count where those are smaller."""
        both = np.stack((self.set_sizes, other.set_sizes))
        set_sizes = np.where(both == 0, _NONE, both).min(axis=0)
        smallest = min((size for size in (self.smallest, other.smallest) if size is not None), default=None)
        return SetsOfTargets(np.where(set_sizes == _NONE, 0, set_sizes), self.chances, smallest)


class _Flat(NamedTuple):
    """Records as flat arrays, those of one unit next to each other; see the kernel for the arrays."""

    codes: Ints
    following: Ints
    offsets: Ints
    units: Ints


@dataclass(frozen=True, eq=False)
class BackgroundSets:
    """Counts, for targets that an attacker looks for in a release, the sets that match up to `known` of their points.

    Values with the same labels match the same records: they are one class, and classes are counted.
    own_only : whether a set counts only if it holds a record of the target, which is known here.
    without : places or items that the attacker does not know.

    >>> from sfumato import Trajectories
    >>> walks = Trajectories.from_lists([["a", "b"], ["a", "c"], ["a", "b"]])
    >>> sets = BackgroundSets(walks, PublishedView(walks, walks), known=2, ordered=True)
    >>> sets.count(np.arange(3), budget=1000).set_sizes.tolist()
    [2, 1, 2]
    """

    original: Dataset
    seen: PublishedView
    known: int
    ordered: bool
    own_only: bool = True
    without: frozenset[int] = frozenset()

    def count(self, targets: Ints, budget: int) -> SetsOfTargets | None:
        """The sets of some targets (units of the original); None where more than `budget` entries would be read."""
        present = np.unique(self._own_units)
        wanted = np.flatnonzero(np.isin(self._own_units, present[targets]))
        wanted = wanted[np.argsort(self._own_units[wanted], kind="stable")]
        # one numbering for the units of the release and of the original
        numbers = np.union1d(self.seen.units, present)
        lowest = np.full(len(numbers), _NONE, dtype=np.int64)
        chances, knowable = np.zeros(len(wanted)), np.zeros(len(wanted), dtype=bool)
        smallest = _NONE
        for part, matching in self._parts(wanted):
            counted = self._count_part(wanted[part], matching, numbers, budget, lowest)
            if counted is None:
                return None
            smallest, budget = min(smallest, counted[0]), budget - counted[1]
            chances[part], knowable[part] = counted[2], counted[3]
        rows = np.searchsorted(present[targets], self._own_units[wanted])
        n_knowable = np.bincount(rows[knowable], minlength=len(targets))
        mean = np.bincount(rows, weights=chances, minlength=len(targets)) / np.maximum(1, n_knowable)
        set_sizes = lowest[np.searchsorted(numbers, present[targets])]
        return SetsOfTargets(np.where(set_sizes == _NONE, 0, set_sizes), mean, None if smallest == _NONE else smallest)

    @cached_property
    def _own_units(self) -> Ints:
        return own_units(self.original, self.seen)

    def _parts(self, records: Ints) -> list[tuple[Ints, Ints | None]]:
        """Places among the records, and the published rows that match them by their quasi-identifiers; None for all."""
        everything = np.arange(len(records))
        if not isinstance(self.original, Table | Mixed):
            return [(everything, None)]
        rows = self.seen.rows
        assert rows is not None
        if rows.coding is None:
            return [(everything, None)]
        _, kind = np.unique(rows.coding.codes[:, records], axis=1, return_inverse=True)
        order = np.argsort(kind.reshape(-1), kind="stable")
        parts = np.split(order, np.flatnonzero(np.diff(kind.reshape(-1)[order])) + 1) if len(order) else []
        return [(part, rows.fitting(int(records[part[0]]))) for part in parts]

    def _count_part(
        self, records: Ints, matching: Ints | None, numbers: Ints, budget: int, lowest: Ints
    ) -> tuple[int, int, Floats, npt.NDArray[np.bool_]] | None:
        """The smallest set, the entries read, and for each record the mean success and whether it can be known."""
        units = np.searchsorted(numbers, self._own_units[records])
        if self.seen.labels is None or isinstance(self.original, Table):
            return _count_rows(self.seen, units, matching, numbers, lowest, self.own_only)
        if self._released is None:
            return None
        released = self._released if matching is None else _selected(self._released, self._place[matching])
        private, n_points = self._private(records)
        sizes = np.minimum(n_points, self.known)
        chances = np.zeros(len(records))
        release = (
            released.codes,
            released.following,
            earlier_positions(released.codes, released.offsets, self._n_classes),
            released.offsets,
            np.searchsorted(numbers, released.units).astype(np.int32),
        )
        targets = (private.codes, private.offsets, units.astype(np.int32), sizes)
        smallest, read = background_supports(
            release, targets, self._n_classes, self.known, self.own_only, budget, lowest, chances
        )
        if read < 0:
            return None
        chances /= np.maximum(1.0, choices_of(n_points, sizes))
        if matching is not None:  # the row alone is knowledge, too
            row = _count_rows(self.seen, units, matching, numbers, lowest, self.own_only)
            smallest = min(int(smallest), row[0])
            chances = np.where(n_points == 0, row[2], chances)
        return int(smallest), int(read), chances, (n_points > 0) | (matching is not None)

    @cached_property
    def _classes(self) -> tuple[Ints, list[Ints]]:
        """The class of each value, -1 where no label stands for it, and the classes of each label."""
        labels = self.seen.labels
        assert labels is not None
        class_of = np.full(labels.n_leaves, -1, dtype=np.int64)
        numbers: dict[bytes, int] = {}
        for leaf in range(labels.n_leaves):
            own = labels.labels_of(leaf)
            if len(own):
                class_of[leaf] = numbers.setdefault(np.sort(own).tobytes(), len(numbers))
        of_label: list[Ints] = [
            np.unique(class_of[labels.members[labels.starts[label] : labels.starts[label + 1]]])
            for label in range(len(labels.starts) - 1)
        ]
        return class_of, of_label

    @property
    def _n_classes(self) -> int:
        return max(1, int(self._classes[0].max(initial=-1)) + 1)

    @cached_property
    def _in_order(self) -> bool:
        return self.ordered and self.original.kind == "trajectories"

    @cached_property
    def _released(self) -> _Flat | None:
        """The release by unit, an entry for each class of each label; None where these are too many."""
        data, of_label = self._published, self._classes[1]
        counts = np.array([len(classes) for classes in of_label], dtype=np.int64)
        label_starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        classes = np.concatenate([np.empty(0, dtype=np.int64), *of_label])
        per_element = counts[data.codes] if len(counts) else np.zeros(0, dtype=np.int64)
        if per_element.sum() > _ENTRIES:
            return None
        element = np.repeat(np.arange(len(data.codes)), per_element)
        ends = np.cumsum(per_element)
        within = np.arange(len(element)) - np.repeat(ends - per_element, per_element)
        codes = classes[label_starts[data.codes[element]] + within]
        record = data.record_of_element()[element]
        if not self._in_order:
            pairs = np.unique(record * self._n_classes + codes)
            record, codes = np.divmod(pairs, self._n_classes)
            following = np.arange(len(codes))
        else:
            following = ends[element]
        offsets = np.searchsorted(record, np.arange(len(data) + 1))
        flat = _Flat(codes.astype(np.int32), following.astype(np.int64), offsets.astype(np.int64), self.seen.units)
        return _selected(flat, np.argsort(self.seen.units, kind="stable"))

    @cached_property
    def _published(self) -> Ragged:
        assert self.seen.labels is not None
        return self.seen.labels.data

    @cached_property
    def _place(self) -> Ints:
        """Where each published record stands in `_released`."""
        order = np.argsort(self.seen.units, kind="stable")
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        return place

    def _private(self, records: Ints) -> tuple[_Flat, Ints]:
        """The points of the records in classes, where they are published, and how many can be known of each."""
        part = self.original.items if isinstance(self.original, Mixed) else self.original
        assert isinstance(part, Ragged)
        taken = part.take(records)
        leaves, record = taken.codes, taken.record_of_element()
        if self.without:
            kept = ~np.isin(leaves, list(self.without))
            leaves, record = leaves[kept], record[kept]
        n_points = np.bincount(record, minlength=len(records)).astype(np.int64)
        codes = self._classes[0][leaves]
        record, codes = record[codes >= 0], codes[codes >= 0]
        if not self._in_order:
            order = np.lexsort((codes, record))
            record, codes = record[order], codes[order]
        offsets = np.searchsorted(record, np.arange(len(records) + 1)).astype(np.int64)
        return _Flat(codes.astype(np.int32), offsets[:0], offsets, records), n_points


def own_units(original: Dataset, seen: PublishedView) -> Ints:
    """The unit of each original record as the sets count it: persons where those of the release are known."""
    units = original.units if seen.unit == "person" else np.arange(len(original))
    return np.asarray(units, dtype=np.int64)


def choices_of(n: Ints, size: Ints) -> Floats:
    """How many ways there are to choose `size` of n, for each pair.

    >>> choices_of(np.array([4, 2, 0]), np.array([2, 2, 0])).tolist()
    [6.0, 1.0, 1.0]
    """
    ways = np.ones(len(n))
    for step in range(int(size.max(initial=0))):
        ways *= np.where(step < size, (n - step) / (step + 1), 1.0)
    return np.rint(ways)


def _selected(flat: _Flat, records: Ints) -> _Flat:
    """Some of the records, in the order of their units."""
    records = records[np.argsort(flat.units[records], kind="stable")]
    lengths = np.diff(flat.offsets)[records]
    offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    shift = np.repeat(flat.offsets[records] - offsets[:-1], lengths)
    elements = np.arange(len(shift)) + shift
    return _Flat(flat.codes[elements], flat.following[elements] - shift, offsets, flat.units[records])


def _count_rows(
    seen: PublishedView, units: Ints, matching: Ints | None, numbers: Ints, lowest: Ints, own_only: bool
) -> tuple[int, int, Floats, npt.NDArray[np.bool_]]:
    """As `_count_part`, by the quasi-identifiers alone."""
    matching = np.arange(len(seen)) if matching is None else matching
    members = np.unique(np.searchsorted(numbers, seen.units[matching]))
    inside = np.isin(units, members) if own_only else np.full(len(units), len(members) > 0)
    lowest[units[inside]] = np.minimum(lowest[units[inside]], len(members))
    chances = inside / max(1, len(members))
    return len(members) or _NONE, len(matching), chances, np.ones(len(units), dtype=bool)
