"""A sheet of pictures: each frequent subgraph with its labels and its support."""

from __future__ import annotations

import textwrap
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sfumato.experiments.reports.chart_page import chart_page, require_chart_file
from sfumato.experiments.reports.charts import rendered
from sfumato.experiments.reports.subgraph_layout import layout
from sfumato.io.atomic_writes import write_bytes, write_text
from sfumato.mining.subgraphs.results import Pattern, Subgraphs
from sfumato.params import JsonObject

if TYPE_CHECKING:
    import altair as alt

__all__ = ["SHEET_SUFFIXES", "draw_sheet", "require_sheet", "write_sheet"]

SHEET_SUFFIXES = (".svg", ".png", ".pdf", ".html")
MOST = 60  # pictures on a sheet
_COLUMNS, _CELL, _ROOM = 5, 170, 0.62  # pictures in a row, pixels of one, share of it for the nodes
# Okabe and Ito's colours in pale, for the commonest labels; the others are grey
_COLOURS = ("#8FC3E4", "#F2B48C", "#8FD3BE", "#E4BCD6", "#F3D28B", "#C9E6F7", "#C8C2E6")
_OTHERS = "#DDDDDD"


def require_sheet(path: str | Path) -> None:
    """Refuse a file that cannot be written, before the search starts."""
    require_chart_file(path, "a sheet of pictures", SHEET_SUFFIXES)


def write_sheet(result: Subgraphs, path: str | Path, *, title: str = "Frequent subgraphs") -> None:
    """A sheet in the format of the file's ending."""
    require_sheet(path)
    drawn, ending = draw_sheet(result, title=title), Path(path).suffix.lower()
    if ending == ".html":
        write_text(chart_page(title, '<div id="chart"></div>', drawn), path)
    else:
        write_bytes(rendered(drawn)[ending[1:]], path)


