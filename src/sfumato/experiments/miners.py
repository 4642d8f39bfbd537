"""Experiments about miners of graphs: a configuration names a miner where it otherwise names a method."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.catalogue import METHODS, MINERS
from sfumato.data import Dataset
from sfumato.data.graphs.arcs import NodeLabels
from sfumato.data.graphs.graph import Graph
from sfumato.errors import DataError, ParameterError
from sfumato.registry import own_code_is_allowed

if TYPE_CHECKING:
    from sfumato.experiments.run_spec import RunSpec

__all__ = [
    "few_edges",
    "is_miner",
    "require_graph",
    "require_miner",
    "run_miner",
    "some_edges",
    "subject_class",
    "warm_parameters",
]

_PEAK, _STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")


def is_miner(name: str) -> bool:
    """Whether a configuration names a miner and no method."""
    if ":" not in name:
        return name in MINERS and name not in METHODS
    if not own_code_is_allowed():
        return False
    try:
        METHODS.choose(name)
    except ParameterError:
        return True
    return False


def subject_class(name: str) -> Any:
    """The class of the method or miner of this name."""
    return require_miner(name) if is_miner(name) else METHODS.choose(name)


def require_miner(name: str) -> Any:
    """The class of a miner of graphs."""
    if name in METHODS:
        raise ParameterError(f"no miner is called {name!r}; it is a method; write method = ...")
    miner = MINERS.choose(name)
    if miner.kind != "graph":
        raise ParameterError(f"miner {name!r}: wanted a miner of graphs, found a miner of {miner.kind}")
    return miner


def require_graph(data: Dataset, name: str) -> None:
    """Refuse anything but a graph."""
    if not isinstance(data, Graph):
        raise DataError(f"{name}: wanted a graph, found {data.kind}")


def run_miner(spec: RunSpec, graph: Graph) -> dict[str, Any]:
    """Mine the graph; in JSON values, as the outcome of a method.

    `counts` are the results (`patterns`, `largest` in edges and in `nodes`, `complete` or not), the counts of the
    miner, and the memory it used beyond the graph, in MB, if the system reports it.
    """
    miner = subject_class(spec.method).from_json(spec.arguments)
    before = _memory(reset=True)
    begun, busy = perf_counter(), process_time()
    result = miner.mine(graph)
    seconds, busy = perf_counter() - begun, process_time() - busy
    after = _memory(reset=False)
    if result.stopped == "memory":  # its seconds are not those of the whole; with a time limit, they are at least that
        return {"infeasible": f"{type(miner).__name__} reached its memory limit", "cpu": busy}
    counts = {
        "patterns": len(result),
        "largest": max((pattern.n_edges for pattern in result.patterns), default=0),
        "nodes": max((pattern.n_nodes for pattern in result.patterns), default=0),
        "labels": max((len(set(pattern.labels)) for pattern in result.patterns), default=0),
        "complete": int(result.complete),
        **result.counts,
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
    """A random sample of edges, with all nodes; a larger sample with the same seed contains a smaller one."""
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
    """A small sample with which a miner loads its kernels."""
    return some_edges(graph, 300, 0)


def warm_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a short run that uses every kernel."""
    short = {"support": 2, "max_edges": 3, "time_limit": 5.0}
    return {**parameters} | {name: value for name, value in short.items() if name in parameters}


def _memory(*, reset: bool) -> float | None:
    """The peak memory of this process since the last reset, in MB; None if the system does not report it."""
    try:
        if reset:
            _PEAK.write_text("5")
        words = _STATUS.read_text().partition("VmHWM:")[2].split()
        return int(words[0]) / 1024
    except (OSError, IndexError, ValueError):
        return None
