"""Graphs: ``.lg`` files (lines ``t``, ``v``, ``e``), and lists of edges as ``.csv``, ``.parquet`` or lines of text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from sfumato.data.frames import Source
from sfumato.data.graphs.graph import Graph
from sfumato.errors import DataError, FileError, OutputError, did_you_mean, listed
from sfumato.io.files import suffix_of, write_text
from sfumato.io.frames import read_frame, write_frame
from sfumato.io.graph_lines import Lines, graph_lines, quoted

__all__ = ["GRAPH_SUFFIXES", "read_graph", "read_graphs", "write_graph"]

GRAPH_SUFFIXES = (".lg", ".csv", ".parquet", ".txt", ".edges")
_ROLES = ("from", "to", "label", "weight")


def read_graph(
    path: str | Path,
    *,
    nodes: str | Path | None = None,
    directed: bool = False,
    columns: Mapping[str, str] | None = None,
) -> Graph:
    """One graph.

    ``.lg``: lines ``v NODE LABEL`` and ``e FROM TO LABEL``; labels may be missing, and a label or name with blanks
    stands in quotation marks.  A second label of a node or an edge has a line of its own.  ``.csv``, ``.parquet``: the
    columns `from, to`, optionally `label, weight`.  ``.txt``, ``.edges``: lines ``FROM TO LABEL``.  ``.gz`` of any.

    nodes : for lists of edges, a ``.csv`` or ``.parquet`` file with the columns `node, label`.
    columns : other names of the columns, such as ``{"from": "source"}``.
    """
    if Path(path).is_dir():
        raise FileError(path, "wanted a file, found a directory")
    if suffix_of(path) != ".lg":
        edges, edge_source = _edges(path, columns or {})
        if nodes is None:
            return Graph.from_frames(None, edges, directed=directed, edge_source=edge_source)
        frame, source = read_frame(nodes, texts=None)
        return Graph.from_frames(frame, edges, directed=directed, node_source=source, edge_source=edge_source)
    if nodes is not None:
        raise FileError(path, "an .lg file holds its nodes itself; leave the file of nodes out")
    lines = graph_lines(path)
    heads = lines.of("t")
    if len(heads) > 1:
        line = heads["line"][1]
        raise FileError(path, f"wanted one graph, found {len(heads)}; keep the lines of one", line=line)
    return _graph(lines, path, directed)


def read_graphs(path: str | Path, *, directed: bool = False) -> tuple[Graph, ...]:
    """The graphs of an ``.lg`` file, such as patterns that were mined, in their order."""
    return tuple(_graph(part, path, directed) for part in graph_lines(path).parts())


def write_graph(graph: Graph, path: str | Path, *, nodes: str | Path | None = None) -> None:
    """An ``.lg`` file, or the edges as ``.csv`` or ``.parquet``, with the labels of the nodes in a second file."""
    node_frame, edge_frame = graph.to_frames()
    if suffix_of(path) == ".lg":
        if graph.out.weights is not None:
            raise DataError(f"{path}: an .lg file has no place for weights; write a .csv instead")
        write_text(f"t # 1\n{_lines('v', node_frame, path)}{_lines('e', edge_frame, path)}", path)
    elif suffix_of(path) in (".csv", ".parquet"):
        if nodes is None and graph.label_names != ("",):
            raise DataError(f"{path}: the labels of the nodes need a file of their own; name it (nodes), or write .lg")
        write_frame(edge_frame, path)
        if nodes is not None:
            write_frame(node_frame, nodes)
    else:
        raise OutputError(f"{path}: wanted a file that ends in .lg, .csv or .parquet")


def _edges(path: str | Path, columns: Mapping[str, str]) -> tuple[pl.DataFrame, Source]:
    suffix = suffix_of(path)
    if suffix in (".csv", ".parquet"):
        frame, source = read_frame(path, texts=None)
        for role, name in columns.items():
            if role not in _ROLES:
                raise source.error(f"no column role is called {role!r}; {did_you_mean(role, _ROLES)}")
            if name not in frame.columns:
                raise source.error(f"wanted a column {name!r} for {role}; {did_you_mean(name, frame.columns)}")
        short = [role for role in ("from", "to") if role not in columns and role not in frame.columns]
        if short:
            raise source.error(f"wanted the columns from, to, found {listed(frame.columns)}{_remedy(frame, columns)}")
        taken = [name for name in _ROLES if name in frame.columns and name not in columns]
        chosen = {**{name: name for name in taken}, **columns}
        return frame.select(pl.col(name).alias(role) for role, name in chosen.items()), source
    if suffix not in GRAPH_SUFFIXES:
        raise FileError(path, f"wanted a graph that ends in {', '.join(GRAPH_SUFFIXES)}, found {suffix or 'nothing'!r}")
    lines = graph_lines(path, marked=False)
    found = lines.of("e")
    return found.rename({"first": "from", "second": "to", "third": "label"}), lines.source(found)


def _remedy(frame: pl.DataFrame, columns: Mapping[str, str]) -> str:
    """How to name other columns, with the first ones that nobody has named yet."""
    roles = [role for role in ("from", "to") if role not in columns and role not in frame.columns]
    free = [name for name in frame.columns if name not in (*_ROLES, *columns.values())]
    if len(free) < len(roles):
        return ""
    pairs = {**columns, **dict(zip(roles, free, strict=False))}
    return f"; name others: columns= (--columns {','.join(f'{role}={name}' for role, name in pairs.items())})"


def _graph(lines: Lines, path: str | Path, directed: bool) -> Graph:
    nodes, edges = lines.of("v"), lines.of("e")
    if len(nodes) == 0:
        raise FileError(path, "wanted at least one node (v NODE LABEL), found none")
    return Graph.from_frames(
        nodes.select(node="first", label="second"),
        edges.rename({"first": "from", "second": "to", "third": "label"}),
        directed=directed,
        node_source=lines.source(nodes),
        edge_source=lines.source(edges),
    )


def _lines(mark: str, frame: pl.DataFrame, path: str | Path) -> str:
    """A line for each row: the mark and the fields, blank ones left away."""
    if len(frame) == 0:
        return ""
    fields = [quoted(column, path) for column in frame.iter_columns()]
    text = pl.select(pl.concat_str([pl.lit(mark), *fields], separator=" ", ignore_nulls=True)).to_series()
    return "\n".join(text.to_list()) + "\n"
