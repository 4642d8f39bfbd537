"""The part of linked data that concerns a movement: places in a box, events in a period, and what is said of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.globe import middle_of
from sfumato.data.places import EARTH_RADIUS_M
from sfumato.errors import ParameterError
from sfumato.semantics.knowledge import resources
from sfumato.semantics.knowledge.generations import oxigraph
from sfumato.semantics.knowledge.geometry import shapely
from sfumato.semantics.vocabulary import prefix_lines

if TYPE_CHECKING:
    from sfumato.semantics.movement.movement import Movement

__all__ = ["Selection", "around", "select"]

Flags = npt.NDArray[np.bool_]
_MARK = "urn:sfumato:selected"
_STEPS = (  # what belongs to selected resources
    # geometries and other nodes without a name
    """INSERT { ?node <MARK> true } WHERE { ?r <MARK> true ; ?p ?node .
       FILTER(isBlank(?node) || EXISTS { ?node geo:asWKT ?wkt }) }""",
    # other names of the same thing that have no geometry of their own
    """INSERT { ?other <MARK> true } WHERE { ?r <MARK> true . ?other owl:sameAs ?r .
       FILTER NOT EXISTS { ?other geo:hasGeometry ?g } }""",
)
_CLASSES = """INSERT { ?class <MARK> true } WHERE {
  { ?class rdfs:subClassOf|rdfs:subPropertyOf ?x } UNION { ?x rdfs:subClassOf|rdfs:subPropertyOf|a ?class } .
  FILTER(isIRI(?class)) FILTER NOT EXISTS { ?class geo:hasGeometry ?g } }"""
_STATEMENTS = "CONSTRUCT { ?s ?p ?o } WHERE { ?s <MARK> true . ?s ?p ?o FILTER(?p != <MARK>) }"
_NAMES = """CONSTRUCT { ?o ?q ?v } WHERE { ?s <MARK> true ; ?p ?o . ?o ?q ?v .
  VALUES ?q { rdfs:label rdf:type }
  FILTER NOT EXISTS { ?o geo:hasGeometry ?g } FILTER NOT EXISTS { ?o bq:begin ?t } }"""


@dataclass(frozen=True)
class Selection:
    """A box and a period.

    Parameters
    ----------
    box : west, south, east, north in degrees; west is greater than east across the date line.  None: everywhere.
    period : begin and end in seconds since 1970.  None: at any time.
    """

    box: tuple[float, float, float, float] | None = None
    period: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if self.box is not None:
            west, south, east, north = self.box
            if not (-180 <= west <= 180 and -180 <= east <= 180 and -90 <= south <= north <= 90):
                raise ParameterError(
                    "box: wanted west, south, east, north in degrees with south <= north, found others"
                )
        if self.period is not None and not self.period[0] <= self.period[1]:
            raise ParameterError("period: wanted a begin that is not after the end, found a later one")

    @property
    def boxes(self) -> list[tuple[float, float, float, float]]:
        """The box, or its two parts on both sides of the date line."""
        if self.box is None:
            return []
        west, south, east, north = self.box
        if west <= east:
            return [self.box]
        return [(west, south, 180.0, north), (-180.0, south, east, north)]

    def touches(self, wkt: list[str]) -> Flags:
        """Which geometries meet the box."""
        library = shapely()
        shapes = library.from_wkt(np.array(wkt, dtype=object), on_invalid="ignore")
        inside = np.zeros(len(wkt), dtype=bool)
        for box in self.boxes:
            inside |= library.intersects(shapes, library.box(*box))
        return inside

    def rows(self, frame: pl.DataFrame, wkt: str) -> Flags:
        """Which rows of a table are selected: by `:x` and `:y` or the column `wkt`, and by `:begin` and `:end`."""
        keep = np.ones(frame.height, dtype=bool)
        if self.box is not None and wkt:
            keep &= self.touches(frame[wkt].fill_null("").to_list())
        elif self.box is not None and ":x" in frame.columns:
            x, y = frame[":x"].to_numpy(), frame[":y"].to_numpy()
            keep &= np.logical_or.reduce([(w <= x) & (x <= e) & (s <= y) & (y <= n) for w, s, e, n in self.boxes])
        if self.period is not None and ":begin" in frame.columns and ":end" in frame.columns:
            keep &= self.overlaps(frame[":begin"].to_numpy(), frame[":end"].to_numpy())
        return keep

    def overlaps(self, begin: npt.NDArray[np.float64], end: npt.NDArray[np.float64]) -> Flags:
        """Which intervals share an instant with the period."""
        if self.period is None:
            return np.ones(len(begin), dtype=bool)
        return (begin <= self.period[1]) & (end >= self.period[0])


def around(movement: Movement, margin_m: float = 1000.0) -> Selection:
    """The box and the period of a movement; the box is wider by a margin in metres on every side."""
    positions = movement.positions
    if positions.height == 0:
        raise ParameterError("around: wanted a movement with positions, found none")
    if not movement.geographic:
        raise ParameterError("around: wanted a movement in longitude and latitude, found plane coordinates")
    where = positions.select("x", "y").to_numpy()
    east = (where[:, 0] - middle_of(where)[0] + 180) % 360 - 180 + middle_of(where)[0]
    degrees = np.degrees(margin_m / EARTH_RADIUS_M)
    south, north = float(where[:, 1].min() - degrees), float(where[:, 1].max() + degrees)
    wider = degrees / max(1e-6, np.cos(np.radians(min(89.9, max(abs(south), abs(north))))))
    west, last = float(east.min() - wider), float(east.max() + wider)
    if last - west >= 360:
        west, last = -180.0, 180.0
    box = (_wrapped(west), max(-90.0, south), _wrapped(last), min(90.0, north))
    return Selection(box, (float(positions["begin"].min()), float(positions["end"].max())))  # type: ignore[arg-type]


def _wrapped(longitude: float) -> float:
    return longitude if -180 <= longitude <= 180 else (longitude + 180) % 360 - 180


def select(source: Any, target: Any, selection: Selection) -> int:
    """Copy the selected part of a store into another one; returns the number of places and events.

    A place is selected if a geometry of it meets the box; an event, if it shares an instant with the period and no
    place of it lies outside the box.  With them come their geometries, other names of them, all classes and
    properties with their hierarchies, and the labels and classes of everything that they name.  Without a box,
    everything but events is copied.
    """
    chosen = _chosen(source, selection)
    ox = oxigraph()
    mark, true = ox.NamedNode(_MARK), ox.Literal(True)
    source.bulk_extend(ox.Quad(_term(resource), mark, true) for resource in chosen)
    size = -1
    while size != (size := len(source)):
        for step in _STEPS:
            source.update(_with_prefixes(step))
    source.update(_with_prefixes(_CLASSES))
    for query in (_STATEMENTS, _NAMES):
        triples = source.query(_with_prefixes(query))
        target.bulk_extend(ox.Quad(triple.subject, triple.predicate, triple.object) for triple in triples)
    return len(chosen)


def _chosen(source: Any, selection: Selection) -> list[str]:
    """The resources of the places and events that are selected."""
    events = resources.events(source)
    geometries = resources.geometries(source)
    if selection.box is None:
        others = _subjects(source) - set(events["resource"])
        inside, located = others, set[str]()
    else:
        flags = selection.touches(geometries["wkt"].to_list())
        inside = set(geometries["resource"].filter(pl.Series(flags, dtype=pl.Boolean)))
        located = set(geometries["resource"])
    overlapping = events.filter(pl.Series(selection.overlaps(events["begin"].to_numpy(), events["end"].to_numpy())))
    outside = set(events.filter(pl.col("place").is_in(list(located - inside)))["resource"])
    placed = set(overlapping.filter(pl.col("place").is_in(list(inside)))["resource"])
    timed = set(overlapping["resource"]) - outside if selection.period is not None else set[str]()
    return sorted((inside - set(events["resource"])) | placed | timed)


def _subjects(source: Any) -> set[str]:
    """Everything about which something is said, except nodes that belong to another resource."""
    query = "SELECT DISTINCT ?s WHERE { ?s ?p ?o FILTER(isIRI(?s) || NOT EXISTS { ?x ?y ?s }) }"
    return {resources.text_of(row[0]) for row in source.query(query)}


def _term(resource: str) -> Any:
    ox = oxigraph()
    return ox.BlankNode(resource[2:]) if resource.startswith("_:") else ox.NamedNode(resource)


def _with_prefixes(text: str) -> str:
    return prefix_lines("bq", "geo", "owl", "rdf", "rdfs") + "\n" + text.replace("<MARK>", f"<{_MARK}>")