def draw_sheet(result: Subgraphs, *, title: str = "Frequent subgraphs") -> alt.TopLevelMixin:
    """An Altair chart of the patterns; of many, the largest with the highest support."""
    import altair as alt

    ranked = sorted(result.patterns, key=lambda p: (-p.n_edges, -p.support, p.labels, p.edges))[:MOST]
    colours = _colours(ranked)
    nodes, edges, heads = [], [], []
    for number, pattern in enumerate(ranked):
        corner = (number % _COLUMNS * _CELL, number // _COLUMNS * _CELL)
        points = _places(pattern, corner)
        heads.append({"x": corner[0] + 10, "y": corner[1] + 14, "text": _head(pattern, result.exact)})
        nodes += [
            {"x": x, "y": y, "beside": y + aside, "text": _short(label), "label": label}
            | {"colour": colours[label], "size": 230 * min(1.0, 8 / pattern.n_nodes)}
            for (x, y), aside, label in zip(points, _asides(points), pattern.labels, strict=True)
        ]
        edges += _edges(pattern, points)
    rows = max(1, -(-len(ranked) // _COLUMNS))
    wide = alt.Scale(domain=[0, _COLUMNS * _CELL], nice=False)
    high = alt.Scale(domain=[0, rows * _CELL], nice=False, reverse=True)

    def layer(values: list[JsonObject], x: str = "x", y: str = "y") -> alt.TopLevelMixin:
        across, down = alt.X(f"{x}:Q", axis=None, scale=wide), alt.Y(f"{y}:Q", axis=None, scale=high)
        return alt.Chart(alt.Data(values=values)).encode(x=across, y=down)

    tip = [alt.Tooltip("label:N")]
    lines = layer(edges).mark_rule(color="#777", strokeWidth=1.4).encode(x2="x2:Q", y2="y2:Q")
    ends = layer([edge for edge in edges if edge["arrow"]], "tip_x", "tip_y")
    arrows = ends.mark_point(shape="triangle", filled=True, size=55, color="#777", opacity=1)
    circles = layer(nodes).mark_circle(stroke="#555", strokeWidth=0.8, opacity=1)
    named = layer([edge for edge in edges if edge["text"]], "middle_x", "middle_y").encode(text="text:N")
    halo = {"color": "white", "stroke": "white", "strokeWidth": 3}  # over the lines
    names = layer(nodes, y="beside").encode(text="text:N", tooltip=tip)
    drawn = alt.layer(
        lines,
        arrows.encode(angle=alt.Angle("angle:Q", scale=None)),
        circles.encode(color=alt.Color("colour:N", scale=None), size=alt.Size("size:Q", scale=None), tooltip=tip),
        named.mark_text(fontSize=9.5, **halo),
        named.mark_text(fontSize=9.5, color="#555"),
        names.mark_text(fontSize=10.5, **halo),
        names.mark_text(fontSize=10.5, color="#222"),
        layer(heads).mark_text(fontSize=11, fontWeight="bold", align="left", color="#333").encode(text="text:N"),
    ).properties(width=_COLUMNS * _CELL, height=rows * _CELL)
    heading = alt.TitleParams(title, subtitle=_sentences(result, len(ranked)), anchor="start", offset=14)
    return (
        drawn.properties(title=heading, padding=14, background="white")
        .configure_title(fontSize=16, subtitleFontSize=11.5, subtitleColor="#444", subtitleLineHeight=15)
        .configure_view(stroke=None)
    )


def _sentences(result: Subgraphs, drawn: int) -> list[str]:
    many = f"{len(result):,} pattern{'' if len(result) == 1 else 's'} with a support of at least {result.threshold:,}"
    some = f"; the {drawn} largest with the highest support are drawn" if drawn < len(result) else ""
    end = "" if result.complete else f" {result.warning[0].upper()}{result.warning[1:]}"
    return textwrap.wrap(f"{many}{some}.{end}", 120)


def _colours(patterns: list[Pattern]) -> dict[str, str]:
    counted = Counter(label for pattern in patterns for label in pattern.labels)
    common = sorted(counted, key=lambda label: (-counted[label], label))
    return {label: _COLOURS[number] if number < len(_COLOURS) else _OTHERS for number, label in enumerate(common)}


def _places(pattern: Pattern, corner: tuple[int, int]) -> list[tuple[float, float]]:
    points = layout(pattern.n_nodes, [(i, j) for i, j, _ in pattern.edges]) * _CELL * _ROOM / 2
    return [(corner[0] + _CELL / 2 + float(x), corner[1] + _CELL / 2 + 4 + float(y)) for x, y in points]


def _asides(points: list[tuple[float, float]]) -> list[int]:
    """The distance of each label below its node; in a long row, every other label is above its node."""
    heights = [y for _, y in points]
    crowded = len(points) > 3 and max(heights) - min(heights) < _CELL / 4
    order = np.argsort(np.argsort([x for x, _ in points], kind="stable"))
    return [-17 if crowded and rank % 2 else 17 for rank in order]


def _head(pattern: Pattern, exact: bool) -> str:
    return f"{'' if exact else '≥ '}{pattern.support:,}"


def _short(label: str) -> str:
    return label if len(label) <= 18 else label[:17] + "…"


def _edges(pattern: Pattern, points: list[tuple[float, float]]) -> list[JsonObject]:
    """Lines from node to node; those between the same two side by side, their labels in the middle."""
    sharing = Counter(frozenset((i, j)) for i, j, _ in pattern.edges)
    met: Counter[frozenset[int]] = Counter()
    rows = []
    for i, j, label in pattern.edges:
        pair = frozenset((i, j))
        low, high = sorted((i, j))
        along = np.subtract(points[high], points[low])
        aside = np.array([-along[1], along[0]]) / max(float(np.hypot(*along)), 1e-9)
        shift = aside * 7 * (met[pair] - (sharing[pair] - 1) / 2)
        met[pair] += 1
        start, end = np.add(points[i], shift), np.add(points[j], shift)
        way = (end - start) / max(float(np.hypot(*(end - start))), 1e-9)
        tip, middle = end - way * 13, (start + end) / 2 + shift
        named = {"{}": start, "{}2": end, "tip_{}": tip, "middle_{}": middle}
        places = {name.format(axis): float(point[k]) for name, point in named.items() for k, axis in enumerate("xy")}
        turn = float(np.degrees(np.arctan2(way[1], way[0]))) + 90
        rows.append({**places, "angle": turn, "text": _short(label), "arrow": pattern.directed})
    return rows
