"""The persons behind the rows of a published table, as far as the original and the labels show them."""

from __future__ import annotations

import numpy as np
import polars as pl

from sfumato.data import Mixed, Persons, Table, Transactions
from sfumato.data.base import Ints
from sfumato.kernels.verify.assignment import fitting_rows, match_rows
from sfumato.verification.covered_values import Covering, columns_of

__all__ = ["persons_behind_rows"]

_MOST_PAIRS = 40_000_000
_MOST_STEPS = 400_000_000
_MOST_CHECKS = 2_000_000_000


def persons_behind_rows(published: Table | Mixed, original: Table | Mixed) -> Persons | None:
    """The person behind each published row, or None where the original and the labels do not show it.

    Where each value has one label, every original row has one image.  If the images are exactly the published rows,
    rows with the same content are interchangeable.  If every person has one row, it suffices that the published rows
    can be assigned to different original rows: then they are of different persons, regardless of who they are.
    """
    persons = original.persons
    if persons is None:
        return None
    once = len(persons) == len(original)
    table, private = (dataset.table if isinstance(dataset, Mixed) else dataset for dataset in (published, original))
    columns = columns_of(table, private)
    if columns is None or len(published) > len(original):
        return None
    keys = _keys(published, original, columns)
    if keys is not None:
        rows = _by_image(*keys, exact=not once)
    else:
        rows = _assigned_rows(columns) if once and not isinstance(published, Mixed) else None
    return None if rows is None else persons.take(rows)


def _keys(
    published: Table | Mixed, original: Table | Mixed, columns: list[Covering]
) -> tuple[pl.DataFrame, pl.DataFrame] | None:
    """Published rows and the images of the original's, as numbers that can be compared; None without images."""
    shown: dict[str, Ints | pl.Series] = {}
    images: dict[str, Ints | pl.Series] = {}
    for index, column in enumerate(columns):
        image = column.image
        if image is None:
            return None
        shown[str(index)], images[str(index)] = column.labels.astype(np.int64), image.astype(np.int64)
    if isinstance(published, Mixed) and isinstance(original, Mixed):
        sets = _set_images(published.items, original.items)
        if sets is None:
            return None
        shown["sets"], images["sets"] = sets
    return pl.DataFrame(shown), pl.DataFrame(images)


def _set_images(published: Transactions, original: Transactions) -> tuple[pl.Series, pl.Series] | None:
    """The sets of published labels, and those that the original's items have, as texts."""
    label_of: dict[str, int] = {}
    for code, label in enumerate(published.names):
        for member in published.members.get(label, (label,)):
            if label_of.setdefault(member, code) != code:
                return None
    codes = np.array([label_of.get(name, -1) for name in original.names], dtype=np.int64)[original.codes]
    pairs = np.unique(np.column_stack((original.record_of_element(), codes))[codes >= 0], axis=0)
    return _texts(published.record_of_element(), published.codes, len(published)), _texts(
        pairs[:, 0], pairs[:, 1], len(original)
    )


def _texts(record: Ints, codes: Ints, count: int) -> pl.Series:
    flat = pl.DataFrame({"row": np.asarray(record, dtype=np.int64), "code": np.asarray(codes, dtype=np.int64)})
    texts = flat.group_by("row", maintain_order=True).agg(pl.col("code").cast(pl.String).str.join(" "))
    rows = pl.DataFrame({"row": np.arange(count, dtype=np.int64)})
    return rows.join(texts, on="row", how="left", maintain_order="left")["code"].fill_null("")


def _by_image(shown: pl.DataFrame, images: pl.DataFrame, *, exact: bool) -> Ints | None:
    """A different original row with the same content for each published row.

    exact : every original row must be published; otherwise it is not known which of several equal rows was left out.
    """
    if exact and len(shown) != len(images):
        return None
    keys = shown.columns
    numbered = [
        frame.with_row_index("row").with_columns(pl.int_range(pl.len()).over(keys).alias("copy"))
        for frame in (shown, images)
    ]
    joined = numbered[0].join(numbered[1], on=[*keys, "copy"], how="left", maintain_order="left", suffix="_of")
    rows = joined["row_of"]
    return None if rows.null_count() else rows.to_numpy().astype(np.int64)


def _assigned_rows(columns: list[Covering]) -> Ints | None:
    """Different original rows for the published ones where values have several labels; None where it takes too long."""
    labels = np.column_stack([column.labels for column in columns]).astype(np.int32)
    values = np.column_stack([column.values for column in columns]).astype(np.int32)
    tables = [column.covers.ravel() for column in columns]
    starts = np.concatenate(([0], np.cumsum([len(table) for table in tables])))[:-1].astype(np.int64)
    widths = np.array([column.covers.shape[1] for column in columns], dtype=np.int64)
    if len(labels) * len(values) > _MOST_CHECKS:
        return None
    offsets, rows = fitting_rows(labels, values, np.concatenate(tables), starts, widths, _MOST_PAIRS)
    if len(offsets) == 0:
        return None
    dealt = match_rows(offsets, rows, len(values), _MOST_STEPS)
    return None if len(dealt) < len(labels) or np.any(dealt < 0) else dealt
