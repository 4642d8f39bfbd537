"""Statements that follow from loaded ones and that queries rely on."""

from __future__ import annotations

from typing import Any

from sfumato.semantics.vocabulary import prefix_lines

__all__ = ["derive"]

_PREFIXES = prefix_lines("bq", "geo", "wgs84") + "\n"
_POINTS = "?place wgs84:lat ?lat ; wgs84:long ?long . FILTER NOT EXISTS { ?place geo:hasGeometry ?known }"
_POINT_UPDATE = f"""INSERT {{ ?place geo:hasGeometry ?node . ?node geo:asWKT ?wkt }} WHERE {{
  {_POINTS}
  BIND(IRI(CONCAT(STR(?place), "/geometry")) AS ?node)
  BIND(STRDT(CONCAT("POINT(", STR(?long), " ", STR(?lat), ")"), geo:wktLiteral) AS ?wkt)
}}"""
_SHORTCUTS = """?target bq:hasAnnotation ?annotation .
  ?annotation a bq:SemanticAnnotation ; bq:property ?property ; bq:hasValue ?value .
  FILTER NOT EXISTS { ?target ?property ?value }"""
_SHORTCUT_UPDATE = f"INSERT {{ ?target ?property ?value }} WHERE {{ {_SHORTCUTS} }}"


def derive(store: Any) -> bool:
    """Add what queries rely on; returns whether there was anything to add.

    A semantic annotation, which is a node with target, property and value, is also a plain statement, so that queries
    can say ``?stop bq:visits ?place``.  A place with a latitude and longitude, and no geometry, has a point.
    """
    steps = ((_POINTS, _POINT_UPDATE), (_SHORTCUTS, _SHORTCUT_UPDATE))
    needed = [update for pattern, update in steps if store.query(f"{_PREFIXES}ASK {{ {pattern} }}")]
    for update in needed:
        store.update(_PREFIXES + update)
    return bool(needed)
