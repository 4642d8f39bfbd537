"""Which generalized values a release holds: how many records carry each, and how much it stands for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from sfumato.data import Mixed, Table
from sfumato.data.tables.encoding import Coding
from sfumato.data.tables.published_labels import Labels

__all__ = ["generalized_values"]

_SCHEMA = {"attribute": pl.String, "label": pl.String, "records": pl.Int64, "members": pl.Int64}


def generalized_values(original: Any, published: Any) -> pl.DataFrame:
    """One row a label that stands for several values: attribute, label, records, members; most members first.

    In a table, `members` counts the leaves of the column's hierarchy, or the values of the original where it has none.

    >>> from sfumato import Table
    >>> people = Table({"age": [30, 31, 52, 53], "town": ["Rome", "Oslo", "Rome", "Rome"]})
    >>> seen = Table({"age": ["[30:31]"] * 2 + ["52", "53"], "town": ["Rome"] * 4})
    >>> generalized_values(people, seen).rows()
    [('age', '[30:31]', 2, 2)]
    """
    frame = pl.DataFrame(list(_labels(original, published)), schema=_SCHEMA, orient="row")
    first = {name: at for at, name in enumerate(frame["attribute"].unique(maintain_order=True))}
    return (
        frame.with_columns(pl.col("attribute").replace_strict(first, default=0, return_dtype=pl.Int64).alias("\0at"))
        .sort("\0at", "members", "records", "label", descending=[False, True, True, False])
        .drop("\0at")
    )


def _labels(original: Any, published: Any) -> Iterator[tuple[str, str, int, int]]:
    if isinstance(published, Mixed):
        yield from _of_columns(original.table, published.table)
        yield from _of_names(published.items, published.column)
    elif isinstance(published, Table):
        yield from _of_columns(original, published)
    else:
        yield from _of_names(published, published.attribute)


def _of_names(published: Any, attribute: str) -> Iterator[tuple[str, str, int, int]]:
    members = getattr(published, "members", {})  # chunks have none: they take records apart and leave items as they are
    if not members:
        return
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
