"""What the owners of places could do, for people: the rows of a table, and a section of the audit's page."""

from __future__ import annotations

from html import escape

from sfumato.attacks import OwnerFindings
from sfumato.attacks.owners import CLASSES
from sfumato.experiments.reports.audit_chart import percent
from sfumato.experiments.reports.chart_page import list_html, table_html

__all__ = ["owner_head", "owner_rows", "owners_html"]

_SHOWN = CLASSES[:0:-1]  # the rest of those it sees are nowhere


def owner_head(found: OwnerFindings) -> tuple[str, ...]:
    """The columns: who, what they see, and how many they can place elsewhere with which certainty."""
    last = ("matched",) if "by_elimination" in found.owners.columns else ()
    return ("owner", "sees", *_SHOWN, "mean", *last)


def owner_rows(found: OwnerFindings) -> list[tuple[str, ...]]:
    """One row an owner."""
    rows = []
    for row in found.to_json()["owners"]:
        people = [f"{row['certainties'][name]:,}" for name in _SHOWN]
        last = (f"{row['by_elimination']:,}",) if "by_elimination" in row else ()
        rows.append((row["owner"], f"{row['sees']:,}", *people, percent(row["mean_certainty"]), *last))
    return rows


def owners_html(found: OwnerFindings) -> str:
    """The section."""
    return f"""<h2>Owners of places</h2>
<p>{escape(found.summary)}</p>
{table_html(owner_head(found), owner_rows(found))}
{list_html((*found.rules, *found.notes))}
"""
