"""What a map shows of a movement: lines of trails and moves, circles of stops, links, and linked places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints

__all__ = ["Line", "LinkedPlaces", "Links", "Spots", "Trails"]

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Line:
    """A trail or a move: the number of its moving object, its positions on the map, and its time in seconds.

    links : property, place, metres and similarity of each of its links.
    """

    object: int
    points: Floats
    begin: float
    end: float
    positions: int
    links: tuple[tuple[int, int, float, float], ...] = ()


@dataclass(frozen=True, eq=False)
class Spots:
    """Where links begin: stops, and positions that have links of their own.

    points : float64[n, 2] on the map.  object : the number of the moving object.  begin, end : seconds since 1970, UTC.
    stop : whether it is a stop.
    """

    points: Floats
    object: Ints
    begin: Floats
    end: Floats
    stop: Bools

    def __len__(self) -> int:
        return len(self.object)

    def taken(self, rows: Ints) -> Spots:
        columns = (self.points, self.object, self.begin, self.end, self.stop)
        return Spots(*(column[rows] for column in columns))  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class LinkedPlaces:
    """Places that links lead to.  points : on the map, not a number where unknown.  category : a row of categories."""

    points: Floats
    names: tuple[str, ...]
    category: Ints
    categories: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.names)

    def taken(self, rows: Ints) -> LinkedPlaces:
        names = tuple(self.names[row] for row in rows.tolist())
        return LinkedPlaces(self.points[rows], names, self.category[rows], self.categories)

    @property
    def located(self) -> Bools:
        """Whether the coordinates of a place are known."""
        return np.asarray(np.isfinite(self.points).all(axis=1))


@dataclass(frozen=True, eq=False)
class Links:
    """Links from a spot to a place, by a property; metres and similarity are not a number where unknown."""

    spot: Ints
    place: Ints
    property: Ints
    metres: Floats
    similarity: Floats

    def __len__(self) -> int:
        return len(self.spot)

    def taken(self, rows: npt.NDArray[Any]) -> Links:
        columns = (self.spot, self.place, self.property, self.metres, self.similarity)
        return Links(*(column[rows] for column in columns))


@dataclass(frozen=True, eq=False)
class Trails:
    """A movement on the map.

    objects : the names of the moving objects.  properties : the names of the properties of links.
    """

    objects: tuple[str, ...]
    trails: tuple[Line, ...]
    moves: tuple[Line, ...]
    spots: Spots
    links: Links
    places: LinkedPlaces
    properties: tuple[str, ...]

    @property
    def drawn_links(self) -> Bools:
        """Whether both ends of a link are on the map."""
        return self.places.located[self.links.place] if len(self.links) else np.zeros(0, dtype=bool)

    @property
    def near_places(self) -> Floats:
        """The places at the stated distance of a link; one that is mentioned, or the middle of an area, may be far."""
        links = self.links
        if len(links) == 0:
            return np.empty((0, 2))
        apart = np.linalg.norm(self.places.points[links.place] - self.spots.points[links.spot], axis=1)
        near = self.drawn_links & (apart <= 1.02 * links.metres + 1)
        return self.places.taken(np.unique(links.place[near])).points

    @property
    def longest(self) -> float:
        """The duration of the longest stop in seconds."""
        return float((self.spots.end - self.spots.begin)[self.spots.stop].max(initial=0.0))

    def has(self, layer: str) -> bool:
        """Whether there is anything of a layer to draw."""
        counts = {
            "trails": len(self.trails),
            "moves": len(self.moves),
            "stops": int(self.spots.stop.sum()),
            "links": int(self.drawn_links.sum()) + int((~self.spots.stop).sum()),
            "places": int(self.places.located.sum()),
        }
        return counts[layer] > 0
