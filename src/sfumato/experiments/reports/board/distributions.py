"""Distributions for pictures: how often values occur before and after, how long records are, how coarse labels are."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from sfumato.data import Chunks, Dataset, Mixed, Table
from sfumato.data.queries import span_of
from sfumato.data.ragged import Ragged
from sfumato.data.tables.encoding import texts_of
from sfumato.data.taxonomy import Taxonomy
from sfumato.experiments.reports.documents.pictures import Bar

__all__ = ["COARSENESS", "LEVELS", "before_and_after", "coarseness", "hierarchy_levels", "lengths", "published_counts"]

ROWS = 10  # bars in a picture
COARSENESS = ("one value", "2 to 5 values", "6 to 20 values", "more than 20 values", "a range of numbers")
LEVELS = ("as it was", "level 1", "level 2", "level 3", "level 4 or higher")
_MISSING = "(missing)"
Labels = dict[str | None, int]


def before_and_after(differences: pl.DataFrame, numbers: Collection[str] = ()) -> Iterator[tuple[str, str, list[Bar]]]:
    """For each attribute whose counts have changed: its name, what the picture shows, and bars.

    differences : attribute, value, original, published, as `Evaluation.differences` has them.
    numbers : the attributes whose values are numbers and not names of something.
    """
    for (attribute,), rows in differences.group_by("attribute", maintain_order=True):
        if np.allclose(rows["original"], rows["published"], rtol=1e-9, atol=1e-9):
            continue
        counts = [(value, before, after) for _, value, before, after, _ in rows.iter_rows()]
        yield str(attribute), *_shown(counts, attribute in numbers)


def _shown(counts: list[tuple[str | None, float, float]], numbers: bool) -> tuple[str, list[Bar]]:
    if numbers and all(value is None or np.isfinite(_start(value)) for value, _, _ in counts):
        if len(counts) > ROWS:
            return "", _binned(counts)
        ranked = sorted(counts, key=lambda row: (row[0] is None, _start(row[0])))
    else:
        ranked = sorted(counts, key=lambda row: (-row[1], -row[2], row[0] or ""))
    more = f"the {ROWS} most frequent of {len(counts):,} values" if len(counts) > ROWS else ""
    return more, [(_MISSING if value is None else value, before, after) for value, before, after in ranked[:ROWS]]


def _start(value: str | None) -> float:
    span = None if value is None else span_of(value)
    return np.inf if span is None else span[0]


def _binned(counts: list[tuple[str | None, float, float]]) -> list[Bar]:
    """Numbers in ranges of equal width."""
    known = [(_start(value), before, after) for value, before, after in counts if value is not None]
    low, high = min(value for value, _, _ in known), max(value for value, _, _ in known)
    whole = all(value == int(value) for value, _, _ in known)
    width = (high - low) / ROWS
    if whole:
        width = float(int((high - low) // ROWS + 1))
    bars: list[Bar] = []
    for number in range(ROWS):
        start = low + number * width
        end = start + width
        last = number == ROWS - 1
        inside = [(b, a) for value, b, a in known if start <= value and (value < end or (last and not whole))]
        if start > high:
            break
        name = f"{start:g}-{end - 1:g}" if whole and width > 1 else f"{start:g}" if whole else f"{start:.4g}-{end:.4g}"
        bars.append((name, sum(b for b, _ in inside), sum(a for _, a in inside)))
    missing = [(b, a) for value, b, a in counts if value is None]
    return bars + [(_MISSING, b, a) for b, a in missing]


def published_counts(data: Dataset) -> Iterator[tuple[str, str, list[Bar]]]:
    """For each attribute: its name, what the picture shows, and how many records hold its most frequent labels."""
    for attribute, labels, members in _attributes(data):
        ranked = sorted(labels.items(), key=lambda row: (-row[1], row[0] or ""))
        more = f"the {ROWS} most frequent of {len(ranked):,} labels" if len(ranked) > ROWS else ""
        yield attribute, more, [(_named(label, members), None, count) for label, count in ranked[:ROWS]]


def _named(label: str | None, members: Mapping[str, tuple[str, ...]]) -> str:
    if label is None:
        return _MISSING
    return f"{label} ({len(members[label]):,})" if len(members.get(label, ())) > 1 else label


def _attributes(data: Dataset) -> Iterator[tuple[str, Labels, Mapping[str, tuple[str, ...]]]]:
    """Each attribute with the number of records (of chunks, parts) that hold each label, and the members of labels."""
    table = data.table if isinstance(data, Mixed) else data
    if isinstance(table, Table):
        for column in table.frame.columns:
            yield column, dict(texts_of(table[column]).value_counts().iter_rows()), table.members.get(column, {})
    ragged = data.items if isinstance(data, Mixed) else data
    if isinstance(ragged, Ragged):
        counts = _records_with(ragged.record_of_element(), ragged.codes, len(ragged.names))
        name = data.column if isinstance(data, Mixed) else ragged.attribute
        yield name, dict(zip(ragged.names, counts, strict=True)), ragged.members
    if isinstance(ragged, Chunks):
        parts = np.repeat(np.arange(len(ragged.offsets) - 1), np.diff(ragged.offsets))
        counts = _records_with(parts, ragged.codes, len(ragged.names))
        yield ragged.attribute, dict(zip(ragged.names, counts, strict=True)), {}


def _records_with(record: Any, codes: Any, n_names: int) -> list[int]:
    width = max(1, n_names)
    pairs = np.unique(np.asarray(record, dtype=np.int64) * width + codes)
    counts: list[int] = np.bincount(pairs % width, minlength=n_names).tolist()
    return counts[:n_names]


def lengths(published: Dataset, original: Dataset | None = None) -> list[Bar]:
    """How many records have each length, by powers of two; none where records are rows or parts."""
    sides = [None if data is None else _lengths_of(data) for data in (original, published)]
    after = sides[1]
    if after is None:
        return []
    longest = max(int(side.max(initial=0)) for side in sides if side is not None)
    edges = [0, 1]
    while edges[-1] <= longest:
        edges.append(edges[-1] * 2)
    bars: list[Bar] = []
    for low, high in pairwise(edges):
        before = None if sides[0] is None else int(np.count_nonzero((sides[0] >= low) & (sides[0] < high)))
        now = int(np.count_nonzero((after >= low) & (after < high)))
        if before or now:
            bars.append((f"{low}" if high - low == 1 else f"{low}-{high - 1}", before, now))
    return bars


def _lengths_of(data: Dataset) -> Any:
    ragged = data.items if isinstance(data, Mixed) else data
    return ragged.lengths if isinstance(ragged, Ragged) else None


def coarseness(data: Dataset) -> list[tuple[str, list[float]]]:
    """For each attribute with generalized labels, the share of its values under labels of each size (`COARSENESS`)."""
    rows = []
    for attribute, labels, members in _attributes(data):
        counts = [0.0] * len(COARSENESS)
        for label, count in labels.items():
            counts[_size(label, members)] += count
        total = sum(counts)
        if total and counts[0] < total:
            rows.append((attribute, [count / total for count in counts]))
    return rows


def _size(label: str | None, members: Mapping[str, tuple[str, ...]]) -> int:
    parts = () if label is None else members.get(label, (label,))
    if any(part.startswith("[") and span_of(part) is not None for part in parts):
        return 4
    number = len(parts)
    return 0 if number <= 1 else 1 if number <= 5 else 2 if number <= 20 else 3


def hierarchy_levels(data: Dataset, original: Dataset) -> list[tuple[str, list[float]]]:
    """For each attribute with a hierarchy whose nodes are its labels: the share of its values on each level (`LEVELS`).

    A level is the number of steps from a label down to the deepest value below it.
    """
    rows = []
    for attribute, labels, _ in _attributes(data):
        tree = _tree(original, attribute)
        counts = [0.0] * len(LEVELS)
        if tree is None or any(label is not None and label not in tree for label in labels):
            continue
        for label, count in labels.items():
            if label is not None:
                counts[min(_height(tree, label), len(LEVELS) - 1)] += count
        total = sum(counts)
        if total:
            rows.append((attribute, [count / total for count in counts]))
    return rows


def _tree(original: Dataset, attribute: str) -> Taxonomy | None:
    table = original.table if isinstance(original, Mixed) else original
    if isinstance(table, Table) and attribute in table.hierarchies:
        return table.hierarchies[attribute]
    ragged = original.items if isinstance(original, Mixed) else original
    tree: Taxonomy | None = getattr(ragged, "taxonomy", None)
    return tree if isinstance(ragged, Ragged) and attribute not in getattr(table, "hierarchies", {}) else None


def _height(tree: Taxonomy, node: str) -> int:
    if tree.is_leaf(node):
        return 0
    return max(tree.depth(leaf) for leaf in tree.leaves_below(node)) - tree.depth(node)
