"""The files of an audit: one page that opens offline, a picture, or a table.  They name no person."""

from __future__ import annotations

from html import escape
from pathlib import Path

import polars as pl

from sfumato.attacks import Findings, OwnerFindings
from sfumato.attacks.audit.findings import FIGURES
from sfumato.experiments.reports.audit_chart import draw_audit, percent, summary
from sfumato.experiments.reports.chart_page import chart_page, list_html, require_chart_file, table_html
from sfumato.experiments.reports.charts import rendered
from sfumato.experiments.reports.owners_section import owners_html
from sfumato.io.atomic_writes import write_bytes, write_text
from sfumato.params import JsonObject

__all__ = ["figures_frame", "known_rows", "require_audit_file", "write_audit"]

ENDINGS = (".html", ".png", ".svg", ".pdf", ".jpg", ".bmp", ".csv")


def require_audit_file(path: str | Path) -> None:
    """Refuse a file that cannot be written, before the audit runs."""
    require_chart_file(path, "an audit", ENDINGS)


def write_audit(
    findings: Findings,
    path: str | Path,
    *,
    title: str = "Re-identification risks",
    owners: OwnerFindings | None = None,
) -> None:
    """Write the findings in the format of the file's ending; only a page contains those about owners of places."""
    require_audit_file(path)
    ending = Path(path).suffix.lower()
    if ending == ".csv":
        write_text(figures_frame(findings).write_csv(), path)
    elif ending == ".html":
        write_text(_page(findings, title, owners), path)
    else:
        write_bytes(rendered(draw_audit(findings, title), (ending[1:],))[ending[1:]], path)


def figures_frame(findings: Findings) -> pl.DataFrame:
    """All figures in one table: known, figure, anonymity_set (its size), value, low, high, exact."""
    shares = findings.anonymity_sets.with_columns(pl.lit("anonymity_set").alias("figure"))
    columns = ["known", "figure", "anonymity_set", "value", "low", "high", "exact"]
    return pl.concat(
        [findings.curve.with_columns(anonymity_set=pl.lit(None, pl.String)).select(columns), shares.select(columns)]
    )


def known_rows(findings: Findings) -> list[tuple[str, ...]]:
    """The rows of the table that people read: one for each number of known visits or items."""
    rows = []
    for known in findings.to_json()["known"]:
        figures = [_shown(known[name]) for name in FIGURES]
        how = "exact" if known["exact"] else f"sample of {known['examined']:,}"
        smallest = "" if known["smallest_anonymity_set"] is None else f"{known['smallest_anonymity_set']:,}"
        rows.append((str(known["known"]), *figures, smallest, how))
    return rows


HEAD = ("known", "unique, worst", "unique, random", "risk, worst", "risk, random", "smallest", "how")


def _shown(figure: JsonObject) -> str:
    if figure["low"] is None:
        return percent(figure["value"])
    low, high = (percent(figure[end]).removesuffix("%") for end in ("low", "high"))
    return f"{percent(figure['value'])} ({low}-{high})"


def _page(findings: Findings, title: str, owners: OwnerFindings | None) -> str:
    body = f"""<p>{escape(summary(findings))}</p>
<p class="private"><b>Private if the data are private.</b> These figures are computed from the data.</p>
<div id="chart"></div>
{table_html(HEAD, known_rows(findings))}
<h2>How to read it</h2>
{list_html((*findings.rules, *findings.notes))}
{"" if owners is None else owners_html(owners)}"""
    return chart_page(f"Audit of {title}", body, draw_audit(findings, title))
