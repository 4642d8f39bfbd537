"""The warning of near-total loss in the report: what is left of it, why, and what to run instead.

The public edition warns of what the published labels and their members show.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sfumato.data import Dataset, Mixed, Table
from sfumato.data.queries import span_of
from sfumato.data.ragged import Ragged
from sfumato.experiments.alternative_words import alternative_words, alternatives_of
from sfumato.experiments.reports.board.facts import Facts
from sfumato.experiments.reports.documents.document import Block, Bullets, Code, Paragraph
from sfumato.utility.heavy_losses import THRESHOLDS, HeavyLoss

__all__ = ["loss_sentences", "near_total_losses"]

_SUBJECTS = {"chunks": "how often items occur"}
_PLURAL = {"location": "places", "item": "items", "road": "roads"}


def near_total_losses(facts: Facts) -> list[Block]:
    """A warning for each place, item or column of which next to nothing is left, and what to run instead; private."""
    blocks: list[Block] = [Paragraph(sentence, "alarm") for sentence in loss_sentences(facts)]
    causes = dict.fromkeys(loss.cause for loss in facts.heavy_losses if loss.cause)
    blocks += [Paragraph(f"The cause: {cause}.") for cause in causes]
    alternatives = [other for other in alternatives_of(facts.heavy_losses) if other.improves]
    if alternatives:
        blocks.append(Paragraph("What to try instead:"))
    for number, alternative in enumerate(alternatives, start=1):
        blocks.append(Bullets((f"{alternative_words(alternative)}.",)))
        if facts.repeat.instead is not None:
            blocks.append(Code((facts.repeat.instead(alternative, number),)))
    return blocks


def loss_sentences(facts: Facts) -> list[str]:
    """What nothing, or next to nothing, is left of: by the original, or as far as the published files show it."""
    if facts.original is None:
        return [] if facts.data is None else list(_visible(facts.data))
    return [_sentence(loss) for loss in facts.heavy_losses]


def _sentence(loss: HeavyLoss) -> str:
    if loss.measure == "column":
        what, detail = f"column {loss.subject}", loss.sentence.removeprefix(f"column {loss.subject}: ")
    else:
        what, detail = _SUBJECTS.get(loss.subject, f"the {loss.subject}"), loss.sentence
    little = "Nothing" if loss.value >= 1 - 1e-9 else "Next to nothing"
    return f"{little} is left of {what}: {detail}."


def _visible(published: Dataset) -> Iterator[str]:
    """The near-total losses that any recipient can see."""
    if isinstance(published, Mixed):
        yield from _visible(published.table)
        yield from _visible(published.items)
    elif isinstance(published, Table):
        for column in published.quasi_identifiers:
            labels = published[column].unique().to_list()
            if len(labels) == 1 and labels[0] is not None and _is_general(published, column, str(labels[0])):
                yield f"Nothing is left of column {column}: every value is {str(labels[0])!r}."
    elif isinstance(published, Ragged):
        yield from _visible_labels(published)


def _is_general(table: Table, column: str, label: str) -> bool:
    """Whether a label stands for several values."""
    members = table.members.get(column, {}).get(label, ())
    span = span_of(label)
    return label == "*" or len(members) > 1 or (span is not None and span[0] < span[1])


def _visible_labels(published: Ragged) -> Iterator[str]:
    """Labels that stand for more than half of all members on average, or a hundred members a label."""
    used = published.with_used_names()
    members = {name: used.members.get(name, (name,)) for name in used.names}
    values = {member for names in members.values() for member in names}
    if len(values) < 2:
        return
    sizes = np.array([len(set(members[name])) for name in used.names])
    cover = float(np.where(sizes > 1, sizes / len(values), 0.0)[used.codes].mean())
    if 1 - len(sizes) / len(values) >= THRESHOLDS["labels"] or cover > THRESHOLDS["cover"]:
        noun = _PLURAL[published.attribute]
        labels = f"{len(sizes):,} label{'' if len(sizes) == 1 else 's'}"
        yield f"Next to nothing is left of the {noun}: {len(values):,} {noun} -> {labels}."
