"""The names of intervals, and their order: numbers in them in the order of numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from sfumato.data.base import Ints

__all__ = ["ALL_DAY", "in_natural_order", "natural"]

ALL_DAY = "all"
"""The one interval of a release that was not cut into intervals."""


def in_natural_order(labels: Iterable[str]) -> tuple[Ints, tuple[str, ...]]:
    """The number of each label's interval, and their names with numbers in the order of numbers.

    >>> numbers, names = in_natural_order(["10-11", "9-10", "10-11"])
    >>> numbers.tolist(), names
    ([1, 0, 1], ('9-10', '10-11'))
    """
    labels = [str(label) for label in labels]
    names = tuple(sorted(set(labels), key=natural))
    number = {name: at for at, name in enumerate(names)}
    return np.array([number[label] for label in labels], dtype=np.int32), names


def natural(label: str) -> tuple[tuple[tuple[str, int], ...], str]:
    """What to sort labels by.

    >>> sorted(["10", "9", "a"], key=natural)
    ['9', '10', 'a']
    """
    parts = re.split(r"([0-9]+)", label)
    return tuple(("", int(part)) if part.isdecimal() else (part, -1) for part in parts if part), label
