"""The files of an audit: one page that opens offline, a picture, or a table.  They hold nothing about anybody."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.attacks import Findings, OwnerFindings
from sfumato.attacks.findings import FIGURES
from sfumato.errors import OutputError
from sfumato.experiments.audit_chart import draw_audit, percent, summary
from sfumato.experiments.charts import javascript, rendered, require_charts
from sfumato.experiments.owners_section import owners_html
from sfumato.io.files import require_parent, write_bytes, write_text

__all__ = ["figures_frame", "known_rows", "require_audit_file", "write_audit"]

ENDINGS = (".html", ".png", ".svg", ".pdf", ".csv")


def require_audit_file(path: str | Path) -> None:
    """Refuse a file that could not be written, before the work and not after it."""
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise OutputError(f"{path}: an audit is written to a file that ends in {', '.join(ENDINGS)}")
    require_parent(path)
    if ending != ".csv":
        require_charts()


def write_audit(
    found: Findings,
    path: str | Path,
    *,
    title: str = "What an attacker could do",
    owners: OwnerFindings | None = None,
) -> None:
    """Write the findings in the format of the file's ending; those about owners of places reach the page alone."""
    require_audit_file(path)
    ending = Path(path).suffix.lower()
    if ending == ".csv":
        write_text(figures_frame(found).write_csv(), path)
    elif ending == ".html":
        write_text(_page(found, title, owners), path)
    else:
        write_bytes(rendered(draw_audit(found, title))[ending[1:]], path)


def figures_frame(found: Findings) -> pl.DataFrame:
    """All figures in one table: known, figure (`crowd` for a share by crowd), crowd, value, low, high, exact."""
    crowds = found.crowds.with_columns(pl.lit("crowd").alias("figure"))
    columns = ["known", "figure", "crowd", "value", "low", "high", "exact"]
    return pl.concat([found.curve.with_columns(crowd=pl.lit(None, pl.String)).select(columns), crowds.select(columns)])


def known_rows(found: Findings) -> list[tuple[str, ...]]:
    """For people: one row for each number of known pieces, with its figures and whether it is exact."""
    rows = []
    for known in found.to_json()["known"]:
        figures = [_shown(known[name]) for name in FIGURES]
        how = "exact" if known["exact"] else f"{known['looked_at']:,} drawn"
        smallest = "" if known["smallest_crowd"] is None else f"{known['smallest_crowd']:,}"
        rows.append((str(known["known"]), *figures, smallest, how))
    return rows


HEAD = ("known", "alone, worst", "alone, random", "risk, worst", "risk, random", "smallest", "how")


def _shown(figure: dict[str, Any]) -> str:
    if figure["low"] is None:
        return percent(figure["value"])
    low, high = (percent(figure[end]).removesuffix("%") for end in ("low", "high"))
    return f"{percent(figure['value'])} ({low}-{high})"


def _page(found: Findings, title: str, owners: OwnerFindings | None) -> str:
    chart = json.dumps(draw_audit(found, title).to_dict()).replace("<", "\\u003c")
    sentences = "".join(f"<li>{escape(sentence)}</li>" for sentence in (*found.rules, *found.notes))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Audit of {escape(title)}</title>
<style>{_STYLE}</style>
</head>
<body>
<main>
<h1>Audit of {escape(title)}</h1>
<p>{escape(summary(found))}</p>
<p class="private"><b>Private if the data are.</b> These figures are computed from the data as they are.</p>
<div id="chart"></div>
{_table(HEAD, known_rows(found))}
<h2>How to read it</h2>
<ul>{sentences}</ul>
{"" if owners is None else owners_html(owners, _table)}</main>
<script>{javascript()}</script>
<script>
const menu = {{export: true, source: false, compiled: false, editor: false}};
vegaEmbed("#chart", {chart}, {{renderer: "svg", actions: menu}});
</script>
</body>
</html>
"""


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<div class='wide'><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"


_STYLE = """
body { margin: 0; color: #222; background: #fff; font: 16px/1.55 system-ui, "Segoe UI", Roboto, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2.5rem 1.25rem 5rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .6rem; }
h2 { font-size: 1.25rem; margin: 2.4rem 0 .8rem; padding-bottom: .25rem; border-bottom: 1px solid #ddd; }
.private { padding: .6rem .9rem; border-left: 4px solid #c9a227; background: #fdf8e6; }
p, li { max-width: 46rem; }
#chart, .wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; margin: 1.2rem 0; }
th { text-align: left; font-weight: 600; }
th, td { padding: .28rem 1.1rem .28rem 0; border-bottom: 1px solid #ddd; white-space: nowrap; }
td { font-variant-numeric: tabular-nums; }
"""
