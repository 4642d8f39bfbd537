"""The private directory of an advice: results.csv, a chart of the Pareto front, and report.html."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import MissingExtra
from sfumato.experiments.advice.advice import Advice, Trial, comparable
from sfumato.experiments.definition.experiment import pretty
from sfumato.experiments.reports.chart_page import PRIVATE, chart_page, list_html, table_html
from sfumato.experiments.reports.charts import rendered, require_charts
from sfumato.io.atomic_writes import fresh_directory, write_bytes, write_text
from sfumato.params import JsonObject
from sfumato.utility.base import Measure, shortfall

if TYPE_CHECKING:
    import altair as alt

__all__ = ["advice_head", "advice_rows", "draw_advice", "write_advice"]

_CHOSEN, _FRONT, _OTHER, _PROMISE = "#D55E00", "#0072B2", "#b8b8b8", "#CC79A7"
_STATES = {
    "recommended": _CHOSEN,
    "on the Pareto front": _FRONT,
    "dominated": _OTHER,
    "another promise": _PROMISE,
}
_PANELS = 3


def write_advice(advice: Advice, out: str | Path, *, command: str, about: str) -> str:
    """Write the directory, whole or not at all; returns why there is no chart, if none exists."""
    no_chart = ""
    chart = None
    try:
        require_charts()
    except MissingExtra as error:
        no_chart = str(error)
    else:
        chart = draw_advice(advice) if any(comparable(trial, advice.cared) for trial in advice.trials) else None
    with fresh_directory(out, private=True) as folder:
        write_text(advice.to_polars().write_csv(), folder / "results.csv")
        write_text(f"{command}\n", folder / "command.txt")
        write_text(_page(advice, command, about, chart), folder / "report.html")
        for ending, content in ({} if chart is None else rendered(chart)).items():
            write_bytes(content, folder / f"front.{ending}")
    return no_chart


def advice_head(cared: Sequence[Measure]) -> tuple[str, ...]:
    return ("candidate", *(f"{measure.name} ({measure.better} is better)" for measure in cared), "seconds", "")


def advice_rows(advice: Advice) -> list[tuple[str, ...]]:
    """The rows of the table that people read: the compared candidates with their figures."""
    return [
        (
            trial.name,
            *(
                f"{pretty(trial.figures[measure.name][0])} {trial.figures[measure.name][1]}".strip()
                for measure in advice.cared
            ),
            pretty(trial.seconds or 0.0),
            ", ".join([*([_state(trial)] if trial.recommended or trial.front else []), *_marks(trial)]),
        )
        for trial in advice.trials
        if comparable(trial, advice.cared)
    ]


def _marks(trial: Trial) -> list[str]:
    other = trial.candidate.instead
    return [*(["near-total loss"] if trial.heavy_losses else []), *([f"keeps {other.title}"] if other else [])]


def _state(trial: Trial) -> str:
    if trial.candidate.instead is not None:
        return "another promise"
    return "recommended" if trial.recommended else "on the Pareto front" if trial.front else "dominated"


def draw_advice(advice: Advice) -> alt.TopLevelMixin:
    """A chart: bars for one measure; for several, the first against each of the others, with the Pareto front."""
    import altair as alt

    rows = [
        {"candidate": trial.name, "state": _state(trial)} | {name: value for name, (value, _) in trial.figures.items()}
        for trial in advice.trials
        if comparable(trial, advice.cared)
    ]
    colour = alt.Color(
        "state:N",
        scale=alt.Scale(domain=list(_STATES), range=list(_STATES.values())),
        legend=alt.Legend(title=None, orient="top"),
    )
    first, *others = advice.cared
    panels = [_bars(first, rows, colour)] if not others else [_plane(first, trial, rows, colour) for trial in others]
    title = advice.promise
    return (
        alt.hconcat(*panels[:_PANELS], spacing=60)
        .properties(title=alt.TitleParams(title, anchor="start", offset=12), padding=14, background="white")
        .configure_axis(labelFontSize=11, titleFontSize=12, titleFontWeight="normal", gridColor="#e8e8e8")
        .configure_view(stroke=None)
    )


def _label(measure: Measure) -> str:
    return f"{measure.name}: {measure.better} is better"


def _tooltips(*measures: Measure) -> list[str | alt.Tooltip]:
    import altair as alt

    return [
        "candidate:N",
        "state:N",
        *(alt.Tooltip(f"{_field(measure)}:Q", title=measure.name) for measure in measures),
    ]


def _field(measure: Measure) -> str:
    return measure.name.replace(".", "\\.")


def _bars(measure: Measure, rows: list[JsonObject], colour: alt.Color) -> alt.TopLevelMixin:
    import altair as alt

    best_first = sorted(rows, key=lambda row: shortfall(measure.better, row[measure.name]))
    return (
        alt.Chart(alt.Data(values=rows))
        .mark_bar(opacity=0.85)
        .encode(
            x=alt.X(f"{_field(measure)}:Q", title=_label(measure)),
            y=alt.Y("candidate:N", sort=[row["candidate"] for row in best_first], title=None),
            color=colour,
            tooltip=_tooltips(measure),
        )
        .properties(width=460, height=alt.Step(26))
    )


def _plane(across: Measure, up: Measure, rows: list[JsonObject], colour: alt.Color) -> alt.TopLevelMixin:
    import altair as alt

    x = alt.X(f"{_field(across)}:Q", title=_label(across), scale=alt.Scale(zero=False, padding=24))
    y = alt.Y(f"{_field(up)}:Q", title=_label(up), scale=alt.Scale(zero=False, padding=24))
    best = [row for row in rows if row["state"] in ("recommended", "on the Pareto front")]
    line = alt.Chart(alt.Data(values=best)).mark_line(color="#888", strokeDash=[4, 3], strokeWidth=1.2)
    points = alt.Chart(alt.Data(values=rows)).mark_point(filled=True, size=90, opacity=0.95)
    names = alt.Chart(alt.Data(values=best)).mark_text(align="left", dx=8, dy=-6, fontSize=11, color="#333")
    return (
        line.encode(x=x, y=y)
        + points.encode(x=x, y=y, color=colour, tooltip=_tooltips(across, up))
        + names.encode(x=x, y=y, text="candidate:N")
    ).properties(width=330, height=280)


def _page(advice: Advice, command: str, about: str, chart: alt.TopLevelMixin | None) -> str:
    listed = {
        "Near-total loss": advice.near_total,
        "Not compared": advice.unfinished,
        "Methods that need more side knowledge": advice.lacking,
        "Warnings": advice.notes,
    }
    parts = "".join(f"<h2>{title}</h2>{list_html(sentences)}" for title, sentences in listed.items() if sentences)
    body = f"""<p>{escape(" ".join(advice.sentences))}</p>
{f"<pre>{escape(command)}</pre>" if command else ""}
{PRIVATE}
{"" if chart is None else '<div id="chart"></div>'}
{table_html(advice_head(advice.cared), advice_rows(advice))}
{parts}
<h2>Seed and time</h2>
<p>Seed {advice.seed}. The runs took {pretty(advice.seconds)} of {pretty(advice.budget_s)} seconds. The same seed
repeats every figure. Which candidates finish within the budget depends on the machine.</p>"""
    style = "pre { background: #f6f6f4; padding: .9rem; overflow-x: auto; }"
    return chart_page(
        f"{' and '.join(promise.title for promise in advice.promises)} for {about}", body, chart, style=style
    )
