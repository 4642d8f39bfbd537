"""Precision and recall on generated posts that name the place they were written at."""

from __future__ import annotations

import numpy as np
import polars as pl

from sfumato.generate.posts import Posts
from sfumato.semantics.linking.linker import Linker
from sfumato.semantics.linking.refinement import refined
from sfumato.semantics.linking.resources import Resources
from sfumato.semantics.linking.targets import Targets

LANGUAGES = {"name": "", "name:pt": "pt", "name:en": "en", "name:de": "de"}
TAU_S, TAU_T = (8, 16, 32, 64, 128, 256, 1024), (0.8, 0.9, 1.0)


def scores(seed: int = 7) -> pl.DataFrame:
    """first, tau_s, tau_t, links, precision and recall of posts with a name at a known place."""
    city = Posts(people=2_000, places=2_000).make(seed=seed)
    known = city.posts.with_columns(place=city.truth["place"]).filter(
        pl.col("name").is_not_null() & pl.col("place").is_in(city.places["id"].implode())
    )
    labels = [
        city.places.select(resource="id", label=column, language=pl.lit(language or None, pl.String))
        for column, language in LANGUAGES.items()
    ]
    point = pl.format("POINT({} {})", "lon", "lat")
    base = Resources.of(
        city.places.select(resource="id", wkt=pl.coalesce("wkt", point)), pl.concat(labels).drop_nulls("label")
    )
    count = len(known)
    texts = pl.DataFrame({"owner": np.arange(count), "text": known["name"]})
    where = known.select("lon", "lat").to_numpy()
    targets = Targets("position", np.arange(count), where, np.zeros(count), np.zeros(count), texts)
    pairs = Linker(tau_s=max(TAU_S), tau_t=min(TAU_T), first="all").candidates(targets, base)
    right = base.iris.gather(pairs["resource"]) == known["place"].gather(pairs["target"])
    pairs = pairs.with_columns(right=right)
    rows = []
    for first in ("near", "similar"):
        for tau_s in TAU_S:
            for tau_t in TAU_T:
                near = (pl.col("metres") <= tau_s) & (pl.col("similarity") >= tau_t)
                links = refined(pairs.filter(near), first)
                reached = links.filter("right")["target"].n_unique()
                rows.append((first, tau_s, tau_t, len(links), links["right"].mean() or 0.0, reached / count))
    schema = ["first", "tau_s", "tau_t", "links", "precision", "recall"]
    return pl.DataFrame(rows, schema=schema, orient="row")
