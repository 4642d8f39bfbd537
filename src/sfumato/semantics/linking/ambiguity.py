"""How many targets are linked and how ambiguous their links are, over tau_s and tau_t, before and after refinement.

These are the figures 8 to 13 of Baquara2 (2015): shares of linked posts, resources per post, and the resources and
classes that most posts are linked to.
"""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from sfumato.semantics.linking.refinement import refined

__all__ = ["ambiguity", "links_per_target", "most_linked"]


def ambiguity(
    candidates: pl.DataFrame,
    targets: int,
    tau_s: Iterable[float],
    tau_t: Iterable[float],
    first: str = "near",
) -> pl.DataFrame:
    """A row for each pair of bounds.

    candidates : target, resource, metres and similarity for the widest bounds, before refinement.
    targets : how many targets there are, linked or not.

    Columns: tau_s, tau_t; percent of the targets with a link; mean number of links of those; `several`, the share of
    linked targets with several links; `their_links`, the share of links of such targets; `surplus`, the share of links
    beyond the first; `refined_mean` and `refined_several`, the mean and the share after refinement.  The columns after
    percent are null where no target is linked.

    >>> pairs = pl.DataFrame({"target": [0, 0, 1], "resource": [1, 2, 1], "metres": [5.0, 9.0, 7.0],
    ...                       "similarity": [0.9, 1.0, 0.8]})
    >>> ambiguity(pairs, 4, [10], [0.9]).row(0)
    (10.0, 0.9, 25.0, 2.0, 1.0, 1.0, 0.5, 1.0, 0.0)
    """
    rows = []
    for metres in tau_s:
        near = candidates.filter(pl.col("metres") <= metres)
        for similarity in tau_t:
            pairs = near.filter(pl.col("similarity") >= similarity)
            rows.append((float(metres), float(similarity), *_figures(pairs, targets, first)))
    names = ("percent", "mean", "several", "their_links", "surplus", "refined_mean", "refined_several")
    return pl.DataFrame(rows, schema=dict.fromkeys(("tau_s", "tau_t", *names), pl.Float64), orient="row")


def _figures(pairs: pl.DataFrame, targets: int, first: str) -> tuple[float | None, ...]:
    if pairs.is_empty():
        return 0.0, None, None, None, None, None, None
    counts = pairs["target"].value_counts()["count"]
    left = refined(pairs, first)["target"].value_counts()["count"]
    posts, links = len(counts), len(pairs)
    several = counts.filter(counts > 1)
    return (
        100 * posts / targets,
        links / posts,
        len(several) / posts,
        int(several.sum()) / links,
        (links - posts) / links,
        int(left.sum()) / posts,
        int((left > 1).sum()) / posts,
    )


def links_per_target(candidates: pl.DataFrame, tau_s: float, tau_t: float) -> pl.DataFrame:
    """resources, targets: how many targets have 1, 2, ... resources before refinement (Figure 10)."""
    pairs = candidates.filter((pl.col("metres") <= tau_s) & (pl.col("similarity") >= tau_t))
    counts = pairs.group_by("target").len("resources").group_by("resources").len("targets")
    return counts.cast(pl.Int64).sort("resources")


def most_linked(links: pl.DataFrame, classes: pl.DataFrame) -> pl.DataFrame:
    """kind (class or instance), resource, targets: what most targets are linked to, most first (Figure 13).

    links : target and resource (IRI).  classes : resource, class.  A target counts once for a class.  Resources without
    a class are left out.
    """
    typed = links.join(classes, on="resource")
    both = pl.concat(
        [
            typed.select("target", kind=pl.lit("class"), resource="class"),
            typed.select("target", kind=pl.lit("instance"), resource="resource"),
        ]
    )
    counts = both.group_by("kind", "resource").agg(targets=pl.col("target").n_unique().cast(pl.Int64))
    return counts.sort("targets", "kind", "resource", descending=[True, False, False])
