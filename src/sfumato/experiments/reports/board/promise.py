"""The section "The promise": each promise in a plain sentence, in the terms of the field, and what it counts."""

from __future__ import annotations

from sfumato.catalogue import MODELS
from sfumato.experiments.reports.board.facts import Facts
from sfumato.experiments.reports.board.promise_sentences import promise_sentence
from sfumato.experiments.reports.documents.document import Block, Grid, Paragraph

__all__ = ["promise", "promises"]

_UNITS = {
    "person": "The promise counts persons: several records of one person count once.",
    "record": "The promise counts records: the original does not say which records belong to the same person.",
}


def promises(facts: Facts) -> list[str]:
    """Every promise of the release, in a sentence each."""
    certificate = facts.certificate
    return [promise_sentence(model, unit=certificate.unit, kind=certificate.kind) for model in facts.release.models]


def promise(facts: Facts) -> tuple[Block, ...]:
    """The blocks of the section."""
    blocks: list[Block] = [Paragraph(sentence, "lead") for sentence in promises(facts)]
    if not facts.certificate.guarantees:
        blocks.append(Paragraph("The certificate states no promise.", "alarm"))
    if facts.certificate.override:
        blocks.append(Paragraph("The release was written although a promise did not hold.", "alarm"))
    rows = []
    for model in facts.release.models:
        for parameter in model.parameters():
            value = model.to_json()[parameter.name]
            rows.append((model.title, parameter.name, "none" if value is None else str(value), parameter.help))
    unknown = [guarantee for guarantee in facts.certificate.guarantees if guarantee.model not in MODELS]
    rows += [
        (guarantee.model, name, str(value), "") for guarantee in unknown for name, value in guarantee.parameters.items()
    ]
    if rows:
        head = ("privacy model", "parameter", "value", "meaning")
        blocks.append(Grid("The promise in the terms of the field", head, tuple(rows)))
    blocks.append(Paragraph(_UNITS.get(facts.certificate.unit, f"The promise counts {facts.certificate.unit}s.")))
    if facts.certificate.policy:
        rules = ", ".join(f"{name.replace('_', ' ')}: {rule}" for name, rule in facts.certificate.policy.items())
        blocks.append(Paragraph(f"Rules by which the publisher chose what to protect: {rules}."))
    return tuple(blocks)
