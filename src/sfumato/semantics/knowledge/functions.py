"""Functions that queries call: GeoSPARQL on any geometry, and the similarity of names.

The store turns an exception in a function into an unbound value, so that a FILTER is silently false.  `Functions`
records the exceptions, and `raise_first` raises the first of them after the query.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sfumato.errors import DataError, SfumatoError, either
from sfumato.semantics.knowledge.generations import oxigraph
from sfumato.semantics.knowledge.geometry import length_m, shape_distance_m, shape_of, shapely
from sfumato.semantics.linking.similarity import jaro_winkler, plain
from sfumato.semantics.vocabulary import BQF, GEO, GEOF, UOM

__all__ = ["Functions"]

WKT = GEO + "wktLiteral"
METRES = {UOM + "metre": 1.0, UOM + "kilometre": 1000.0}


class Functions:
    """The functions of one query, with the exceptions that they raised."""

    def __init__(self) -> None:
        self._failures: list[tuple[str, Exception]] = []

    def options(self) -> dict[str, Any]:
        """The arguments of the store's `query` and `update` that register the functions."""
        node = oxigraph().NamedNode
        plain = {node(iri): self._recorded(_short(iri), function) for iri, function in _FUNCTIONS.items()}
        aggregate = {node(GEOF + "aggBoundingBox"): lambda: _BoundingBox(self._failures)}
        return {"custom_functions": plain, "custom_aggregate_functions": aggregate}

    def raise_first(self) -> None:
        """Raise the first exception, as one sentence that quotes no value."""
        if not self._failures:
            return
        name, error = self._failures[0]
        times = "" if len(self._failures) == 1 else f" ({len(self._failures):,} calls failed)"
        reason = str(error) if isinstance(error, SfumatoError) else f"{type(error).__name__} inside the function"
        raise DataError(f"{name}: {reason}{times}")

    def _recorded(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*terms: Any) -> Any:
            try:
                return oxigraph().Literal(function(*terms))
            except Exception as error:
                self._failures.append((name, error))
                raise

        return call


class _BoundingBox:
    """The box around the geometries of a group."""

    def __init__(self, failures: list[tuple[str, Exception]]) -> None:
        self._failures = failures
        self._bounds: list[tuple[float, ...]] = []

    def accumulate(self, term: Any) -> None:
        try:
            self._bounds.append(_shape(term).bounds)
        except Exception as error:
            self._failures.append(("geof:aggBoundingBox", error))
            raise

    def finish(self) -> Any:
        if not self._bounds:
            return None
        west, south, east, north = zip(*self._bounds, strict=True)
        box = shapely().box(min(west), min(south), max(east), max(north))
        ox = oxigraph()
        return ox.Literal(box.wkt, datatype=ox.NamedNode(WKT))


def _short(iri: str) -> str:
    return iri.replace(GEOF, "geof:").replace(BQF, "bqf:")


def _shape(term: Any) -> Any:
    datatype = getattr(term, "datatype", None)
    if datatype is None or datatype.value != WKT:
        raise DataError("wanted a geo:wktLiteral, found another kind of value")
    return shape_of(term.value)


def _unit(term: Any) -> float:
    factor = METRES.get(term.value)
    if factor is None:
        names = either([f"uom:{iri.removeprefix(UOM)}" for iri in METRES])
        raise DataError(f"wanted the unit {names}, found another one")
    return factor


def _arguments(name: str, terms: tuple[Any, ...], count: int) -> None:
    if len(terms) != count:
        raise DataError(f"{name} wants {count} arguments, found {len(terms)}")


def _distance(*terms: Any) -> float:
    _arguments("the distance", terms, 3)
    return shape_distance_m(_shape(terms[0]), _shape(terms[1])) / _unit(terms[2])


def _length(*terms: Any) -> float:
    _arguments("the length", terms, 2)
    return length_m(_shape(terms[0])) / _unit(terms[1])


def _relation(name: str) -> Callable[..., bool]:
    def holds(*terms: Any) -> bool:
        _arguments("the relation", terms, 2)
        return bool(getattr(_shape(terms[0]), name)(_shape(terms[1])))

    return holds


def _similarity(*terms: Any) -> float:
    _arguments("the similarity", terms, 2)
    return jaro_winkler(plain(terms[0].value), plain(terms[1].value))


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    GEOF + "distance": _distance,
    GEOF + "length": _length,
    GEOF + "sfWithin": _relation("within"),
    GEOF + "sfContains": _relation("contains"),
    GEOF + "sfIntersects": _relation("intersects"),
    BQF + "jaroWinkler": _similarity,
}
