"""Near-total loss: places, items, columns or records of which a release keeps next to nothing.

A loss is near-total from these thresholds on:

- labels: at most 1 label for 100 original values, so that a label replaces a hundred values on average;
- cover: a published value may stand for more than half of all values on average (0 for a value published as it is): a
  reader learns less than one yes-or-no answer from it;
- suppressed: more than 90 % of the visits, items or rows are not published;
- column: a mean NCP above 0.9 in a quasi-identifier, which is 1 if every value is the root.  Half the domain would be
  too strict here: a column may have two values, so that each hidden cell costs 1;
- apart: more than 90 % of the items of a disassociated release are in term chunks, which state no counts.

All figures are computed from the original, so they are private.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.data import Chunks, Dataset, Mixed, Table
from sfumato.data.ragged import Ragged
from sfumato.data.tables.encoding import Coding
from sfumato.data.tables.published_labels import Labels
from sfumato.params import JsonObject
from sfumato.utility.base import PublishedOnly, Released

__all__ = ["THRESHOLDS", "HeavyLoss", "heavy_losses", "losses"]

THRESHOLDS = {"labels": 0.99, "cover": 0.5, "suppressed": 0.9, "column": 0.9, "apart": 0.9}
"""The share, by measure, above which a loss is near-total; for labels, from which on."""

_PLURAL = {"location": "places", "item": "items", "road": "roads", "visit": "visits"}


@dataclass(frozen=True)
class HeavyLoss:
    """What is lost, and how much.

    subject : ``places``, ``items``, ``visits``, ``rows``, or the name of a column.
    measure : one of `THRESHOLDS`.  value : the lost share, from 0 to 1.
    sentence : the loss in words.  cause : why it happened, in words.
    alternatives : what to run instead (`sfumato.methods.alternatives.Alternative`).

    >>> from sfumato import SeqAnon, Trajectories
    >>> walks = Trajectories.from_lists(["ab", "cd"], places={name: (at, 0) for at, name in enumerate("abcd")})
    >>> heavy_losses(walks, SeqAnon(k=2, m=2).anonymize(walks))[0].sentence
    '4 places -> 1 label'
    """

    subject: str
    measure: str
    value: float
    sentence: str
    cause: str = ""
    alternatives: tuple[Any, ...] = ()

    @property
    def heavy(self) -> bool:
        """Whether the loss is near-total."""
        limit = THRESHOLDS[self.measure]
        return self.value >= limit if self.measure == "labels" else self.value > limit

    def __str__(self) -> str:
        return f"{self.sentence} ({self.cause})" if self.cause else self.sentence

    def to_json(self) -> JsonObject:
        return {
            "subject": self.subject,
            "measure": self.measure,
            "value": self.value,
            "sentence": self.sentence,
            "cause": self.cause,
            "alternatives": [alternative.to_json() for alternative in self.alternatives],
        }


def heavy_losses(original: Dataset, release: Released[Dataset] | Dataset) -> tuple[HeavyLoss, ...]:
    """The near-total losses of a release, or of published data: at most one for each subject.

    Where most visits, items or rows are suppressed, this is the only loss that is named.
    """
    heavy = [loss for loss in losses(original, release) if loss.heavy]
    suppressed = [loss for loss in heavy if loss.measure == "suppressed"]
    return tuple({loss.subject: loss for loss in reversed(suppressed or heavy)}.values())[::-1]


def losses(original: Dataset, release: Released[Dataset] | Dataset) -> tuple[HeavyLoss, ...]:
    """Every loss that can be near-total, whether it is or not."""
    if isinstance(release, Dataset):
        release = PublishedOnly(release)
    return tuple(_losses(original, release.data, release.origin))


def _losses(original: Dataset, published: Dataset, origin: Any) -> Iterator[HeavyLoss]:
    if isinstance(original, Mixed) and isinstance(published, Mixed):
        yield from _table_losses(original.table, published.table)
        yield from _item_losses(original.items, published.items, f"{original.column}: ")
    elif isinstance(original, Table) and isinstance(published, Table):
        yield from _table_losses(original, published)
    elif isinstance(original, Ragged) and isinstance(published, Chunks):
        yield from _item_losses(original, published)
        yield _apart(original, published)
    elif isinstance(original, Ragged) and isinstance(published, Ragged):
        if original.kind == "transactions":
            yield from _item_losses(original, published)
        else:
            yield from _visit_losses(original, published, origin)


def _visit_losses(original: Ragged, published: Ragged, origin: Any) -> Iterator[HeavyLoss]:
    """Visits are published one by one, so that their numbers can be compared; dummies do not count."""
    kept = len(published.codes) if origin is None else int(np.count_nonzero(origin >= 0))
    what = "not published" if origin is None else "suppressed"  # synthetic visits have no original
    yield _suppressed(_PLURAL[original.element], len(original.codes) - kept, len(original.codes), what=what)
    yield from _label_losses(original, published)


def _item_losses(original: Ragged, published: Ragged | Chunks, prefix: str = "") -> Iterator[HeavyLoss]:
    """Items of one record may share a label, so an item counts as suppressed if no label stands for it anywhere."""
    standing = set(published.names) if isinstance(published, Chunks) else published.published_members()
    is_gone = np.array([name not in standing for name in original.names], dtype=bool)
    lost = int(np.count_nonzero(is_gone[original.codes]))
    yield _suppressed("items", lost, len(original.codes), prefix)
    yield from _label_losses(original, published, prefix)


def _label_losses(original: Ragged, published: Ragged | Chunks, prefix: str = "") -> Iterator[HeavyLoss]:
    """Values that became labels: by the number of labels, and by the values that a label stands for."""
    values = set(original.with_used_names().names)
    used = published.with_used_names()
    if len(values) < 2 or not used.names:
        return
    members = {} if isinstance(used, Chunks) else used.members
    sizes = np.array([len(values.intersection(members.get(name, (name,)))) for name in used.names])
    covers = np.where(sizes > 1, sizes / len(values), 0.0)
    noun = _PLURAL[original.attribute]
    labels = f"{len(used.names):,} label{'' if len(used.names) == 1 else 's'}"
    sentence = f"{prefix}{len(values):,} {noun} -> {labels}"
    yield HeavyLoss(noun, "labels", 1 - len(used.names) / len(values), sentence)
    cover = float(covers[used.codes].mean()) if len(used.codes) else 0.0
    half = "" if len(used.names) == 1 else f"; a label stands for {cover:.0%} of the {noun} on average"
    yield HeavyLoss(noun, "cover", cover, f"{sentence}{half.replace('%', ' %')}")


def _table_losses(original: Table, published: Table) -> Iterator[HeavyLoss]:
    rows = len(original)
    yield _suppressed("rows", max(0, rows - len(published)), rows)
    if not rows or not len(published):
        return
    for attribute in Coding.of(original).attributes:
        if attribute.n_leaves < 2:
            continue
        labels = Labels.of(attribute, published)
        lost = float(labels.counts @ labels.losses("ncp")) + max(0, rows - len(published))
        yield HeavyLoss(attribute.name, "column", lost / rows, _column_sentence(labels, lost / rows))


def _column_sentence(labels: Labels, value: float) -> str:
    column = f"column {labels.attribute.name}"
    if len(labels.texts) == 1:
        return f"{column}: every value is {labels.texts[0]!r}"
    return f"{column}: a published value stands for {100 * value:.0f} % of all values on average"


def _apart(original: Ragged, published: Chunks) -> HeavyLoss:
    units = original.units[original.record_of_element()].astype(np.int64)
    pairs = len(np.unique(units * max(1, len(original.names)) + original.codes))
    value = 1 - min(1.0, len(published.codes) / max(1, pairs)) if pairs else 0.0
    sentence = f"{_share(value)} of the items are in term chunks, which state no counts"
    return HeavyLoss("chunks", "apart", value, sentence)


def _suppressed(noun: str, lost: int, total: int, prefix: str = "", what: str = "suppressed") -> HeavyLoss:
    value = max(0, lost) / total if total else 0.0
    return HeavyLoss(noun, "suppressed", value, f"{prefix}{_share(value)} of the {noun} are {what}")


def _share(value: float) -> str:
    """A share in percent, rounded down, so that 100 % means all."""
    return f"{int(100 * value)} %"
