"""Sfumato: publish data about people so that nobody can be picked out and the data stay true and useful."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sfumato.catalogue import METHODS as _METHODS

if TYPE_CHECKING:
    from sfumato.data import (
        Chunks,
        Constraints,
        Graph,
        Mixed,
        Network,
        Persons,
        Places,
        Policy,
        Positions,
        RoadTrajectories,
        Stops,
        Table,
        Taxonomy,
        Trajectories,
        Transactions,
        Workplaces,
    )
    from sfumato.io import (
        read,
        read_constraints,
        read_graph,
        read_hierarchies,
        read_network,
        read_places,
        read_policy,
        read_positions,
        read_taxonomy,
        read_workplaces,
        write,
    )
    from sfumato.methods import Release
    from sfumato.privacy import Verdict
    from sfumato.verification import verify

__version__ = "0.2.0"

# Names are loaded when they are first used, so that `sfumato --help` answers at once.
_PLACES = {
    "sfumato.data": (
        "Chunks",
        "Constraints",
        "Graph",
        "Mixed",
        "Network",
        "Persons",
        "Places",
        "Policy",
        "RoadTrajectories",
        "Table",
        "Taxonomy",
        "Trajectories",
        "Transactions",
        "Workplaces",
    ),
    "sfumato.data.positions": ("Positions",),
    "sfumato.data.stops": ("Stops",),
    "sfumato.io": (
        "read",
        "read_constraints",
        "read_graph",
        "read_hierarchies",
        "read_network",
        "read_places",
        "read_policy",
        "read_positions",
        "read_taxonomy",
        "read_workplaces",
        "write",
    ),
    "sfumato.methods": ("Release",),
    "sfumato.privacy": ("Verdict",),
    "sfumato.verification": ("verify",),
}
_MODULE_OF = {name: module for module, names in _PLACES.items() for name in names}
_MODULE_OF |= {where.partition(":")[2]: where.partition(":")[0] for where in _METHODS.values()}

__all__ = [*_MODULE_OF]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'sfumato' has no attribute {name!r}")
    value = getattr(import_module(_MODULE_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
