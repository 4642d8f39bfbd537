"""The section "Other releases": releases about the same people, by a ledger where one is given."""

from __future__ import annotations

from sfumato.experiments.reports.board.facts import Facts
from sfumato.experiments.reports.board.verification import figures_in_words
from sfumato.experiments.reports.documents.document import Block, Bullets, Grid, Paragraph
from sfumato.io.published.ledger import Entry, digest_of
from sfumato.params import JsonObject

__all__ = ["ledger"]


def ledger(facts: Facts) -> tuple[Block, ...]:
    """The blocks of the section."""
    if facts.ledger is None:
        blocks: tuple[Block, ...] = (
            Paragraph(
                "Two releases about the same people can reveal together what neither reveals by itself. This report "
                "knows of no other release: it was made without a ledger."
            ),
        )
        return (*blocks, *_budget(facts))
    digest = digest_of(facts.release.folder)
    own = next((entry for entry, _ in facts.ledger if entry.digest == digest), None)
    others = [other for other in facts.ledger if own is None or other[0].number != own.number]
    if own is None:
        first = "This release is not in the ledger. It was not attacked together with the releases there."
    else:
        first = f"This release is number {own.number} in the ledger, entered on {own.written[:10]}."
    blocks = (
        Paragraph(first, "plain" if own else "note"),
        Paragraph(
            f"The ledger lists {len(others)} other release{'' if len(others) == 1 else 's'}."
            + (" Releases may be about the same people." if others else "")
        ),
    )
    if others:
        head = ("number", "entered", "method", "promise", "persons", "in this original", "state")
        blocks = (
            *blocks,
            Grid("Other releases in the ledger", head, tuple(_row(*other) for other in others), numbers=(4, 5)),
        )
    attacked = () if own is None else tuple(str(other.get("sentence", "")) for other in own.attacked)
    if any(attacked):
        before = Paragraph("Attacks on this release together with earlier ones, when it was written:")
        blocks = (*blocks, before, Bullets(tuple(filter(None, attacked))))
    return (*blocks, *_budget(facts))


def _row(entry: Entry, shared: int | None) -> tuple[str, ...]:
    promises = "; ".join(map(_promise, entry.guarantees))
    counts = ("not known" if number is None else f"{number:,}" for number in (entry.people, shared))
    return str(entry.number), entry.written[:10], entry.method, promises, *counts, entry.state


def _promise(guarantee: JsonObject) -> str:
    parameters = ", ".join(f"{name}={value}" for name, value in guarantee.get("parameters", {}).items())
    return f"{guarantee.get('model')}({parameters})"


def _budget(facts: Facts) -> tuple[Block, ...]:
    """What the noise of a differentially private run has spent, by its private report."""
    spent = (facts.run or {}).get("ledger")
    if not isinstance(spent, list) or not spent:
        return ()
    rows = tuple(figures_in_words(step) if isinstance(step, dict) else str(step) for step in spent)
    return Paragraph("The noise of the run, step by step, as its private report records it:"), Bullets(rows)
