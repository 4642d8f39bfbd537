"""What goes in and what comes out."""

from sfumato.data.base import Dataset, Persons
from sfumato.data.mixed import Mixed
from sfumato.data.places import Places
from sfumato.data.table import Table
from sfumato.data.taxonomy import Taxonomy
from sfumato.data.trajectories import Trajectories
from sfumato.data.transactions import Transactions

__all__ = [
    "KINDS",
    "Dataset",
    "Mixed",
    "Persons",
    "Places",
    "Table",
    "Taxonomy",
    "Trajectories",
    "Transactions",
]

KINDS: dict[str, type[Dataset]] = {shape.kind: shape for shape in (Trajectories, Transactions, Table, Mixed)}
