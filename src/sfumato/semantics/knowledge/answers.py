"""The answer to a query: a frame, SPARQL CSV, and the kind of each column."""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import cached_property
from typing import Any

import polars as pl

from sfumato.semantics.knowledge.generations import oxigraph
from sfumato.semantics.vocabulary import GEO, XSD

__all__ = ["Answer"]

_WHOLE = {XSD + name for name in ("integer", "int", "long", "short", "byte", "nonNegativeInteger", "positiveInteger")}
_REAL = {XSD + name for name in ("decimal", "double", "float")}
_SPECIAL = {XSD + "boolean": "boolean", XSD + "dateTime": "time", XSD + "date": "date", GEO + "wktLiteral": "wkt"}
_TYPES = {"integer": pl.Int64, "number": pl.Float64, "boolean": pl.Boolean, "date": pl.Date}


class Answer:
    """Rows (SELECT), yes or no (ASK), or triples (CONSTRUCT, DESCRIBE).

    kind : `rows`, `truth` or `triples`.
    columns : the variables of a SELECT; `subject`, `predicate`, `object` of triples; `answer` of an ASK.
    """

    def __init__(self, kind: str, content: bytes) -> None:
        self.kind = kind
        self._content = content  # SPARQL TSV, N-Triples, or `true` and `false`

    @classmethod
    def of(cls, result: Any) -> Answer:
        """The answer that the store computes; functions of the query are called here."""
        ox = oxigraph()
        if isinstance(result, ox.QuerySolutions):
            return cls("rows", result.serialize(format=ox.QueryResultsFormat.TSV))
        if isinstance(result, ox.QueryBoolean):
            return cls("truth", b"true" if bool(result) else b"false")
        return cls("triples", result.serialize(format=ox.RdfFormat.N_TRIPLES))

    def __repr__(self) -> str:
        return f"Answer({self.kind}, {len(self)} rows)"

    def __len__(self) -> int:
        return self.frame.height

    def __bool__(self) -> bool:
        return self._content == b"true" if self.kind == "truth" else self.frame.height > 0

    @property
    def content(self) -> bytes:
        """The answer as the store wrote it: SPARQL TSV, N-Triples, or `true` and `false`."""
        return self._content

    def to_csv(self) -> str:
        """SPARQL CSV of rows, exactly as the store writes it; of an ASK or of triples, a plain CSV of the frame."""
        if self.kind == "rows":
            ox = oxigraph()
            rows = ox.parse_query_results(self._content, format=ox.QueryResultsFormat.TSV)
            return str(rows.serialize(format=ox.QueryResultsFormat.CSV).decode("utf-8"))
        return self.frame.write_csv(line_terminator="\r\n")

    def to_ntriples(self) -> str:
        """The triples of a CONSTRUCT or DESCRIBE, one a line."""
        return self._content.decode("utf-8")

    def rows(self) -> list[dict[str, Any]]:
        """The rows for JSON: times are ISO texts."""
        times = pl.selectors.temporal()
        return self.frame.with_columns(times.cast(pl.String)).to_dicts() if self.frame.width else []

    @property
    def columns(self) -> list[str]:
        return self.frame.columns

    @property
    def kinds(self) -> dict[str, str]:
        """The kind of each column: iri, blank, text, integer, number, boolean, time, date, wkt, mixed or empty."""
        return dict(self._typed[1])

    @property
    def frame(self) -> pl.DataFrame:
        """The rows; numbers, times and truth values are values, IRIs and texts are strings, unbound is null."""
        return self._typed[0]

    @cached_property
    def _typed(self) -> tuple[pl.DataFrame, dict[str, str]]:
        names, columns = self._terms()
        series, kinds = [], {}
        for name, terms in zip(names, columns, strict=True):
            kinds[name], values = _column(name, terms)
            series.append(values)
        return pl.DataFrame(series), kinds

    def _terms(self) -> tuple[list[str], list[list[Any]]]:
        ox = oxigraph()
        if self.kind == "truth":
            return ["answer"], [[ox.Literal(self._content == b"true")]]
        if self.kind == "rows":
            rows = ox.parse_query_results(self._content, format=ox.QueryResultsFormat.TSV)
            names = [variable.value for variable in rows.variables]
            table = [tuple(row) for row in rows]
        else:
            names = ["subject", "predicate", "object"]
            quads = ox.parse(input=self._content, format=ox.RdfFormat.N_TRIPLES)
            table = [(quad.subject, quad.predicate, quad.object) for quad in quads]
        return names, [list(column) for column in zip(*table, strict=True)] if table else [[] for _ in names]


def _column(name: str, terms: list[Any]) -> tuple[str, pl.Series]:
    """The kind of a column and its values."""
    kinds = {_kind(term) for term in terms if term is not None}
    kind = _common(kinds)
    values = [None if term is None else _value(term, kind) for term in terms]
    if kind == "time":
        return kind, _times(name, values)
    if kind == "integer" and any(value is not None and abs(value) >= 2**63 for value in values):
        kind, values = "number", [None if value is None else float(value) for value in values]
    return kind, pl.Series(name, values, dtype=_TYPES.get(kind, pl.String))


def _kind(term: Any) -> str:
    ox = oxigraph()
    if isinstance(term, ox.NamedNode):
        return "iri"
    if isinstance(term, ox.BlankNode):
        return "blank"
    if not isinstance(term, ox.Literal):
        return "mixed"
    datatype = term.datatype.value
    if datatype in _WHOLE:
        return "integer"
    if datatype in _REAL:
        return "number"
    kind = _SPECIAL.get(datatype, "text")
    return kind if kind in ("text", "wkt", "boolean") or _readable(term.value, kind) else "text"


def _readable(text: str, kind: str) -> bool:
    try:
        (datetime if kind == "time" else date).fromisoformat(text)
    except ValueError:
        return False
    return True


def _common(kinds: set[str]) -> str:
    """The kind of a column whose values are of these kinds."""
    if not kinds:
        return "empty"
    if len(kinds) == 1:
        return kinds.pop()
    return "number" if kinds == {"integer", "number"} else "mixed"


def _value(term: Any, kind: str) -> Any:
    if kind in ("blank", "mixed") and not hasattr(term, "value"):  # a triple that is a value
        return str(term)
    text = term.value
    if kind in ("blank", "mixed"):
        return f"_:{text}" if isinstance(term, oxigraph().BlankNode) else text
    if kind == "integer":
        return int(text)
    if kind == "number":
        return float(text)
    if kind == "boolean":
        return text in ("true", "1")
    if kind == "time":
        return datetime.fromisoformat(text)
    return date.fromisoformat(text) if kind == "date" else text


def _times(name: str, values: list[datetime | None]) -> pl.Series:
    """Times as UTC where all have a zone, without a zone where none has; otherwise as text."""
    zoned = {value.tzinfo is not None for value in values if value is not None}
    if len(zoned) > 1:
        return pl.Series(name, [None if value is None else value.isoformat() for value in values], dtype=pl.String)
    if zoned == {True}:
        utc = [None if value is None else value.astimezone(UTC).replace(tzinfo=None) for value in values]
        return pl.Series(name, utc, dtype=pl.Datetime("us")).dt.replace_time_zone("UTC")
    return pl.Series(name, values, dtype=pl.Datetime("us"))
