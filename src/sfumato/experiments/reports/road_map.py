"""Maps of traffic: the number of vehicles on each road, one map per dataset."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sfumato.data import RoadTrajectories
from sfumato.data.base import Ints
from sfumato.data.roads.network import Network
from sfumato.errors import DataError
from sfumato.experiments.reports.chart_page import require_chart_file
from sfumato.experiments.reports.charts import rendered
from sfumato.io.atomic_writes import write_bytes
from sfumato.io.files import suffix_of

if TYPE_CHECKING:
    import altair as alt

__all__ = ["draw_traffic", "require_map_file", "volumes", "write_map"]

_PICTURES = (".png", ".svg", ".pdf")
_SIDE = 430  # points, the longer one of a map


def volumes(data: RoadTrajectories) -> Ints:
    """The number of vehicles on each road of the network, in both directions together.

    >>> town = Network.from_frames(
    ...     {"node": ["a", "b"], "x": [0, 1], "y": [0, 0]}, {"road": ["r"], "from": ["a"], "to": ["b"]}
    ... )
    >>> volumes(RoadTrajectories.from_lists([["r+", "r-"], ["r-"]], network=town)).tolist()
    [3]
    """
    return np.bincount(data.road[data.codes], minlength=len(data.network.roads))


def require_map_file(path: str | Path) -> None:
    """Refuse a file that cannot be written, before the map is drawn."""
    require_chart_file(path, "a map", _PICTURES)


def write_map(maps: Mapping[str, RoadTrajectories], path: str | Path) -> None:
    """Draw one or more datasets of one network, by their titles, into a picture."""
    require_map_file(path)
    write_bytes(rendered(draw_traffic(maps))[suffix_of(path)[1:]], path)


def draw_traffic(maps: Mapping[str, RoadTrajectories]) -> alt.TopLevelMixin:
    """An Altair chart: one map per dataset, on one scale; roads with more vehicles are wider and darker."""
    import altair as alt

    networks = [data.network for data in maps.values()]
    if any(network.roads.to_list() != networks[0].roads.to_list() for network in networks):
        raise DataError("a map: wanted data on one network, found several")
    counts = {title: volumes(data) for title, data in maps.items()}
    most = max(1, *(int(traffic.max(initial=0)) for traffic in counts.values()))
    drawn = [_one(networks[0], title, maps[title], traffic, most) for title, traffic in counts.items()]
    return (
        alt.hconcat(*drawn, spacing=24)
        .properties(padding=10, background="white")
        .configure_view(stroke=None)
        .configure_title(fontSize=14, subtitleFontSize=11.5, subtitleColor="#444", anchor="start")
    )


def _one(network: Network, title: str, data: RoadTrajectories, traffic: Ints, most: int) -> alt.TopLevelMixin:
    import altair as alt

    flat = network.on_plane()
    wide, high = np.maximum(np.ptp(flat.points, axis=0), 1e-9)
    size = {"width": _SIDE * min(1.0, wide / high), "height": _SIDE * min(1.0, high / wide)}
    ends = flat.points[flat.ends]
    order = np.argsort(traffic, kind="stable")  # busy roads above quiet ones
    rows = [
        {
            "x": float(a[0]),
            "y": float(a[1]),
            "x2": float(b[0]),
            "y2": float(b[1]),
            "vehicles": int(count),
            "width": 0.4 + 3.6 * float(np.sqrt(count / most)),
        }
        for (a, b), count in zip(ends[order], traffic[order], strict=True)
    ]
    travelled = int(np.count_nonzero(traffic))
    heading = alt.TitleParams(
        title, subtitle=f"{len(data):,} trajectories on {travelled:,} of {len(network.roads):,} roads"
    )
    bare = alt.Axis(grid=False, ticks=False, labels=False, domain=False, title=None)
    spread = alt.Scale(zero=False, nice=False)
    lines = alt.Chart(alt.Data(values=rows), title=heading).encode(
        x=alt.X("x:Q", axis=bare, scale=spread), y=alt.Y("y:Q", axis=bare, scale=spread), x2="x2:Q", y2="y2:Q"
    )
    quiet = lines.transform_filter("datum.vehicles == 0").mark_rule(color="#d9d9d9", strokeWidth=0.5)
    busy = (
        lines.transform_filter("datum.vehicles > 0")
        .mark_rule(strokeCap="round")
        .encode(
            color=alt.Color(
                "vehicles:Q",
                scale=alt.Scale(type="log", range=["#9ecae1", "#3182bd", "#08306b"], domain=[1, most]),
                legend=alt.Legend(title="vehicles", type="gradient", orient="bottom", gradientLength=240),
            ),
            strokeWidth=alt.StrokeWidth("width:Q", scale=None),
        )
    )
    return (quiet + busy).properties(**size)
