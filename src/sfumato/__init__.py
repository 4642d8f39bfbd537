"""Sfumato: publish data about people so that no person can be singled out and the data stay true and useful."""

from importlib import import_module
from typing import TYPE_CHECKING

from sfumato.catalogue import METHODS as _METHODS
from sfumato.threads import tell_polars as _tell_polars

if TYPE_CHECKING:
    from sfumato.api.advising import advise
    from sfumato.api.anonymizing import anonymize
    from sfumato.api.auditing import audit
    from sfumato.api.comparing import compare
    from sfumato.api.describing import describe
    from sfumato.api.drawing import draw_map
    from sfumato.api.evaluating import evaluate
    from sfumato.api.reading import read
    from sfumato.api.reporting import report
    from sfumato.api.verifying import verify
    from sfumato.data import (
        Chunks,
        Constraints,
        Dataset,
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
    from sfumato.methods.mixed.r_first import RFirst
    from sfumato.methods.mixed.rum_bound import RumBound
    from sfumato.methods.mixed.t_first import TFirst
    from sfumato.methods.mixed.tum_bound import TumBound
    from sfumato.methods.relational.bottom_up import BottomUp
    from sfumato.methods.relational.cluster import Cluster
    from sfumato.methods.relational.incognito import Incognito
    from sfumato.methods.relational.local import Local
    from sfumato.methods.relational.top_down import TopDown
    from sfumato.methods.trajectories.bf_p2ka import BfP2ka
    from sfumato.methods.trajectories.cast.cast import Cast
    from sfumato.methods.trajectories.klm.sga import Sga
    from sfumato.methods.trajectories.klm.zga import Zga
    from sfumato.methods.trajectories.ngrams.ngrams import NGrams
    from sfumato.methods.trajectories.owners.gsup import Gsup
    from sfumato.methods.trajectories.owners.lsup import Lsup
    from sfumato.methods.trajectories.owners.mix import Mix
    from sfumato.methods.trajectories.owners.split import Split
    from sfumato.methods.trajectories.roads.cba import Cba
    from sfumato.methods.trajectories.roads.icba import Icba
    from sfumato.methods.trajectories.seqanon.sd_seqanon import SdSeqAnon
    from sfumato.methods.trajectories.seqanon.seqanon import SeqAnon
    from sfumato.methods.trajectories.seqanon.seqanon_f import SeqAnonF
    from sfumato.methods.trajectories.seqanon.u_seqanon import USeqAnon
    from sfumato.methods.trajectories.sparse.km_split import KmSplit
    from sfumato.methods.trajectories.sparse.km_suppress import KmSuppress
    from sfumato.methods.transactions.apriori import AprioriAnon
    from sfumato.methods.transactions.coat import Coat
    from sfumato.methods.transactions.diffpart import DiffPart
    from sfumato.methods.transactions.disassociate import Disassociate
    from sfumato.methods.transactions.lra import Lra
    from sfumato.methods.transactions.pcta import Pcta
    from sfumato.methods.transactions.vpa import Vpa
    from sfumato.privacy import Verdict
    from sfumato.threads import use_threads

__version__ = "0.2.0"

__all__ = [
    "AprioriAnon",
    "BfP2ka",
    "BottomUp",
    "Cast",
    "Cba",
    "Chunks",
    "Cluster",
    "Coat",
    "Constraints",
    "Dataset",
    "DiffPart",
    "Disassociate",
    "Graph",
    "Gsup",
    "Icba",
    "Incognito",
    "KmSplit",
    "KmSuppress",
    "Local",
    "Lra",
    "Lsup",
    "Mix",
    "Mixed",
    "NGrams",
    "Network",
    "Pcta",
    "Persons",
    "Places",
    "Policy",
    "Positions",
    "RFirst",
    "Release",
    "RoadTrajectories",
    "RumBound",
    "SdSeqAnon",
    "SeqAnon",
    "SeqAnonF",
    "Sga",
    "Split",
    "Stops",
    "TFirst",
    "Table",
    "Taxonomy",
    "TopDown",
    "Trajectories",
    "Transactions",
    "TumBound",
    "USeqAnon",
    "Verdict",
    "Vpa",
    "Workplaces",
    "Zga",
    "advise",
    "anonymize",
    "audit",
    "compare",
    "describe",
    "draw_map",
    "evaluate",
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
    "report",
    "use_threads",
    "verify",
    "write",
]

# Names are loaded when they are first used, so that `sfumato --help` answers at once.
_PLACES = {
    "sfumato.api.advising": ("advise",),
    "sfumato.api.anonymizing": ("anonymize",),
    "sfumato.api.auditing": ("audit",),
    "sfumato.api.comparing": ("compare",),
    "sfumato.api.describing": ("describe",),
    "sfumato.api.drawing": ("draw_map",),
    "sfumato.api.evaluating": ("evaluate",),
    "sfumato.api.reading": ("read",),
    "sfumato.api.reporting": ("report",),
    "sfumato.api.verifying": ("verify",),
    "sfumato.data": (
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
    ),
    "sfumato.io": (
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
    "sfumato.threads": ("use_threads",),
}
_tell_polars()  # before it is loaded
_MODULE_OF = {name: module for module, names in _PLACES.items() for name in names}
_MODULE_OF |= {where.partition(":")[2]: where.partition(":")[0] for where in _METHODS.built_in.values()}


if not TYPE_CHECKING:  # a type checker knows the names from above, and no others

    def __getattr__(name: str) -> object:
        if name not in _MODULE_OF:
            raise AttributeError(f"module 'sfumato' has no attribute {name!r}")
        value = getattr(import_module(_MODULE_OF[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
