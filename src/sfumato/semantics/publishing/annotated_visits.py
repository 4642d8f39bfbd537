"""Annotated stops or positions of a movement as trajectories: who visited which linked place, when, in which order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from sfumato.data.trajectories import Trajectories
from sfumato.errors import DataError, counted, listed
from sfumato.params import Declared, JsonObject, param
from sfumato.semantics.publishing.knowledge_places import KnowledgePlaces
from sfumato.semantics.vocabulary import BQ

if TYPE_CHECKING:
    from sfumato.semantics.movement.movement import Movement

__all__ = ["AnnotatedVisits", "Visits"]

_AT_PLACE = tuple(BQ + name for name in ("visits", "isAt", "occursAt", "occursIn"))
"""Properties of a link that say that the target was at the place; a place that is mentioned was not visited."""
_TRAILS = ("TRAIL", "TRAJ")


@dataclass(frozen=True, eq=False)
class Visits:
    """Trajectories of linked places, and how they came about.

    counts : targets, linked, ambiguous, dropped, unknown (linked to resources that are no place of the knowledge base),
    repeated (positions at the place of the position before), visits, trajectories, persons.
    """

    trajectories: Trajectories
    counts: JsonObject

    def __repr__(self) -> str:
        return f"<Visits: {self.trajectories!r}>"

    @property
    def sentences(self) -> list[str]:
        """What became of the targets, in sentences."""
        counts = self.counts
        sentences = [
            f"{counts['linked']:,} of {counts['targets']:,} {counts['of']} are linked to a place; they make "
            f"{counted(counts['visits'], 'visit')} of {counted(counts['persons'], 'person')} in "
            f"{counts['trajectories']:,} {'trajectory' if counts['trajectories'] == 1 else 'trajectories'}."
        ]
        if counts["ambiguous"]:
            fate = "dropped" if counts["dropped"] else "decided by the rule"
            sentences.append(f"{counts['ambiguous']:,} of them are linked to several places: {fate}.")
        if counts["unknown"]:
            sentences.append(
                f"{counts['unknown']:,} are linked only to resources that are no places, and are left out."
            )
        if counts["repeated"]:
            sentences.append(f"{counts['repeated']:,} repeat the place of the position before, and are left out.")
        return sentences


@dataclass(frozen=True, kw_only=True)
class AnnotatedVisits(Declared):
    """Make trajectories of the linked stops or positions of a movement.

    A trail is a trajectory; without trails all of a moving object is.  The person of a trajectory is the moving entity:
    several moving objects may be one person.  The time of a visit is the begin of its stop or position, the location
    the unique name of the linked place.  A stop is linked by its own links and by those of its positions.
    """

    of: str = param(
        "auto", choices=("auto", "stops", "positions"), help="what a visit is; auto: stops, if there are any"
    )
    choose: str = param(
        "near",
        choices=("near", "similar", "drop"),
        help="of several linked places: the nearest, the most similar by name, or none; ties by the smaller area, "
        "then by IRI",
    )

    tree: str | None = param(None, help="the segmentation, if the movement has several")

    def apply(self, movement: Movement, places: KnowledgePlaces) -> Visits:
        """The visits of a movement, with the places and the taxonomy of the knowledge base."""
        of = self.of if self.of != "auto" else ("stops" if len(movement.stops()) else "positions")
        segments = self._segments(movement)
        stops = _innermost_stops(movement, segments)
        targets = _stop_targets(movement, stops) if of == "stops" else _position_targets(movement, segments)
        links = _links(movement, stops if of == "stops" else None)
        names = pl.DataFrame(
            list(places.names.items()), schema={"value": pl.String, "location": pl.String}, orient="row"
        )
        known = links.join(names, on="value", how="inner")
        chosen, ambiguous = self._chosen(known, places.areas)
        visits = targets.join(chosen, on="target", how="inner").sort("trail", "begin", "target")
        repeated = 0
        if of == "positions":
            kept = visits.filter(pl.struct("trail", "location").ne_missing(pl.struct("trail", "location").shift()))
            repeated, visits = len(visits) - len(kept), kept
        if len(visits) == 0:
            raise DataError(f"visits: wanted {of} that are linked to places of the knowledge base, found none")
        counts = {
            "of": of,
            "targets": len(targets),
            "linked": known["target"].n_unique(),
            "ambiguous": ambiguous,
            "dropped": ambiguous if self.choose == "drop" else 0,
            "unknown": links["target"].n_unique() - known["target"].n_unique(),
            "repeated": repeated,
            "visits": len(visits),
            "trajectories": visits["trail"].n_unique(),
            "persons": visits["person"].n_unique(),
        }
        frame = visits.select(trajectory="trail", person="person", location="location", time="begin")
        walks = Trajectories.from_frame(frame, places=places.places, taxonomy=places.taxonomy)
        return Visits(walks, counts)

    def _segments(self, movement: Movement) -> pl.DataFrame:
        """The segments of the tree, with their rows in the column `row`."""
        rows = movement.segments.with_row_index("row").with_columns(pl.col("row").cast(pl.Int64))
        trees = sorted(rows.filter(pl.col("type").is_in(("STOP", *_TRAILS)))["tree"].unique().to_list())
        if self.tree is None and len(trees) > 1:
            raise DataError(f"visits: wanted the name of a segmentation, found several: {listed(trees)}")
        if self.tree is not None and self.tree not in trees:
            raise DataError(f"visits: no segmentation is called {self.tree!r}; there are {listed(trees)}")
        return rows.filter(pl.col("tree") == (self.tree or trees[0])) if trees else rows

    def _chosen(self, links: pl.DataFrame, areas: dict[str, float]) -> tuple[pl.DataFrame, int]:
        """One place of each target, and how many targets have several; inside a city lies the museum, not reversely."""
        best = links.group_by("target", "value", "location").agg(pl.col("metres").min(), pl.col("similarity").max())
        several = best.group_by("target").len().filter(pl.col("len") > 1)["target"]
        if self.choose == "drop":
            best = best.filter(~pl.col("target").is_in(several.to_list()))
        near = (pl.col("metres").fill_null(float("inf")), False)
        similar = (pl.col("similarity").fill_null(-1.0), True)
        order = (similar, near) if self.choose == "similar" else (near, similar)
        keys, falling = [expression for expression, _ in order], [down for _, down in order]
        size = pl.col("value").replace_strict(areas, default=0.0, return_dtype=pl.Float64)
        ranked = best.sort("target", *keys, size, "value", descending=[False, *falling, False, False])
        first = ranked.unique("target", keep="first", maintain_order=True)
        return first.select("target", "location"), len(several)


def _innermost_stops(movement: Movement, segments: pl.DataFrame) -> pl.DataFrame:
    """The stops without a stop inside."""
    stops = segments.filter(pl.col("type") == "STOP")
    outer = movement.ancestors(stops["row"].to_list())["relative"].unique().to_list()
    return stops.filter(~pl.col("row").is_in(outer))


def _positions_of(segments: pl.DataFrame) -> pl.DataFrame:
    """row, position: every position of each segment."""
    spans = segments.drop_nulls(["first", "last"])
    ranges = pl.int_ranges(pl.col("first"), pl.col("last") + 1).alias("position")
    return spans.select("row", ranges).explode("position")


def _links(movement: Movement, stops: pl.DataFrame | None) -> pl.DataFrame:
    """target, value, metres, similarity: the links to places of each stop (with those of its positions) or position."""
    rows = movement.annotations.filter((pl.col("kind") == "resource") & pl.col("property").is_in(_AT_PLACE))
    values = ("value", "metres", "similarity")
    positions = rows.filter(pl.col("target_kind") == "position").select("target", *values)
    if stops is None:
        return positions
    own = rows.filter(pl.col("target_kind") == "segment").select("target", *values)
    own = own.join(stops.select(target="row"), on="target", how="semi")
    inside = positions.join(_positions_of(stops), left_on="target", right_on="position")
    return pl.concat([own, inside.select(pl.col("row").alias("target"), *values)])


def _stop_targets(movement: Movement, stops: pl.DataFrame) -> pl.DataFrame:
    """target, begin, trail, person of each stop."""
    segments = movement.segments.with_row_index("relative").select(
        pl.col("relative").cast(pl.Int64), "type", "level", trail="name"
    )
    above = movement.ancestors(stops["row"].to_list()).with_columns(pl.col("row", "relative").cast(pl.Int64))
    trails = above.join(segments, on="relative").filter(pl.col("type").is_in(_TRAILS))
    deepest = trails.sort("row", "level").unique("row", keep="last").select("row", "trail")
    joined = stops.join(deepest, on="row", how="left")
    return _with_persons(joined.select("object", "begin", "trail", target="row"), movement)


def _position_targets(movement: Movement, segments: pl.DataFrame) -> pl.DataFrame:
    """target, begin, trail, person of each position."""
    rows = movement.positions.with_row_index("target").with_columns(pl.col("target").cast(pl.Int64))
    trails = segments.filter(pl.col("type").is_in(_TRAILS)).sort("level")
    inside = _positions_of(trails).join(trails.select("row", "level", trail="name"), on="row")
    deepest = inside.sort("position", "level").unique("position", keep="last").select("position", "trail")
    joined = rows.join(deepest, left_on="target", right_on="position", how="left")
    return _with_persons(joined.select("object", "begin", "trail", "target"), movement)


def _with_persons(rows: pl.DataFrame, movement: Movement) -> pl.DataFrame:
    """With the person of each moving object; what lies in no trail belongs to a trajectory of its object."""
    objects = movement.objects.with_row_index("number").select(
        pl.col("number").cast(rows.schema["object"]), "person", name="object"
    )
    joined = rows.join(objects, left_on="object", right_on="number", how="left")
    return joined.select("target", "begin", "person", trail=pl.col("trail").fill_null(pl.col("name")))
