"""Figures that partitions add up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.spark.records import Records, in_partitions
from sfumato.utility.base import PublishedOnly

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["FIGURES", "Pair", "added_up", "collected_sums", "figures_batch", "holders_of", "visits_of"]

Floats = npt.NDArray[np.float64]
FIGURES = "place int, figure double"


@dataclass(frozen=True)
class Pair:
    """An original and its release, both on a cluster.  release : what a measure may know of it besides the data."""

    original: Any
    published: Any
    release: PublishedOnly


def added_up(records: Records, work: Callable[[Any], Any], n: int) -> Floats:
    """The sum over all partitions of n figures that some work makes of the records of each, without their persons."""

    def run(data: Ragged) -> Iterator[pa.RecordBatch]:
        if len(data):
            yield figures_batch(work(data))

    return collected_sums(in_partitions(records.frame.select("codes"), records.side, run, FIGURES), n)


def figures_batch(figures: Any) -> pa.RecordBatch:
    """Figures with their places; zeros are left out."""
    import pyarrow as pa

    figures = np.asarray(figures, dtype=np.float64)
    places = np.flatnonzero(figures)
    return pa.RecordBatch.from_pydict(
        {"place": pa.array(places, pa.int32()), "figure": pa.array(figures[places], pa.float64())}
    )


def collected_sums(parts: Any, n: int) -> Floats:
    """The sum of the figures of each place."""
    from pyspark.sql import functions as F  # noqa: N812

    sums = np.zeros(n)
    for place, figure in parts.groupBy("place").agg(F.sum("figure")).collect():
        sums[place] = figure
    return sums


def visits_of(records: Records) -> Ints:
    """How often each label occurs."""
    n = len(records.side.names)
    return added_up(records, lambda data: np.bincount(data.codes, minlength=n), n).astype(np.int64)


def holders_of(records: Records) -> Ints:
    """How many records have each label."""
    n = max(1, len(records.side.names))

    def count(data: Ragged) -> Ints:
        pairs = np.unique(data.record_of_element() * n + data.codes)
        return np.bincount(pairs % n, minlength=n)

    return added_up(records, count, n).astype(np.int64)[: len(records.side.names)]
