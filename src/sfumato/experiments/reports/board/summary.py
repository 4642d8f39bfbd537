"""The section "In short": the answers of the other sections, a sentence each."""

from __future__ import annotations

from sfumato.experiments.reports.board.attacks import headlines, whole_record_sentence
from sfumato.experiments.reports.board.facts import Facts
from sfumato.experiments.reports.board.limits import limit_texts
from sfumato.experiments.reports.board.near_total_losses import loss_sentences
from sfumato.experiments.reports.board.promise import promises
from sfumato.experiments.reports.board.verification import answer, unconfirmed
from sfumato.experiments.reports.documents.document import Block, Bullets, Paragraph
from sfumato.privacy.not_covered import Limit, most_important

__all__ = ["summary"]

_LIMITS = 3


def summary(facts: Facts) -> tuple[Block, ...]:
    """The blocks of the section."""
    points = [*promises(facts), *_attack(facts), *loss_sentences(facts), *_limits(facts)]
    edition = (
        "This is the private edition. It is computed from private data, and no promise covers it: do not publish it."
        if facts.private
        else "This is the public edition. It holds only what any recipient can compute from the published files."
    )
    remedy = unconfirmed(facts)[0]
    claims = (Paragraph(remedy),) if remedy else ()
    return answer(facts), *claims, Bullets(tuple(points)), Paragraph(edition)


def _attack(facts: Facts) -> list[str]:
    if facts.attacks is None:
        sentence = whole_record_sentence(facts)
        return [sentence] if sentence else []
    return [facts.attacks.verdict, *headlines(facts.attacks)]


def _limits(facts: Facts) -> list[str]:
    texts = limit_texts(facts)
    known = {limit.key: limit.rank for model in facts.release.models for limit in (*model.not_covered, model.by_record)}
    keys = [entry.get("key", "") if isinstance(entry, dict) else "" for entry in facts.certificate.not_covered]
    ranked = [Limit(key, text, rank=known.get(key, 5)) for key, text in zip(keys, texts, strict=True)]
    first = [str(limit) for limit in most_important(ranked, _LIMITS)]
    more = len(texts) - len(first)
    return [f"Not covered: {text}." for text in first] + ([f"{more} more limits are listed below."] if more > 0 else [])
