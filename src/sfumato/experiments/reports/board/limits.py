"""The section "What is not covered": all limits of the promise, as the certificate states them."""

from __future__ import annotations

from sfumato.experiments.reports.board.facts import Facts
from sfumato.experiments.reports.documents.document import Block, Bullets, Paragraph

__all__ = ["limit_texts", "limits"]


def limit_texts(facts: Facts) -> list[str]:
    """Every limit that the certificate states, in its words; version 0.1 wrote texts without keys."""
    return [limit if isinstance(limit, str) else str(limit.get("text", "")) for limit in facts.certificate.not_covered]


def limits(facts: Facts) -> tuple[Block, ...]:
    """The blocks of the section."""
    texts = limit_texts(facts)
    if not texts:
        return (Paragraph("The certificate names no limits.", "note"),)
    return (
        Paragraph(
            "The promise covers the attackers that it names, and no others. It does not protect against the following, "
            "in the words of the certificate:"
        ),
        Bullets(tuple(texts)),
    )
