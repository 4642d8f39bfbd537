"""Supports of patterns on a cluster, of labels and of the places behind labels that overlap between records.

Where no unit has two labels that share a member, the images of a sequence of places belong to different units, and the
supports of labels, added up over the cluster, are added up once more over the images of each sequence.  The records of
other units are few or none; their sequences of places are counted in their partition, where all of their records are.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.privacy.checks.label_images import LabelImages
from sfumato.privacy.checks.pattern_tables import association_table, image_tables
from sfumato.spark.patterns import label_columns, pattern_batches
from sfumato.spark.records import Records, in_partitions

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["image_counts", "label_counts", "overlap_in_units", "without_equal_images"]

_SEQUENCES = 1 << 18  # of a batch


def overlap_in_units(records: Records, images: LabelImages) -> bool:
    """Whether a person has two labels that share a member, in different records; no record has."""
    import pyarrow as pa

    def work(data: Any) -> Iterator[pa.RecordBatch]:
        if images.overlap_in_units(data):
            yield pa.RecordBatch.from_pydict({"overlap": [True]})

    if not records.by_person:
        return False
    return in_partitions(records.frame, records.side, work, "overlap boolean").first() is not None


def label_counts(records: Records, m: int, apart: LabelImages | None = None) -> Any:
    """Every subsequence of 1 to m nonsensitive labels: `label1`, ..., `value`, `units`.

    value : -1 for the support, otherwise the number of a sensitive place.
    apart : leave out the units that have labels of which two share a member.
    """
    from pyspark.sql import functions as F  # noqa: N812

    def work(data: Trajectories) -> Iterator[pa.RecordBatch]:
        chosen = data if apart is None else data.take(np.flatnonzero(~apart.overlapping_units(data)[data.units]))
        table = association_table(chosen, m)
        yield from pattern_batches(table.patterns, value=table.values, units=table.units)

    columns = label_columns(m)
    parts = in_partitions(records.frame, records.side, work, _schema(m, "value int, units long"))
    return parts.groupBy(*columns, "value").agg(F.sum("units").alias("units"))


def image_counts(records: Records, images: LabelImages, m: int) -> Any:
    """Every sequence of 1 to m profiles that has an image, in the columns of `label_counts`."""
    from pyspark.sql import functions as F  # noqa: N812

    def work(data: Trajectories) -> Iterator[pa.RecordBatch]:
        chosen = data.take(np.flatnonzero(images.overlapping_units(data)[data.units]))
        for table in image_tables(chosen, images, m):
            yield from pattern_batches(table.patterns, value=table.values, units=table.units)

    columns, schema = label_columns(m), _schema(m, "value int, units long")
    overlapping = records.by_person
    labels = label_counts(records, m, apart=images if overlapping else None)
    parts = labels.mapInArrow(partial(_sequences, images=images, m=m, carried=("value", "units")), schema)
    if overlapping:
        parts = parts.unionAll(in_partitions(records.frame, records.side, work, schema))
    return parts.groupBy(*columns, "value").agg(F.sum("units").alias("units"))


def without_equal_images(table: Any, records: Records, images: LabelImages) -> Any:
    """The patterns of a table, of several that nothing in the records tells apart the first one only.

    Behind the same labels, two profiles are equal that stand for the same ones among the labels that follow there.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as F  # noqa: N812

    columns = [name for name in table.columns if name.startswith("label")]
    m = len(columns)
    if m == 1:
        return table
    labels = label_counts(records, m).filter("value < 0").select(*columns)
    last = F.element_at(F.filter(F.array(*columns), lambda code: code >= 0), -1)
    followed = labels.withColumn("following", last).mapInArrow(
        partial(_sequences, images=images, m=m, carried=("following",)), _schema(m, "following int")
    )
    known = F.filter(F.array(*columns), lambda code: code >= 0)
    following = followed.groupBy(known.alias("known")).agg(F.array_sort(F.collect_set("following")).alias("following"))
    following = following.filter(F.size("known") > 1)
    before, end = F.slice("known", 1, F.size("known") - 1), F.element_at("known", -1)
    equal = Window.partitionBy(before, "following")
    later = following.withColumn("first", F.min(end).over(equal)).filter(end > F.col("first")).select("known")
    parts = F.transform(F.sequence(F.lit(1), F.size(known)), lambda size: F.slice(known, F.lit(1), size))
    begun = table.select(*columns, F.explode(parts).alias("known"))
    repeated = begun.join(later, "known", "left_semi").select(*columns).distinct()
    return table.join(repeated, columns, "left_anti")


def _sequences(
    batches: Iterator[pa.RecordBatch], images: LabelImages, m: int, carried: tuple[str, ...]
) -> Iterator[pa.RecordBatch]:
    """The sequences of profiles that each pattern of labels is an image of, each with the other columns of its row."""
    rows: Iterator[Ints] = (
        np.column_stack([batch.column(name).to_numpy() for name in (*label_columns(m), *carried)]) for batch in batches
    )
    for column in range(m):
        rows = _with_profiles(rows, column, images)
    for some in rows:
        codes = some.astype(np.int32)
        figures = {name: some[:, at] if name == "units" else codes[:, at] for at, name in enumerate(carried, start=m)}
        yield from pattern_batches(codes[:, :m], **figures)


def _with_profiles(tables: Iterator[Ints], column: int, images: LabelImages) -> Iterator[Ints]:
    """The rows with every profile behind the label of a column, a limited number at a time."""
    for table in tables:
        sizes = np.cumsum(images.choices(table[:, column]))
        cuts = np.flatnonzero(np.diff(sizes // _SEQUENCES, prepend=-1))
        for start, end in zip(cuts, [*cuts[1:], len(table)], strict=True):
            part = table[start:end]
            rows, profiles = images.behind(part[:, column])
            part = part[rows]
            part[:, column] = profiles
            yield part


def _schema(m: int, others: str) -> str:
    return ", ".join(f"{name} int" for name in label_columns(m)) + ", " + others
