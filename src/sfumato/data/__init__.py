"""The shapes of data: datasets about people (trajectories, transactions, tables, ...) and the context around them."""

from typing import TYPE_CHECKING

from sfumato.lazy_names import loaded_on_use

if TYPE_CHECKING:
    from sfumato.data.base import Dataset, Persons
    from sfumato.data.chunks.chunks import Chunks
    from sfumato.data.constraints import Constraints
    from sfumato.data.graphs.graph import Graph
    from sfumato.data.kinds import KINDS, original_kind
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

if not TYPE_CHECKING:  # a type checker knows the names from above, and no others
    __getattr__ = loaded_on_use(
        __name__,
        {
            "base": (
                "Dataset",
                "Persons",
            ),
            "chunks.chunks": ("Chunks",),
            "constraints": ("Constraints",),
            "graphs.graph": ("Graph",),
            "kinds": (
                "KINDS",
                "original_kind",
            ),
            "mixed": ("Mixed",),
            "places": ("Places",),
            "policy": ("Policy",),
            "positions": ("Positions",),
            "roads.network": ("Network",),
            "roads.road_trajectories": ("RoadTrajectories",),
            "stops": ("Stops",),
            "tables.table": ("Table",),
            "taxonomy": ("Taxonomy",),
            "trajectories": ("Trajectories",),
            "transactions": ("Transactions",),
            "workplaces": ("Workplaces",),
        },
    )
