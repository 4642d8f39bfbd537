"""What a map shows: for each dataset its visits, flows, areas or roads, on one projection and one scale."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.experiments.reports.maps.clusters import Flows, Marks
from sfumato.experiments.reports.maps.projection import Projection
from sfumato.experiments.reports.maps.style import MapStyle
from sfumato.experiments.reports.maps.trails.trails import Trails

__all__ = ["Area", "Panel", "Roads", "Scene"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Area:
    """The convex hull of a label's members, or the cells of a grid that it stands for."""

    outline: Floats
    name: str
    members: int
    visits: int

    @property
    def extent(self) -> float:
        """The size of the area."""
        x, y = self.outline.T
        return abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2


@dataclass(frozen=True, eq=False)
class Roads:
    """Roads as lines with the number of vehicles: ends float64[n, 4], x and y of both; busy roads last."""

    ends: Floats
    vehicles: Ints
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Panel:
    """One dataset on the map.

    marks : the circles.  ends : the marks that flows join; those of coarser squares, where there are too many flows.
    """

    title: str
    summary: str
    marks: Marks = field(default_factory=Marks.empty)
    ends: Marks = field(default_factory=Marks.empty)
    flows: Flows = field(default_factory=Flows.none)
    areas: tuple[Area, ...] = ()
    roads: Roads | None = None
    trails: Trails | None = None


@dataclass(frozen=True, eq=False)
class Scene:
    """Panels on one projection, with the lines beneath them and sentences about what is drawn.

    low, high : the corners of the box that the panels show.
    """

    panels: tuple[Panel, ...]
    projection: Projection
    low: Floats
    high: Floats
    style: MapStyle
    lines: tuple[Floats, ...] = ()
    notes: tuple[str, ...] = ()

    def overlap(self, panel: Panel) -> float:
        """How many areas of a panel cover a point of the map on average."""
        wide, high = (self.high - self.low).tolist()
        return sum(area.extent for area in panel.areas) / float(wide * high)

    @property
    def on_roads(self) -> bool:
        return any(panel.roads is not None for panel in self.panels)

    @property
    def on_trails(self) -> bool:
        return any(panel.trails is not None for panel in self.panels)

    @property
    def longest_stop(self) -> float:
        """The duration of the longest stop in seconds, which every stop is scaled by."""
        return max([panel.trails.longest for panel in self.panels if panel.trails is not None], default=0.0)
