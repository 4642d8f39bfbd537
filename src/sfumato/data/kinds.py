"""The kinds of private data by name."""

from __future__ import annotations

from sfumato.data.chunks.chunks import Chunks
from sfumato.data.mixed import Mixed
from sfumato.data.roads.road_trajectories import RoadTrajectories
from sfumato.data.tables.table import Table
from sfumato.data.trajectories import Trajectories
from sfumato.data.transactions import Transactions

__all__ = ["KINDS", "original_kind"]

_Private = type[Trajectories] | type[RoadTrajectories] | type[Transactions] | type[Table] | type[Mixed]
_SHAPES: tuple[_Private, ...] = (Trajectories, RoadTrajectories, Transactions, Table, Mixed)
KINDS = {shape.kind: shape for shape in _SHAPES}


def original_kind(kind: str) -> str:
    """The kind of the private data behind a release of a kind: chunks come from transactions, others from their own.

    >>> original_kind("chunks"), original_kind("table")
    ('transactions', 'table')
    """
    return Transactions.kind if kind == Chunks.kind else kind
