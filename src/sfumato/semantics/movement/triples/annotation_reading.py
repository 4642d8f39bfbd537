"""The annotations of a movement from the triples of a knowledge base."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from sfumato.semantics.movement.building import annotation_rows
from sfumato.semantics.movement.triples import terms
from sfumato.semantics.movement.triples.pairs import Pairs, with_column
from sfumato.semantics.vocabulary import BQ, XSD

__all__ = ["read_annotations"]

_NUMBERS = [XSD + name for name in ("integer", "decimal", "double", "float")]
_ORDER = ["target_kind", "target", "property", "kind", "value", "language", "metres", "similarity", "source"]


def read_annotations(pairs: Pairs, targets: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Annotations of objects, positions, segments, patterns and descriptions, given as iri and row.

    A text of a post (bq:ppText) without a node is an annotation of its position, too.
    """
    nodes = _nodes(pairs, targets)
    posts = _posts(pairs, targets["position"])
    extra = posts.join(nodes, on=["target_kind", "target", "property", "value"], how="anti", nulls_equal=True)
    return annotation_rows(pl.concat([nodes, extra]).sort(_ORDER))


def _nodes(pairs: Pairs, targets: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    ends = pl.concat(
        table.select(_term_of("iri"), pl.col("row").cast(pl.Int64).alias("target"), pl.lit(kind).alias("target_kind"))
        for kind, table in targets.items()
    )
    table = pairs.terms("?s ?o", f"?s <{BQ}hasAnnotation> ?o", "term_of_target", "node").join(ends, on="term_of_target")
    table = with_column(table, pairs.terms("?s ?o", f"?s <{BQ}property> ?o", "node", "property"), on="node")
    table = with_column(table, pairs.terms("?s ?o", f"?s <{BQ}hasValue> ?o", "node", "term"), on="node")
    table = table.drop_nulls(["property", "term"])
    for name in ("metres", "similarity", "source"):
        where = f"?s <{BQ}{name}> ?o . ?s <{BQ}property> ?p"
        table = with_column(table, pairs.terms("?s (STR(?o) AS ?text)", where, "node", name), on="node")
    plain = {name: terms.plain(table[name]) for name in ("property", "metres", "similarity", "source")}
    return _rows(table.with_columns(**{**plain, "source": terms.unescaped(plain["source"])}))


def _term_of(column: str) -> pl.Expr:
    return ("<" + pl.col(column) + ">").alias("term_of_target")


def _rows(table: pl.DataFrame) -> pl.DataFrame:
    """Rows of annotations from terms of their values."""
    values = terms.values_of(table["term"])
    table = table.with_columns(values["value"], values["sort"], values["language"], values["datatype"])
    is_number = (pl.col("sort") == "literal") & (pl.col("datatype").is_in(_NUMBERS) | (pl.col("datatype") == "number"))
    kind = (
        pl.when(pl.col("sort") == "iri")
        .then(pl.lit("resource"))
        .when(is_number)
        .then(pl.lit("number"))
        .when(pl.col("property") == BQ + "tag")
        .then(pl.lit("tag"))
        .otherwise(pl.lit("text"))
    )
    return table.select(
        "target_kind",
        "target",
        "property",
        kind.alias("kind"),
        "value",
        pl.when(is_number).then("value").cast(pl.Float64, strict=False).alias("number"),
        "language",
        pl.col("metres", "similarity").cast(pl.Float64, strict=False),
        "source",
    )


def _posts(pairs: Pairs, positions: pl.DataFrame) -> pl.DataFrame:
    """Texts of posts as annotations."""
    table = pairs.terms("?s ?o", f"?s <{BQ}ppText> ?o", "term_of_target", "term")
    rows = positions.select(_term_of("iri"), pl.col("row").cast(pl.Int64).alias("target"))
    nothing = pl.lit(None, dtype=pl.String)
    return _rows(
        table.join(rows, on="term_of_target").with_columns(
            target_kind=pl.lit("position"),
            property=pl.lit(BQ + "ppText"),
            metres=nothing,
            similarity=nothing,
            source=nothing,
        )
    )
