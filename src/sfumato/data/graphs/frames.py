"""Conversion of graphs from and to frames, lists and networkx."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, TypeVar

import numpy as np
import polars as pl

from sfumato.data.base import Ints, missing
from sfumato.data.frames import Source, refuse_missing, to_polars
from sfumato.data.graphs.arcs import Floats, NodeLabels
from sfumato.data.graphs.graph import Graph
from sfumato.data.ragged import encode
from sfumato.errors import CallerError, DataError, listed

__all__ = ["edge_frame", "frames_of_graph", "frames_of_networkx", "graph_of_frames", "label_frame", "networkx_of_graph"]

G = TypeVar("G", bound=Graph)


def graph_of_frames(
    kind: type[G], nodes: Any, edges: Any, directed: bool, node_source: Source, edge_source: Source
) -> G:
    """See `Graph.from_frames`."""
    edge_rows = _with_columns(to_polars(edges), ("from", "to"), edge_source)
    for end in ("from", "to"):
        refuse_missing(edge_rows[end], end, edge_source)
    end_names = edge_rows.select(pl.col("from", "to").cast(pl.String))
    if nodes is None:
        names = pl.concat([end_names["from"], end_names["to"]]).unique(maintain_order=True).alias("node")
        labels = _unlabelled(len(names))
    else:
        names, labels = _labelled(to_polars(nodes), node_source)
    if len(names) == 0:
        raise node_source.error("wanted at least one node, found none")
    return kind.of_arrays(
        names,
        labels,
        (_rows(end_names["from"], names, edge_source), _rows(end_names["to"], names, edge_source)),
        _edge_labels(edge_rows),
        _weights(edge_rows, edge_source),
        directed=directed,
    )


def _with_columns(frame: pl.DataFrame, required: tuple[str, ...], source: Source) -> pl.DataFrame:
    if any(name not in frame.columns for name in required):
        raise source.error(f"wanted the columns {', '.join(required)}, found {listed(frame.columns)}")
    return frame


def _labelled(frame: pl.DataFrame, source: Source) -> tuple[pl.Series, NodeLabels]:
    """The names of the nodes by first appearance, and their labels; where all are missing, the graph has none."""
    _with_columns(frame, ("node",), source)
    refuse_missing(frame["node"], "node", source)
    names = frame["node"].cast(pl.String).unique(maintain_order=True).alias("node")
    if "label" not in frame.columns:
        return names, _unlabelled(len(names))
    labelled_rows = frame.select(pl.col("node", "label").cast(pl.String)).filter(~missing(frame["label"]))
    if len(labelled_rows) == 0:
        return names, _unlabelled(len(names))
    codes, label_names = encode(labelled_rows["label"])
    rows = _rows(labelled_rows["node"], names, source)
    keys = np.unique(rows.astype(np.int64) * len(label_names) + codes)
    row, label = np.divmod(keys, len(label_names))
    offsets = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=len(names)))))
    return names, NodeLabels(offsets, label.astype(np.int32), label_names)


def _unlabelled(n: int) -> NodeLabels:
    return NodeLabels(np.arange(n + 1), np.zeros(n, dtype=np.int32), ("",))


def _rows(node_names: pl.Series, names: pl.Series, source: Source) -> Ints:
    numbering = pl.DataFrame({"name": names, "row": np.arange(len(names), dtype=np.int32)})
    rows = pl.DataFrame({"name": node_names}).join(numbering, on="name", how="left", maintain_order="left")["row"]
    if rows.null_count():
        raise source.error(
            "wanted an edge between nodes of the graph, found an unknown node", row=rows.is_null().arg_max()
        )
    return rows.to_numpy()


def _edge_labels(edge_rows: pl.DataFrame) -> tuple[Ints, tuple[str, ...]]:
    if "label" not in edge_rows.columns:
        return np.zeros(len(edge_rows), dtype=np.int32), ("",)
    codes, names = encode(edge_rows["label"].cast(pl.String).fill_null(""))
    return codes, names or ("",)


def _weights(edge_rows: pl.DataFrame, source: Source) -> Floats | None:
    if "weight" not in edge_rows.columns:
        return None
    numbers = edge_rows["weight"].cast(pl.Float64, strict=False)
    invalid = numbers.is_null() | ~numbers.is_finite() | (numbers < 0)
    if invalid.any():
        raise source.error("wanted weight as a number of at least 0, found something else", row=invalid.arg_max())
    return numbers.to_numpy()


def frames_of_graph(graph: Graph) -> tuple[pl.DataFrame, pl.DataFrame]:
    """See `Graph.to_frames`."""
    counts = np.diff(graph.label_offsets)
    row = np.repeat(np.arange(len(graph)), np.maximum(counts, 1))  # a node without labels has one row too
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
    rows = [(node, label) for node, node_labels in pairs for label in _label_list(node_labels)]
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


def _label_list(labels: Any) -> list[Any]:
    """The labels of a node or edge as a list; [None] for no label, so that it still gets a row."""
    if isinstance(labels, list | tuple | set | frozenset):
        return list(labels) or [None]
    return [labels]


def _texts(columns: Mapping[str, list[Any]]) -> pl.DataFrame:
    texts = {name: [None if value is None else str(value) for value in values] for name, values in columns.items()}
    return pl.DataFrame(texts, schema=dict.fromkeys(texts, pl.String))


def frames_of_networkx(graph: Any, label: str, weight: str) -> tuple[pl.DataFrame, pl.DataFrame]:
    """`node, label` and `from, to, label, weight` of a graph with the interface of networkx."""
    nodes = [(node, dict(data)) for node, data in graph.nodes(data=True)]
    labelled = any(label in data for _, data in nodes)
    rows = [(node, text) for node, data in nodes for text in _label_list(data.get(label) if labelled else "")]
    node_frame = _texts({"node": [node for node, _ in rows], "label": [text for _, text in rows]})
    edges = [(start, end, dict(data)) for start, end, data in graph.edges(data=True)]
    edge_rows = [
        (start, end, text, data.get(weight)) for start, end, data in edges for text in _label_list(data.get(label))
    ]
    columns = {name: [row[column] for row in edge_rows] for column, name in enumerate(("from", "to", "label"))}
    edge_columns = _texts(columns)
    weighted = any(row[3] is not None for row in edge_rows)
    if weighted:
        edge_columns = edge_columns.with_columns(weight=pl.Series([row[3] for row in edge_rows], dtype=pl.Float64))
    return node_frame if labelled else node_frame.select("node"), edge_columns


def networkx_of_graph(graph: Graph) -> Any:
    """See `Graph.to_networkx`."""
    try:
        networkx = import_module("networkx")
    except ImportError:
        raise CallerError("Graph: networkx is not installed: pip install networkx") from None
    parallel = len(np.unique(_pairs(graph))) < graph.n_edges
    kinds = (networkx.DiGraph, networkx.MultiDiGraph) if graph.directed else (networkx.Graph, networkx.MultiGraph)
    result = kinds[parallel]()
    nodes, edges = graph.to_frames()
    labels = nodes["label"].to_list() if "label" in nodes.columns else None
    if labels is None:
        result.add_nodes_from(graph.nodes.to_list())
    else:
        bounds = np.concatenate(([0], np.cumsum(np.maximum(np.diff(graph.label_offsets), 1)))).tolist()
        for name, first, last in zip(graph.nodes.to_list(), bounds[:-1], bounds[1:], strict=True):
            node_labels = labels[first:last]
            attributes = (
                {} if node_labels == [None] else {"label": node_labels[0] if len(node_labels) == 1 else node_labels}
            )
            result.add_node(name, **attributes)
    extra = [name for name in ("label", "weight") if name in edges.columns]
    for row in edges.iter_rows(named=True):
        result.add_edge(row["from"], row["to"], **{name: row[name] for name in extra})
    return result


def _pairs(graph: Graph) -> Ints:
    start, end, _, _ = graph.edges()
    return start.astype(np.int64) * len(graph) + end
