"""Coordinates on a flat map: x and y as they are, longitude and latitude as metres around a middle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from sfumato.data.places import EARTH_RADIUS_M

__all__ = ["Projection"]

Floats = npt.NDArray[np.float64]
_DEGREE_M = EARTH_RADIUS_M * np.pi / 180
_LEAST_SQUEEZE = 0.1  # near a pole, degrees of longitude are not squeezed to nothing


@dataclass(frozen=True)
class Projection:
    """An equirectangular projection, true to scale along one parallel and all meridians; or a plane as it is.

    lon, lat : the middle of the map.  geographic : whether there is anything to project.
    """

    geographic: bool
    lon: float = 0.0
    lat: float = 0.0

    @classmethod
    def around(cls, points: Floats, *, geographic: bool) -> Self:
        """The projection for these points; the map is cut where the gap between their longitudes is widest.

        >>> Projection.around(np.array([[179.0, -10.0], [-179.0, 10.0]]), geographic=True)
        Projection(geographic=True, lon=180.0, lat=0.0)
        """
        if not geographic or len(points) == 0:
            return cls(geographic)
        lons = np.unique(points[:, 0] % 360)
        gaps = np.diff(np.append(lons, lons[0] + 360))
        widest = int(gaps.argmax())
        middle = float((lons[widest] + gaps[widest] / 2 + 180) % 360)
        lat = float((points[:, 1].min() + points[:, 1].max()) / 2)
        return cls(True, middle - 360 if middle > 180 else middle, lat)

    @property
    def squeeze(self) -> float:
        """The length of a degree of longitude in degrees of latitude."""
        return max(_LEAST_SQUEEZE, float(np.cos(np.radians(self.lat)))) if self.geographic else 1.0

    @property
    def width(self) -> float:
        """The width of the whole globe on the map."""
        return 360 * _DEGREE_M * self.squeeze if self.geographic else np.inf

    def flat(self, points: Floats) -> Floats:
        """Points as x and y on the map; in metres, if there is anything to project.

        >>> Projection(True, lon=180.0).flat(np.array([[-179.0, 0.0], [179.0, 1.0]])).round().tolist()
        [[111195.0, 0.0], [-111195.0, 111195.0]]
        """
        if not self.geographic:
            return np.asarray(points, dtype=np.float64)
        east = (points[:, 0] - self.lon + 180) % 360 - 180
        return np.column_stack((east * self.squeeze, points[:, 1] - self.lat)) * _DEGREE_M

    def latitude(self, y: float) -> float:
        """The latitude of a point on the map."""
        return self.lat + y / _DEGREE_M
