"""Frequency sets: the classes of rows that share their labels, and rolling them up to coarser labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.data.tables.encoding import Coding
from sfumato.kernels.tables.equivalence_classes import classes_of

__all__ = ["FrequencySet", "Packing"]

_WORD = 64


@dataclass(frozen=True, eq=False)
class FrequencySet:
    """Classes of rows.

    keys : uint64[classes, words], their labels.  counts : int64[classes], their rows.
    ids : int32[rows], the class of each row, where rows matter besides their number; otherwise None.
    images : the image that made the labels of each attribute; none for an attribute whose labels are leaves.
    """

    keys: npt.NDArray[np.uint64]
    counts: npt.NDArray[np.int64]
    ids: Ints | None
    images: Mapping[int, Ints] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.counts)


@dataclass(frozen=True, eq=False)
class Packing:
    """How the labels of a row are packed into words of 64 bits.

    A label is written as the first leaf below its node, so that one image (leaf -> first leaf of its node) leads from
    any finer label to the coarser one.
    """

    word: npt.NDArray[np.int64]
    shift: npt.NDArray[np.uint64]
    mask: npt.NDArray[np.uint64]

    @classmethod
    def of(cls, coding: Coding) -> Self:
        word, shift, mask = [], [], []
        used, current = 0, 0
        for attribute in coding.attributes:
            bits = max(1, (attribute.n_leaves - 1).bit_length())
            if used + bits > _WORD:
                used, current = 0, current + 1
            word.append(current)
            shift.append(used)
            mask.append((1 << bits) - 1)
            used += bits
        return cls(np.array(word, dtype=np.int64), np.array(shift, dtype=np.uint64), np.array(mask, dtype=np.uint64))

    def rows(self, coding: Coding, *, with_ids: bool) -> FrequencySet:
        """The distinct combinations of leaves."""
        n = len(coding)
        keys = np.zeros((n, int(self.word.max(initial=0)) + 1), dtype=np.uint64)
        for codes, word, shift in zip(coding.codes, self.word, self.shift, strict=True):
            keys[:, word] |= codes.astype(np.uint64) << shift
        counts = np.ones(n, dtype=np.int64) if coding.times is None else coding.times.astype(np.int64)
        ids, keys, counts = self._classes(keys, counts, range(len(self.word)), {})
        return FrequencySet(keys, counts, ids if with_ids else None)

    def roll_up(self, finer: FrequencySet, which: Sequence[int], images: Sequence[Ints]) -> FrequencySet:
        """The classes under coarser labels of these attributes; the other attributes are left out."""
        by_attribute = dict(zip(which, images, strict=True))
        changed = {a: image for a, image in by_attribute.items() if finer.images.get(a) is not image}
        ids, keys, counts = self._classes(finer.keys, finer.counts, [a for a in which if a not in changed], changed)
        return FrequencySet(keys, counts, None if finer.ids is None else ids[finer.ids], by_attribute)

    def digits(self, keys: npt.NDArray[np.uint64], attribute: int) -> npt.NDArray[np.int64]:
        """The labels of an attribute in these keys."""
        field = (keys[:, self.word[attribute]] >> self.shift[attribute]) & self.mask[attribute]
        return np.asarray(field.astype(np.int64))

    def _classes(
        self, keys: npt.NDArray[np.uint64], counts: Ints, kept: Sequence[int], changed: Mapping[int, Ints]
    ) -> tuple[Ints, npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
        """Classes of keys in which some attributes are kept, some replaced by their images, and the others left out."""
        bits = np.zeros(keys.shape[1], dtype=np.uint64)
        for attribute in kept:
            bits[self.word[attribute]] |= self.mask[attribute] << self.shift[attribute]
        chosen = np.array(list(changed), dtype=np.int64)
        start = np.cumsum([0, *(len(image) for image in changed.values())], dtype=np.int64)[:-1]
        flat = np.concatenate([np.empty(0, dtype=np.int64), *changed.values()])
        classes: tuple[Ints, npt.NDArray[np.uint64], npt.NDArray[np.int64]] = classes_of(
            keys, counts, bits, self.word[chosen], self.shift[chosen], self.mask[chosen], start, flat
        )
        return classes
