"""The charts of an evaluation: each with a sentence and a table of the same figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl
from django.utils.translation import gettext as _

from sfumato.experiments.reports.board.distributions import before_and_after
from sfumato.web.interface.library_words import translated
from sfumato.web.interface.templatetags.sfumato import number

__all__ = ["Figure", "counts", "differences", "histogram", "labels", "over_values", "phases", "phases_over_values"]

_BLUE, _RED, _GREY = "#0072B2", "#D55E00", "#8a8f96"
_PHASES = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8a8f96"]  # Okabe and Ito
_SHOWN = 30  # bars of a chart


@dataclass(frozen=True)
class Figure:
    """A chart: its title, its specification, what it shows in a sentence, the same as a table, and its key in a run."""

    title: str
    spec: dict[str, Any]
    sentence: str
    head: list[str]
    rows: list[list[Any]]
    key: str = ""
    formats = ("pdf", "png", "svg", "jpg", "bmp", "csv")  # of the files to take away


def over_values(parameter: str, name: str, title: str, unit: str, rows: Sequence[Mapping[str, Any]]) -> Figure:
    """A measure over the values of the varying parameter; a value without a figure is a gap."""
    points = [(row["value"], row.get("measures", {}).get(name)) for row in rows]
    title, unit = translated(title), translated(unit)
    return _over(parameter, f"{title} ({unit})" if unit else title, points)


def phases_over_values(parameter: str, rows: Sequence[Mapping[str, Any]]) -> Figure:
    """The seconds of the phases over the values of the varying parameter."""
    cells = [
        {"value": row["value"], "phase": translated(phase), "seconds": seconds}
        for row in rows
        for phase, seconds in row.get("phases", {}).items()
    ]
    names = list(dict.fromkeys(cell["phase"] for cell in cells))
    encoding = {
        "x": {"field": "value", "type": "ordinal", "title": parameter, "sort": None, "axis": {"labelAngle": 0}},
        "y": {"field": "seconds", "type": "quantitative", "title": _("seconds")},
        "color": {
            "field": "phase",
            "type": "nominal",
            "sort": names,
            "scale": {"range": _PHASES},
            "title": None,
            "legend": {"orient": "bottom", "columns": 2, "labelLimit": 240},
        },
        "order": {"field": "phase"},
        "tooltip": [{"field": "phase"}, {"field": "seconds", "format": ".4~g"}],
    }
    total = [(row["value"], sum(row["phases"].values())) for row in rows if "phases" in row]
    slowest = max(total, key=lambda pair: pair[1], default=None)
    sentence = (
        ""
        if slowest is None
        else _("The slowest run is %(name)s = %(value)s with %(seconds)s s.")
        % {
            "name": parameter,
            "value": slowest[0],
            "seconds": number(slowest[1]),
        }
    )
    table = [[cell["value"], cell["phase"], cell["seconds"]] for cell in cells]
    spec = _spec({"type": "bar"}, encoding, cells, 240)
    return Figure(_("Seconds by phase"), spec, sentence, [parameter, _("phase"), _("seconds")], table)


def phases(seconds: Mapping[str, float]) -> Figure:
    """The seconds of each phase of a run."""
    seconds = {translated(phase): value for phase, value in seconds.items()}
    rows = [{"phase": phase, "seconds": value} for phase, value in seconds.items()]
    encoding = {
        "y": {"field": "phase", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 200}},
        "x": {"field": "seconds", "type": "quantitative", "title": _("seconds")},
        "tooltip": [{"field": "phase"}, {"field": "seconds", "format": ".4~g"}],
    }
    total = sum(seconds.values())
    longest = max(seconds.items(), key=lambda pair: pair[1], default=("", 0.0))
    sentence = _("The run took %(total)s s; the longest phase is %(phase)s with %(seconds)s s.") % {
        "total": number(total),
        "phase": longest[0],
        "seconds": number(longest[1]),
    }
    spec = _spec({"type": "bar", "color": _BLUE}, encoding, rows, 26 * max(len(rows), 1))
    table = [[phase, value] for phase, value in seconds.items()]
    return Figure(_("Seconds by phase"), spec, sentence, [_("phase"), _("seconds")], table)


def labels(attribute: str, frame: pl.DataFrame) -> Figure:
    """How frequent the generalized values of an attribute are."""
    every = frame.to_dicts()
    rows = every[:_SHOWN]
    encoding = {
        "y": {"field": "label", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 160}},
        "x": {"field": "records", "type": "quantitative", "title": _("published records")},
        "tooltip": [{"field": "label"}, {"field": "records", "format": ","}, {"field": "members", "format": ","}],
    }
    if not rows:
        sentence = _("No generalized value: every published value stands for itself.")
    else:
        sentence = _(
            "%(count)s labels stand for several values; the most frequent is in %(records)s records and stands for "
            "%(members)s values."
        ) % {"count": number(len(frame)), "records": number(rows[0]["records"]), "members": number(rows[0]["members"])}
        sentence += _first(len(frame))
    spec = _spec({"type": "bar", "color": _RED}, encoding, rows, 22 * max(len(rows), 1))
    table = [[row["label"], row["records"], row["members"]] for row in every]
    title = _("Frequencies of the generalized values of %(name)s") % {"name": attribute}
    return Figure(title, spec, sentence, [_("label"), _("records"), _("values that it stands for")], table)


def differences(attribute: str, frame: pl.DataFrame) -> Figure:
    """The relative differences between the original and the published frequencies of an attribute's values."""
    every = [{**row, "value": row["value"] or _("(missing)")} for row in frame.to_dicts()]
    rows = every[:_SHOWN]
    encoding = {
        "y": {"field": "value", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 160}},
        "x": {"field": "relative_difference", "type": "quantitative", "title": _("relative difference")},
        "tooltip": [
            {"field": "value"},
            {"field": "original", "format": ",.4~g"},
            {"field": "published", "format": ",.4~g"},
            {"field": "relative_difference", "format": ".3~g"},
        ],
    }
    off = frame["relative_difference"]
    sentence = _(
        "Of %(count)s values, %(same)s have the same frequency in the release; the mean relative difference is "
        "%(mean)s, the largest %(largest)s."
    ) % {
        "count": number(len(frame)),
        "same": number(int((off == 0).sum())),
        "mean": number(_float(off.mean())),
        "largest": number(_float(off.max())),
    }
    spec = _spec({"type": "bar", "color": _BLUE}, encoding, rows, 22 * max(len(rows), 1))
    table = [[row["value"], row["original"], row["published"], row["relative_difference"]] for row in every]
    title = _("Relative differences of the frequencies of %(name)s") % {"name": attribute}
    head = [_("value"), _("original"), _("expected in the release"), _("relative difference")]
    return Figure(title, spec, sentence + _first(len(frame)), head, table)


