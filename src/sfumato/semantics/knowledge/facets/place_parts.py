"""Places inside larger places, found by their geometries."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from sfumato.semantics.knowledge.geometry import shapely

__all__ = ["contained_places"]


def contained_places(geometries: pl.DataFrame) -> pl.DataFrame:
    """Pairs of a place and the smallest places that cover it; columns child and parent.

    geometries : frame with resource and wkt.  A place with several geometries counts with the largest.
    A place is inside another if that one covers it and has a larger area.  Of the places that cover it, those that
    cover another of them are left out, so that a shop is part of its city and the city part of its country.
    """
    resources, shapes, areas = _largest(geometries)
    library = shapely()
    regions = np.flatnonzero(areas > 0)
    inner, which = library.STRtree(shapes[regions]).query(shapes, predicate="covered_by")
    outer = regions[which]
    larger = areas[outer] > areas[inner]
    pairs = pl.DataFrame(
        {"child": resources[inner[larger]], "parent": resources[outer[larger]]}, schema=_PAIRS
    ).unique()
    indirect = pairs.join(pairs.rename({"child": "parent", "parent": "above"}), on="parent").select(
        "child", parent="above"
    )
    return pairs.join(indirect.unique(), on=["child", "parent"], how="anti").sort("child", "parent")


_PAIRS = {"child": pl.String, "parent": pl.String}


def _largest(geometries: pl.DataFrame) -> tuple[Any, Any, Any]:
    """Resources, the shape of each with the largest area, and these areas (in squared degrees)."""
    library = shapely()
    texts = geometries["wkt"].to_numpy() if geometries.height else np.array([], dtype=object)
    shapes = library.from_wkt(texts.astype(object))
    areas = library.area(shapes) if geometries.height else np.array([])
    ranked = geometries.select("resource", area=pl.Series(areas, dtype=pl.Float64), row=pl.int_range(pl.len()))
    kept = ranked.sort("resource", "area", "row", descending=[False, True, False]).unique(
        "resource", keep="first", maintain_order=True
    )
    rows = kept["row"].to_numpy()
    return kept["resource"].to_numpy().astype(object), shapes[rows], areas[rows]
