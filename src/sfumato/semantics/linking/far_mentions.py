"""Resources that a text names although they are not near: the most similar labels of the whole knowledge base."""

from __future__ import annotations

import numpy as np
import polars as pl

from sfumato.data.base import Ints
from sfumato.semantics.linking.comparisons import DECIMALS, TextSets
from sfumato.semantics.linking.similarity import Texts

__all__ = ["far_mentions"]

PAIRS = 4_000_000  # at a time


def far_mentions(texts: TextSets, labels: TextSets, targets: Ints, tau_t: float) -> pl.DataFrame:
    """target, resource, metres (null) and similarity: the most similar resources of some targets, from tau_t on.

    Every distinct text is compared with every distinct label.  All ties stay.
    """
    frame = pl.DataFrame({"target": texts.owner, "text": texts.text}).filter(pl.col("target").is_in(targets.tolist()))
    names, distinct = frame["text"].unique().sort(), labels.text.unique().sort()
    coded = Texts.of([*names.to_list(), *distinct.to_list()])
    step = max(PAIRS // max(len(distinct), 1), 1)
    parts = []
    for first in range(0, len(names), step):
        rows = np.arange(first, min(first + step, len(names)))
        left, right = np.repeat(rows, len(distinct)), np.tile(np.arange(len(distinct)), len(rows))
        values = coded.similarities(left, right + len(names), tau_t).round(DECIMALS)
        similar = values >= max(tau_t, 0.0)
        parts.append(pl.DataFrame({"name": left[similar], "label": right[similar], "similarity": values[similar]}))
    schema = {"name": pl.Int64, "label": pl.Int64, "similarity": pl.Float64}
    pairs = pl.concat([pl.DataFrame(schema=schema), *parts])
    pairs = pairs.with_columns(text=names.gather(pairs["name"]), label=distinct.gather(pairs["label"]))
    resources = pl.DataFrame({"resource": labels.owner, "label": labels.text})
    best = frame.join(pairs, on="text").filter(pl.col("similarity") == pl.col("similarity").max().over("target"))
    links = best.join(resources, on="label").select("target", "resource", "similarity").unique()
    metres = pl.lit(None, dtype=pl.Float64).alias("metres")
    return links.select("target", "resource", metres, "similarity").sort("target", "resource")
