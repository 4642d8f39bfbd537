"""Road networks in GraphML, as street-map tools and graph libraries write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.parsers import expat

from sfumato.data.frames import Source
from sfumato.data.roads.network import Network
from sfumato.errors import FileError
from sfumato.io.files import read_bytes

__all__ = ["read_graphml"]

_FALSE = ("false", "0", "no")


def read_graphml(path: str | Path) -> Network:
    """Read nodes with `x, y` or `lat, lon`, and edges, optionally with `oneway` and `class`.

    An edge and its reverse are one road, unless both have `oneway` or their bends differ.  A directed edge without a
    reverse is a one-way road, unless its `oneway` is false.  `directed` of an edge overrides `edgedefault`; a missing
    value of an edge or a node is the default of its key.  The names of roads are the ids of their edges if these are
    distinct, otherwise numbers from 1.  An edge with bends (a `geometry` of LINESTRING) is split into straight roads:
    ``7.1``, ``7.2``, ...
    """
    graph = _Reader(path).read()
    nodes, node_lines = _nodes(path, graph)
    roads, road_lines = _roads(path, graph)
    _split_at_bends(nodes, node_lines, roads, road_lines)
    return Network.from_frames(
        nodes,
        {name: values for name, values in roads.items() if name != "bends"},
        node_source=Source(str(path), file=True, lines=tuple(node_lines)),
        road_source=Source(str(path), file=True, lines=tuple(road_lines)),
    )


@dataclass
class _Element:
    """A node, an edge or the graph: its attributes, its data by name, its line."""

    attributes: Mapping[str, str]
    line: int
    data: dict[str, str] = field(default_factory=dict)


@dataclass
class _Graph:
    root: _Element
    nodes: list[_Element] = field(default_factory=list)
    edges: list[_Element] = field(default_factory=list)


class _Reader:
    """Reads elements in order.  A document type, which could define endless entities, is refused."""

    def __init__(self, path: str | Path) -> None:
        self._path = path
        self._names: dict[str, str] = {}
        self._defaults: dict[str, dict[str, str]] = {tag: {} for tag in ("all", "graph", "node", "edge")}
        self._graph: _Graph | None = None
        self._open: list[_Element] = []
        self._key: str | None = None
        self._about = ""
        self._text: list[str] = []
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text.append
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype

    def read(self) -> _Graph:
        content = read_bytes(self._path)
        if not content.strip():
            raise FileError(self._path, "the file is empty")
        try:
            self._parser.Parse(content, True)
        except expat.ExpatError as error:
            raise FileError(
                self._path, "wanted GraphML, found something else or a file that is cut off", line=error.lineno
            ) from None
        if self._graph is None:
            raise FileError(self._path, "wanted GraphML with a graph in it, found none")
        return self._graph

    def _refuse_doctype(self, *_: Any) -> None:
        problem = "wanted GraphML without a document type, found one; remove the line with DOCTYPE"
        raise FileError(self._path, problem, line=self._parser.CurrentLineNumber)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        line = self._parser.CurrentLineNumber
        if tag == "key":
            self._key, self._about = attributes.get("id", ""), attributes.get("for", "all")
            self._names[self._key] = attributes.get("attr.name", self._key)
        elif tag == "default":
            self._text.clear()
        elif tag == "graph":
            if self._graph is not None:
                raise FileError(self._path, "wanted one graph, found a second one", line=line)
            self._graph = _Graph(_Element(attributes, line))
            self._open.append(self._graph.root)
        elif tag in ("node", "edge"):
            if self._graph is None:
                raise FileError(self._path, f"wanted a graph around every {tag}, found none", line=line)
            element = _Element(attributes, line)
            (self._graph.nodes if tag == "node" else self._graph.edges).append(element)
            self._open.append(element)
        elif tag == "data":
            self._key = attributes.get("key", "")
            self._text.clear()

    def _end(self, tag: str) -> None:
        tag = tag.rpartition(":")[2]
        if tag == "data" and self._key is not None:
            if self._open:
                self._open[-1].data[self._names.get(self._key, self._key)] = "".join(self._text).strip()
            self._key = None
        elif tag == "default" and self._key is not None and self._about in self._defaults:
            self._defaults[self._about][self._names.get(self._key, self._key)] = "".join(self._text).strip()
        elif tag in ("graph", "node", "edge") and self._open:
            element = self._open.pop()
            defaults = {**self._defaults["all"], **self._defaults[tag]}
            if "directed" in element.attributes:  # the value of an edge overrides the default
                defaults.pop("oneway", None)
            element.data = {**defaults, **element.data}
        self._text.clear()


def _nodes(path: str | Path, graph: _Graph) -> tuple[dict[str, list[Any]], list[int]]:
    """The columns of the nodes, coordinates last and x (or longitude) first, and their lines."""
    if not graph.nodes:
        raise FileError(path, "wanted at least one node, found none")
    attributes = set(graph.nodes[0].data)
    axes = ("x", "y") if {"x", "y"} <= attributes else ("lon", "lat")
    if not set(axes) <= attributes:
        problem = "wanted nodes with x and y, or lat and lon, found neither"
        raise FileError(path, problem, line=graph.nodes[0].line)
    # some street maps store longitude and latitude as x and y, and name the system in the graph's crs
    degrees = re.fullmatch(r"(epsg:4326|(urn:)?ogc:.*crs84)", graph.root.data.get("crs", ""), re.IGNORECASE)
    names = {"x": "lon", "y": "lat"} if degrees else {}
    columns: dict[str, list[Any]] = {"node": [node.attributes.get("id") for node in graph.nodes]}
    columns |= {names.get(axis, axis): [node.data.get(axis) for node in graph.nodes] for axis in axes}
    return columns, [node.line for node in graph.nodes]


def _roads(path: str | Path, graph: _Graph) -> tuple[dict[str, list[Any]], list[int]]:
    """The columns of the roads, with the bends of each edge, and their lines."""
    default = graph.root.attributes.get("edgedefault") == "directed"
    unpaired: dict[tuple[str | None, str | None, bool], list[int]] = {}
    road_edges: list[_Element] = []
    bends: list[list[tuple[str, str]]] = []
    oneway: list[bool] = []
    for edge in graph.edges:
        ends = (edge.attributes.get("source"), edge.attributes.get("target"))
        directed = {"true": True, "false": False}.get(edge.attributes.get("directed", ""), default)
        edge_bends = _bends(path, edge.data.get("geometry", ""), edge.line)
        candidates = unpaired.get((ends[1], ends[0], directed), [])
        reverse = next(
            (
                row
                for row in candidates
                if bends[row] == edge_bends[::-1] and not (_is_oneway(edge) and _is_oneway(road_edges[row]))
            ),
            None,
        )
        if reverse is not None:
            candidates.remove(reverse)
            oneway[reverse] = False
            continue
        unpaired.setdefault((*ends, directed), []).append(len(road_edges))
        oneway.append(_is_oneway(edge) or (directed and not edge.data.get("oneway")))
        road_edges.append(edge)
        bends.append(edge_bends)
    ids = [edge.attributes.get("id") for edge in road_edges]
    numbered = None in ids or len(set(ids)) < len(ids)
    columns: dict[str, list[Any]] = {
        "road": [str(row) for row in range(1, len(road_edges) + 1)] if numbered else ids,
        "from": [edge.attributes.get("source") for edge in road_edges],
        "to": [edge.attributes.get("target") for edge in road_edges],
    }
    if road_edges and all("class" in edge.data for edge in road_edges):
        columns["class"] = [edge.data["class"] for edge in road_edges]
    if any(oneway):
        columns["oneway"] = oneway
    columns["bends"] = bends
    return columns, [edge.line for edge in road_edges]


def _is_oneway(edge: _Element) -> bool:
    """Whether an edge is marked as a one-way road."""
    return edge.data.get("oneway", "").lower() not in ("", *_FALSE)


def _split_at_bends(
    nodes: dict[str, list[Any]],
    node_lines: list[int],
    roads: dict[str, list[Any]],
    road_lines: list[int],
) -> None:
    """Replace every road with bends by straight roads and add their nodes; changes its arguments."""
    node, x, y = list(nodes)
    originals, lines = {name: list(values) for name, values in roads.items()}, list(road_lines)
    for values in roads.values():
        values.clear()
    road_lines.clear()
    for row, bends in enumerate(originals["bends"]):
        name = originals["road"][row]
        inner = [f"{name}:{number}" for number in range(1, len(bends) + 1)]
        nodes[node] += inner
        nodes[x] += [bend_x for bend_x, _ in bends]
        nodes[y] += [bend_y for _, bend_y in bends]
        node_lines += [lines[row]] * len(bends)
        ends = [originals["from"][row], *inner, originals["to"][row]]
        for number, (tail, head) in enumerate(pairwise(ends), start=1):
            for fact, values in roads.items():
                values.append(originals[fact][row])
            roads["road"][-1] = f"{name}.{number}" if bends else name
            roads["from"][-1], roads["to"][-1] = tail, head
            road_lines.append(lines[row])


def _bends(path: str | Path, geometry: str, line: int) -> list[tuple[str, str]]:
    """The points between the first and the last one of a LINESTRING; none where an edge has no geometry."""
    if not geometry:
        return []
    match = re.fullmatch(r"LINESTRING\s*\(([^()]+)\)", geometry.strip(), re.IGNORECASE)
    points = [tuple(point.split()) for point in match[1].split(",")] if match else []
    if len(points) < 2 or any(len(point) != 2 for point in points):
        raise FileError(path, "wanted a geometry as LINESTRING (x y, x y, ...), found something else", line=line)
    return [(x, y) for x, y in points[1:-1]]
