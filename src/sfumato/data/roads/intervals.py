"""Names of time intervals in natural order, in which 9-10 comes before 10-11."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from sfumato.data.base import Ints

__all__ = ["ALL_DAY", "in_natural_order", "natural"]

ALL_DAY = "all"
"""The only interval of a release without time intervals."""


def in_natural_order(labels: Iterable[str]) -> tuple[Ints, tuple[str, ...]]:
    """The position of each label among the distinct labels, and these in natural order.

    >>> numbers, names = in_natural_order(["10-11", "9-10", "10-11"])
    >>> numbers.tolist(), names
    ([1, 0, 1], ('9-10', '10-11'))
    """
    labels = [str(label) for label in labels]
    names = tuple(sorted(set(labels), key=natural))
    number = {name: index for index, name in enumerate(names)}
    return np.array([number[label] for label in labels], dtype=np.int32), names


def natural(label: str) -> tuple[tuple[tuple[str, int], ...], str]:
    """A sort key for labels, in which numbers compare as numbers.

    >>> sorted(["10", "9", "a"], key=natural)
    ['9', '10', 'a']
    """
    parts = re.split(r"([0-9]+)", label)
    return tuple(("", int(part)) if part.isdecimal() else (part, -1) for part in parts if part), label
