"""The geometries of resources in columns: points, edges of lines and borders, and areas."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.base import Ints
from sfumato.errors import DataError, MissingExtra

__all__ = ["Geometries", "shapely_module"]

Floats = npt.NDArray[np.float64]
_POINT = r"^\s*(?:<[^>]*>\s*)?(?i:POINT)\s*\(\s*(\S+)\s+(\S+?)\s*\)\s*$"
_REFERENCE = r"^\s*<[^>]*>\s*"


def shapely_module() -> Any:
    """The optional package shapely."""
    try:
        import shapely
    except ModuleNotFoundError as absent:
        raise MissingExtra("shapely", "semantics") from absent
    return shapely


@dataclass(frozen=True)
class Geometries:
    """Geometries of numbered resources; a resource may have several.

    points : longitude and latitude; point_of : the resource of each.
    edges : both ends of each straight part of a line or border; edge_of : the resource of each.
    areas : polygons; area_of : the resource of each.
    """

    points: Floats
    point_of: Ints
    edges: Floats
    edge_of: Ints
    areas: npt.NDArray[Any]
    area_of: Ints

    @classmethod
    def of(cls, resources: Ints, wkt: pl.Series) -> Geometries:
        """The geometries that WKT texts (CRS84, longitude first) describe.

        >>> places = Geometries.of(np.array([0, 1]), pl.Series(["POINT(12.5 41.9)", "LINESTRING(0 0, 1 1, 2 1)"]))
        >>> places.points.tolist(), places.edges.tolist(), places.edge_of.tolist()
        ([[12.5, 41.9]], [[0.0, 0.0, 1.0, 1.0], [1.0, 1.0, 2.0, 1.0]], [1, 1])
        """
        resources = np.asarray(resources, dtype=np.int64)
        x, y = (wkt.str.extract(_POINT, group).cast(pl.Float64, strict=False) for group in (1, 2))
        simple = (x.is_not_null() & y.is_not_null()).to_numpy()
        points = np.column_stack((x.to_numpy()[simple], y.to_numpy()[simple])).reshape(-1, 2)
        if simple.all():
            return cls(points, resources, np.empty((0, 4)), _none(), np.empty(0, dtype=object), _none())
        return _with_shapes(points, resources[simple], resources[~simple], wkt.filter(pl.Series(~simple)))

    @cached_property
    def area_tree(self) -> Any:
        """The polygons in a tree of bounding boxes."""
        return shapely_module().STRtree(self.areas)

    @cached_property
    def edge_tree(self) -> Any:
        """The edges in a tree of bounding boxes."""
        shapely = shapely_module()
        return shapely.STRtree(shapely.linestrings(self.edges.reshape(-1, 2, 2)))

    def __post_init__(self) -> None:
        for corner in (self.points, self.edges[:, :2], self.edges[:, 2:]):
            if not np.isfinite(corner).all() or (np.abs(corner[:, 1:]) > 90).any():
                raise DataError("geometries: wanted latitudes from -90 to 90 degrees, found others")


def _none() -> Ints:
    return np.empty(0, dtype=np.int64)


def _with_shapes(points: Floats, point_of: Ints, resources: Ints, wkt: pl.Series) -> Geometries:
    shapely = shapely_module()
    shapes = shapely.from_wkt(wkt.str.replace(_REFERENCE, "").to_numpy(), on_invalid="ignore")
    if (broken := int(np.sum(shapely.is_missing(shapes)))) > 0:
        raise DataError(f"geometries: wanted well-known text (WKT), found {broken:,} texts that are not")
    parts, part_of = _parts(shapely.force_2d(shapes), resources)
    kind = shapely.get_type_id(parts)
    lonely = kind == 0
    more = np.column_stack((shapely.get_x(parts[lonely]), shapely.get_y(parts[lonely]))).reshape(-1, 2)
    rings, owner = shapely.get_rings(parts[kind == 3], return_index=True)
    lines = np.concatenate((parts[(kind == 1) | (kind == 2)], rings))
    line_of = np.concatenate((part_of[(kind == 1) | (kind == 2)], part_of[kind == 3][owner]))
    corners, line = shapely.get_coordinates(lines, return_index=True)
    joined = line[1:] == line[:-1]
    areas = parts[kind == 3]
    shapely.prepare(areas)
    return Geometries(
        points=np.concatenate((points, more)),
        point_of=np.concatenate((point_of, part_of[lonely])),
        edges=np.column_stack((corners[:-1][joined], corners[1:][joined])).reshape(-1, 4),
        edge_of=line_of[line[:-1][joined]],
        areas=areas,
        area_of=part_of[kind == 3],
    )


def _parts(shapes: npt.NDArray[Any], resources: Ints) -> tuple[npt.NDArray[Any], Ints]:
    """Single points, lines and polygons; collections may hold collections."""
    shapely = shapely_module()
    while (shapely.get_type_id(shapes) > 3).any():
        shapes, owner = shapely.get_parts(shapes, return_index=True)
        resources = resources[owner]
    present = ~shapely.is_empty(shapes)
    return shapes[present], resources[present]
