"""A movement as N-Triples, in the words of the ontology, built column by column.

An annotation is a node with its property and value.  A semantic one, and the text of a post (bq:ppText), is also the
plain triple of target, property and value.  The IRI of a node follows from its content, so that a movement that is
loaded twice, or again with more annotations, adds nothing twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from io import BytesIO
from typing import TYPE_CHECKING

import polars as pl

from sfumato.errors import DataError
from sfumato.semantics.movement.frames import IRI
from sfumato.semantics.movement.triples import terms
from sfumato.semantics.movement.triples.names import BASE, iris, require_base
from sfumato.semantics.vocabulary import ANNOTATION_CLASSES, BQ, DESCRIPTION_CLASSES, GEO, RDF, SEGMENT_CLASSES

if TYPE_CHECKING:
    from sfumato.semantics.movement.movement import Movement

__all__ = ["TYPE_NAME", "triples"]

TYPE_NAME = "http://purl.org/dc/terms/type"  # the type of a segment, pattern or description that is no class
_BATCH = 50_000  # rows


def triples(movement: Movement, base: str = BASE) -> Iterator[bytes]:
    """N-Triples of a movement, in parts that hold whole lines."""
    base = require_base(base)
    if not movement.geographic:
        raise DataError("Movement: wanted longitude and latitude for triples, found plane coordinates")
    for name in ("positions", "segments", "patterns"):
        frame = movement.frames()[name]
        if not (terms.in_range(frame["begin"].drop_nulls()) and terms.in_range(frame["end"].drop_nulls())):
            raise DataError(f"Movement: wanted years from 1 to 9999 in {name} for triples, found others")
    things = _Names(movement, base)
    for frame, lines in (
        (_objects(movement, things), _OBJECT),
        (_positions(movement, things), _POSITION),
        (_segments(movement, things), _SEGMENT),
        (_patterns(movement, things), _PATTERN),
        (_members(movement, things), _MEMBER),
        (_descriptions(movement, things), _DESCRIPTION),
        (_annotations(movement, things), _ANNOTATION),
    ):
        for part in frame.iter_slices(_BATCH):
            buffer = BytesIO()
            part.select(_block(lines)).write_csv(buffer, include_header=False, quote_style="never", line_terminator="")
            if buffer.tell():
                yield buffer.getvalue()


_Line = tuple[str, str | pl.Expr, pl.Expr]  # the column of the subject, the property, the object as a term


def _block(lines: list[_Line]) -> pl.Expr:
    """The lines of one row as one text; what is null gives no line."""
    return pl.concat_str(
        [
            pl.concat_str(
                pl.lit("<"),
                pl.col(subject),
                pl.lit("> <"),
                pl.lit(predicate) if isinstance(predicate, str) else predicate,
                pl.lit("> "),
                value,
                pl.lit(" .\n"),
            ).fill_null("")
            for subject, predicate, value in lines
        ]
    )


class _Names:
    """IRIs of the rows of each frame."""

    def __init__(self, movement: Movement, base: str) -> None:
        self.base = base
        self.object = iris(movement.objects["object"], "object", base)
        self.sequence = base + "positions/" + self.object.str.strip_prefix(base + "object/")
        owners = movement.positions["object"]
        order = movement.positions.select(pl.int_range(1, pl.len() + 1).over("object")).to_series()
        prefix = (base + "position/" + self.object.str.strip_prefix(base + "object/") + "/").gather(owners)
        self.position = prefix + order.cast(pl.String)
        self.order = order
        self.segment = iris(movement.segments["name"], "segment", base)
        self.pattern = iris(movement.patterns["name"], "pattern", base)
        self.description = iris(movement.descriptions["name"], "description", base)

    def targets(self) -> dict[str, pl.Series]:
        return {
            "object": self.sequence,
            "position": self.position,
            "segment": self.segment,
            "pattern": self.pattern,
            "description": self.description,
        }


def _type(classes: dict[str, str], general: str) -> list[_Line]:
    """The class of a type: one of the ontology; else the general one, with the class or the name that the type is."""
    column = pl.col("type")
    known = column.replace_strict(classes, default=None, return_dtype=pl.String)
    other = ~column.is_in([*classes])
    is_iri = column.str.contains(IRI)
    return [
        ("iri", RDF + "type", terms.iri(pl.coalesce(known, pl.lit(BQ + general)))),
        ("iri", RDF + "type", pl.when(other & is_iri & (column != BQ + general)).then(terms.iri(column))),
        ("iri", TYPE_NAME, pl.when(other & ~is_iri).then(terms.text(column))),
    ]


def _is_a(name: str) -> pl.Expr:
    return pl.lit(f"<{BQ}{name}>")


_OBJECT: list[_Line] = [
    ("iri", RDF + "type", _is_a("MovingObject")),
    ("iri", BQ + "hasMovingEntity", terms.iri(pl.col("person_iri"))),
    ("iri", BQ + "hasMonitoringMeans", terms.iri(pl.col("means_iri"))),
    ("person_iri", RDF + "type", terms.iri(pl.col("person_class"))),
    ("means_iri", RDF + "type", terms.iri(pl.col("means_class"))),
    ("sequence", RDF + "type", _is_a("MovingObjectPositionsSequence")),
    ("sequence", BQ + "isOfMO", terms.iri(pl.col("iri"))),
]


def _objects(movement: Movement, things: _Names) -> pl.DataFrame:
    objects = movement.objects
    annotated = movement.annotations.filter(pl.col("target_kind") == "object")["target"]
    rows = pl.int_range(pl.len())
    recorded = pl.concat([movement.positions["object"].unique().cast(pl.Int64), annotated]).unique()
    has_sequence = rows.is_in(recorded.implode())
    return objects.with_columns(
        iri=things.object,
        sequence=pl.when(has_sequence).then(things.sequence),
        person_iri=iris(objects["person"], "person", things.base),
        means_iri=iris(objects["means"], "means", things.base),
    )


_POSITION: list[_Line] = [
    ("sequence", BQ + "hasPosition", terms.iri(pl.col("iri"))),
    ("iri", RDF + "type", _is_a("MovingObjectPosition")),
    ("iri", BQ + "order", terms.integer(pl.col("order"))),
    ("iri", BQ + "begin", terms.time(pl.col("begin"))),
    ("iri", BQ + "end", terms.time(pl.col("end"))),
    ("iri", GEO + "hasGeometry", terms.iri(pl.col("geometry"))),
    ("geometry", GEO + "asWKT", terms.wkt(pl.coalesce("wkt", terms.point(pl.col("x"), pl.col("y"))))),
    ("iri", GEO + "hasCentroid", terms.iri(pl.col("centroid"))),
    ("centroid", GEO + "asWKT", terms.wkt(terms.point(pl.col("x"), pl.col("y")))),
]


def _positions(movement: Movement, things: _Names) -> pl.DataFrame:
    return movement.positions.with_columns(
        iri=things.position, order=things.order, sequence=things.sequence.gather(movement.positions["object"])
    ).with_columns(
        geometry=pl.col("iri") + "/geometry",
        centroid=pl.when(pl.col("wkt").is_not_null()).then(pl.col("iri") + "/centroid"),
    )


_SEGMENT: list[_Line] = [
    *_type(SEGMENT_CLASSES, "MovementSegment"),
    ("iri", BQ + "isOfMO", terms.iri(pl.col("object_iri"))),
    ("iri", BQ + "isOfMOclass", terms.iri(pl.col("class"))),
    ("iri", BQ + "tree", pl.when(pl.col("tree") != "").then(terms.text(pl.col("tree")))),
    ("iri", BQ + "firstPosition", terms.iri(pl.col("first_iri"))),
    ("iri", BQ + "lastPosition", terms.iri(pl.col("last_iri"))),
    ("iri", BQ + "begin", terms.time(pl.col("begin"))),
    ("iri", BQ + "end", terms.time(pl.col("end"))),
    ("iri", BQ + "hasDuration", terms.number((pl.col("end") - pl.col("begin")) / 60)),
    ("iri", BQ + "father", terms.iri(pl.col("father_iri"))),
    ("iri", BQ + "level", terms.integer(pl.col("level"))),
    ("iri", BQ + "prev", terms.iri(pl.col("prev_iri"))),
    ("iri", BQ + "next", terms.iri(pl.col("next_iri"))),
    ("iri", BQ + "ord", terms.integer(pl.col("ord"))),
    ("parent", BQ + "hasEpisode", terms.iri(pl.col("iri"))),
    ("iri", GEO + "hasGeometry", terms.iri(pl.col("geometry"))),
    ("geometry", GEO + "asWKT", terms.wkt(pl.col("shape"))),
]


def _segments(movement: Movement, things: _Names) -> pl.DataFrame:
    segments, shape = movement.segments, movement.geometries()
    trail = pl.col("type").is_in(["TRAIL", "TRAJ"])
    links = {f"{name}_iri": things.segment.gather(segments[name]) for name in ("father", "prev", "next")}
    parent = segments["type"].gather(segments["father"]).is_in(["TRAIL", "TRAJ"])
    episode = segments["type"].is_in(["STOP", "MOVE"])
    return segments.with_columns(
        **links,
        iri=things.segment,
        object_iri=things.object.gather(segments["object"]),
        first_iri=things.position.gather(segments["first"]),
        last_iri=things.position.gather(segments["last"]),
        shape=shape,
        geometry=pl.when(shape.is_not_null()).then(things.segment + "/geometry"),
        parent=pl.when(parent & episode).then(links["father_iri"]),
        **{"class": pl.when(trail).then(movement.objects["person_class"].gather(segments["object"]))},
    )


_PATTERN: list[_Line] = [
    *_type({}, "MovementPattern"),
    ("iri", BQ + "begin", terms.time(pl.col("begin"))),
    ("iri", BQ + "end", terms.time(pl.col("end"))),
]


def _patterns(movement: Movement, things: _Names) -> pl.DataFrame:
    return movement.patterns.with_columns(iri=things.pattern)


_MEMBER: list[_Line] = [("pattern", BQ + "hasSegment", terms.iri(pl.col("segment")))]


def _members(movement: Movement, things: _Names) -> pl.DataFrame:
    members = movement.members
    return members.select(
        pattern=things.pattern.gather(members["pattern"]), segment=things.segment.gather(members["segment"])
    )


_DESCRIPTION: list[_Line] = [
    *_type(DESCRIPTION_CLASSES, "MovementDescription"),
]


def _descriptions(movement: Movement, things: _Names) -> pl.DataFrame:
    return movement.descriptions.with_columns(iri=things.description)


_VALUE = (
    pl.when(pl.col("kind") == "resource")
    .then(terms.iri(pl.col("value")))
    .when(pl.col("kind") == "number")
    .then(terms.number(pl.col("number")))
    .otherwise(terms.text(pl.col("value"), pl.col("language")))
)
_ANNOTATION: list[_Line] = [
    ("target_iri", BQ + "hasAnnotation", terms.iri(pl.col("iri"))),
    ("iri", RDF + "type", terms.iri(pl.col("kind").replace_strict(ANNOTATION_CLASSES, return_dtype=pl.String))),
    ("iri", BQ + "property", terms.iri(pl.col("property"))),
    ("iri", BQ + "hasValue", _VALUE),
    ("iri", BQ + "metres", terms.real(pl.col("metres"))),
    ("iri", BQ + "similarity", terms.real(pl.col("similarity"))),
    ("iri", BQ + "source", terms.text(pl.col("source"))),
    ("plain", pl.col("property"), _VALUE),
]


def _annotations(movement: Movement, things: _Names) -> pl.DataFrame:
    annotations = movement.annotations
    if not len(annotations):
        return annotations.with_columns(iri=pl.lit(""), target_iri=pl.lit(""), plain=pl.lit(""))
    targets = pl.concat(
        [
            pl.DataFrame({"target_iri": series.alias("target_iri")})
            .with_row_index("target")
            .with_columns(target_kind=pl.lit(kind))
            for kind, series in things.targets().items()
        ]
    ).cast({"target": pl.Int64})
    named = annotations.join(targets, on=["target_kind", "target"], how="left", maintain_order="left")
    content = pl.concat_str(pl.all().exclude("target").cast(pl.String).fill_null("\0"), separator="\x1f")
    nodes = [blake2b(text.encode(), digest_size=12).hexdigest() for text in named.select(content).to_series().to_list()]
    is_plain = (pl.col("kind") == "resource") | (pl.col("property") == BQ + "ppText")
    return named.with_columns(
        iri=f"{things.base}annotation/" + pl.Series(nodes, dtype=pl.String),
        plain=pl.when(is_plain).then("target_iri"),
    )
