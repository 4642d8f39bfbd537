"""The figures as a page of charts."""

from __future__ import annotations

import altair as alt
import polars as pl
from figures import Figures


def page(figures: Figures, grids: dict[str, pl.DataFrame], invented: pl.DataFrame) -> str:
    """One HTML page: lines over tau_s for each tau_t, bars, and maps of precision, recall and F1."""
    parts = [
        _lines(figures.table, "percent", "Figure 8: posts with a resource, %"),
        _lines(figures.table, "mean", "Figure 9: resources per linked post", log=True),
        _lines(figures.table, "refined_mean", "Figure 12: resources per linked post, refined"),
        _bars(figures),
        _top(figures.top),
        *(_cells(grid, f"Real co-referents, {name}") for name, grid in grids.items()),
        *(
            _cells(invented.filter(pl.col("first") == first), f"Invented city, {first} first", ("precision", "recall"))
            for first in ("near", "similar")
        ),
    ]
    drawn = alt.vconcat(*parts).resolve_scale(color="independent")
    return str(drawn.to_html(inline=True))


def _lines(table: pl.DataFrame, column: str, title: str, log: bool = False) -> alt.Chart:
    scale = alt.Scale(type="log") if log else alt.Scale(zero=column == "percent")
    rows = table.select("tau_s", "tau_t", column).drop_nulls().to_dicts()
    return (
        alt.Chart(alt.Data(values=rows), title=title, width=520, height=260)
        .mark_line(point=True)
        .encode(
            x=alt.X("tau_s:Q", scale=alt.Scale(type="log", base=2), title="tau_s, m"),
            y=alt.Y(f"{column}:Q", scale=scale, title=None),
            color=alt.Color("tau_t:O", title="tau_t", scale=alt.Scale(scheme="viridis")),
        )
    )


def _bars(figures: Figures) -> alt.Chart:
    rows = [
        {
            "bounds": f"{tau_s:,} m, {tau_t}",
            "resources": str(min(resources, 6)).replace("6", "6 or more"),
            "posts": posts,
        }
        for (tau_s, tau_t), frame in figures.per_post.items()
        for resources, posts in frame.iter_rows()
    ]
    return (
        alt.Chart(alt.Data(values=rows), title="Figure 10: posts by their number of resources", width=520, height=200)
        .mark_bar()
        .encode(x=alt.X("resources:O"), y=alt.Y("sum(posts):Q", title="posts"), xOffset="bounds:N", color="bounds:N")
    )


def _top(top: pl.DataFrame) -> alt.Chart:
    rows = top.head(12).with_columns(name=pl.col("resource") + " (" + pl.col("kind") + ")").to_dicts()
    return (
        alt.Chart(alt.Data(values=rows), title="Figure 13: resources with most posts, 16 m, 0.9", width=520, height=240)
        .mark_bar()
        .encode(x=alt.X("targets:Q", title="posts"), y=alt.Y("name:N", sort=None, title=None))
    )


def _cells(
    grid: pl.DataFrame, title: str, columns: tuple[str, ...] = ("precision", "recall", "f1")
) -> alt.HConcatChart:
    maps = []
    for column in columns:
        base = alt.Chart(alt.Data(values=grid.to_dicts()), title=column, width=230, height=200).encode(
            x=alt.X("tau_s:O", title="tau_s, m"), y=alt.Y("tau_t:O", sort="descending", title="tau_t")
        )
        colour = alt.Color(f"{column}:Q", scale=alt.Scale(scheme="viridis", domain=[0, 1]), legend=None)
        light = alt.condition(f"datum['{column}'] > 0.6", alt.value("black"), alt.value("white"))
        text = base.mark_text(size=9).encode(text=alt.Text(f"{column}:Q", format=".2f"), color=light)
        maps.append(base.mark_rect().encode(color=colour) + text)
    return alt.hconcat(*maps, title=title)
