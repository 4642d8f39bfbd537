"""The files of an evaluation: one page that opens offline, a picture, or a table.  They are private."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from sfumato.experiments.definition.experiment import pretty
from sfumato.experiments.evaluation import Evaluation
from sfumato.experiments.reports.chart_page import PRIVATE, chart_page, list_html, require_chart_file, table_html
from sfumato.experiments.reports.charts import rendered
from sfumato.io.atomic_writes import write_bytes, write_text

if TYPE_CHECKING:
    import altair as alt

__all__ = ["draw_evaluation", "require_evaluation_file", "write_evaluation"]

ENDINGS = (".html", ".png", ".svg", ".pdf", ".jpg", ".bmp", ".csv")
_SHOWN = 20  # rows of a table on the page
_DOTS = 5_000  # values in the picture; the largest differences first
_BLUE, _RED = "#0072B2", "#D55E00"


def require_evaluation_file(path: str | Path) -> None:
    """Refuse a file that cannot be written, before the evaluation runs."""
    require_chart_file(path, "an evaluation", ENDINGS)


def write_evaluation(evaluation: Evaluation, path: str | Path, *, title: str = "Utility of a release") -> None:
    """Write the evaluation in the format of the file's ending."""
    require_evaluation_file(path)
    ending = Path(path).suffix.lower()
    if ending == ".csv":
        write_text(evaluation.to_polars().write_csv(), path)
    elif ending == ".html":
        write_text(_page(evaluation, title), path)
    else:
        write_bytes(rendered(draw_evaluation(evaluation, title), (ending[1:],))[ending[1:]], path)


def draw_evaluation(evaluation: Evaluation, title: str) -> alt.TopLevelMixin:
    """Two panels: the counts of each value in the original and the release; records by the size of their labels."""
    import altair as alt

    panels = [_counts(evaluation)]
    if len(evaluation.labels):
        panels.append(_sizes(evaluation))
    return (
        alt.hconcat(*panels, spacing=90)
        .resolve_scale(color="independent")
        .properties(title=alt.TitleParams(title, anchor="start", offset=14), padding=14, background="white")
        .configure_axis(labelFontSize=11, titleFontSize=12, titleFontWeight="normal", gridColor="#e8e8e8")
        .configure_view(stroke=None)
    )


def _counts(evaluation: Evaluation) -> alt.TopLevelMixin:
    import altair as alt

    worst = evaluation.differences.sort("relative_difference", descending=True).head(_DOTS)
    rows = [{**row, "value": row["value"] or "(missing)"} for row in worst.to_dicts()]
    most = max([1.0, *(row["original"] for row in rows), *(row["published"] for row in rows)])
    scale = alt.Scale(type="symlog", domain=[0, most])
    ticks = alt.Axis(values=[0, *(10**size for size in range(len(f"{most:.0f}")))], format=",d")
    names = evaluation.differences["attribute"].unique(maintain_order=True).to_list()
    dots = (
        alt.Chart(alt.Data(values=rows))
        .mark_circle(size=36, opacity=0.55)
        .encode(
            x=alt.X("original:Q", title="records in the original", scale=scale, axis=ticks),
            y=alt.Y("published:Q", title="expected records in the release", scale=scale, axis=ticks),
            color=alt.Color(
                "attribute:N",
                sort=names,
                legend=alt.Legend(title=None, orient="bottom") if len(names) > 1 else None,
                **({} if len(names) > 1 else {"scale": alt.Scale(range=[_BLUE])}),
            ),
            tooltip=[
                "attribute:N",
                "value:N",
                alt.Tooltip("original:Q", format=",.4~g"),
                alt.Tooltip("published:Q", format=",.4~g"),
                alt.Tooltip("relative_difference:Q", format=".3~g"),
            ],
        )
    )
    ends = [{"original": 0, "published": 0}, {"original": most, "published": most}]
    line = alt.Chart(alt.Data(values=ends)).mark_line(color="#999", strokeDash=[4, 4])
    diagonal = line.encode(
        x=alt.X("original:Q", scale=scale, axis=ticks), y=alt.Y("published:Q", scale=scale, axis=ticks)
    )
    return (diagonal + dots).properties(width=320, height=300, title="Counts: values on the line are unchanged")


def _sizes(evaluation: Evaluation) -> alt.TopLevelMixin:
    import altair as alt

    sizes = evaluation.labels.group_by("attribute", "members").agg(pl.col("records").sum()).sort("attribute", "members")
    names = evaluation.labels["attribute"].unique(maintain_order=True).to_list()
    return (
        alt.Chart(alt.Data(values=sizes.to_dicts()))
        .mark_bar(opacity=0.8)
        .encode(
            x=alt.X("members:O", title="number of values that a label stands for", axis=alt.Axis(labelAngle=0)),
            y=alt.Y("records:Q", title="records with such labels"),
            color=alt.Color(
                "attribute:N",
                sort=names,
                legend=alt.Legend(title=None, orient="bottom") if len(names) > 1 else None,
                **({} if len(names) > 1 else {"scale": alt.Scale(range=[_RED])}),
            ),
            tooltip=["attribute:N", "members:O", "records:Q"],
        )
        .properties(width=320, height=300, title="Generalized values")
    )


def _page(evaluation: Evaluation, title: str) -> str:
    measures = [
        (measure.name, str(score), measure.better, measure.range_text(), measure.meaning)
        for measure, score in evaluation.scores
    ]
    attributes = [
        (row[0], f"{row[1]:,}", pretty(row[2]), pretty(row[3]), f"{row[4]:,}", f"{row[5]:,}")
        for row in evaluation.attributes.iter_rows()
    ]
    labels = [(a, label, f"{n:,}", f"{m:,}") for a, label, n, m in evaluation.labels.head(_SHOWN).iter_rows()]
    worst = evaluation.differences.sort("relative_difference", descending=True).head(_SHOWN)
    values = [(a, v or "(missing)", *map(pretty, figures)) for a, v, *figures in worst.iter_rows()]
    missing = [*evaluation.problems, *evaluation.unmeasured.values()] or [
        "All measures that fit the data were computed."
    ]
    head = ("attribute", "values", "mean difference", "largest difference", "generalized labels", "largest label")
    body = f"""{PRIVATE}
<div id="chart"></div>
<h2>Measures</h2>
{table_html(("measure", "value", "better", "range", "meaning"), measures)}
<h2>Attributes</h2>
{table_html(head, attributes)}
<h2>Generalized values</h2>
<p>{len(evaluation.labels):,} labels stand for several values{_first(len(evaluation.labels))}.</p>
{table_html(("attribute", "label", "records", "members"), labels)}
<h2>Relative differences</h2>
<p>The number of records with a value in the original, and the expected number in the
release{_first(len(evaluation.differences))}.</p>
{table_html(("attribute", "value", "original", "published", "relative difference"), values)}
<h2>Not measured</h2>
{list_html(missing)}"""
    return chart_page(title, body, draw_evaluation(evaluation, title), style="td { white-space: normal; }")


def _first(number: int) -> str:
    return f"; the first {_SHOWN} of {number:,}" if number > _SHOWN else ""
