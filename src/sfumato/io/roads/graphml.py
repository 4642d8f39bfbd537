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
    """Nodes with `x, y` or `lat, lon`; edges, optionally with `oneway` and `class`.

    An edge and one the other way round are a road, unless both say `oneway` or their bends differ; a directed one that
    has no partner is a one-way road, unless its `oneway` says otherwise.  `directed` of an edge goes before
    `edgedefault`, and what an edge or a node does not say is the default of its key.  Roads take the ids of their edges
    where these are all different, otherwise numbers from 1.  An edge with bends (a `geometry` of LINESTRING) is cut
    into straight roads: ``7.1``, ``7.2``, ...
    """
    graph = _Reader(path).read()
    nodes, node_lines = _nodes(path, graph)
    roads, road_lines = _roads(path, graph)
    _cut_at_bends(nodes, node_lines, roads, road_lines)
    return Network.from_frames(
        nodes,
        {name: values for name, values in roads.items() if name != "bends"},
        node_source=Source(str(path), file=True, lines=tuple(node_lines)),
        road_source=Source(str(path), file=True, lines=tuple(road_lines)),
    )


@dataclass
class _Thing:
    """A node, an edge or the graph: its attributes, its data by name, its line."""

    attributes: Mapping[str, str]
    line: int
    data: dict[str, str] = field(default_factory=dict)


@dataclass
class _Graph:
    itself: _Thing
    nodes: list[_Thing] = field(default_factory=list)
    edges: list[_Thing] = field(default_factory=list)


class _Reader:
    """Reads elements as they come.  A document type, which could define entities without end, is refused."""

    def __init__(self, path: str | Path) -> None:
        self._path = path
        self._names: dict[str, str] = {}
        self._defaults: dict[str, dict[str, str]] = {tag: {} for tag in ("all", "graph", "node", "edge")}
        self._graph: _Graph | None = None
        self._open: list[_Thing] = []
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
                raise FileError(self._path, "wanted one graph, found a second", line=line)
            self._graph = _Graph(_Thing(attributes, line))
            self._open.append(self._graph.itself)
        elif tag in ("node", "edge"):
            if self._graph is None:
                raise FileError(self._path, f"wanted a graph around every {tag}, found none", line=line)
            thing = _Thing(attributes, line)
            (self._graph.nodes if tag == "node" else self._graph.edges).append(thing)
            self._open.append(thing)
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
            thing = self._open.pop()
            defaults = {**self._defaults["all"], **self._defaults[tag]}
            if "directed" in thing.attributes:  # what an edge says itself goes before what is said of all
                defaults.pop("oneway", None)
            thing.data = {**defaults, **thing.data}
        self._text.clear()


def _nodes(path: str | Path, graph: _Graph) -> tuple[dict[str, list[Any]], list[int]]:
    """The columns of the nodes, coordinates last and x (or longitude) first, and their lines."""
    if not graph.nodes:
        raise FileError(path, "wanted at least one node, found none")
    known = set(graph.nodes[0].data)
    axes = ("x", "y") if {"x", "y"} <= known else ("lon", "lat")
    if not set(axes) <= known:
        problem = "wanted nodes with x and y, or lat and lon, found others"
        raise FileError(path, problem, line=graph.nodes[0].line)
    # maps of the world keep longitude and latitude under x and y, and say so for the whole graph
    degrees = re.fullmatch(r"(epsg:4326|(urn:)?ogc:.*crs84)", graph.itself.data.get("crs", ""), re.IGNORECASE)
    names = {"x": "lon", "y": "lat"} if degrees else {}
    columns: dict[str, list[Any]] = {"node": [node.attributes.get("id") for node in graph.nodes]}
    columns |= {names.get(axis, axis): [node.data.get(axis) for node in graph.nodes] for axis in axes}
    return columns, [node.line for node in graph.nodes]


def _roads(path: str | Path, graph: _Graph) -> tuple[dict[str, list[Any]], list[int]]:
    """The columns of the roads, with the bends of each edge, and their lines."""
    default = graph.itself.attributes.get("edgedefault") == "directed"
    waiting: dict[tuple[str | None, str | None, bool], list[int]] = {}
    kept: list[_Thing] = []
    bends: list[list[tuple[str, str]]] = []
    oneway: list[bool] = []
    for edge in graph.edges:
        ends = (edge.attributes.get("source"), edge.attributes.get("target"))
        directed = {"true": True, "false": False}.get(edge.attributes.get("directed", ""), default)
        bent = _bends(path, edge.data.get("geometry", ""), edge.line)
        others = waiting.get((ends[1], ends[0], directed), [])
        partner = next((at for at in others if bends[at] == bent[::-1] and not (_says(edge) and _says(kept[at]))), None)
        if partner is not None:
            others.remove(partner)
            oneway[partner] = False
            continue
        waiting.setdefault((*ends, directed), []).append(len(kept))
        oneway.append(_says(edge) or (directed and not edge.data.get("oneway")))
        kept.append(edge)
        bends.append(bent)
    ids = [edge.attributes.get("id") for edge in kept]
    numbered = None in ids or len(set(ids)) < len(ids)
    columns: dict[str, list[Any]] = {
        "road": [str(at) for at in range(1, len(kept) + 1)] if numbered else ids,
        "from": [edge.attributes.get("source") for edge in kept],
        "to": [edge.attributes.get("target") for edge in kept],
    }
    if kept and all("class" in edge.data for edge in kept):
        columns["class"] = [edge.data["class"] for edge in kept]
    if any(oneway):
        columns["oneway"] = oneway
    columns["bends"] = bends
    return columns, [edge.line for edge in kept]


def _says(edge: _Thing) -> bool:
    """Whether an edge says that it is a one-way road."""
    return edge.data.get("oneway", "").lower() not in ("", *_FALSE)


def _cut_at_bends(
    nodes: dict[str, list[Any]],
    node_lines: list[int],
    roads: dict[str, list[Any]],
    road_lines: list[int],
) -> None:
    """Replace every road with bends by straight ones, whose nodes are added; what is given changes."""
    node, x, y = list(nodes)
    whole, lines = {name: list(values) for name, values in roads.items()}, list(road_lines)
    for values in roads.values():
        values.clear()
    road_lines.clear()
    for row, bends in enumerate(whole["bends"]):
        name = whole["road"][row]
        inner = [f"{name}:{number}" for number in range(1, len(bends) + 1)]
        nodes[node] += inner
        nodes[x] += [at for at, _ in bends]
        nodes[y] += [at for _, at in bends]
        node_lines += [lines[row]] * len(bends)
        ends = [whole["from"][row], *inner, whole["to"][row]]
        for number, (tail, head) in enumerate(pairwise(ends), start=1):
            for fact, values in roads.items():
                values.append(whole[fact][row])
            roads["road"][-1] = f"{name}.{number}" if bends else name
            roads["from"][-1], roads["to"][-1] = tail, head
            road_lines.append(lines[row])


def _bends(path: str | Path, geometry: str, line: int) -> list[tuple[str, str]]:
    """The points between the first and the last one of a LINESTRING; none where an edge has no geometry."""
    if not geometry:
        return []
    found = re.fullmatch(r"LINESTRING\s*\(([^()]+)\)", geometry.strip(), re.IGNORECASE)
    points = [tuple(point.split()) for point in found[1].split(",")] if found else []
    if len(points) < 2 or any(len(point) != 2 for point in points):
        raise FileError(path, "wanted a geometry as LINESTRING (x y, x y, ...), found something else", line=line)
    return [(x, y) for x, y in points[1:-1]]
