"""Measures of tables on a cluster: the labels of each column are counted, rows are not collected."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from sfumato.data import Table
from sfumato.data.base import Ints
from sfumato.data.tables.encoding import Coding, texts_of
from sfumato.data.tables.published_labels import Labels
from sfumato.spark.measures.sums import Pair
from sfumato.spark.table_methods import TableRows
from sfumato.utility.base import Score
from sfumato.utility.tables import AverageClassSize, Discernibility, Frequencies, Granularity, Ncp

__all__ = ["cell_loss", "class_sizes", "frequency_differences"]


def cell_loss(measure: Ncp | Granularity, pair: Pair) -> Score:
    """The mean cost of a cell."""
    n_original, n_published = (int(data.frame.count()) for data in (pair.original, pair.published))
    names = pair.original.quasi_identifiers if n_original else ()
    labels = [_labels(_coding(pair.original, name), pair.published) for name in names]
    return measure.of_labels(labels, n_original, n_published)


def frequency_differences(measure: Frequencies, pair: Pair) -> Score:
    """The differences of the shares of values."""
    shares = {}
    for name in pair.original.quasi_identifiers if measure.column is None else (measure.column,):
        coding = _coding(pair.original, name)
        labels = _labels(coding, pair.published)
        before = coding.count(coding.codes[0], coding.attributes[0].n_leaves) / max(1, coding.total)
        shares[name] = before, labels.expected() / max(1, int(labels.counts.sum()))
    return measure.of_shares(shares)


def class_sizes(measure: Discernibility | AverageClassSize, pair: Pair) -> Score:
    """The sizes of the published equivalence classes."""
    from pyspark.sql import functions as F  # noqa: N812

    sizes = pair.published.frame.groupBy(*pair.published.keys()).agg(F.count(F.lit(1)).alias("\1size"))
    size = F.col("\1size")
    squares = F.sum((size * size).cast("decimal(38,0)"))
    classes, published, squared = sizes.agg(F.count(F.lit(1)), F.sum(size), squares).first()
    return measure.of_sums(int(classes), int(published or 0), int(squared or 0), int(pair.original.frame.count()))


def _coding(original: TableRows, name: str) -> Coding:
    """The distinct values of a column, with how often each occurs."""
    values, times = _counted(original, name)
    tree = original.side.hierarchies.get(name)
    table = Table(
        values.cast(original.side.frame.schema[name]).to_frame(), (name,), hierarchies={name: tree} if tree else {}
    )
    return Coding.of(table, times=times)


def _labels(coding: Coding, published: TableRows) -> Labels:
    """The labels of a published column, with how often each occurs."""
    attribute = coding.attributes[0]
    texts, times = _counted(published, attribute.name)
    members = published.side.members.get(attribute.name, {})
    table = Table(texts.to_frame(), (attribute.name,), members={attribute.name: members} if members else {})
    labels = Labels.of(attribute, table)
    count_of = dict(zip(texts_of(texts).to_list(), times.tolist(), strict=True))
    return replace(labels, counts=np.array([count_of[text] for text in labels.texts], dtype=np.int64))


def _counted(rows: TableRows, name: str) -> tuple[pl.Series, Ints]:
    from pyspark.sql import functions as F  # noqa: N812

    counted: Any = rows.frame.groupBy(rows.column(name).alias("value")).agg(F.count(F.lit(1)).alias("times")).toArrow()
    frame = pl.DataFrame(counted)
    return frame["value"].alias(name), frame["times"].to_numpy().astype(np.int64)
