"""The chart of an audit: the share of unique persons by background knowledge, and the sizes of anonymity sets."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import polars as pl

from sfumato.attacks import Findings
from sfumato.params import JsonObject

if TYPE_CHECKING:
    import altair as alt

__all__ = ["draw_audit", "percent", "summary"]

# Okabe and Ito's vermilion and blue; unique persons are vermilion in both panels
_WORST, _RANDOM = "#D55E00", "#0072B2"
_CHOICES = {"unique_worst": "their worst {}s", "unique_random": "random {}s"}


def percent(value: float) -> str:
    """A share as a percentage; 0% and 100% are exact.

    >>> percent(0.0), percent(0.0004), percent(0.0312), percent(0.421), percent(0.9999), percent(1.0)
    ('0%', '<0.1%', '3.1%', '42%', '>99.9%', '100%')
    """
    if value in (0.0, 1.0):
        return f"{value:.0%}"
    if value < 0.001:
        return "<0.1%"
    if value > 0.999:
        return ">99.9%"
    return f"{value:.0%}" if 0.0995 <= value < 0.995 else f"{value:.1%}"


def summary(findings: Findings) -> str:
    """The main result in one sentence."""
    known = findings.audit.known
    elements = f"{findings.data.element}{'' if known == 1 else 's'}"
    about = "" if findings.of(known).exact else "about "
    more = "" if findings.of(known).settled.all() else " or more"
    worst, random = (percent(findings.figure(name)) for name in ("unique_worst", "unique_random"))
    return (
        f"Of {findings.n_units:,} {findings.who}, {about}{worst}{more} are unique to an attacker who knows their "
        f"worst {known} {elements}, and {about}{random} to one who knows {known} random {elements}."
    )


def draw_audit(findings: Findings, title: str = "Re-identification risks") -> alt.TopLevelMixin:
    """An Altair chart of two panels, with intervals where figures are estimated from a sample."""
    import altair as alt

    lines = [line for text in (summary(findings), *findings.notes) for line in textwrap.wrap(text, 140)]
    heading = alt.TitleParams(title, subtitle=lines, anchor="start", offset=16)
    return (
        alt.hconcat(_curve(findings), _set_sizes(findings), spacing=130, bounds="flush")
        .properties(title=heading, padding=14, background="white")
        .configure_title(fontSize=16, subtitleFontSize=11.5, subtitleColor="#444", subtitleLineHeight=15)
        .configure_axis(
            labelFontSize=11, titleFontSize=12, titleFontWeight="normal", gridColor="#e8e8e8", domainColor="#888"
        )
        .configure_legend(labelFontSize=12, symbolSize=90)
        .configure_view(stroke=None)
    )


def _panel(title: str, offset: int) -> alt.TitleParams:
    import altair as alt

    return alt.TitleParams(title, fontSize=13, fontWeight="normal", anchor="start", frame="group", offset=offset)


def _curve(findings: Findings) -> alt.TopLevelMixin:
    """The share of unique persons by the number of known visits or items."""
    import altair as alt

    names = {figure: name.format(findings.data.element) for figure, name in _CHOICES.items()}
    chosen = findings.curve.filter(pl.col("figure").is_in(list(_CHOICES))).sort("known", maintain_order=True)
    rows = [
        {**row, "choice": names[row["figure"]], "shown": percent(row["value"])} for row in chosen.iter_rows(named=True)
    ]
    numbers = list(range(1, len(findings.risks) + 1))
    across = alt.X(
        "known:Q",
        title=f"{findings.data.element}s that the attacker knows",
        scale=alt.Scale(domain=[0.6, numbers[-1] + 0.3], nice=False, zero=False),
        axis=alt.Axis(values=numbers, format="d", grid=False),
    )
    up = alt.Y(
        "value:Q",
        title=f"unique {findings.who}",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(format="%", tickCount=5),
    )

    key = alt.Legend(orient="bottom", title=None, symbolOpacity=1, symbolStrokeWidth=0)
    colour = alt.Color("choice:N", scale=alt.Scale(domain=list(names.values()), range=[_WORST, _RANDOM]), legend=key)
    shape = alt.Shape("choice:N", scale=alt.Scale(domain=list(names.values()), range=["circle", "square"]), legend=key)

    def layer(values: list[JsonObject]) -> alt.TopLevelMixin:
        return alt.Chart(alt.Data(values=values)).encode(x=across, color=colour)

    tooltip = [alt.Tooltip("known:Q"), alt.Tooltip("choice:N"), alt.Tooltip("shown:N", title="unique")]
    layers = [
        layer(rows).mark_line(strokeWidth=2.5).encode(y=up),
        layer(rows).mark_point(filled=True, size=80, opacity=1).encode(y=up, shape=shape, tooltip=tooltip),
    ]
    sampled = [row for row in rows if row["low"] is not None]
    if sampled:
        layers.append(layer(sampled).mark_rule(strokeWidth=1.5).encode(y="low:Q", y2="high:Q"))
        ends = layer(sampled).mark_tick(thickness=1.5, size=9, orient="horizontal", opacity=1)
        layers += [ends.encode(y="low:Q"), ends.encode(y="high:Q")]
    for below, labelled in _labels(rows).items():
        # the curve rises: there is room above a point on its left and below it on its right
        place = {"align": "left", "dx": 7, "dy": 13} if below else {"align": "right", "dx": -7, "dy": -9}
        layers.append(layer(labelled).mark_text(fontSize=11, **place).encode(y=up, text="shown:N"))
    return alt.layer(*layers).properties(width=330, height=270, title=_panel(f"Unique {findings.who}", 12))


def _labels(rows: list[JsonObject]) -> dict[bool, list[JsonObject]]:
    """Which points get their figure above (False) and below (True), so that figures do not overlap."""
    above = [row for row in rows if row["figure"] == "unique_worst"]
    worst = {row["known"]: row["value"] for row in above}
    random = [row for row in rows if row["figure"] == "unique_random"]
    low = [row for row in random if row["value"] < 0.08]  # no room between the point and the axis
    above += [row for row in low if worst[row["known"]] - row["value"] > 0.12]
    return {False: above, True: [row for row in random if row["value"] >= 0.08]}


def _set_sizes(findings: Findings) -> alt.TopLevelMixin:
    """The shares of persons by the size of their smallest anonymity set."""
    import altair as alt

    known = findings.audit.known
    frame = findings.anonymity_sets.filter(pl.col("known") == known)
    last = frame.filter(pl.col("value") > 0)["largest"].max()
    frame = frame.filter(pl.col("largest") <= last) if last is not None else frame
    rows = [{**row, "shown": percent(row["value"])} for row in frame.iter_rows(named=True)]
    order = [row["anonymity_set"] for row in rows]
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y(
            "anonymity_set:N",
            sort=order,
            title="smallest anonymity set",
            axis=alt.Axis(grid=False, ticks=False, labelPadding=6),
        )
    )
    high = max((row["high"] or row["value"] for row in rows), default=1.0)
    share = alt.X(
        "value:Q",
        title=f"share of {findings.who}",
        scale=alt.Scale(domain=[0, min(1.0, 1.15 * high)], nice=True),
        axis=alt.Axis(format="%", tickCount=5),
    )
    bar = base.mark_bar(height={"band": 0.72}).encode(
        x=share,
        color=alt.condition("datum.smallest == 1", alt.value(_WORST), alt.value("#8fb8d3")),
        tooltip=[alt.Tooltip("anonymity_set:N", title="smallest anonymity set"), alt.Tooltip("shown:N", title="share")],
    )
    layers = [bar]
    sampled = any(row["low"] is not None for row in rows)
    if sampled:
        layers.append(base.mark_rule(color="#444", strokeWidth=1.5).encode(x="low:Q", x2="high:Q"))
    label_at = "high" if sampled else "value"
    layers.append(
        base.mark_text(align="left", dx=5, fontSize=11, color="#333").encode(x=f"{label_at}:Q", text="shown:N")
    )
    elements = f"{findings.data.element}{'' if known == 1 else 's'}"
    # the topmost figure on the other panel's axis takes room from its title
    return alt.layer(*layers).properties(
        width=330, height=270, title=_panel(f"Anonymity sets, given their worst {known} {elements}", 18)
    )