def counts(attribute: str, frame: pl.DataFrame, *, numbers: bool) -> Figure:
    """How many records hold each value in the original, and are expected to in the release."""
    named = frame.select(pl.lit(attribute).alias("attribute"), pl.all())
    title = _("Frequencies of %(name)s") % {"name": attribute}
    for _name, more, bars in before_and_after(named, [attribute] if numbers else []):
        drawn = histogram(title, bars, (_("original"), _("expected in the release")))
        return replace(drawn, sentence=f"{drawn.sentence} {_shown_part(more)}".strip())
    sentence = _("Every value is as frequent in the release as in the original.")
    return Figure(title, {}, sentence, [], [])


def _shown_part(more: str) -> str:
    return _("The chart shows %(part)s.") % {"part": more} if more else ""


def histogram(title: str, bars: Sequence[Sequence[Any]], sides: tuple[str, str] | None = None) -> Figure:
    """Counts in the original and in the release; bars are (value, original, published)."""
    sides = sides or (_("original"), _("published"))
    rows = [
        {"value": value, "data": side, "count": count}
        for value, *counts in bars
        for side, count in zip(sides, counts, strict=True)
    ]
    encoding = {
        "x": {"field": "value", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 90}},
        "xOffset": {"field": "data", "sort": list(sides)},
        "y": {"field": "count", "type": "quantitative", "title": _("records")},
        "color": {
            "field": "data",
            "title": None,
            "scale": {"domain": list(sides), "range": [_GREY, _BLUE]},
            "legend": {"orient": "top"},
        },
        "tooltip": [{"field": "value"}, {"field": "data"}, {"field": "count", "format": ","}],
    }
    before, after = (sum(bar[side] for bar in bars) for side in (1, 2))
    sentence = _("These bars count %(before)s in the original and %(after)s in the release.") % {
        "before": number(before),
        "after": number(after),
    }
    spec = _spec({"type": "bar"}, encoding, rows, 220)
    return Figure(title[:1].upper() + title[1:], spec, sentence, [_("value"), *sides], [list(bar) for bar in bars])


def _over(parameter: str, title: str, points: Sequence[tuple[Any, Any]]) -> Figure:
    numeric = all(isinstance(value, int | float) and not isinstance(value, bool) for value, _figure in points)
    rows = [{"value": value, "figure": figure} for value, figure in points if figure is not None]
    across: dict[str, Any] = {"field": "value", "type": "quantitative" if numeric else "ordinal", "title": parameter}
    if numeric:
        across |= {"scale": {"zero": False, "padding": 16}, "axis": {"tickCount": min(8, len(points))}}
    else:
        across |= {"sort": None, "axis": {"labelAngle": 0}}
    encoding = {
        "x": across,
        "y": {"field": "figure", "type": "quantitative", "title": title},
        "tooltip": [{"field": "value", "title": parameter}, {"field": "figure", "title": title, "format": ".4~g"}],
    }
    mark = {"type": "line", "point": {"size": 70, "filled": True}, "color": _BLUE, "strokeWidth": 2}
    if rows:
        sentence = _("From %(first)s at %(name)s = %(start)s to %(last)s at %(name)s = %(end)s.") % {
            "first": number(rows[0]["figure"]),
            "start": rows[0]["value"],
            "name": parameter,
            "last": number(rows[-1]["figure"]),
            "end": rows[-1]["value"],
        }
    else:
        sentence = _("No run has this figure yet.")
    return Figure(
        title, _spec(mark, encoding, rows, 240), sentence, [parameter, title], [list(point) for point in points]
    )


def _spec(mark: dict[str, Any], encoding: dict[str, Any], rows: list[dict[str, Any]], height: Any) -> dict[str, Any]:
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "width": "container",
        "height": height,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "data": {"values": rows},
        "mark": mark,
        "encoding": encoding,
    }


def _first(total: int) -> str:
    return " " + _("The chart shows the first %(shown)s.") % {"shown": _SHOWN} if total > _SHOWN else ""


def _float(value: Any) -> float:
    return float(value) if value is not None else 0.0
