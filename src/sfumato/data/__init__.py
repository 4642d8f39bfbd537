"""What goes in and what comes out."""

from sfumato.data.base import Dataset, Persons
from sfumato.data.constraints import Constraints
from sfumato.data.mixed import Mixed
from sfumato.data.network import Network
from sfumato.data.places import Places
from sfumato.data.positions import Positions
from sfumato.data.stops import Stops
from sfumato.data.table import Table
from sfumato.data.taxonomy import Taxonomy
from sfumato.data.trajectories import Trajectories
from sfumato.data.transactions import Transactions

__all__ = [
    "KINDS",
    "Constraints",
    "Dataset",
    "Mixed",
    "Network",
    "Persons",
    "Places",
    "Positions",
    "Stops",
    "Table",
    "Taxonomy",
    "Trajectories",
    "Transactions",
]

KINDS: dict[str, type[Dataset]] = {shape.kind: shape for shape in (Trajectories, Transactions, Table, Mixed)}
