"""The base class of miners of sequences and itemsets: smallest support, lengths, and which patterns to keep."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import polars as pl

from sfumato.data.base import Progress
from sfumato.data.ragged import Ragged
from sfumato.errors import DataError, ParameterError
from sfumato.mining.batches import MOST
from sfumato.mining.frequent_labels import Frequent
from sfumato.mining.patterns import Patterns
from sfumato.params import Declared, exact, param

__all__ = ["Mining", "share_of"]


@dataclass(frozen=True, kw_only=True)
class Mining(Declared, ABC):
    """Find the patterns with a support of at least a threshold."""

    name: ClassVar[str]
    kind: ClassVar[str]  # the kind of data it reads
    sides: ClassVar[tuple[str, ...]] = ()  # the options of the command line that make other data of this kind
    separator: ClassVar[str] = ", "  # what stands between two names of a pattern

    support: float | None = param(
        None,
        above=0,
        help="smallest support: a number of persons (of records where persons are unknown), or below 1 a share of them",
    )
    top: int | None = param(None, at_least=1, help="largest number of patterns, those with the highest support")
    min_length: int = param(1, at_least=1, help="length of the shortest pattern")
    max_length: int | None = param(None, at_least=1, help="length of the longest pattern")
    keep: str = param(
        "all",
        choices=("all", "closed", "maximal"),
        help="closed: only patterns without a longer one of the same support; maximal: without a longer frequent one",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        owner = type(self).__name__
        if self.support is None and self.top is None:
            raise ParameterError(f"{owner}: wanted support, top or both, found neither")
        if self.support is not None and self.support > 1 and not self.support.is_integer():
            raise ParameterError(f"{owner}: support must be a whole number, or a share below 1, got {self.support}")
        if self.max_length is not None and self.max_length < self.min_length:
            raise ParameterError(
                f"{owner}: max_length must be at least min_length={self.min_length}, got {self.max_length}"
            )

    def mine(self, data: Ragged, *, progress: Progress | None = None) -> pl.DataFrame:
        """The patterns as a frame: `pattern` (a list of names), `length` and `support`.

        Sorted by support, highest first; ties by name.
        """
        return self.find(data, progress=progress).to_frame(data.names)

    def find(self, data: Ragged, *, progress: Progress | None = None, most: int = MOST) -> Patterns:
        """The same patterns as codes of the data, for further computing; `most` limits the labels of all together."""
        if data.kind != self.kind:
            raise DataError(f"{type(self).__name__}: wanted {self.kind}, found {data.kind}")
        threshold = self.threshold(data)
        return self._find(Frequent.of(data, threshold), threshold, progress, most)

    def threshold(self, data: Ragged) -> int:
        """The smallest support as a number of persons or records."""
        if self.support is None:
            return 1
        if self.support >= 1:
            return int(self.support)
        return share_of(data, exact(self.support))

    @abstractmethod
    def _find(self, frequent: Frequent, threshold: int, progress: Progress | None, most: int) -> Patterns: ...


def share_of(data: Ragged, share: Fraction) -> int:
    """The number of persons (records where persons are unknown) in a share of them, rounded up.

    >>> from sfumato.data import Transactions
    >>> share_of(Transactions.from_lists([["a"], ["b"], ["a"]]), Fraction(34, 100))
    2
    """
    units = len(data) if data.persons is None else len(np.unique(data.persons.codes))
    return max(1, math.ceil(share * units))
