"""Road networks: nodes with coordinates, and the roads between them."""

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

_UNNAMED_SOURCE = Source("the network")
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
"""Values of `highway` in OpenStreetMap, from the fastest class to the slowest."""


class Adjacency(NamedTuple):
    """The steps that leave node n are ``offsets[n]`` to ``offsets[n + 1]``: each over a road to a neighbour."""

    offsets: Ints
    neighbours: Ints
    roads: Ints


@dataclass(frozen=True, eq=False)
class Network:
    """Road r joins the nodes ``ends[r]``, straight and in both directions; its direction ``+`` is the one given.

    nodes, roads : their names.  points : float64[nodes, 2], x and y, or longitude and latitude.
    ends : int32[roads, 2].  classes : int64[roads], 0 for the fastest roads, or None.
    oneway : bool[roads], roads that may be driven in their direction ``+`` only, or None.
    geographic : whether the points are longitude and latitude; lengths are then metres along the globe.

    >>> town = Network.from_frames(
    ...     {"node": ["a", "b", "c"], "x": [0, 3, 3], "y": [0, 4, 0]},
    ...     {"road": ["r1", "r2"], "from": ["a", "b"], "to": ["b", "c"]},
    ... )
    >>> town, town.lengths.tolist(), town.component_sizes.tolist()
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
        cls, nodes: Any, roads: Any, *, node_source: Source = _UNNAMED_SOURCE, road_source: Source = _UNNAMED_SOURCE
    ) -> Self:
        """Columns `node, x, y` (or `node, lat, lon`) and `road, from, to`, optionally `class` (a whole number, 0 for
        the fastest roads, or a word of street maps such as residential) and `oneway` (true or false).
        """
        node_frame = to_polars(nodes)
        geographic = {"lat", "lon"} <= set(node_frame.columns) and not {"x", "y"} <= set(node_frame.columns)
        axes = ("lon", "lat") if geographic else ("x", "y")
        node_rows = _columns(node_frame, ("node", *sorted(axes)), node_source)
        names = _distinct(node_rows["node"], "node", node_source)
        points = np.column_stack([_numbers(node_rows[axis], axis, node_source) for axis in axes])
        road_rows = _columns(to_polars(roads), ("road", "from", "to"), road_source)
        ends = np.column_stack([_rows_of(road_rows[end], names, end, road_source) for end in ("from", "to")])
        itself = ends[:, 0] == ends[:, 1]
        if itself.any():
            raise road_source.error(
                "wanted a road between two nodes, found one from a node to itself", int(itself.argmax())
            )
        classes = _classes(road_rows["class"], road_source) if "class" in road_rows.columns else None
        oneway = _flags(road_rows["oneway"], road_source) if "oneway" in road_rows.columns else None
        return cls(names, points, _distinct(road_rows["road"], "road", road_source), ends, classes, oneway, geographic)

    def __len__(self) -> int:
        return len(self.nodes)

    def __repr__(self) -> str:
        degree = 2 * len(self.roads) / max(1, len(self))
        return f"<Network: {len(self):,} nodes, {len(self.roads):,} roads, mean degree {degree:.2f}>"

    def rows_of_roads(self, names: Iterable[str]) -> Ints:
        """The row of each road by its name, -1 for one that the network does not have."""
        numbering = pl.DataFrame({"name": self.roads, "row": np.arange(len(self.roads), dtype=np.int32)})
        requested = pl.DataFrame({"name": pl.Series(names, dtype=pl.String)})
        rows = requested.join(numbering, on="name", how="left", maintain_order="left")["row"].fill_null(-1)
        return frozen_array(rows.to_numpy(), np.int32)  # type: ignore[no-any-return]

    @cached_property
    def lengths(self) -> npt.NDArray[np.float64]:
        """The length of each road."""
        if self.geographic:
            difference = np.diff(in_space(self.points, geographic=True)[self.ends], axis=1)[:, 0]
            chord = np.sqrt((difference**2).sum(axis=1))
            return np.asarray(2 * EARTH_RADIUS_M * np.arcsin(np.minimum(1.0, chord / (2 * EARTH_RADIUS_M))))
        difference = self.points[self.ends[:, 0]] - self.points[self.ends[:, 1]]
        return np.hypot(difference[:, 0], difference[:, 1])

    @cached_property
    def adjacency(self) -> Adjacency:
        """The steps from each node: every road twice, once from each end."""
        start = np.concatenate((self.ends[:, 0], self.ends[:, 1]))
        end = np.concatenate((self.ends[:, 1], self.ends[:, 0]))
        order = np.argsort(start, kind="stable")
        offsets = np.concatenate(([0], np.cumsum(np.bincount(start, minlength=len(self)))))
        road = np.tile(np.arange(len(self.roads)), 2)
        return Adjacency(
            frozen_array(offsets, np.int64),
            frozen_array(end[order], np.int32),
            frozen_array(road[order], np.int32),
        )

    @cached_property
    def component_of_node(self) -> Ints:
        """The connected component of each node: nodes of one component can reach each other."""
        from sfumato.kernels.roads.components import (
            components,
        )  # imported late: numba is slow to load, and few callers need it

        component: Ints = components(len(self), self.ends[:, 0], self.ends[:, 1])
        return component

    @property
    def component_sizes(self) -> Ints:
        """The number of nodes of each connected component."""
        return np.bincount(self.component_of_node)

    def require_connected(self, caller: str, *, remedy: str = "") -> None:
        """Refuse a network that is not connected.

        caller : who asks, the beginning of the message.  remedy : the key of a remedy, instead of `largest()`.
        """
        sizes = self.component_sizes
        if len(sizes) > 1:
            hint = "" if remedy else "; take the largest component: Network.largest()"
            raise DataError(
                f"{caller}: wanted a connected network, found {len(sizes):,} components, the largest with "
                f"{sizes.max():,} of {len(self):,} nodes{hint}",
                remedy=remedy,
            )

    def largest(self) -> Self:
        """The largest connected component alone; of equal ones the first."""
        selected = self.component_of_node == self.component_sizes.argmax()
        row = np.cumsum(selected) - 1
        roads = selected[self.ends[:, 0]]
        return type(self)(
            self.nodes.filter(pl.Series(selected)),
            self.points[selected],
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
        """`node, x, y` (or `node, lat, lon`) and `road, from, to`, and `class` and `oneway` if there are any."""
        axes = (("lat", 1), ("lon", 0)) if self.geographic else (("x", 0), ("y", 1))
        nodes = pl.DataFrame({"node": self.nodes, **{axis: self.points[:, column] for axis, column in axes}})
        ends = {end: self.nodes.gather(self.ends[:, side]) for side, end in enumerate(("from", "to"))}
        optional = {"class": self.classes, "oneway": self.oneway}
        facts = {name: values for name, values in optional.items() if values is not None}
        return nodes, pl.DataFrame({"road": self.roads, **ends, **facts})


def _columns(frame: pl.DataFrame, required: tuple[str, ...], source: Source) -> pl.DataFrame:
    if any(name not in frame.columns for name in required):
        raise source.error(f"wanted the columns {', '.join(required)}, found {listed(frame.columns)}")
    if len(frame) == 0:
        raise source.error(f"wanted at least one {required[0]}, found none")
    return frame


def _distinct(column: pl.Series, noun: str, source: Source) -> pl.Series:
    is_missing = missing(column)
    if is_missing.any():
        raise source.error(f"wanted a {noun}, found nothing (is the file cut off?)", row=is_missing.arg_max())
    names = column.cast(pl.String)
    is_repeated = ~names.is_first_distinct()
    if is_repeated.any():
        raise source.error(
            f"wanted every {noun} once, found this {noun} for the second time", row=is_repeated.arg_max()
        )
    return names


def _numbers(column: pl.Series, axis: str, source: Source) -> npt.NDArray[np.float64]:
    numbers = column.cast(pl.Float64, strict=False)
    limit = {"lat": 90.0, "lon": 180.0}.get(axis, np.inf)
    invalid = numbers.is_null() | ~numbers.is_finite() | (numbers.abs() > limit)
    if invalid.any():
        within = "" if limit == np.inf else f" between {-limit:g} and {limit:g}"
        raise source.error(f"wanted {axis} as a number{within}, found something else", row=invalid.arg_max())
    return numbers.to_numpy()


def _rows_of(column: pl.Series, names: pl.Series, end: str, source: Source) -> Ints:
    numbering = pl.DataFrame({"name": names, "row": np.arange(len(names))})
    requested = pl.DataFrame({"name": column.cast(pl.String)})
    rows = requested.join(numbering, on="name", how="left", maintain_order="left")["row"]
    if rows.null_count():
        problem = f"wanted a known node in the column {end!r}, found an unknown node or nothing"
        raise source.error(problem, row=rows.is_null().arg_max())
    return rows.to_numpy()


def _classes(column: pl.Series, source: Source) -> Ints:
    numbers = column.cast(pl.Float64, strict=False)
    if column.dtype == pl.String:
        ranks = {word: float(rank) for rank, words in enumerate(_STREETS) for word in words}
        words = column.str.to_lowercase().str.strip_suffix("_link")
        numbers = numbers.fill_null(words.replace_strict(ranks, default=None, return_dtype=pl.Float64))
    invalid = numbers.is_null() | (numbers < 0) | (numbers != numbers.floor()) | (numbers > 100)
    if invalid.any():
        raise source.error(
            "wanted class as a whole number from 0 to 100, or a word such as residential, found something else",
            invalid.arg_max(),
        )
    return numbers.to_numpy().astype(np.int64)


def _flags(column: pl.Series, source: Source) -> npt.NDArray[np.bool_]:
    values = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False, "": False}
    lowered = column.cast(pl.String).str.to_lowercase().fill_null("")
    invalid = ~lowered.is_in(list(values))
    if invalid.any():
        raise source.error("wanted oneway as true or false, found something else", row=invalid.arg_max())
    return lowered.replace_strict(values, return_dtype=pl.Boolean).to_numpy()
