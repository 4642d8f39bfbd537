"""The trails, stops, moves and links of a movement on a map, with a sentence for what cannot be drawn."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.errors import counted
from sfumato.experiments.reports.maps.projection import Projection
from sfumato.experiments.reports.maps.trails.linked_places import linked_places, local_name, no_places
from sfumato.experiments.reports.maps.trails.segment_points import LineLinks, centres, lines, trail_rows
from sfumato.experiments.reports.maps.trails.trails import Links, Spots, Trails
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
from sfumato.semantics.movement.movement import Movement

__all__ = ["movement_trails"]

Floats = npt.NDArray[np.float64]
_MOST_OBJECTS = 500  # on one panel


def movement_trails(movement: Movement, projection: Projection, kb: KnowledgeBase | None) -> tuple[Trails, list[str]]:
    """The movement on the map, and sentences about what is not drawn.

    kb : gives names, coordinates and categories of linked places; without it they are named by their IRIs alone.
    """
    points = projection.flat(movement.positions.select("x", "y").to_numpy())
    chosen = _most_recorded(movement)
    stops = _of_objects(movement.stops(), chosen)
    annotations = movement.annotations.filter(pl.col("kind") == "resource")
    spots, targets = _spots(movement, stops, centres(stops, points, projection), points, annotations, chosen)
    trail_segments = _of_objects(trail_rows(movement), chosen)
    moves = _of_objects(movement.of_type("MOVE"), chosen)
    links, of_lines, resources, properties = _links(
        annotations, targets, pl.concat([trail_segments["row"], moves["row"]])
    )
    places = no_places(resources) if kb is None else linked_places(resources, kb, projection)
    trails = Trails(
        tuple(movement.objects["object"].gather(chosen["row"]).to_list()),
        tuple(lines(trail_segments, points, projection, of_lines)),
        tuple(lines(moves, points, projection, of_lines, joined=True)),
        spots,
        links,
        places,
        properties,
    )
    notes = [] if len(chosen) == len(movement.objects) else [
        f"Of {len(movement.objects):,} moving objects, the {len(chosen):,} with the most positions are drawn."
    ]  # fmt: skip
    others = len(annotations.filter(~pl.col("target_kind").is_in(["position", "segment"])))
    return trails, [*notes, *_notes(trails, len(stops), others, given=kb is not None)]


def _most_recorded(movement: Movement) -> pl.DataFrame:
    """The moving objects that are drawn: their rows, and their numbers on the map in the column `object`."""
    counts = np.bincount(movement.positions["object"].to_numpy(), minlength=len(movement.objects))
    rows = np.sort(np.argsort(-counts, kind="stable")[:_MOST_OBJECTS])
    return pl.DataFrame({"row": rows.astype(np.uint32), "object": np.arange(len(rows))})


def _of_objects(frame: pl.DataFrame, chosen: pl.DataFrame) -> pl.DataFrame:
    """The rows of some moving objects, which are numbered as on the map."""
    return frame.join(chosen.select(object="row", number="object"), on="object", maintain_order="left").with_columns(
        object=pl.col("number")
    )


def _spots(
    movement: Movement,
    stops: pl.DataFrame,
    middles: Floats,
    points: Floats,
    annotations: pl.DataFrame,
    chosen: pl.DataFrame,
) -> tuple[Spots, pl.DataFrame]:
    """Stops with a place on the map, then positions with links; and the row of each, by target."""
    known = np.isfinite(middles).all(axis=1)
    stops = stops.filter(pl.Series(known, dtype=pl.Boolean))
    rows = annotations.filter(pl.col("target_kind") == "position")["target"].unique().sort()
    own = _of_objects(movement.positions.with_row_index("position")[rows.to_list()], chosen)
    linked = own["position"].to_numpy()
    both = pl.concat([frame.select("object", "begin", "end") for frame in (stops, own)])
    spots = Spots(
        np.concatenate((middles[known], points[linked])),
        both["object"].cast(pl.Int64).to_numpy(),
        both["begin"].to_numpy(),
        both["end"].to_numpy(),
        np.arange(len(both)) < len(stops),
    )
    targets = pl.DataFrame(
        {
            "target_kind": ["segment"] * len(stops) + ["position"] * len(linked),
            "target": pl.concat([stops["row"].cast(pl.Int64), pl.Series("row", linked, dtype=pl.Int64)]),
            "spot": np.arange(len(both)),
        },
        schema={"target_kind": pl.String, "target": pl.Int64, "spot": pl.Int64},
    )
    return spots, targets


def _links(
    annotations: pl.DataFrame, spots: pl.DataFrame, segments: pl.Series
) -> tuple[Links, LineLinks, list[str], tuple[str, ...]]:
    """The links of spots and of segments that are lines, the nearest first; their resources and properties."""
    own = spots.with_columns(row=pl.lit(None, dtype=pl.Int64))
    bare = pl.DataFrame({"row": segments.drop_nulls().unique(maintain_order=True).cast(pl.Int64)}).select(
        pl.lit("segment").alias("target_kind"),
        pl.col("row").alias("target"),
        pl.lit(None, dtype=pl.Int64).alias("spot"),
        "row",
    )
    links = annotations.join(pl.concat([own, bare]), on=["target_kind", "target"], maintain_order="left").sort(
        "spot", "metres", "value", nulls_last=True, maintain_order=True
    )
    resources = links["value"].unique().sort().to_list()
    properties = links["property"].unique().sort().to_list()
    coded = links.select(
        "spot",
        "row",
        pl.col("value").replace_strict(resources, range(len(resources)), return_dtype=pl.Int64).alias("place"),
        pl.col("property").replace_strict(properties, range(len(properties)), return_dtype=pl.Int64),
        pl.col("metres", "similarity").fill_null(np.nan),
    )
    of_spots = coded.filter(pl.col("spot").is_not_null())
    names = ("spot", "place", "property", "metres", "similarity")
    of_lines: dict[int | None, list[tuple[int, int, float, float]]] = {}
    of_segments = coded.filter(pl.col("row").is_not_null())
    for row, *link in of_segments.select("row", "property", "place", "metres", "similarity").iter_rows():
        of_lines.setdefault(row, []).append(tuple(link))
    return (
        Links(*(of_spots[name].to_numpy() for name in names)),
        of_lines,
        resources,
        tuple(map(local_name, properties)),
    )


def _notes(trails: Trails, stops: int, others: int, *, given: bool) -> list[str]:
    notes = []
    lost = stops - int(trails.spots.stop.sum())
    if lost:
        notes.append(f"Not drawn: {counted(lost, 'stop')} without positions.")
    if others:
        notes.append(f"Not drawn: {counted(others, 'link')} of moving objects, patterns or descriptions.")
    unknown = int((~trails.drawn_links).sum())
    if unknown:
        reason = "to places without coordinates" if given else "whose places are in a knowledge base that was not given"
        notes.append(f"Listed with their stops, but not drawn: {counted(unknown, 'link')} {reason}.")
    return notes
