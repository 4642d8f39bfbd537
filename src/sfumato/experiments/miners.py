"""Experiments about miners of graphs: a configuration names a miner where it otherwise names a method."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.catalogue import METHODS, method_class
from sfumato.data import Dataset
from sfumato.data.graphs.arcs import NodeLabels
from sfumato.data.graphs.graph import Graph
from sfumato.errors import DataError, ParameterError, did_you_mean

if TYPE_CHECKING:
    from sfumato.experiments.run_spec import RunSpec

__all__ = [
    "MINERS",
    "few_edges",
    "require_graph",
    "require_miner",
    "run_miner",
    "some_edges",
    "subject_class",
    "warm_parameters",
]

MINERS = {
    "count-isomorphisms": "sfumato.mining.subgraphs.baselines:CountIsomorphisms",
    "grow-store": "sfumato.mining.subgraphs.baselines:GrowStore",
    "subgraphs": "sfumato.mining.subgraphs.grami:FrequentSubgraphs",
}
_PEAK, _STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")


def subject_class(name: str) -> Any:
    """The class of a method or, where none has the name, of a miner."""
    if name not in MINERS:
        return method_class(name)
    module, _, attribute = MINERS[name].partition(":")
    return getattr(import_module(module), attribute)


def require_miner(name: str) -> Any:
    """The class of a miner."""
    if name not in MINERS:
        remedy = "it is a method: method = ..." if name in METHODS else did_you_mean(name, MINERS)
        raise ParameterError(f"no miner is called {name!r}; {remedy}")
    return subject_class(name)


def require_graph(data: Dataset, name: str) -> None:
    """Refuse anything but a graph."""
    if not isinstance(data, Graph):
        raise DataError(f"{name}: wanted a graph, found {data.kind}")


def run_miner(spec: RunSpec, graph: Graph) -> dict[str, Any]:
    """Mine the graph; in JSON values, as the outcome of a method.

    `counts` are what was found (`patterns`, `largest` in edges and in `nodes`, `complete` or not), what the miner
    counted, and the memory it needed beyond the graph itself, in MB, where the system tells.
    """
    miner = subject_class(spec.method).from_json(spec.arguments)
    before = _memory(reset=True)
    begun, busy = perf_counter(), process_time()
    found = miner.mine(graph)
    seconds, busy = perf_counter() - begun, process_time() - busy
    after = _memory(reset=False)
    if found.stopped == "memory":  # its seconds are not those of the whole; with a time limit, they are at least that
        return {"infeasible": f"{type(miner).__name__} was stopped by its limit of memory", "cpu": busy}
    counts = {
        "patterns": len(found),
        "largest": max((pattern.n_edges for pattern in found.patterns), default=0),
        "nodes": max((pattern.n_nodes for pattern in found.patterns), default=0),
        "labels": max((len(set(pattern.labels)) for pattern in found.patterns), default=0),
        "complete": int(found.complete),
        **found.counts,
    }
    if before is not None and after is not None:
        counts["memory_mb"] = max(0.0, after - before)
    return {
        "holds": ["nothing is promised"],
        "seconds": seconds,
        "phases": {"mining": seconds},
        "counts": counts,
        "figures": {},
        "profile": [],
        "cpu": busy,
    }


def some_edges(graph: Graph, size: int, seed: int) -> Graph:
    """So many edges at random, between the same nodes; a larger sample by the same seed holds a smaller one."""
    start, end, label, weight = graph.edges()
    drawn = np.sort(np.random.default_rng([seed, 1]).permutation(len(start))[:size])
    return Graph.of_arrays(
        graph.nodes,
        NodeLabels(graph.label_offsets, graph.labels, graph.label_names),
        (start[drawn], end[drawn]),
        (label[drawn], graph.edge_label_names),
        None if weight is None else weight[drawn],
        directed=graph.directed,
    )


def few_edges(graph: Graph) -> Graph:
    """Enough for a miner to load its kernels."""
    return some_edges(graph, 300, 0)


def warm_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a short run through everything."""
    short = {"support": 2, "max_edges": 3, "time_limit": 5.0}
    return {**parameters} | {name: value for name, value in short.items() if name in parameters}


def _memory(*, reset: bool) -> float | None:
    """The most memory that this process has held since the last reset, in MB; nothing where it cannot be said."""
    try:
        if reset:
            _PEAK.write_text("5")
        said = _STATUS.read_text().partition("VmHWM:")[2].split()
        return int(said[0]) / 1024
    except (OSError, IndexError, ValueError):
        return None
