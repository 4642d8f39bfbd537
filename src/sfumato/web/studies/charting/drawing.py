"""Charts as Vega-Lite specifications, on a page and as a picture."""

from __future__ import annotations

from typing import Any

__all__ = ["on_paper", "spec"]

# Okabe and Ito's colours, which colour-blind readers can distinguish; then paler ones of the same hues
_COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8a8f96"]
_COLOURS += ["#7fb8d8", "#eaae7f", "#7fceb9", "#e5bcd3", "#f2cf7f", "#aad9f4", "#c4c7ca"]
_WIDTH, _RADIUS, _SMALL = 640, 110, 62  # two small ones fit beside each other on a phone
Counts = list[list[int | None]]


def spec(kind: str, titles: list[str], labels: list[list[str]], counts: Counts, unit: str) -> dict[str, Any]:
    """The chart of a table.

    titles, labels : of the one or two questions.  counts : by the values of the first and second; None is not drawn.
    unit : the title of the axis of counts.
    """
    second = labels[1] if len(labels) > 1 else [""]
    rows = [
        {"first": name, "second": other, "count": counts[row][column]}
        for row, name in enumerate(labels[0])
        for column, other in enumerate(second)
        if counts[row][column] is not None
    ]
    content: dict[str, Any] = {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "data": {"values": rows},
        "config": {"view": {"stroke": None}},
    }
    if kind in ("pie", "donut"):
        return content | _round(kind, titles, labels, unit)
    return content | _bars(kind, titles, labels, unit)


def on_paper(chart: dict[str, Any], title: str) -> dict[str, Any]:
    """The specification of a picture: of a fixed width, with its title, on white."""
    heading = {"text": title, "anchor": "start"}
    width = {} if "facet" in chart else {"width": _WIDTH}
    return {**chart, **width, "title": heading, "background": "white", "padding": 12}


def _tips(titles: list[str], unit: str) -> list[dict[str, str]]:
    names = ("first", "second")
    tips = [{"field": name, "type": "nominal", "title": title} for name, title in zip(names, titles, strict=False)]
    return [*tips, {"field": "count", "type": "quantitative", "title": unit}]


def _colour(field: str, title: str, labels: list[str]) -> dict[str, Any]:
    shades = [_COLOURS[place % len(_COLOURS)] for place in range(len(labels))]
    scale = {"domain": labels, "range": shades}
    return {"field": field, "type": "nominal", "title": title, "scale": scale, "sort": labels}


def _round(kind: str, titles: list[str], labels: list[list[str]], unit: str) -> dict[str, Any]:
    """A pie or donut; with two questions, one for each value of the second."""
    mark = {"type": "arc", "outerRadius": _RADIUS, "tooltip": True, "stroke": "white", "strokeWidth": 1}
    mark["innerRadius"] = _RADIUS // 2 if kind == "donut" else 0
    encoding: dict[str, Any] = {
        "theta": {"field": "count", "type": "quantitative", "stack": True},
        "color": _colour("first", titles[0], labels[0]),
        "tooltip": _tips(titles, unit),
    }
    if len(labels) == 1:
        return {"mark": mark, "encoding": encoding, "width": "container", "height": 2 * _RADIUS + 20}
    small = {**mark, "outerRadius": _SMALL, "innerRadius": _SMALL // 2 if kind == "donut" else 0}
    encoding["color"]["legend"] = {"orient": "bottom", "columns": 2}
    return {
        "facet": {"field": "second", "type": "nominal", "title": titles[1], "sort": labels[1]},
        "columns": 2,
        "spec": {"mark": small, "encoding": encoding, "width": 2 * _SMALL + 10, "height": 2 * _SMALL + 10},
    }


def _bars(kind: str, titles: list[str], labels: list[list[str]], unit: str) -> dict[str, Any]:
    """Columns, or bars for kind "bar"; with two questions, groups of them."""
    along, across = ("x", "y") if kind == "column" else ("y", "x")
    names: dict[str, Any] = {"field": "first", "type": "nominal", "title": titles[0], "sort": labels[0]}
    is_crowded = len(labels[0]) > 6 or sum(map(len, labels[0])) > 40 or max(map(len, labels[0]), default=0) > 14
    names["axis"] = {"labelAngle": -35 if along == "x" and is_crowded else 0, "labelLimit": 180}
    encoding = {
        along: names,
        across: {"field": "count", "type": "quantitative", "title": unit, "axis": {"tickMinStep": 1, "format": ",d"}},
        "tooltip": _tips(titles, unit),
    }
    if len(labels) > 1:
        encoding[f"{along}Offset"] = {"field": "second", "sort": labels[1]}
        encoding["color"] = _colour("second", titles[1], labels[1])
    mark: dict[str, Any] = {"type": "bar", "tooltip": True}
    if len(labels) == 1:
        mark["color"] = _COLOURS[0]
    bars = len(labels[0]) * (len(labels[1]) if len(labels) > 1 else 1)
    height = 320 if kind == "column" else max(120, min(1200, 24 * bars + 16 * len(labels[0])))
    return {"mark": mark, "encoding": encoding, "width": "container", "height": height}
