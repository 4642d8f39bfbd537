"""Histograms of the original and of a release, side by side."""

from __future__ import annotations

from typing import Any

import numpy as np

from sfumato.data import Dataset, Mixed, Table
from sfumato.data.ragged import Ragged
from sfumato.params import JsonObject

__all__ = ["profile"]

_BINS = 15
Bars = list[list[Any]]


def profile(original: Dataset, published: Dataset) -> list[JsonObject]:
    """Histograms, each a title and bars: [value, original count, published count].

    >>> from sfumato.data import Trajectories
    >>> before = Trajectories.from_lists([["a", "b"], ["a"], ["c"]])
    >>> profile(before, before.take(np.array([0, 1])))[0]
    {'title': 'records by number of visits', 'bars': [['1', 2, 1], ['2', 1, 1]]}
    """
    if isinstance(original, Mixed) and isinstance(published, Mixed):
        return profile(original.table, published.table) + profile(original.items, published.items)
    if isinstance(original, Table) and isinstance(published, Table):
        return [_column(original, published, column) for column in published.quasi_identifiers]
    if isinstance(original, Ragged) and isinstance(published, Ragged):
        return [_lengths(original, published), _label_sizes(original, published)]
    return []


def _lengths(original: Ragged, published: Ragged) -> JsonObject:
    longest = int(max(original.lengths.max(initial=0), published.lengths.max(initial=0)))
    before, after = (np.bincount(data.lengths, minlength=longest + 1) for data in (original, published))
    bars: Bars = [[str(length), int(before[length]), int(after[length])] for length in range(longest + 1)]
    first = next((index for index, (_, old, new) in enumerate(bars) if old or new), 0)
    bars, rest = bars[first : first + _BINS], bars[first + _BINS :]
    if rest:
        bars.append([f"{rest[0][0]}+", sum(bar[1] for bar in rest), sum(bar[2] for bar in rest)])
    return {"title": f"records by number of {original.element}s", "bars": bars}


def _label_sizes(original: Ragged, published: Ragged) -> JsonObject:
    """The number of visits or items by the number of values that their label stands for."""
    sizes = np.array([len(published.members.get(name, (name,))) for name in published.names], dtype=np.int64)
    after = np.bincount(sizes[published.codes]) if len(published.codes) else np.zeros(2, dtype=np.int64)
    steps = [1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1_000, 10_000, 100_000]
    bars: Bars = []
    for low, high in zip(steps, [*steps[1:], len(after) + 10**6], strict=True):
        count = int(after[low:high].sum())
        label = str(low) if high == low + 1 else f"{low}-{high - 1}"
        bars.append([label, len(original.codes) if low == 1 else 0, count])
    while len(bars) > 1 and bars[-1][1:] == [0, 0]:
        bars.pop()
    return {
        "title": f"{original.element}s by the number of {original.attribute}s that their label stands for",
        "bars": bars,
    }


def _column(original: Table, published: Table, column: str) -> JsonObject:
    before, after = (
        dict(data[column].cast(str).fill_null("missing").value_counts().iter_rows()) for data in (original, published)
    )
    common = sorted(after, key=lambda value: (-after[value], value))[:_BINS]
    bars = [[value, before.get(value, 0), after[value]] for value in common]
    return {"title": f"{column}: the most frequent published values", "bars": bars}
