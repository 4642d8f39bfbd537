"""What owners of places can infer: the rows of a table, and a section of the page of an audit."""

from __future__ import annotations

from html import escape

from sfumato.attacks import OwnerFindings
from sfumato.attacks.owners import CLASSES
from sfumato.experiments.reports.audit_chart import percent
from sfumato.experiments.reports.chart_page import list_html, table_html

__all__ = ["owner_head", "owner_rows", "owners_html"]

_SHOWN = CLASSES[:0:-1]  # the rest of those it sees are nowhere


def owner_head(findings: OwnerFindings) -> tuple[str, ...]:
    """The columns: the owner, the number of persons it observes, and for how many it can infer a visit elsewhere."""
    last = ("matched",) if "by_elimination" in findings.owners.columns else ()
    return ("owner", "sees", *_SHOWN, "mean", *last)


def owner_rows(findings: OwnerFindings) -> list[tuple[str, ...]]:
    """One row per owner."""
    rows = []
    for row in findings.to_json()["owners"]:
        people = [f"{row['certainties'][name]:,}" for name in _SHOWN]
        last = (f"{row['by_elimination']:,}",) if "by_elimination" in row else ()
        rows.append((row["owner"], f"{row['sees']:,}", *people, percent(row["mean_certainty"]), *last))
    return rows


def owners_html(findings: OwnerFindings) -> str:
    """The section about owners of places on the page of an audit."""
    return f"""<h2>Owners of places</h2>
<p>{escape(findings.summary)}</p>
{table_html(owner_head(findings), owner_rows(findings))}
{list_html((*findings.rules, *findings.notes))}
"""
