"""Merging clusters of rows for the sake of their items, within a bound: what the two bounding methods share."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.methods.mixed.rows_first import RowsFirst
from sfumato.params import param

__all__ = ["Bounded"]


@dataclass(frozen=True, kw_only=True)
class Bounded(RowsFirst):
    """A method that merges k-anonymous clusters of rows; `merge` and `btd` say by what they are compared."""

    merge: str = param(
        "rt", choices=("r", "t", "rt"), grid=("rt", "t"), help="merge clusters with similar rows, items, or both"
    )
    btd: bool = param(True, help="compare items by their bit-vector distance, not by recoding every candidate")
