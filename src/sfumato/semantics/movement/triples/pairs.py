"""Subjects and objects of one property in a knowledge base, as columns: what a store answers fastest."""

from __future__ import annotations

from functools import cache, cached_property
from io import BytesIO
from typing import Any, Protocol

import polars as pl

from sfumato.errors import DataError
from sfumato.semantics.movement.triples import terms
from sfumato.semantics.vocabulary import BQ, GEO, RDF, RDFS

__all__ = ["Knowledge", "Pairs", "with_column", "with_rows"]


class Knowledge(Protocol):
    """What answers queries: a `KnowledgeBase`."""

    def answer(self, sparql: str) -> Any:
        """An answer whose `content` is SPARQL TSV."""


class Pairs:
    """Frames of `iri` and one more column, for one property each."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._texts = cache(lambda path: self._pairs("(STR(?o) AS ?text)", f"?s {path} ?o", "text"))
        self._seconds = cache(lambda predicate: terms.times_of(self._texts(f"<{predicate}>")["text"]))

    def terms(self, columns: str, where: str, *names: str) -> pl.DataFrame:
        """The answer to a query, as terms."""
        content = self._knowledge.answer(f"SELECT {columns} WHERE {{ {where} }}").content
        return pl.read_csv(
            BytesIO(content), separator="\t", quote_char=None, infer_schema=False, has_header=True, new_columns=names
        )

    def _pairs(self, value: str, where: str, name: str) -> pl.DataFrame:
        frame = self.terms(f"?s {value}", where, "iri", name)
        return frame.with_columns(terms.plain(frame["iri"]), terms.plain(frame[name]))

    def links(self, predicate: str, name: str) -> pl.DataFrame:
        """iri and the IRI that a property leads to."""
        return self._pairs("?o", f"?s <{predicate}> ?o FILTER(isIRI(?o))", name)

    def texts(self, predicate: str, name: str) -> pl.DataFrame:
        """iri and a text."""
        frame = self._pairs("(STR(?o) AS ?text)", f"?s <{predicate}> ?o", name)
        return frame.with_columns(terms.unescaped(frame[name]))

    def numbers(self, predicate: str, name: str) -> pl.DataFrame:
        """iri and a number."""
        frame = self._pairs("(STR(?o) AS ?text)", f"?s <{predicate}> ?o", name)
        return frame.with_columns(frame[name].cast(pl.Float64, strict=False))

    def times(self, predicate: str, name: str) -> pl.DataFrame:
        """iri and seconds since 1970."""
        frame = self._texts(f"<{predicate}>")
        return frame.select("iri", self._seconds(predicate).alias(name))

    def geometries(self, predicate: str, name: str) -> pl.DataFrame:
        """iri and well-known text."""
        frame = self._texts(f"<{GEO}{predicate}>/<{GEO}asWKT>")
        return frame.select("iri", terms.unescaped(frame["text"]).alias(name))

    @cached_property
    def classes(self) -> pl.DataFrame:
        """iri and class: every rdf:type but that of positions, which are most."""
        where = f"?s <{RDF}type> ?o FILTER(isIRI(?o) && ?o != <{BQ}MovingObjectPosition>)"
        return self._pairs("?o", where, "class")

    def of_class(self, *classes: str) -> pl.DataFrame:
        """iri and class of what is of some classes or of their subclasses."""
        named = " ".join(f"<{name}>" for name in classes)
        path = f"?c <{RDFS}subClassOf>* ?top VALUES ?top {{ {named} }} FILTER(isIRI(?c))"
        below = terms.plain(self.terms("DISTINCT ?c", path, "class").to_series())
        return self.classes.filter(pl.col("class").is_in([*below.to_list(), *classes]))


def with_column(table: pl.DataFrame, pairs: pl.DataFrame, on: str = "iri") -> pl.DataFrame:
    """A table with one more column, null where there is no pair; two values for one row are refused."""
    value = next(name for name in pairs.columns if name != on)
    single = pairs.join(table.select(on), on=on, how="semi")
    if single[on].is_duplicated().any():
        single = single.unique()
        several = single[on].is_duplicated().sum()
        if several:
            raise DataError(
                f"Movement: wanted one value of {value!r} for each thing, found {several:,} values of things that have "
                "several; two movements with the same names may have been loaded"
            )
    return table.join(single, on=on, how="left", maintain_order="left")


def with_rows(table: pl.DataFrame, pairs: pl.DataFrame, target: pl.DataFrame) -> pl.DataFrame:
    """A table with one more column, the row of the IRI in another table; -2 for an IRI that is not in it."""
    joined = with_column(table, pairs)
    name = joined.columns[-1]
    rows = target.select(pl.col("iri").alias(name), pl.col("row").cast(pl.Int64).alias("target_row"))
    joined = joined.join(rows, on=name, how="left", maintain_order="left")
    row = pl.when(pl.col(name).is_not_null()).then(pl.col("target_row").fill_null(-2))
    return joined.with_columns(row.alias(name)).drop("target_row")
