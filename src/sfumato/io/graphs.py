"""Reading and writing graphs: ``.lg`` files, and lists of edges as ``.csv``, ``.parquet`` or lines of text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from sfumato.data.frames import Source
from sfumato.data.graphs.graph import Graph
from sfumato.errors import DataError, FileError, OutputError, did_you_mean, listed
from sfumato.io.atomic_writes import write_text
from sfumato.io.files import suffix_of
from sfumato.io.frames import read_frame, write_frame
from sfumato.io.graph_lines import Lines, graph_lines, quoted
from sfumato.remedies import with_remedy

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
    """Read one graph.

    ``.lg``: lines ``v NODE LABEL`` and ``e FROM TO LABEL``; labels may be missing, and a label or name with blanks
    is in quotation marks.  A second label of a node or an edge has a line of its own.  ``.csv``, ``.parquet``: the
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
        raise FileError(path, "wanted no file of nodes with an .lg file, which holds its nodes; leave it out")
    lines = graph_lines(path)
    heads = lines.of("t")
    if len(heads) > 1:
        line = heads["line"][1]
        raise FileError(path, f"wanted one graph, found {len(heads)}; keep the lines of one graph", line=line)
    return _graph(lines, path, directed)


def read_graphs(path: str | Path, *, directed: bool = False) -> tuple[Graph, ...]:
    """Read the graphs of an ``.lg`` file, such as mined patterns, in their order."""
    return tuple(_graph(part, path, directed) for part in graph_lines(path).parts())


def write_graph(graph: Graph, path: str | Path, *, nodes: str | Path | None = None) -> None:
    """Write an ``.lg`` file, or the edges as ``.csv`` or ``.parquet`` and the labels of nodes in a second file."""
    node_frame, edge_frame = graph.to_frames()
    if suffix_of(path) == ".lg":
        if graph.out.weights is not None:
            raise DataError(
                f"{path}: wanted a graph without weights for an .lg file, found weights; write a .csv instead"
            )
        write_text(f"t # 1\n{_lines('v', node_frame, path)}{_lines('e', edge_frame, path)}", path)
    elif suffix_of(path) in (".csv", ".parquet"):
        if nodes is None and graph.label_names != ("",):
            raise DataError(
                f"{path}: wanted a second file for the labels of the nodes (nodes), found none; give one, or write .lg"
            )
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
                raise source.error(f"wanted a known column role, found {role!r}; {did_you_mean(role, _ROLES)}")
            if name not in frame.columns:
                raise source.error(
                    f"wanted a column {name!r} for {role}, found none; {did_you_mean(name, frame.columns)}"
                )
        missing_roles = [role for role in ("from", "to") if role not in columns and role not in frame.columns]
        if missing_roles:
            problem = f"wanted the columns from, to, found {listed(frame.columns)}"
            raise source.error(_with_remedy(problem, frame, columns))
        own_names = [name for name in _ROLES if name in frame.columns and name not in columns]
        actual_names = {**{name: name for name in own_names}, **columns}
        return frame.select(pl.col(name).alias(role) for role, name in actual_names.items()), source
    if suffix not in GRAPH_SUFFIXES:
        raise FileError(path, f"wanted a graph that ends in {', '.join(GRAPH_SUFFIXES)}, found {suffix or 'none'!r}")
    lines = graph_lines(path, marked=False)
    edge_lines = lines.of("e")
    return edge_lines.rename({"first": "from", "second": "to", "third": "label"}), lines.source(edge_lines)


def _with_remedy(problem: str, frame: pl.DataFrame, columns: Mapping[str, str]) -> str:
    """The problem and how to name other columns, with the first columns without a role."""
    roles = [role for role in ("from", "to") if role not in columns and role not in frame.columns]
    unused = [name for name in frame.columns if name not in (*_ROLES, *columns.values())]
    if len(unused) < len(roles):
        return problem
    pairs = {**columns, **dict(zip(roles, unused, strict=False))}
    return with_remedy(problem, "name-columns", columns=",".join(f"{role}={name}" for role, name in pairs.items()))


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
    """A line for each row: the mark and the fields that are not empty."""
    if len(frame) == 0:
        return ""
    fields = [quoted(column, path) for column in frame.iter_columns()]
    text = pl.select(pl.concat_str([pl.lit(mark), *fields], separator=" ", ignore_nulls=True)).to_series()
    return "\n".join(text.to_list()) + "\n"
