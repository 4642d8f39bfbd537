"""Supports of patterns on a cluster: counted in each partition, then added up."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged, sequence_order
from sfumato.params import JsonObject
from sfumato.privacy.checks.overlapping_labels import overlapping_record, shared_member
from sfumato.privacy.checks.pattern_tables import pattern_supports
from sfumato.spark.records import Records, in_partitions
from sfumato.spark.unit_counts import units_added_up

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["first_overlap", "label_columns", "pattern_batches", "subsequence_supports"]

_ROWS = 1 << 18  # of a batch


def label_columns(m: int) -> list[str]:
    """The columns of a pattern: its labels in order, then -1."""
    return [f"label{number}" for number in range(1, m + 1)]


def subsequence_supports(records: Records, m: int) -> Any:
    """Every subsequence of 1 to m labels that occurs, with its support in units: `label1`, ..., `support`."""
    keys = dict.fromkeys(label_columns(m), "int")
    counted = units_added_up(records, partial(_supports_of_partition, m=m), keys)
    return counted.withColumnRenamed("units", "support")


def _supports_of_partition(data: Ragged, m: int) -> Iterator[pa.RecordBatch]:
    patterns, supports = pattern_supports(data, m)
    yield from pattern_batches(patterns, units=supports)


def pattern_batches(patterns: Ints, **figures: Ints) -> Iterator[pa.RecordBatch]:
    """Patterns and their figures in batches."""
    for start in range(0, len(patterns), _ROWS):
        part = slice(start, start + _ROWS)
        yield _batch(patterns[part], {name: values[part] for name, values in figures.items()})


def _batch(patterns: Ints, figures: dict[str, Ints]) -> pa.RecordBatch:
    import pyarrow as pa

    names = label_columns(patterns.shape[1])
    columns = {name: pa.array(patterns[:, place]) for place, name in enumerate(names)}
    return pa.RecordBatch.from_pydict(columns | {name: pa.array(values) for name, values in figures.items()})


def first_overlap(records: Records) -> JsonObject | None:
    """Two labels of one record that share a member, if any: of the first such record in the order of the contents."""
    side = records.side
    members = [member for label in side.names for member in side.members.get(label, (label,))]
    if len(members) == len(set(members)):
        return None
    found = in_partitions(records.frame, side, _overlap_of_partition, "codes array<int>").orderBy("codes").first()
    return None if found is None else shared_member(side, [side.names[code] for code in found["codes"]])


def _overlap_of_partition(data: Ragged) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    ordered = data.take(sequence_order(data))
    record = overlapping_record(ordered)
    if record is not None:
        codes = np.asarray(ordered.codes[ordered.offsets[record] : ordered.offsets[record + 1]])
        yield pa.RecordBatch.from_pydict({"codes": pa.array([codes.tolist()], pa.list_(pa.int32()))})
