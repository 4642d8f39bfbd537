"""A table of the relative difference of every count: each place, item or value in the original and in the release."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from sfumato.data import Chunks, Dataset, Mixed, Table
from sfumato.data.queries import Query, require_estimate
from sfumato.data.ragged import Ragged
from sfumato.data.tables.encoding import texts_of
from sfumato.utility.tables import frequencies

__all__ = ["relative_differences"]

_SCHEMA = {"attribute": pl.String, "value": pl.String, "original": pl.Float64, "published": pl.Float64}
Row = tuple[str, str | None, float, float]


def relative_differences(original: Dataset, published: Dataset, estimate: str = "share") -> pl.DataFrame:
    """One row a value: attribute, value, original, published, relative_difference.

    `original` counts the records that hold the value, `published` is the expected number of published records
    with it, where all members of a label are equally probable.  The difference is relative to the original, or to 1
    where that is 0.  The largest differences of an attribute come first.

    estimate : how generalized items are counted, ``share`` or ``subsets``; see ``Transactions.chances``.

    >>> from sfumato import Trajectories
    >>> walks = Trajectories.from_lists([["a", "b"], ["a"], ["a"], ["b", "c"]])
    >>> published = Trajectories.from_lists([["a", "g"], ["a"], ["a"], ["g", "g"]])
    >>> from dataclasses import replace
    >>> published = replace(published, members={"g": ("b", "c")})  # b: one half and three quarters
    >>> relative_differences(walks, published).rows()  # doctest: +NORMALIZE_WHITESPACE
    [('location', 'b', 2.0, 1.25, 0.375), ('location', 'c', 1.0, 1.25, 0.25), ('location', 'a', 3.0, 3.0, 0.0)]
    """
    require_estimate(estimate)
    frame = pl.DataFrame(list(_counts(original, published, estimate)), schema=_SCHEMA, orient="row")
    difference = (pl.col("published") - pl.col("original")).abs() / pl.max_horizontal(pl.col("original"), 1.0)
    order = {name: position for position, name in enumerate(frame["attribute"].unique(maintain_order=True))}
    return (
        frame.with_columns(difference.alias("relative_difference"))
        .with_columns(pl.col("attribute").replace_strict(order, default=0, return_dtype=pl.Int64).alias("\0position"))
        .sort("\0position", "relative_difference", "value", descending=[False, True, False])
        .drop("\0position")
    )


def _counts(original: Any, published: Any, estimate: str) -> Iterator[Row]:
    if isinstance(original, Mixed):
        yield from _of_columns(original.table, published.table)
        yield from _of_names(original.items, published.items, original.column, estimate)
    elif isinstance(original, Table):
        yield from _of_columns(original, published)
    else:
        yield from _of_names(original, published, original.attribute, estimate)


def _of_names(original: Ragged, published: Ragged | Chunks, attribute: str, estimate: str) -> Iterator[Row]:
    """The counts of each name; names in the same labels share one expectation, and unlabelled names are counted."""
    before = _records_with(original)
    expected: dict[frozenset[str], float] = {}
    if isinstance(published, Ragged):
        after = _records_with(published).tolist()
        expected = {frozenset((name,)): float(count) for name, count in zip(published.names, after, strict=True)}
        expected = {labels: count for labels, count in expected.items() if not labels & set(published.members)}
    holders: dict[str, set[str]] = {}
    members = getattr(published, "members", {})
    for label in published.names:
        for member in members.get(label, (label,)):
            holders.setdefault(member, set()).add(label)
    for code in np.flatnonzero(before).tolist():
        name = original.names[code]
        labels = frozenset(holders.get(name, ()))
        if labels not in expected:
            query = _query_for(original.kind, name)
            expected[labels] = published.expected_count(query, estimate) if labels else 0.0
        yield attribute, name, float(before[code]), expected[labels]


def _records_with(data: Ragged) -> Any:
    """The number of records with each name."""
    n = max(1, len(data.names))
    pairs = np.unique(data.record_of_element() * n + data.codes)
    return np.bincount(pairs % n, minlength=len(data.names))


def _query_for(kind: str, name: str) -> Query:
    return Query(items=(name,)) if kind == "transactions" else Query(locations=(name,))


def _of_columns(original: Table, published: Table) -> Iterator[Row]:
    """The counts of each value: expected for quasi-identifiers, exact for all other columns."""
    for column in original.frame.columns:
        if column in original.quasi_identifiers:
            shares = frequencies(original, published, column)
            for value, before, after in shares.iter_rows():
                if before or after:
                    yield column, value, before * len(original), after * len(published)
        elif column in published.frame.columns:
            sides = [dict(texts_of(table[column]).value_counts().iter_rows()) for table in (original, published)]
            for value in sorted({*sides[0], *sides[1]}, key=lambda text: (text is None, text or "")):
                yield column, value, float(sides[0].get(value, 0)), float(sides[1].get(value, 0))
