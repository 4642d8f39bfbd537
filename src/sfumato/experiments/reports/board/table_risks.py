"""The risks of a published table in the report: prosecutor, journalist and marketer risk."""

from __future__ import annotations

from sfumato.attacks.audit.table_audit import TableAudit
from sfumato.data import Mixed, Table
from sfumato.experiments.reports.board.facts import Facts
from sfumato.experiments.reports.documents.document import Block, Bullets, Grid, Subheading

__all__ = ["table_risks"]


def table_risks(facts: Facts) -> list[Block]:
    """What an attacker who knows the quasi-identifiers achieves, counted in the published table."""
    if not isinstance(facts.data, Table | Mixed) or facts.synthetic or len(facts.data) == 0:
        return []
    risks = TableAudit(largest_set=1).run(facts.data)
    rows = tuple(
        (
            risk.name,
            f"{risk.average:.2%}",
            "" if risk.highest is None else f"{risk.highest:.2%}",
            "" if risk.above is None else f"{risk.above:,}",
        )
        for risk in (risks.prosecutor, risks.journalist, risks.marketer)
    )
    head = ("attacker", "risk on average", "highest risk", f"{risks.who} above {risks.audit.threshold:.0%}")
    grid = Grid("Risks of the published table", head, rows, numbers=(1, 2, 3))
    return [Subheading("Risks by the quasi-identifiers"), grid, Bullets(tuple(risks.notes))]
