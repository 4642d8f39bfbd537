"""A table of the generalized values of a release, with their numbers of records and of members."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from sfumato.data import Chunks, Dataset, Mixed, Table
from sfumato.data.ragged import Ragged
from sfumato.data.tables.encoding import Coding
from sfumato.data.tables.published_labels import Labels

__all__ = ["generalized_values"]

_SCHEMA = {"attribute": pl.String, "label": pl.String, "records": pl.Int64, "members": pl.Int64}


def generalized_values(original: Dataset, published: Dataset) -> pl.DataFrame:
    """One row a label that stands for several values: attribute, label, records, members; most members first.

    In a table, `members` counts the leaves of the column's hierarchy, or the values of the original where it has none.

    >>> from sfumato import Table
    >>> people = Table({"age": [30, 31, 52, 53], "town": ["Rome", "Oslo", "Rome", "Rome"]})
    >>> published = Table({"age": ["[30:31]"] * 2 + ["52", "53"], "town": ["Rome"] * 4})
    >>> generalized_values(people, published).rows()
    [('age', '[30:31]', 2, 2)]
    """
    frame = pl.DataFrame(list(_labels(original, published)), schema=_SCHEMA, orient="row")
    order = {name: position for position, name in enumerate(frame["attribute"].unique(maintain_order=True))}
    return (
        frame.with_columns(
            pl.col("attribute").replace_strict(order, default=0, return_dtype=pl.Int64).alias("\0position")
        )
        .sort("\0position", "members", "records", "label", descending=[False, True, True, False])
        .drop("\0position")
    )


def _labels(original: Any, published: Any) -> Iterator[tuple[str, str, int, int]]:
    if isinstance(published, Mixed):
        yield from _of_columns(original.table, published.table)
        yield from _of_names(published.items, published.column)
    elif isinstance(published, Table):
        yield from _of_columns(original, published)
    else:
        yield from _of_names(published, published.attribute)


def _of_names(published: Ragged | Chunks, attribute: str) -> Iterator[tuple[str, str, int, int]]:
    if isinstance(published, Chunks) or not published.members:  # disassociation does not generalize items
        return
    members = published.members
    n = max(1, len(published.names))
    pairs = np.unique(published.record_of_element() * n + published.codes)
    records = np.bincount(pairs % n, minlength=n)
    for code, label in enumerate(published.names):
        if len(members.get(label, ())) > 1:
            yield attribute, label, int(records[code]), len(members[label])


def _of_columns(original: Table, published: Table) -> Iterator[tuple[str, str, int, int]]:
    for attribute in Coding.of(original).attributes:
        labels = Labels.of(attribute, published)
        for text, count, leaves in zip(labels.texts, labels.counts.tolist(), labels.leaves, strict=True):
            if len(leaves) > 1:
                yield attribute.name, "(missing)" if text is None else text, count, len(leaves)
