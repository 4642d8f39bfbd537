"""Charts: a figure over the varying parameter or over the configurations, and histograms of one release.

The same Vega-Lite specification is interactive in the report and becomes PNG, SVG, PDF, JPG and BMP without a browser.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

from sfumato.errors import MissingExtra, ParameterError, either
from sfumato.experiments.definition.experiment import Chart, Experiment, Vary
from sfumato.experiments.reports.javascript import javascript
from sfumato.params import JsonObject

if TYPE_CHECKING:
    import altair as alt

__all__ = [
    "EVERY_FORMAT",
    "FORMATS",
    "draw",
    "draw_histogram",
    "draw_phases",
    "for_the_page",
    "javascript",
    "rendered",
    "require_charts",
    "require_formats",
]

FORMATS = ("png", "svg", "pdf")
"""The formats that commands write unless others are asked for."""

EVERY_FORMAT = (*FORMATS, "jpg", "bmp")
_PILLOW: dict[str, dict[str, Any]] = {"jpg": {"format": "JPEG", "quality": 92}, "bmp": {"format": "BMP"}}

# Okabe and Ito's colours, which colour-blind readers can distinguish; the pale yellow is left out
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
_DASHES = ([1, 0], [6, 4], [2, 3], [9, 3, 2, 3], [4, 2], [1, 2], [12, 4])
_SIZES = (110, 60, 35)
_WIDTH, _HEIGHT = 560, 300
Rows = Sequence[Mapping[str, Any]]


def require_charts() -> None:
    """Refuse if the packages that draw are not installed."""
    for package, name in (("altair", "altair"), ("vl_convert", "vl-convert-python")):
        try:
            __import__(package)
        except ImportError as absent:
            raise MissingExtra(name, "report") from absent


def for_the_page(drawn: alt.TopLevelMixin) -> JsonObject:
    """The specification of a chart, without the sentences that the page itself contains."""
    spec: JsonObject = drawn.to_dict(validate=False)  # validated when it was made
    return {**spec, "title": {name: value for name, value in spec["title"].items() if name != "subtitle"}}


def require_formats(formats: Sequence[str]) -> None:
    """Refuse a format that charts do not have, or for which a package is not installed."""
    for ending in formats:
        if ending not in EVERY_FORMAT:
            raise ParameterError(f"charts: wanted {either(EVERY_FORMAT)}, got {ending!r}")
    if set(formats) & set(_PILLOW):
        try:
            import PIL  # noqa: F401
        except ImportError as absent:
            raise MissingExtra("Pillow", "report") from absent


def rendered(drawn: alt.TopLevelMixin | JsonObject, formats: Sequence[str] = FORMATS) -> dict[str, bytes]:
    """A chart in these formats, by the ending of its file; drawn once."""
    import vl_convert

    require_formats(formats)
    spec: Any = drawn if isinstance(drawn, dict) else drawn.to_dict(validate=False)
    svg = str(vl_convert.vegalite_to_svg(spec))
    files: dict[str, bytes] = {}
    for ending in formats:
        if ending == "svg":
            files[ending] = svg.encode()
        elif ending == "pdf":
            files[ending] = vl_convert.svg_to_pdf(svg)
        else:
            png = vl_convert.svg_to_png(svg, scale=2)
            files[ending] = png if ending == "png" else _converted(png, ending)
    return files


def _converted(png: bytes, ending: str) -> bytes:
    """A picture in a format without transparency, on white."""
    from PIL import Image

    with Image.open(BytesIO(png)) as picture:
        layer = picture.convert("RGBA")
        paper = Image.new("RGB", layer.size, "white")
        paper.paste(layer, mask=layer.getchannel("A"))
    content = BytesIO()
    paper.save(content, **_PILLOW[ending])
    return content.getvalue()


def draw(chart: Chart, experiment: Experiment, summary: Rows, sentences: Sequence[str] = ()) -> alt.TopLevelMixin:
    """A chart of the rows of the summary, with sentences under the title.

    summary : rows with configuration, setting, median, min, max, runs and unit.  A logarithmic axis leaves out 0.
    """
    wanted = [row for row in summary if not chart.of or row["configuration"] in chart.of]
    rows = [dict(row) for row in wanted if not chart.log_y or row["median"] > 0]
    for row in rows:
        row["low"] = row["min"] if row["min"] > 0 or not chart.log_y else row["median"]
    unit = next((row["unit"] for row in rows if row["unit"]), "")
    names_unit = chart.y.startswith("seconds") or not unit or unit in chart.label.split()
    label = chart.label if names_unit else f"{chart.label} ({unit})"
    body = (_bars if experiment.vary is None else _lines)(chart, experiment, rows, label)
    return _finished(body, chart.title, sentences)


def _lines(chart: Chart, experiment: Experiment, rows: list[JsonObject], label: str) -> alt.TopLevelMixin:
    import altair as alt

    assert experiment.vary is not None
    names = _shown(chart, experiment)
    chosen = alt.selection_point(fields=["configuration"], bind="legend", name="shown")
    colour = alt.Color("configuration:N", scale=_named(names, _COLOURS), **_legend())
    shape = alt.Shape("configuration:N", scale=_named(names, _SHAPES), **_legend())
    # equal lines lie on each other: the ones above are dashed and have smaller points
    dash = alt.StrokeDash("configuration:N", scale=_named(names, _DASHES), legend=None)
    size = alt.Size("configuration:N", scale=_named(names, _SIZES), legend=None)
    value = alt.Y("median:Q", title=label, scale=_scale(chart.log_y, rows), axis=_ticks(chart.log_y, rows))
    numbers = _numeric(experiment.vary.values)
    base = alt.Chart(alt.Data(values=rows)).encode(x=_across(chart, experiment.vary), color=colour)
    band = base.mark_area().encode(
        y=alt.Y("low:Q", title=label), y2="max:Q", opacity=alt.condition(chosen, alt.value(0.15), alt.value(0.02))
    )
    faint = alt.condition(chosen, alt.value(1.0), alt.value(0.12))
    line = base.mark_line(strokeWidth=2).encode(y=value, strokeDash=dash, opacity=faint)
    point = base.mark_point(filled=True).encode(
        y=value, shape=shape, size=size, opacity=faint, tooltip=_tooltips(experiment.vary.label, numbers)
    )
    return (band + line + point.add_params(chosen)).properties(width=_WIDTH, height=_HEIGHT)


def _across(chart: Chart, vary: Vary) -> alt.X:
    """The varying parameter, with a tick at each of its values where they fit."""
    import altair as alt

    if not _numeric(vary.values):
        return alt.X("setting:O", title=vary.label, sort=list(vary.values), axis=alt.Axis(labelAngle=0))
    kind: Literal["log", "linear"] = "log" if chart.log_x else "linear"
    whole = all(isinstance(value, int) for value in vary.values)  # of which "g" would show the first digits alone
    style = ",d" if whole else "~g" if max(map(abs, vary.values)) < 10_000 else ",~f"
    ticks = alt.Undefined if _crowded(vary.values, chart.log_x) else list(vary.values)
    return alt.X(
        "setting:Q",
        title=vary.label,
        scale=alt.Scale(type=kind, nice=False, zero=False, padding=18),
        axis=alt.Axis(values=ticks, format=style, labelOverlap=True),
    )


def _bars(chart: Chart, experiment: Experiment, rows: list[JsonObject], label: str) -> alt.TopLevelMixin:
    import altair as alt

    names = _shown(chart, experiment)
    scale, ticks = _scale(chart.log_y, rows), _ticks(chart.log_y, rows)
    base = alt.Chart(alt.Data(values=rows)).encode(y=alt.Y("configuration:N", sort=list(names), title=None))
    # a bar has no length on a logarithmic scale
    mark = base.mark_point(filled=True, size=90) if chart.log_y else base.mark_bar(height={"band": 0.6}, opacity=0.75)
    bar = mark.encode(
        x=alt.X("median:Q", title=label, scale=scale, axis=ticks),
        color=alt.Color("configuration:N", legend=None, scale=_named(names, _COLOURS)),
        tooltip=_tooltips(None, False),
    )
    spread = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title=label), x2="max:Q")
    return (bar + spread).properties(width=_WIDTH, height=alt.Step(38))


def draw_phases(title: str, phases: Rows) -> alt.TopLevelMixin:
    """A chart of the seconds by phase, in the order of the phases; rows with phase and seconds."""
    import altair as alt

    order = [row["phase"] for row in phases]
    drawn = alt.Chart(alt.Data(values=[dict(row) for row in phases])).mark_bar(
        color=_COLOURS[0], opacity=0.75, height={"band": 0.6}
    )
    drawn = drawn.encode(
        y=alt.Y("phase:N", sort=order, title=None, axis=alt.Axis(labelLimit=260)),
        x=alt.X("seconds:Q", title="seconds (median)"),
        tooltip=[alt.Tooltip("phase:N"), alt.Tooltip("seconds:Q", format=".4~g")],
    )
    return _finished(drawn.properties(width=_WIDTH, height=alt.Step(28)), title, ())


def draw_histogram(title: str, bars: Sequence[Sequence[Any]]) -> alt.TopLevelMixin:
    """A histogram of the counts in the original and in the release; bars are [value, original, published]."""
    import altair as alt

    rows = [
        {"value": value, "data": of, "count": count}
        for value, *counts in bars
        for of, count in zip(("original", "published"), counts, strict=True)
    ]
    colour = alt.Scale(domain=["original", "published"], range=["#9a9a9a", _COLOURS[0]])
    drawn = (
        alt.Chart(alt.Data(values=rows))
        .mark_bar()
        .encode(
            x=alt.X(
                "value:N", sort=[bar[0] for bar in bars], title=None, axis=alt.Axis(labelAngle=0, labelOverlap=True)
            ),
            xOffset=alt.XOffset("data:N", sort=["original", "published"]),
            y=alt.Y("count:Q", title="count"),
            color=alt.Color("data:N", title=None, scale=colour),
            tooltip=[alt.Tooltip("value:N"), alt.Tooltip("data:N"), alt.Tooltip("count:Q", format=",")],
        )
    )
    return _finished(drawn.properties(width=_WIDTH, height=220), title, ())


def _numeric(values: Sequence[Any]) -> bool:
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def _crowded(values: Sequence[float], log: bool) -> bool:
    """Whether labels at the settings would overlap."""
    places = sorted(math.log(value) if log else float(value) for value in values)
    room = (places[-1] - places[0]) or 1.0
    return any(after - before < room * 14 / _WIDTH for before, after in pairwise(places))


def _scale(log: bool, rows: Rows) -> alt.Scale:
    """A scale from 0, or a logarithmic scale from a round number below the figures to one above."""
    import altair as alt

    if log:
        round_ones = _round_ones(rows)
        return alt.Scale(type="log", domain=[round_ones[0], round_ones[-1]], nice=False)
    return alt.Scale(domain=[0, 1]) if all(row["min"] == row["max"] == 0 for row in rows) else alt.Scale(zero=True)


def _ticks(log: bool, rows: Rows) -> alt.Axis:
    import altair as alt

    return alt.Axis(values=_round_ones(rows), format="~g", labelOverlap=True) if log else alt.Axis()


def _round_ones(rows: Rows) -> list[float]:
    """Numbers 1, 2, 5, 10, ... of every size around the figures.

    >>> _round_ones([{"low": 0.03, "max": 0.4}])
    [0.02, 0.05, 0.1, 0.2, 0.5]
    """
    low = min((row["low"] for row in rows), default=1.0)
    high = max((row["max"] for row in rows), default=10.0)
    sizes = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
    every = [float(f"{digit}e{size}") for size in sizes for digit in (1, 2, 5)]
    first = max(index for index, number in enumerate(every) if number <= low)
    last = min(index for index, number in enumerate(every) if number >= high and index > first)
    return every[first : last + 1]


def _shown(chart: Chart, experiment: Experiment) -> dict[str, int]:
    """The configurations of a chart with the style of each, the same in every chart if possible.

    >>> from types import SimpleNamespace
    >>> experiment = SimpleNamespace(configurations=[SimpleNamespace(name=name) for name in "abcdefghi"])
    >>> _shown(Chart("", "", "", of=("a", "c", "h", "i")), experiment)  # there are seven styles; h is the eighth
    {'a': 0, 'c': 2, 'h': 1, 'i': 3}
    """
    styles: dict[str, int] = {}
    for number, configuration in enumerate(experiment.configurations):
        if chart.of and configuration.name not in chart.of:
            continue
        style = number % len(_COLOURS)
        while style in styles.values() and len(styles) < len(_COLOURS):
            style = (style + 1) % len(_COLOURS)
        styles[configuration.name] = style
    return styles


def _named(names: Mapping[str, int], values: Sequence[Any]) -> alt.Scale:
    import altair as alt

    return alt.Scale(domain=list(names), range=[values[style % len(values)] for style in names.values()])


def _legend() -> dict[str, alt.Legend | None]:
    import altair as alt

    return {"title": None, "legend": alt.Legend(symbolOpacity=1, symbolStrokeWidth=0)}


def _tooltips(parameter: str | None, numbers: bool) -> list[str | alt.Tooltip]:
    import altair as alt

    shown = [alt.Tooltip("configuration:N")]
    if parameter is not None:
        shown.append(alt.Tooltip("setting", type="quantitative" if numbers else "ordinal", title=parameter))
    figures = [alt.Tooltip(f"{name}:Q", format=",.4~g") for name in ("median", "min", "max")]
    return [*shown, *figures, alt.Tooltip("runs:Q")]


def _finished(drawn: alt.TopLevelMixin, title: str, sentences: Sequence[str]) -> alt.TopLevelMixin:
    import altair as alt

    lines = [line for sentence in sentences for line in textwrap.wrap(sentence, 96)]
    heading = (
        alt.TitleParams(title, subtitle=lines, anchor="start", offset=14)
        if lines
        else alt.TitleParams(title, anchor="start")
    )
    return (
        drawn.properties(title=heading, padding=12)
        .configure_title(fontSize=15, subtitleFontSize=11, subtitleColor="#444", subtitleLineHeight=14)
        .configure_axis(
            labelFontSize=11, titleFontSize=12, titleFontWeight="normal", gridColor="#e8e8e8", domainColor="#888"
        )
        .configure_legend(orient="top", labelFontSize=12, symbolSize=90, labelLimit=300)
        .configure_view(stroke=None)
    )
