"""Answers as GeoJSON: a feature for each geometry, or each resource with a geometry, in a row of an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.errors import DataError
from sfumato.params import JsonObject
from sfumato.semantics.knowledge.geometry import shape_of, shapely
from sfumato.semantics.queries.terms import is_iri

if TYPE_CHECKING:
    from sfumato.semantics.knowledge.answers import Answer
    from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase

__all__ = ["answer_geojson"]

_BATCH = 2_000  # resources in one query
_GEOMETRIES = """PREFIX geo: <http://www.opengis.net/ont/geosparql#>
SELECT ?resource ?wkt WHERE {{ VALUES ?resource {{ {} }} ?resource geo:hasGeometry/geo:asWKT ?wkt }}
ORDER BY ?resource ?wkt"""


def answer_geojson(base: KnowledgeBase, answer: Answer) -> JsonObject:
    """The rows of an answer as a FeatureCollection, longitude first.

    A column of geometries gives a feature for each row; so does a column of resources that have a geometry in the
    knowledge base.  The properties of a feature are the values of its row and the name of the column.
    """
    shapes = {name: _shapes(base, answer, name) for name in answer.columns}
    drawn = {name: values for name, values in shapes.items() if any(value is not None for value in values)}
    if len(answer) and not drawn:
        raise DataError("no column of the answer has a geometry; ask for a resource with a geometry, or for its WKT")
    features = [
        {"type": "Feature", "geometry": shape, "properties": {**row, "column": name}}
        for number, row in enumerate(_properties(answer))
        for name, values in drawn.items()
        if (shape := values[number]) is not None
    ]
    return {"type": "FeatureCollection", "features": features}


def _properties(answer: Answer) -> list[dict[str, Any]]:
    """The values of each row without geometries."""
    shown = [name for name, kind in answer.kinds.items() if kind != "wkt"]
    return [{name: row[name] for name in shown} for row in answer.rows()]


def _shapes(base: KnowledgeBase, answer: Answer, name: str) -> list[JsonObject | None]:
    """The geometry of each value of a column, or None."""
    kind, values = answer.kinds[name], answer.frame[name].to_list()
    if kind == "wkt":
        return [None if value is None else _geometry(value) for value in values]
    if kind not in ("iri", "mixed"):
        return [None] * len(values)
    known = _known_geometries(base, sorted({value for value in values if value is not None and is_iri(value)}))
    return [known.get(value) for value in values]


def _known_geometries(base: KnowledgeBase, resources: list[str]) -> dict[str, JsonObject]:
    """The first geometry of each resource that has one."""
    known: dict[str, JsonObject] = {}
    for start in range(0, len(resources), _BATCH):
        names = " ".join(f"<{resource}>" for resource in resources[start : start + _BATCH])
        for resource, wkt in base.answer(_GEOMETRIES.format(names)).frame.iter_rows():
            if resource not in known:
                known[resource] = _geometry(wkt)
    return known


def _geometry(wkt: str) -> JsonObject:
    geometry: JsonObject = shapely().geometry.mapping(shape_of(wkt))
    return geometry
