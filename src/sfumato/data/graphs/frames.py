"""Graphs from frames, lists and networkx, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, TypeVar

import numpy as np
import polars as pl

from sfumato.data.base import Ints, missing
from sfumato.data.frames import Source, refuse_missing, to_polars
from sfumato.data.graphs.arcs import Floats
from sfumato.data.graphs.graph import Graph
from sfumato.data.ragged import encode
from sfumato.errors import CallerError, DataError, listed

__all__ = ["edge_frame", "frames_of_graph", "frames_of_networkx", "graph_of_frames", "label_frame", "networkx_of_graph"]

G = TypeVar("G", bound=Graph)
_Labels = tuple[Ints, Ints, tuple[str, ...]]  # offsets, codes, names


def graph_of_frames(
    kind: type[G], nodes: Any, edges: Any, directed: bool, node_source: Source, edge_source: Source
) -> G:
    """See `Graph.from_frames`."""
    ways = _with_columns(to_polars(edges), ("from", "to"), edge_source)
    for end in ("from", "to"):
        refuse_missing(ways[end], end, edge_source)
    ends = ways.select(pl.col("from", "to").cast(pl.String))
    if nodes is None:
        names = pl.concat([ends["from"], ends["to"]]).unique(maintain_order=True).alias("node")
        labels = _unlabelled(len(names))
    else:
        names, labels = _labelled(to_polars(nodes), node_source)
    if len(names) == 0:
        raise node_source.error("wanted at least one node, found none")
    return kind.of_arrays(
        names,
        labels,
        (_rows(ends["from"], names, edge_source), _rows(ends["to"], names, edge_source)),
        _edge_labels(ways),
        _weights(ways, edge_source),
        directed=directed,
    )


def _with_columns(frame: pl.DataFrame, wanted: tuple[str, ...], source: Source) -> pl.DataFrame:
    if any(name not in frame.columns for name in wanted):
        raise source.error(f"wanted the columns {', '.join(wanted)}, found {listed(frame.columns)}")
    return frame


def _labelled(frame: pl.DataFrame, source: Source) -> tuple[pl.Series, _Labels]:
    """The names of the nodes by first appearance, and their labels; where all are missing, the graph has none."""
    _with_columns(frame, ("node",), source)
    refuse_missing(frame["node"], "node", source)
    names = frame["node"].cast(pl.String).unique(maintain_order=True).alias("node")
    if "label" not in frame.columns:
        return names, _unlabelled(len(names))
    said = frame.select(pl.col("node", "label").cast(pl.String)).filter(~missing(frame["label"]))
    if len(said) == 0:
        return names, _unlabelled(len(names))
    codes, label_names = encode(said["label"])
    rows = _rows(said["node"], names, source)
    keys = np.unique(rows.astype(np.int64) * len(label_names) + codes)
    row, label = np.divmod(keys, len(label_names))
    offsets = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=len(names)))))
    return names, (offsets, label.astype(np.int32), label_names)


def _unlabelled(n: int) -> _Labels:
    return np.arange(n + 1), np.zeros(n, dtype=np.int32), ("",)


def _rows(asked: pl.Series, names: pl.Series, source: Source) -> Ints:
    known = pl.DataFrame({"name": names, "row": np.arange(len(names), dtype=np.int32)})
    found = pl.DataFrame({"name": asked}).join(known, on="name", how="left", maintain_order="left")["row"]
    if found.null_count():
        raise source.error("wanted an edge between known nodes, found one to another", row=found.is_null().arg_max())
    return found.to_numpy()


def _edge_labels(ways: pl.DataFrame) -> tuple[Ints, tuple[str, ...]]:
    if "label" not in ways.columns:
        return np.zeros(len(ways), dtype=np.int32), ("",)
    codes, names = encode(ways["label"].cast(pl.String).fill_null(""))
    return codes, names or ("",)


def _weights(ways: pl.DataFrame, source: Source) -> Floats | None:
    if "weight" not in ways.columns:
        return None
    numbers = ways["weight"].cast(pl.Float64, strict=False)
    wrong = numbers.is_null() | ~numbers.is_finite() | (numbers < 0)
    if wrong.any():
        raise source.error("wanted weight as a number of at least 0, found something else", row=wrong.arg_max())
    return numbers.to_numpy()


def frames_of_graph(graph: Graph) -> tuple[pl.DataFrame, pl.DataFrame]:
    """See `Graph.to_frames`."""
    counts = np.diff(graph.label_offsets)
    row = np.repeat(np.arange(len(graph)), np.maximum(counts, 1))  # a node without labels keeps its row
    label = np.full(len(row), -1, dtype=np.int64)
    label[counts[row] > 0] = graph.labels
    names = pl.Series([*graph.label_names, None], dtype=pl.String)
    nodes = pl.DataFrame({"node": graph.nodes.gather(row)})
    if graph.label_names != ("",):
        nodes = nodes.with_columns(label=names.gather(np.where(label < 0, graph.n_labels, label)))
    start, end, edge_label, weight = graph.edges()
    edges = pl.DataFrame({"from": graph.nodes.gather(start), "to": graph.nodes.gather(end)})
    if graph.edge_label_names != ("",):
        edges = edges.with_columns(label=pl.Series(graph.edge_label_names, dtype=pl.String).gather(edge_label))
    return nodes, edges if weight is None else edges.with_columns(pl.Series("weight", weight))


def label_frame(labels: Mapping[Any, Any] | Sequence[Any]) -> pl.DataFrame:
    """`node, label` from what `Graph.from_edges` takes."""
    pairs = labels.items() if isinstance(labels, Mapping) else enumerate(labels)
    rows = [(node, label) for node, said in pairs for label in _several(said)]
    return _texts({"node": [node for node, _ in rows], "label": [label for _, label in rows]})


def edge_frame(edges: Iterable[Sequence[Any]]) -> pl.DataFrame:
    """`from, to, label` from pairs and triples."""
    rows = [tuple(edge) for edge in edges]
    if any(len(row) not in (2, 3) for row in rows):
        raise DataError("Graph: wanted edges as (from, to) or (from, to, label), found another length")
    columns = {"from": [row[0] for row in rows], "to": [row[1] for row in rows]}
    if any(len(row) == 3 for row in rows):
        columns["label"] = [row[2] if len(row) == 3 else None for row in rows]
    return _texts(columns)


def _several(said: Any) -> list[Any]:
    """The labels that a node is said to have; one row even for none, so that the node is known."""
    if isinstance(said, list | tuple | set | frozenset):
        return list(said) or [None]
    return [said]


def _texts(columns: Mapping[str, list[Any]]) -> pl.DataFrame:
    texts = {name: [None if value is None else str(value) for value in values] for name, values in columns.items()}
    return pl.DataFrame(texts, schema=dict.fromkeys(texts, pl.String))


def frames_of_networkx(graph: Any, label: str, weight: str) -> tuple[pl.DataFrame, pl.DataFrame]:
    """`node, label` and `from, to, label, weight` of a graph that speaks as networkx does."""
    nodes = [(node, dict(data)) for node, data in graph.nodes(data=True)]
    labelled = any(label in data for _, data in nodes)
    rows = [(node, one) for node, data in nodes for one in _several(data.get(label) if labelled else "")]
    node_frame = _texts({"node": [node for node, _ in rows], "label": [one for _, one in rows]})
    edges = [(start, end, dict(data)) for start, end, data in graph.edges(data=True)]
    ways = [(start, end, one, data.get(weight)) for start, end, data in edges for one in _several(data.get(label))]
    columns = {name: [way[at] for way in ways] for at, name in enumerate(("from", "to", "label"))}
    edge_columns = _texts(columns)
    weighted = any(way[3] is not None for way in ways)
    if weighted:
        edge_columns = edge_columns.with_columns(weight=pl.Series([way[3] for way in ways], dtype=pl.Float64))
    return node_frame if labelled else node_frame.select("node"), edge_columns


def networkx_of_graph(graph: Graph) -> Any:
    """See `Graph.to_networkx`."""
    try:
        networkx = import_module("networkx")
    except ImportError:
        raise CallerError("Graph: networkx is not installed: pip install networkx") from None
    several = len(np.unique(_pairs(graph))) < graph.n_edges
    kinds = (networkx.DiGraph, networkx.MultiDiGraph) if graph.directed else (networkx.Graph, networkx.MultiGraph)
    made = kinds[several]()
    nodes, edges = graph.to_frames()
    labels = nodes["label"].to_list() if "label" in nodes.columns else None
    if labels is None:
        made.add_nodes_from(graph.nodes.to_list())
    else:
        bounds = np.concatenate(([0], np.cumsum(np.maximum(np.diff(graph.label_offsets), 1)))).tolist()
        for name, first, last in zip(graph.nodes.to_list(), bounds[:-1], bounds[1:], strict=True):
            said = labels[first:last]
            attributes = {} if said == [None] else {"label": said[0] if len(said) == 1 else said}
            made.add_node(name, **attributes)
    extra = [name for name in ("label", "weight") if name in edges.columns]
    for row in edges.iter_rows(named=True):
        made.add_edge(row["from"], row["to"], **{name: row[name] for name in extra})
    return made


def _pairs(graph: Graph) -> Ints:
    start, end, _, _ = graph.edges()
    return start.astype(np.int64) * len(graph) + end
