"""The chart of a table's audit: records by the size of their equivalence class, and what a few columns single out."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from sfumato.attacks.audit.chunk_risks import ChunkRisks
from sfumato.attacks.audit.table_risks import TableRisks
from sfumato.errors import counted
from sfumato.experiments.reports.audit_chart import percent
from sfumato.params import JsonObject

if TYPE_CHECKING:
    import altair as alt

__all__ = ["column_names", "draw_chunk_risks", "draw_table_risks", "table_summary"]

_AT_RISK, _OTHERS, _SETS = "#D55E00", "#8fb8d3", "#0072B2"
_LONGEST_LABEL = 44


def table_summary(risks: TableRisks) -> str:
    """The main result in one sentence."""
    columns = len(risks.coded.columns)
    named = f"{columns} quasi-identifiers" if columns > 1 else risks.coded.columns[0]
    above, everyone = risks.prosecutor.above or 0, counted(len(risks), risks.who.removesuffix("s"))
    return (
        f"Of {everyone}, {risks.unique:,} ({percent(_share(risks.unique, risks))}) are unique in "
        f"{named}, and {above:,} ({percent(_share(above, risks))}) have a prosecutor risk above "
        f"{percent(risks.audit.threshold)}; the average is {percent(risks.prosecutor.average)}."
    )


def _share(count: int, risks: TableRisks) -> float:
    return count / max(1, len(risks))


def column_names(columns: list[str] | None, size: int, n_columns: int) -> str:
    """A set of columns in words; None stands for any set of up to `size`."""
    if columns is None:
        return f"any set of up to {size}"
    if len(columns) == n_columns and n_columns > 3:
        return f"all {n_columns} quasi-identifiers"
    return ", ".join(columns)


def draw_table_risks(
    risks: TableRisks, title: str = "Re-identification risks", *, summary: bool = True
) -> alt.TopLevelMixin:
    """An Altair chart of two panels; summary : whether the main result stands under the title."""
    import altair as alt

    lines = textwrap.wrap(table_summary(risks), 120) if summary else []
    return _finished(alt.hconcat(_class_sizes(risks), _sets(risks), spacing=40, bounds="full"), title, lines)


def draw_chunk_risks(risks: ChunkRisks, title: str = "Known items of one chunk") -> alt.TopLevelMixin:
    """An Altair chart: the share of subrecords at risk by the number of known items."""
    import altair as alt

    total = max(1, len(risks.data.chunk_of_subrecord))
    limit = f"{risks.audit.largest_at_risk:,}"
    rows = []
    for part in risks.known_items:
        share = part.above / max(1, part.examined)
        rows.append({"known": f"{part.known}", "share": share, "units": part.above, "shown": percent(share)})
    drawn = _bars(rows, "known", "known items", "subrecords", alt.value(_AT_RISK))
    panel = _panel(f"Subrecords that at most {limit} match in their chunk, of {total:,}")
    return _finished(drawn.properties(width=420, height=34 * max(1, len(rows)) + 20, title=panel), title, [])


def _finished(drawn: alt.TopLevelMixin, title: str, lines: list[str]) -> alt.TopLevelMixin:
    """The chart with its title, and fonts for reading."""
    import altair as alt

    heading = alt.TitleParams(title, subtitle=lines, anchor="start", offset=16)
    if not isinstance(drawn, alt.HConcatChart):
        drawn = alt.hconcat(drawn)  # its title stands above that of its panel
    return (
        drawn.properties(title=heading, padding=14, background="white")
        .configure_title(fontSize=16, subtitleFontSize=11.5, subtitleColor="#444", subtitleLineHeight=15)
        .configure_axis(
            labelFontSize=11, titleFontSize=12, titleFontWeight="normal", gridColor="#e8e8e8", domainColor="#888"
        )
        .configure_view(stroke=None)
    )


def _bars(rows: list[JsonObject], field: str, title: str, share_of: str, colour: object) -> alt.TopLevelMixin:
    import altair as alt

    axis = alt.Axis(grid=False, ticks=False, labelPadding=6, labelLimit=260)
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y(f"{field}:N", sort=[row[field] for row in rows], title=title, axis=axis)
    )
    highest = max((row["share"] for row in rows), default=1.0)
    share = alt.X(
        "share:Q",
        title=f"share of {share_of}",
        scale=alt.Scale(domain=[0, min(1.15, 1.2 * highest) or 1.0]),
        axis=alt.Axis(format="%", tickCount=5),
    )
    tooltip = [alt.Tooltip(f"{field}:N", title=title), alt.Tooltip("units:Q", format=","), alt.Tooltip("shown:N")]
    bar = base.mark_bar(height={"band": 0.72}).encode(x=share, color=colour, tooltip=tooltip)
    text = base.mark_text(align="left", dx=5, fontSize=11, color="#333").encode(x="share:Q", text="shown:N")
    return alt.layer(bar, text)


def _panel(title: str) -> alt.TitleParams:
    import altair as alt

    return alt.TitleParams(title, fontSize=13, fontWeight="normal", anchor="start", frame="group", offset=14)


def _class_sizes(risks: TableRisks) -> alt.TopLevelMixin:
    import altair as alt

    rows = [{**row, "shown": percent(row["share"])} for row in risks.histogram.iter_rows(named=True)]
    limit = risks.audit.largest_at_risk
    colour = alt.condition(f"datum.smallest <= {limit}", alt.value(_AT_RISK), alt.value(_OTHERS))
    drawn = _bars(rows, "class_size", "equivalence class", risks.who, colour)
    panel = _panel(f"Class sizes (orange: at most {limit:,}, risk above {percent(risks.audit.threshold)})")
    return drawn.properties(width=300, height=260, title=panel)


def _sets(risks: TableRisks) -> alt.TopLevelMixin:
    import altair as alt

    n_columns = len(risks.coded.columns)
    rows = []
    for row in risks.singling_out.iter_rows(named=True):
        label = textwrap.shorten(column_names(row["columns"], row["size"], n_columns), _LONGEST_LABEL, placeholder=" …")
        rows.append({"set": label, "share": row["share"], "units": row["units"], "shown": percent(row["share"])})
    distinct = list({row["set"]: row for row in rows}.values())
    drawn = _bars(distinct, "set", "known columns", risks.who, alt.value(_SETS))
    return drawn.properties(width=300, height=260, title=_panel(f"{risks.who.capitalize()} that columns single out"))
