"""Equivalence classes that fit the same values: where their ranges overlap, an attacker cannot tell them apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Self

import numpy as np
import numpy.typing as npt

from sfumato.data import Table
from sfumato.data.base import Ints
from sfumato.data.tables.encoding import Coding, texts_of
from sfumato.data.tables.published_labels import Labels

__all__ = ["classes_together"]

Bools = npt.NDArray[np.bool_]
_CELLS = 10_000_000  # of a table of original values by classes that is held at a time


def classes_together(published: Table, number: Ints, units: Ints, original: Table) -> list[Ints]:
    """The classes that fit the same original row, where there are several and two of them share a person.

    number : the class of each published row.  units : the person behind it.
    Classes without a common person need not be checked together: what each promises of its persons adds up.

    >>> published = Table({"age": ["[30:40]", "[30:40]", "[35:45]", "[50:60]"]})
    >>> original = Table({"age": [30, 36, 40, 45, 50]})
    >>> [classes.tolist() for classes in classes_together(published, np.array([0, 0, 1, 2]), np.arange(4), original)]
    []
    >>> persons = np.array([0, 1, 0, 0])
    >>> [classes.tolist() for classes in classes_together(published, np.array([0, 0, 1, 2]), persons, original)]
    [[0, 1]]
    """
    pairs = _classes_that_share(number, units)
    if not len(pairs):
        return []
    columns = published.quasi_identifiers
    coding = Coding.of(replace(original, quasi_identifiers=columns, sensitive=(), persons=None))
    first = np.unique(number, return_index=True)[1]
    covers = [_Cover.of(Labels.of(attribute, published), published, first) for attribute in coding.attributes]
    for cover in covers:
        pairs = pairs[[cover.overlap(one, other) for one, other in pairs.tolist()]]
    if not len(pairs):
        return []
    points = np.unique(coding.codes, axis=1)
    linked = np.unique(pairs)
    left, right = np.searchsorted(linked, pairs[:, 0]), np.searchsorted(linked, pairs[:, 1])
    found: dict[bytes, Ints] = {}
    for part in _parts(points.shape[1], max(len(first), len(pairs))):
        some = points[:, part]
        both = _fitting(covers, some, linked)
        some = some[:, np.any(both[:, left] & both[:, right], axis=1)]
        for row in _fitting(covers, some, np.arange(len(first))):
            found.setdefault(np.packbits(row).tobytes(), np.flatnonzero(row))
    return [classes for _, classes in sorted(found.items())]


def _fitting(covers: Sequence[_Cover], points: Ints, classes: Ints) -> Bools:
    """Whether each class stands for each point, bool[points, classes]."""
    fits = np.ones((points.shape[1], len(classes)), dtype=np.bool_)
    for cover, leaves in zip(covers, points, strict=True):
        fits &= cover.fits(classes, leaves)
    return fits


def _parts(n: int, width: int) -> list[slice]:
    step = max(1, _CELLS // max(1, width))
    return [slice(start, end) for start, end in pairwise([*range(0, n, step), n])]


def _classes_that_share(number: Ints, units: Ints) -> Ints:
    """Pairs of classes with rows of the same person, int64[pairs, 2]."""
    both = np.unique(np.column_stack((units, number)), axis=0)
    groups = np.split(both[:, 1], np.flatnonzero(np.diff(both[:, 0])) + 1)
    pairs = {pair for group in groups if len(group) > 1 for pair in combinations(group.tolist(), 2)}
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)


class _Cover:
    """The leaves of one column that the label of each class stands for."""

    def __init__(self, label: Ints, leaves: Sequence[Ints], n_leaves: int) -> None:
        self._label, self._n_leaves = label, n_leaves
        self._leaves = [frozenset(some.tolist()) for some in leaves]

    @classmethod
    def of(cls, labels: Labels, published: Table, first: Ints) -> Self:
        """first : a row of each class."""
        place = {text: index for index, text in enumerate(labels.texts)}
        texts = texts_of(published[labels.attribute.name]).gather(first).to_list()
        return cls(np.array([place[text] for text in texts]), labels.leaves, labels.attribute.n_leaves)

    def overlap(self, one: int, other: int) -> bool:
        return not self._leaves[self._label[one]].isdisjoint(self._leaves[self._label[other]])

    def fits(self, classes: Ints, leaves: Ints) -> Bools:
        """Whether each class stands for each of these leaves, bool[leaves, classes]."""
        used, place = np.unique(self._label[classes], return_inverse=True)
        matrix = np.zeros((self._n_leaves, len(used)), dtype=np.bool_)
        for column, label in enumerate(used.tolist()):
            matrix[list(self._leaves[label]), column] = True
        return np.asarray(matrix[leaves][:, place.reshape(-1)])
