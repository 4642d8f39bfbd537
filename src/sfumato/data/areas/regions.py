"""Regions: named areas such as countries, cities, places and their parts, on one or several levels."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
import polars as pl

from sfumato.data.areas.outlines import areas_of, depths, shapely_package, with_wkt
from sfumato.data.base import Frame, Ints
from sfumato.data.frames import Source, refuse_missing, to_polars
from sfumato.errors import DataError, did_you_mean, listed

__all__ = ["Regions"]


@dataclass(frozen=True, eq=False)
class Regions:
    """Areas with a name, in the coordinates of the positions: x and y, or longitude and latitude.

    names : the name of each region.  outlines : a polygon or several for each.
    level_of : the level of each region, a number from 0.  levels : the names of the levels, from coarse to fine.

    >>> regions = Regions.from_frame(
    ...     {"region": ["town", "park"], "west": [0, 2], "south": [0, 2], "east": [9, 4], "north": [9, 4]}
    ... )
    >>> regions
    <Regions: 2 regions on 2 levels>
    >>> regions.holding(np.array([[3.0, 3.0], [8.0, 8.0], [10.0, 0.0]]), "1").tolist()
    [1, -1, -1]
    """

    names: pl.Series
    outlines: Any
    level_of: Ints
    levels: tuple[str, ...] = ("",)
    source: Source = field(default_factory=lambda: Source("the regions"))

    @classmethod
    def from_frame(cls, frame: Frame, source: Source | None = None) -> Self:
        """Columns `region`, `wkt` (or the geometry of geopandas, or `west, south, east, north`)
        and, if there are several levels, `level`.

        Without `level`, it is the number of other regions that cover a region.  Levels that are numbers are ordered by
        their value, others by their first row.
        """
        source = source or Source("the regions")
        rows = to_polars(with_wkt(frame))
        if "region" not in rows.columns:
            raise source.error(f"wanted a column 'region', found {listed(rows.columns)}")
        if len(rows) == 0:
            raise source.error("wanted at least one region, found none")
        refuse_missing(rows["region"], "region", source)
        outlines = areas_of(rows, source)
        regions = cls(rows["region"].cast(pl.String), outlines, np.zeros(len(rows), dtype=np.int64), source=source)
        return regions.with_levels(rows["level"]) if "level" in rows.columns else regions.nested()

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        sizes = (len(self), "region"), (len(self.levels), "level")
        regions, levels = (f"{size:,} {word}{'' if size == 1 else 's'}" for size, word in sizes)
        return f"<{type(self).__name__}: {regions} on {levels}>"

    def with_levels(self, level: pl.Series) -> Self:
        """The regions on these levels, one value a region."""
        refuse_missing(level, "level", self.source)
        numbers = level.cast(pl.Float64, strict=False)
        values = level.unique(maintain_order=True)
        if not numbers.null_count():
            values = level.gather(numbers.arg_sort()).unique(maintain_order=True)
        levels = tuple(values.cast(pl.String))
        codes = level.cast(pl.String).replace_strict(dict(zip(levels, range(len(levels)), strict=True)))
        return replace(self, level_of=codes.to_numpy(), levels=levels)

    def nested(self) -> Self:
        """The regions on levels by containment: a region covered by two others is on level 2."""
        depth = depths(self.outlines)
        return replace(self, level_of=depth, levels=tuple(str(level) for level in range(int(depth.max()) + 1)))

    def holding(self, where: Any, level: str | None = None) -> Ints:
        """The row of the region of a level that holds each point, its outline included; -1 for none.

        Of several regions it is the smallest, then the earliest row.  Without a level it is the coarsest.
        """
        if level is None:
            level = self.levels[0]
        if level not in self.levels:
            raise DataError(f"no level of the regions is called {level!r}; {did_you_mean(level, self.levels)}")
        shapely = shapely_package()
        rows = np.flatnonzero(self.level_of == self.levels.index(level))
        rows = rows[np.lexsort((-rows, -shapely.area(self.outlines[rows])))]  # the smallest and earliest comes last
        tree = shapely.STRtree(shapely.points(where))
        region, point = tree.query(self.outlines[rows], predicate="intersects")
        order = np.argsort(region, kind="stable")
        holder = np.full(len(where), -1, dtype=np.int64)
        holder[point[order]] = rows[region[order]]  # of several the last stays
        return holder
