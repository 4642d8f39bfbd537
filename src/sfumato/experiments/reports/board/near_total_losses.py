"""The warning of near-total loss in the report: what is left of it, why, and what to run instead."""

from __future__ import annotations

from sfumato.catalogue import METHODS, method_class
from sfumato.experiments.reports.board.facts import Facts
from sfumato.experiments.reports.documents.document import Block, Bullets, Paragraph
from sfumato.methods.alternatives import Alternative, explained_losses

__all__ = ["near_total_losses"]


def near_total_losses(facts: Facts) -> list[Block]:
    """A warning for each place, item or column of which next to nothing is left, with two alternatives; private."""
    certificate = facts.certificate
    if facts.original is None or certificate.method not in METHODS:
        return []
    method = method_class(certificate.method).from_json(certificate.parameters)
    blocks: list[Block] = []
    for loss in explained_losses(method, facts.original, facts.data):
        why = f" The cause: {loss.cause}." if loss.cause else ""
        blocks.append(Paragraph(f"Next to nothing is left: {loss.sentence}.{why}", "alarm"))
        if loss.alternatives:
            blocks += [Paragraph("What to try instead:"), Bullets(tuple(map(_words, loss.alternatives)))]
    return blocks


def _words(alternative: Alternative) -> str:
    parameters = ", ".join(f"{name} = {value}" for name, value in alternative.parameters.items())
    return f"{alternative.method} with {parameters}: {alternative.note}."
