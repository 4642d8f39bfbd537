"""The section "What was lost": pictures of what is published and, with the original, of what it was before.

A further part, such as a map or a warning, is a function from facts to blocks and one more name in `_PARTS`.
"""

from __future__ import annotations

from sfumato.catalogue import MEASURES, measure_class
from sfumato.data import Chunks, Dataset, Mixed, Table
from sfumato.data.ragged import Ragged
from sfumato.experiments.definition.experiment import pretty
from sfumato.experiments.reports.board.distributions import (
    COARSENESS,
    LEVELS,
    before_and_after,
    coarseness,
    hierarchy_levels,
    lengths,
    published_counts,
)
from sfumato.experiments.reports.board.facts import Facts
from sfumato.experiments.reports.board.movement_map import movement_map
from sfumato.experiments.reports.board.near_total_losses import near_total_losses
from sfumato.experiments.reports.documents.document import Block, Figures, Grid, Paragraph, Subheading
from sfumato.experiments.reports.documents.pictures import bars, shares

__all__ = ["losses"]

_PICTURES = 12  # attributes with a picture of their own


def losses(facts: Facts) -> tuple[Block, ...]:
    """The blocks of the section."""
    if facts.data is None:
        return (Paragraph("The published data cannot be read.", "alarm"),)
    if facts.original is None:
        first = Paragraph(
            "Without the original, a recipient sees what is published, and not what was lost. The labels show how "
            "coarse the data have become."
        )
    else:
        first = Paragraph(
            "The pictures compare the original with the release. Where a label stands for several values, each of them "
            "is counted as equally probable."
        )
    return (first, *(block for part in _PARTS for block in part(facts)))


def _sizes(facts: Facts) -> list[Block]:
    """How much there is before and after."""
    if facts.original is None:
        return []
    rows = [("records", f"{len(facts.original):,}", f"{len(facts.data):,}")]
    before, after = (data.items if isinstance(data, Mixed) else data for data in (facts.original, facts.data))
    if isinstance(before, Ragged) and isinstance(after, Ragged):
        rows.append((f"{before.element}s", f"{len(before.codes):,}", f"{len(after.codes):,}"))
    if isinstance(before, Ragged) and isinstance(after, Ragged | Chunks):
        used = len(before.with_used_names().names)
        rows.append((f"different {before.attribute}s or labels", f"{used:,}", f"{len(after.names):,}"))
    table, published = (data.table if isinstance(data, Mixed) else data for data in (facts.original, facts.data))
    if isinstance(table, Table) and isinstance(published, Table):
        rows += [
            (f"different values of {column}", f"{table[column].n_unique():,}", f"{published[column].n_unique():,}")
            for column in published.frame.columns
            if column in table.frame.columns
        ]
    return [Grid("How much there is", ("what", "original", "published"), tuple(rows), numbers=(1, 2))]


def _measures(facts: Facts) -> list[Block]:
    """Measures of the original and the release, and those that the run took."""
    rows = []
    if facts.evaluation is not None:
        rows = [
            (measure.title, str(score), measure.better, measure.meaning) for measure, score in facts.evaluation.scores
        ]
    elif facts.unevaluated:
        return [Paragraph(f"Nothing was measured: {facts.unevaluated}.", "note")]
    taken = (facts.run or {}).get("measures")
    names = {measure.name for measure, _ in facts.evaluation.scores} if facts.evaluation is not None else set()
    for name, value in (taken if isinstance(taken, dict) else {}).items():
        if name in names or not isinstance(value, int | float):
            continue
        known = measure_class(name.partition(":")[0]) if name.partition(":")[0] in MEASURES else None
        about = (name, "", "") if known is None else (known.title, known.better, known.meaning)
        rows.append((about[0], f"{pretty(value)} {'' if known is None else known.unit}".strip(), *about[1:]))
    head = ("measure", "value", "better", "meaning")
    return [Grid("Measures of what was kept", head, tuple(rows))] if rows else []


def _levels(facts: Facts) -> list[Block]:
    """How coarse the labels are."""
    figures = []
    if coarse := coarseness(facts.data):
        figures.append(shares("Published values, by what their label stands for", coarse, COARSENESS))
    known = [] if facts.original is None else hierarchy_levels(facts.data, facts.original)
    if known:
        figures.append(shares("Levels of the hierarchies in use", known, LEVELS))
    if not figures:
        what = "Every label stands for one value: the release generalizes nothing."
        return [Subheading("How coarse the labels are"), Paragraph(what)]
    return [Subheading("How coarse the labels are"), Figures(tuple(figures))]


def _values(facts: Facts) -> list[Block]:
    """How often values occur."""
    if facts.evaluation is not None:
        pictures = list(before_and_after(facts.evaluation.differences, _numbers(facts.original)))
        every = facts.evaluation.differences["attribute"].unique(maintain_order=True).to_list()
        same = [name for name in every if name not in {picture[0] for picture in pictures}]
        unchanged = f"Counts that did not change: {', '.join(same)}." if same else ""
    elif facts.original is not None:
        return []
    else:
        pictures, unchanged = list(published_counts(facts.data)), ""
    unit = "parts of records" if isinstance(facts.data, Chunks) and facts.original is None else "records"
    figures = [
        bars(f"{name}: {more}" if more else name, rows, unit=unit) for name, more, rows in pictures[:_PICTURES] if rows
    ]
    blocks: list[Block] = [Subheading("How often values occur")] if figures or unchanged else []
    if figures:
        blocks.append(Figures(tuple(figures)))
    if len(pictures) > _PICTURES:
        blocks.append(Paragraph(f"{len(pictures) - _PICTURES} more columns have no picture here."))
    return [*blocks, *([Paragraph(unchanged)] if unchanged else [])]


def _numbers(original: Dataset | None) -> list[str]:
    """The columns of a table that hold numbers."""
    table = original.table if isinstance(original, Mixed) else original
    if not isinstance(table, Table):
        return []
    return [column for column in table.frame.columns if table[column].dtype.is_numeric()]


def _lengths(facts: Facts) -> list[Block]:
    """How long records are."""
    rows = lengths(facts.data, facts.original)
    if not rows:
        return []
    ragged = facts.data.items if isinstance(facts.data, Mixed) else facts.data
    return [Subheading("How long records are"), bars(f"Records by their number of {ragged.element}s", rows)]


_PARTS = (near_total_losses, _sizes, _measures, movement_map, _levels, _values, _lengths)
