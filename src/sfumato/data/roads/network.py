"""A road network: nodes on a plane and the roads between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.base import Ints, frozen_array, missing
from sfumato.data.frames import Source, to_polars
from sfumato.data.globe import in_space, middle_of, on_plane
from sfumato.data.places import EARTH_RADIUS_M
from sfumato.errors import DataError, listed

__all__ = ["Adjacency", "Network"]

_NOWHERE = Source("the network")
_STREETS = (
    ("motorway",),
    ("trunk",),
    ("primary",),
    ("secondary",),
    ("tertiary",),
    ("unclassified", "residential", "road"),
    ("living_street", "service"),
    ("track", "pedestrian", "footway", "cycleway", "bridleway", "path", "steps"),
)
"""What OpenStreetMap says under `highway`, from the fastest class to the slowest."""


class Adjacency(NamedTuple):
    """The steps that leave node n are ``offsets[n]`` to ``offsets[n + 1]``: each over a road to a neighbour."""

    offsets: Ints
    neighbours: Ints
    roads: Ints


@dataclass(frozen=True, eq=False)
class Network:
    """Road r joins the nodes ``ends[r]``, straight and in both directions; its direction ``+`` is the one given.

    nodes, roads : their names.  points : float64[nodes, 2], x and y, or longitude and latitude.
    ends : int32[roads, 2].  classes : int64[roads], 0 for the fastest roads, or nothing.
    oneway : bool[roads], roads that may be driven in their direction ``+`` only, or nothing.
    geographic : whether the points are longitude and latitude; lengths are then metres along the globe.

    >>> town = Network.from_frames(
    ...     {"node": ["a", "b", "c"], "x": [0, 3, 3], "y": [0, 4, 0]},
    ...     {"road": ["r1", "r2"], "from": ["a", "b"], "to": ["b", "c"]},
    ... )
    >>> town, town.lengths.tolist(), town.pieces.tolist()
    (<Network: 3 nodes, 2 roads, mean degree 1.33>, [5.0, 4.0], [3])
    """

    nodes: pl.Series
    points: npt.NDArray[np.float64]
    roads: pl.Series
    ends: Ints
    classes: Ints | None = None
    oneway: npt.NDArray[np.bool_] | None = None
    geographic: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", frozen_array(self.points, np.float64).reshape(-1, 2))
        object.__setattr__(self, "ends", frozen_array(self.ends, np.int32).reshape(-1, 2))
        if self.classes is not None:
            object.__setattr__(self, "classes", frozen_array(self.classes, np.int64))
        if self.oneway is not None:
            object.__setattr__(self, "oneway", frozen_array(self.oneway, np.bool_))
        if len(self.nodes) != len(self.points) or len(self.roads) != len(self.ends):
            raise DataError(
                f"Network: {len(self.nodes)} nodes at {len(self.points)} points, "
                f"{len(self.roads)} roads with {len(self.ends)} pairs of ends"
            )

    @classmethod
    def from_frames(
        cls, nodes: Any, roads: Any, *, node_source: Source = _NOWHERE, road_source: Source = _NOWHERE
    ) -> Self:
        """Columns `node, x, y` (or `node, lat, lon`) and `road, from, to`, optionally `class` (a whole number, 0 for
        the fastest roads, or a word of street maps such as residential) and `oneway` (true or false).
        """
        found = to_polars(nodes)
        geographic = {"lat", "lon"} <= set(found.columns) and not {"x", "y"} <= set(found.columns)
        axes = ("lon", "lat") if geographic else ("x", "y")
        places = _columns(found, ("node", *sorted(axes)), node_source)
        names = _distinct(places["node"], "node", node_source)
        points = np.column_stack([_numbers(places[axis], axis, node_source) for axis in axes])
        ways = _columns(to_polars(roads), ("road", "from", "to"), road_source)
        ends = np.column_stack([_rows_of(ways[end], names, end, road_source) for end in ("from", "to")])
        itself = ends[:, 0] == ends[:, 1]
        if itself.any():
            raise road_source.error(
                "wanted a road between two nodes, found one from a node to itself", int(itself.argmax())
            )
        classes = _classes(ways["class"], road_source) if "class" in ways.columns else None
        oneway = _flags(ways["oneway"], road_source) if "oneway" in ways.columns else None
        return cls(names, points, _distinct(ways["road"], "road", road_source), ends, classes, oneway, geographic)

    def __len__(self) -> int:
        return len(self.nodes)

    def __repr__(self) -> str:
        degree = 2 * len(self.roads) / max(1, len(self))
        return f"<Network: {len(self):,} nodes, {len(self.roads):,} roads, mean degree {degree:.2f}>"

    def rows_of_roads(self, names: Iterable[str]) -> Ints:
        """The row of each road by its name, -1 for one that the network does not have."""
        known = pl.DataFrame({"name": self.roads, "row": np.arange(len(self.roads), dtype=np.int32)})
        asked = pl.DataFrame({"name": pl.Series(names, dtype=pl.String)})
        found = asked.join(known, on="name", how="left", maintain_order="left")["row"].fill_null(-1)
        return frozen_array(found.to_numpy(), np.int32)  # type: ignore[no-any-return]

    @cached_property
    def lengths(self) -> npt.NDArray[np.float64]:
        """How long each road is."""
        if self.geographic:
            away = np.diff(in_space(self.points, geographic=True)[self.ends], axis=1)[:, 0]
            chord = np.sqrt((away**2).sum(axis=1))
            return np.asarray(2 * EARTH_RADIUS_M * np.arcsin(np.minimum(1.0, chord / (2 * EARTH_RADIUS_M))))
        away = self.points[self.ends[:, 0]] - self.points[self.ends[:, 1]]
        return np.hypot(away[:, 0], away[:, 1])

    @cached_property
    def adjacency(self) -> Adjacency:
        """Every road twice, once from each end, node by node."""
        near = np.concatenate((self.ends[:, 0], self.ends[:, 1]))
        far = np.concatenate((self.ends[:, 1], self.ends[:, 0]))
        order = np.argsort(near, kind="stable")
        offsets = np.concatenate(([0], np.cumsum(np.bincount(near, minlength=len(self)))))
        road = np.tile(np.arange(len(self.roads)), 2)
        return Adjacency(
            frozen_array(offsets, np.int64),
            frozen_array(far[order], np.int32),
            frozen_array(road[order], np.int32),
        )

    @cached_property
    def piece_of_node(self) -> Ints:
        """The piece that each node belongs to: nodes of one piece can reach each other."""
        from sfumato.kernels.roads.components import components  # numba takes its time, and few need it

        found: Ints = components(len(self), self.ends[:, 0], self.ends[:, 1])
        return found

    @property
    def pieces(self) -> Ints:
        """How many nodes each piece has."""
        return np.bincount(self.piece_of_node)

    def require_whole(self, who: str, *, remedy: str = "; keep the largest: Network.largest()") -> None:
        """Refuse a network in pieces."""
        sizes = self.pieces
        if len(sizes) > 1:
            raise DataError(
                f"{who}: wanted a network in one piece, found {len(sizes):,} pieces, the largest with "
                f"{sizes.max():,} of {len(self):,} nodes{remedy}"
            )

    def largest(self) -> Self:
        """The largest piece alone; of equal ones the first."""
        kept = self.piece_of_node == self.pieces.argmax()
        row = np.cumsum(kept) - 1
        roads = kept[self.ends[:, 0]]
        return type(self)(
            self.nodes.filter(pl.Series(kept)),
            self.points[kept],
            self.roads.filter(pl.Series(roads)),
            row[self.ends[roads]],
            None if self.classes is None else self.classes[roads],
            None if self.oneway is None else self.oneway[roads],
            self.geographic,
        )

    def on_plane(self) -> Self:
        """The same network in metres on a plane that touches the globe in its middle; planar networks as they are."""
        if not self.geographic:
            return self
        return replace(self, points=on_plane(self.points, middle_of(self.points)), geographic=False)

    def to_frames(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """`node, x, y` (or `node, lat, lon`) and `road, from, to`, and `class` and `oneway` where they are known."""
        axes = (("lat", 1), ("lon", 0)) if self.geographic else (("x", 0), ("y", 1))
        nodes = pl.DataFrame({"node": self.nodes, **{axis: self.points[:, at] for axis, at in axes}})
        ends = {end: self.nodes.gather(self.ends[:, side]) for side, end in enumerate(("from", "to"))}
        more = {"class": self.classes, "oneway": self.oneway}
        facts = {name: values for name, values in more.items() if values is not None}
        return nodes, pl.DataFrame({"road": self.roads, **ends, **facts})


def _columns(frame: pl.DataFrame, wanted: tuple[str, ...], source: Source) -> pl.DataFrame:
    if any(name not in frame.columns for name in wanted):
        raise source.error(f"wanted the columns {', '.join(wanted)}, found {listed(frame.columns)}")
    if len(frame) == 0:
        raise source.error(f"wanted at least one {wanted[0]}, found none")
    return frame


def _distinct(column: pl.Series, what: str, source: Source) -> pl.Series:
    gone = missing(column)
    if gone.any():
        raise source.error(f"wanted a {what}, found nothing (is the file cut off?)", row=gone.arg_max())
    names = column.cast(pl.String)
    again = ~names.is_first_distinct()
    if again.any():
        raise source.error(f"wanted every {what} once, found one for the second time", row=again.arg_max())
    return names


def _numbers(column: pl.Series, axis: str, source: Source) -> npt.NDArray[np.float64]:
    numbers = column.cast(pl.Float64, strict=False)
    limit = {"lat": 90.0, "lon": 180.0}.get(axis, np.inf)
    wrong = numbers.is_null() | ~numbers.is_finite() | (numbers.abs() > limit)
    if wrong.any():
        within = "" if limit == np.inf else f" between {-limit:g} and {limit:g}"
        raise source.error(f"wanted {axis} as a number{within}, found something else", row=wrong.arg_max())
    return numbers.to_numpy()


def _rows_of(column: pl.Series, names: pl.Series, end: str, source: Source) -> Ints:
    known = pl.DataFrame({"name": names, "row": np.arange(len(names))})
    asked = pl.DataFrame({"name": column.cast(pl.String)})
    found = asked.join(known, on="name", how="left", maintain_order="left")["row"]
    if found.null_count():
        problem = f"wanted a node after {end!r} that the nodes file has, found another or nothing"
        raise source.error(problem, row=found.is_null().arg_max())
    return found.to_numpy()


def _classes(column: pl.Series, source: Source) -> Ints:
    numbers = column.cast(pl.Float64, strict=False)
    if column.dtype == pl.String:
        ranks = {word: float(rank) for rank, words in enumerate(_STREETS) for word in words}
        words = column.str.to_lowercase().str.strip_suffix("_link")
        numbers = numbers.fill_null(words.replace_strict(ranks, default=None, return_dtype=pl.Float64))
    wrong = numbers.is_null() | (numbers < 0) | (numbers != numbers.floor()) | (numbers > 100)
    if wrong.any():
        raise source.error(
            "wanted class as a whole number from 0 to 100, or a word such as residential, found something else",
            wrong.arg_max(),
        )
    return numbers.to_numpy().astype(np.int64)


def _flags(column: pl.Series, source: Source) -> npt.NDArray[np.bool_]:
    words = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False, "": False}
    lowered = column.cast(pl.String).str.to_lowercase().fill_null("")
    strange = ~lowered.is_in(list(words))
    if strange.any():
        raise source.error("wanted oneway as true or false, found something else", row=strange.arg_max())
    return lowered.replace_strict(words, return_dtype=pl.Boolean).to_numpy()
