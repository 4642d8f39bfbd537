"""A network of roads as a picture: lines of an SVG, at most some thousands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Picture", "network_picture"]

_SIDE = 600.0
_MOST = 8_000


@dataclass(frozen=True)
class Picture:
    """The size of the view and the path of its lines; roads : how many of them are drawn."""

    width: float
    height: float
    path: str
    roads: int


def network_picture(network: Any) -> Picture:
    """The roads as straight lines between their ends; of a large network, every so manieth road."""
    nodes, roads = network.to_frames()
    across, up = ("lon", "lat") if "lon" in nodes.columns else ("x", "y")
    x, y = nodes[across].to_numpy().astype(float), nodes[up].to_numpy().astype(float)
    if across == "lon" and len(y):
        x = x * np.cos(np.radians(y.mean()))
    row = {name: number for number, name in enumerate(nodes["node"].to_list())}
    chosen = roads[:: max(1, -(-len(roads) // _MOST))]
    spread = max(float(np.ptp(x)) if len(x) else 0.0, float(np.ptp(y)) if len(y) else 0.0) or 1.0
    scale = _SIDE / spread
    px, py = (x - x.min()) * scale, (y.max() - y) * scale
    lines = [
        f"M{px[row[start]]:.1f} {py[row[start]]:.1f}L{px[row[end]]:.1f} {py[row[end]]:.1f}"
        for start, end in chosen.select("from", "to").iter_rows()
    ]
    return Picture(round(float(px.max()), 1) or 1.0, round(float(py.max()), 1) or 1.0, "".join(lines), len(chosen))
