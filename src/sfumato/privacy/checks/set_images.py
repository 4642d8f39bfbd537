"""Sets of items as published labels show them: which records may hold all items of a set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from sfumato.data import Transactions
from sfumato.data.base import Ints, distinct_rows

__all__ = ["images_of_sets", "labels_of_items"]


def labels_of_items(data: Transactions, items: Sequence[str]) -> dict[str, list[int]]:
    """The labels that may stand for each item."""
    labels: dict[str, list[int]] = {item: [] for item in items}
    for code, label in enumerate(data.names):
        for member in data.members.get(label, (label,)):
            if member in labels:
                labels[member].append(code)
    return labels


def images_of_sets(
    data: Transactions, labels: Mapping[str, Sequence[int]], items: Sequence[str], sets: npt.NDArray[np.int32]
) -> tuple[Ints, Ints, Ints, Ints]:
    """The distinct images of sets (of items by number, padded with -1), for the kernels of `kernels.verify.policies`.

    Items behind the same labels are held by the same records, so each image of a set is examined once.
    Returns the images, the image of each set, and the records that may hold each item of an image: where they start,
    and one after the other.
    """
    number = {image: index for index, image in enumerate(sorted({tuple(codes) for codes in labels.values()}))}
    image_of = np.array([*(number[tuple(labels[item])] for item in items), len(number)], dtype=np.int64)
    images = np.sort(image_of[sets], axis=1)  # what pads comes last
    images[:, 1:][images[:, 1:] == images[:, :-1]] = len(number)
    images = np.sort(images, axis=1)
    distinct, place = distinct_rows(np.where(images == len(number), -1, images))
    holders = _holders(data, list(number))
    starts = np.concatenate(([0], np.cumsum([len(records) for records in holders]))).astype(np.int64)
    return np.ascontiguousarray(distinct), place, starts, np.concatenate(holders).astype(np.int64)


def _holders(data: Transactions, images: list[tuple[int, ...]]) -> list[Ints]:
    """The records that carry one of the labels of each image."""
    record = data.record_of_element()
    by_label = np.argsort(data.codes, kind="stable")
    bounds = np.searchsorted(data.codes[by_label], np.arange(len(data.names) + 1))
    parts = [record[by_label[bounds[code] : bounds[code + 1]]] for code in range(len(data.names))]
    return [np.concatenate([parts[code] for code in codes] or [record[:0]]) for codes in images]
