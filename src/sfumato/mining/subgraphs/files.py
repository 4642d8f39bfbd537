"""Reading and writing frequent subgraphs: ``.lg``, ``.json``, ``.csv`` and ``.parquet``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.data.graphs.graph import Graph
from sfumato.errors import FileError, OutputError
from sfumato.io.atomic_writes import write_json, write_text
from sfumato.io.files import suffix_of
from sfumato.io.frames import write_frame
from sfumato.io.graph_lines import quoted
from sfumato.io.graphs import read_graphs
from sfumato.mining.subgraphs.results import Pattern, Subgraphs

__all__ = ["PATTERN_SUFFIXES", "read_patterns", "subgraphs_json", "write_subgraphs"]

PATTERN_SUFFIXES = (".lg", ".json", ".csv", ".parquet")


def write_subgraphs(subgraphs: Subgraphs, path: str | Path) -> None:
    """Write the patterns in the format of the file's ending.

    ``.lg``: a graph for each, after a line ``t # NUMBER * SUPPORT``, the usual format of graph miners.  ``.json``: the
    object of `subgraphs_json`.  ``.csv`` (lists as JSON) and ``.parquet``: a row for each, `nodes`, `edges`, `support`.
    """
    suffix = suffix_of(path)
    if suffix == ".lg":
        texts = [_lines(number, pattern, path) for number, pattern in enumerate(subgraphs.patterns, start=1)]
        write_text("".join(texts), path)
    elif suffix == ".json":
        write_json(subgraphs_json(subgraphs), path)
    elif suffix in (".csv", ".parquet"):
        frame = subgraphs.to_frame()
        write_frame(frame if suffix == ".parquet" else frame.with_columns(_as_json(frame, "nodes", "edges")), path)
    else:
        raise OutputError(
            f"{path}: wanted a file that ends in {', '.join(PATTERN_SUFFIXES)}, found {suffix or 'none'!r}"
        )


def subgraphs_json(subgraphs: Subgraphs) -> dict[str, Any]:
    """The outcome of the search, and `patterns`: each with `nodes` (labels), `edges` (from, to, label), `support`."""
    return {
        "support": subgraphs.threshold,
        "exact": subgraphs.exact,
        "complete": subgraphs.complete,
        "stopped": subgraphs.stopped,
        "complete_edges": subgraphs.complete_edges,
        "counts": dict(subgraphs.counts),
        "patterns": [pattern.to_json() for pattern in subgraphs.patterns],
    }


def read_patterns(path: str | Path, *, directed: bool = False) -> tuple[Pattern, ...]:
    """Read the graphs of an ``.lg`` file as patterns, in which each node has one label."""
    return tuple(_pattern(graph, path) for graph in read_graphs(path, directed=directed))


def _pattern(graph: Graph, path: str | Path) -> Pattern:
    if not graph.single_labels or len(graph.labels) < len(graph):
        raise FileError(path, "wanted one label on each node of a pattern, found a node with several or none")
    start, end, label, _ = graph.edges()
    names = graph.edge_label_names
    rows = zip(start.tolist(), end.tolist(), label.tolist(), strict=True)
    return Pattern(
        tuple(graph.label_names[code] for code in graph.labels),
        tuple((i, j, names[code]) for i, j, code in rows),
        directed=graph.directed,
    )


def _lines(number: int, pattern: Pattern, path: str | Path) -> str:
    nodes = [("v", str(node), label) for node, label in enumerate(_fields(pattern.labels, path))]
    names = _fields(tuple(label for _, _, label in pattern.edges), path)
    edges = [("e", str(i), str(j), name) for (i, j, _), name in zip(pattern.edges, names, strict=True)]
    rows = [" ".join(part for part in row if part) for row in (*nodes, *edges)]
    return "\n".join([f"t # {number} * {pattern.support}", *rows]) + "\n"


def _fields(names: tuple[str, ...], path: str | Path) -> list[str]:
    return quoted(pl.Series(names, dtype=pl.String), path).fill_null("").to_list()


def _as_json(frame: pl.DataFrame, *columns: str) -> list[pl.Series]:
    return [
        pl.Series(name, [json.dumps(value, ensure_ascii=False) for value in frame[name].to_list()], dtype=pl.String)
        for name in columns
    ]
