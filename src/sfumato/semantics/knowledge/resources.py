"""Labels, geometries, classes and events of a store as frames, one query each."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from sfumato.errors import DataError
from sfumato.semantics.knowledge.answers import Answer
from sfumato.semantics.knowledge.generations import oxigraph
from sfumato.semantics.knowledge.geometry import shapely, without_crs
from sfumato.semantics.vocabulary import prefix_lines

__all__ = ["events", "geometries", "labels", "text_of", "types"]

_PREFIXES = prefix_lines("bq", "geo", "rdfs") + "\n"
_LABELS = "SELECT ?resource (STR(?l) AS ?label) (LANG(?l) AS ?language) WHERE { ?resource rdfs:label ?l }"
_GEOMETRIES = "SELECT ?resource ?wkt WHERE { ?resource geo:hasGeometry/geo:asWKT ?wkt }"
_TYPES = "SELECT ?resource ?class WHERE { ?resource a ?class }"
_EVENTS = """SELECT DISTINCT ?resource ?begin ?end ?place WHERE {
  { SELECT DISTINCT ?class WHERE { ?class rdfs:subClassOf* bq:Event } }
  ?resource a ?class ; bq:begin ?begin ; bq:end ?end .
  OPTIONAL { ?resource bq:occursIn|bq:occursAt ?place }
}"""


def labels(store: Any) -> pl.DataFrame:
    """resource, label, language."""
    frame = _strings(store, _LABELS)
    return frame.with_columns(pl.col("language").replace("", None))


def geometries(store: Any) -> pl.DataFrame:
    """resource, wkt, x, y."""
    frame = _strings(store, _GEOMETRIES)
    library = shapely()
    texts = [without_crs(text) for text in frame["wkt"]]
    shapes = library.from_wkt(np.array(texts, dtype=object), on_invalid="ignore") if texts else np.array([])
    broken = np.array([shape is None or shape.is_empty for shape in shapes], dtype=bool)
    if broken.any():
        raise DataError(f"wanted a geometry in WKT, found {int(broken.sum()):,} that are not WKT or are empty")
    centres = library.centroid(shapes)
    return frame.with_columns(
        pl.Series("wkt", texts, dtype=pl.String),
        pl.Series("x", library.get_x(centres), dtype=pl.Float64),
        pl.Series("y", library.get_y(centres), dtype=pl.Float64),
    ).sort("resource", "wkt")


def types(store: Any) -> pl.DataFrame:
    """resource, class."""
    return _strings(store, _TYPES)


def events(store: Any) -> pl.DataFrame:
    """resource, begin, end, place."""
    frame = Answer.of(store.query(_PREFIXES + _EVENTS)).frame
    for name in ("begin", "end"):
        column = frame[name]
        if column.dtype == pl.String and column.len():
            raise DataError("events: wanted begin and end as xsd:dateTime with a time zone, found other values")
        seconds = column.cast(pl.Datetime("us")).dt.epoch("us") / 1_000_000
        frame = frame.with_columns(seconds.cast(pl.Float64).alias(name))
    return frame.with_columns(pl.col("place").cast(pl.String)).sort("resource", "place")


def text_of(term: Any) -> str:
    """The text of an IRI or a literal; the label of a blank node after `_:`."""
    return f"_:{term.value}" if isinstance(term, oxigraph().BlankNode) else str(term.value)


def _strings(store: Any, query: str) -> pl.DataFrame:
    """The rows of a query whose columns are all texts."""
    result = store.query(_PREFIXES + query)
    names = [variable.value for variable in result.variables]
    columns: list[list[str]] = [[] for _ in names]
    appends = [column.append for column in columns]
    for row in result:
        for append, term in zip(appends, row, strict=True):
            append(text_of(term))
    schema = dict.fromkeys(names, pl.String)
    return pl.DataFrame(dict(zip(names, columns, strict=True)), schema=schema).sort(names)
