"""The shapes of data: datasets about people (trajectories, transactions, tables, ...) and the context around them."""

from sfumato.data.base import Dataset, Persons
from sfumato.data.chunks.chunks import Chunks
from sfumato.data.constraints import Constraints
from sfumato.data.graphs.graph import Graph
from sfumato.data.mixed import Mixed
from sfumato.data.places import Places
from sfumato.data.policy import Policy
from sfumato.data.positions import Positions
from sfumato.data.roads.network import Network
from sfumato.data.roads.road_trajectories import RoadTrajectories
from sfumato.data.stops import Stops
from sfumato.data.tables.table import Table
from sfumato.data.taxonomy import Taxonomy
from sfumato.data.trajectories import Trajectories
from sfumato.data.transactions import Transactions
from sfumato.data.workplaces import Workplaces

__all__ = [
    "KINDS",
    "Chunks",
    "Constraints",
    "Dataset",
    "Graph",
    "Mixed",
    "Network",
    "Persons",
    "Places",
    "Policy",
    "Positions",
    "RoadTrajectories",
    "Stops",
    "Table",
    "Taxonomy",
    "Trajectories",
    "Transactions",
    "Workplaces",
    "original_kind",
]

_Private = type[Trajectories] | type[RoadTrajectories] | type[Transactions] | type[Table] | type[Mixed]
_SHAPES: tuple[_Private, ...] = (Trajectories, RoadTrajectories, Transactions, Table, Mixed)
KINDS = {shape.kind: shape for shape in _SHAPES}


def original_kind(kind: str) -> str:
    """The kind of the private data behind a release of a kind: chunks come from transactions, others from their own.

    >>> original_kind("chunks"), original_kind("table")
    ('transactions', 'table')
    """
    return Transactions.kind if kind == Chunks.kind else kind
