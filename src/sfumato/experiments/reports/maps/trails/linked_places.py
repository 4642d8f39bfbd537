"""Names, coordinates and categories of the resources that a movement is linked to, from a knowledge base."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import unquote

import numpy as np
import polars as pl

from sfumato.experiments.reports.maps.projection import Projection
from sfumato.experiments.reports.maps.trails.trails import LinkedPlaces
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase

__all__ = ["linked_places", "local_name", "no_places"]

UNKNOWN = "category unknown"


def no_places(resources: Sequence[str]) -> LinkedPlaces:
    """The resources without coordinates, as they are known without a knowledge base."""
    size = len(resources)
    names = tuple(map(local_name, resources))
    return LinkedPlaces(np.full((size, 2), np.nan), names, np.zeros(size, dtype=np.int64), (UNKNOWN,))


def linked_places(resources: Sequence[str], kb: KnowledgeBase, projection: Projection) -> LinkedPlaces:
    """The resources with their labels, centres and categories.

    The category of a place is its class with the fewest instances, ties by name.  An event without coordinates is where
    its place is.
    """
    wanted = pl.DataFrame({"resource": list(resources)}, schema={"resource": pl.String})
    labels = _labels(kb)
    named = wanted.join(labels, on="resource", how="left", maintain_order="left")["label"].to_list()
    names = tuple(label or local_name(iri) for label, iri in zip(named, resources, strict=True))
    category, categories = _categories(wanted, kb.types(), labels)
    spots = _centres(wanted, kb)
    return LinkedPlaces(np.where(np.isfinite(spots), projection.flat(spots), np.nan), names, category, categories)


def local_name(iri: str) -> str:
    """The last part of an IRI, as words.

    >>> local_name("http://dbpedia.org/resource/Sugarloaf_Mountain"), local_name("urn:x#Bar")
    ('Sugarloaf Mountain', 'Bar')
    """
    return unquote(iri.rstrip("/#").replace("#", "/").rpartition("/")[2]).replace("_", " ")


def _labels(kb: KnowledgeBase) -> pl.DataFrame:
    """One label a resource: in English, else without a language, else the first by name."""
    rank = pl.when(pl.col("language") == "en").then(0).when(pl.col("language").fill_null("") == "").then(1).otherwise(2)
    ordered = kb.labels().with_columns(rank=rank).sort("resource", "rank", "label")
    return ordered.unique("resource", keep="first", maintain_order=True).select("resource", "label")


def _centres(wanted: pl.DataFrame, kb: KnowledgeBase) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    own = (
        kb.geometries().select("resource", "x", "y").drop_nulls().unique("resource", keep="first", maintain_order=True)
    )
    hosts = kb.events().select("resource", "place").drop_nulls().sort("resource", "place")
    hosts = hosts.unique("resource", keep="first", maintain_order=True)
    hosted = hosts.join(own.rename({"resource": "place"}), on="place").select("resource", "x", "y")
    every = pl.concat([own, hosted.join(own, on="resource", how="anti")])
    return (
        wanted.join(every, on="resource", how="left", maintain_order="left").select("x", "y").to_numpy().astype(float)
    )


def _categories(wanted: pl.DataFrame, types: pl.DataFrame, labels: pl.DataFrame) -> tuple[np.ndarray, tuple[str, ...]]:
    """The category of each resource as a number, and the names of the numbers, the most frequent first."""
    sizes = types.unique().group_by("class").agg(size=pl.len())
    chosen = (
        wanted.unique()
        .join(types, on="resource")
        .join(sizes, on="class")
        .sort("resource", "size", "class")
        .unique("resource", keep="first", maintain_order=True)
    )
    of = wanted.join(chosen.select("resource", "class"), on="resource", how="left", maintain_order="left")
    title = of.join(labels.rename({"resource": "class"}), on="class", how="left", maintain_order="left")
    names = [
        UNKNOWN if iri is None else label or local_name(iri)
        for iri, label in zip(title["class"].to_list(), title["label"].to_list(), strict=True)
    ]
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    order = sorted(counts, key=lambda name: (name == UNKNOWN, -counts[name], name))
    number = {name: row for row, name in enumerate(order)}
    return np.array([number[name] for name in names], dtype=np.int64), tuple(order)
