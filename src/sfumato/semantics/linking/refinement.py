"""Refinement: of all resources that fit a target, the best by distance and similarity; ties stay.

>>> pairs = [(0, 4, 9.0, 1.0), (0, 2, 5.0, 0.9), (0, 7, 5.0, 0.9)]
>>> near = pl.DataFrame(pairs, schema=["target", "resource", "metres", "similarity"], orient="row")
>>> refined(near, "near")["resource"].to_list(), refined(near, "similar")["resource"].to_list()
([2, 7], [4])
"""

from __future__ import annotations

import polars as pl

__all__ = ["FIRST", "refined"]

FIRST = ("near", "similar", "all")


def refined(candidates: pl.DataFrame, first: str) -> pl.DataFrame:
    """The links of each target, by target and resource.

    candidates : target, resource, metres and similarity of every accepted pair, in any order.
    first : "near" keeps the nearest and of these the most similar, "similar" the other way round, "all" keeps all.
    """
    nearest = pl.col("metres") == pl.col("metres").min().over("target")
    most_similar = pl.col("similarity").eq_missing(pl.col("similarity").max().over("target"))
    steps = {"near": (nearest, most_similar), "similar": (most_similar, nearest), "all": ()}[first]
    for step in steps:
        candidates = candidates.filter(step)
    return candidates.sort("target", "resource")
