"""The units of a cluster of machines in Gray order: every unit has its place, and tasks make clusters of spans."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.errors import Infeasible
from sfumato.methods.base import Run
from sfumato.methods.trajectories.klm.clustering import Ground, Group
from sfumato.methods.trajectories.klm.lm_anon import Floats, Recoded
from sfumato.methods.trajectories.klm.soa import SelectOrganizeAnonymize, weights_of
from sfumato.methods.trajectories.klm.unit_order import Flags, Organized, visits_of
from sfumato.spark.records import Records, in_partitions

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["OrderedUnits", "lists_of_units", "sorted_units", "units_of"]

_ROWS = 50_000  # of a batch
_BY_PERSON = ", person string"
_SPAN = "span int, "
_UNIT = "position long, records array<array<int>>"
"""A unit: its place in Gray order, from 0, and the visits of its records, in the order of their content."""


@dataclass(frozen=True, eq=False)
class OrderedUnits:
    """Units with a nonsensitive visit, on a cluster, in Gray order; see `UnitsInOrder`.

    frame : a row a unit, with the columns of `_UNIT` and, where persons are known, `person`; sorted by position.
    visits : how many visits they have.  most_visits : how many a task may take.
    points : where each location is, by code.
    """

    frame: Any
    size: int
    visits: int
    sensitive: Flags
    points: Floats
    radius: float
    method: SelectOrganizeAnonymize
    most_visits: int

    def __len__(self) -> int:
        return self.size

    @property
    def k(self) -> int:
        """The smallest number of units of a cluster."""
        return self.method.k

    def anonymized(self, spans: list[Group], run: Run) -> list[Recoded]:  # noqa: ARG002
        """Every span of units as a cluster of its own, each in a task."""
        return [recoded for recoded, _ in self._clusters(spans, weighed=False)]

    def displaced(self, spans: list[Group], run: Run) -> list[tuple[Recoded, float]]:  # noqa: ARG002
        """Every span as a cluster of its own, and how far it displaces its visits; infinity where it is unsafe."""
        return self._clusters(spans, weighed=True)

    def whole(self, work: Callable[[pa.Table], pa.Table], schema: Any) -> Any:
        """What some work makes of all units, in one task."""
        self._require_room([(0, self.size)])
        return self.frame.groupBy().applyInArrow(work, schema)

    def _clusters(self, spans: list[Group], *, weighed: bool) -> list[tuple[Recoded, float]]:
        if not spans:
            return []
        self._require_room(spans)
        sensitive, points, radius, method = self.sensitive, self.points, self.radius, self.method

        def work(key: Any, table: pa.Table) -> pa.Table:
            import pyarrow as pa

            counts, lengths, codes = units_of(table.sort_by("position").column("records").combine_chunks())
            visits = visits_of(codes, lengths, counts, sensitive)
            weights = weights_of(codes, lengths, sensitive)
            ground = Ground(visits, weights, points, radius, method.k, method.l, method.m)
            span = (0, len(ground))
            recoded = ground.cluster(*span)
            displacement = ground.displacement(span, recoded) if weighed else 0.0
            columns = {
                "span": pa.array([key[0].as_py()], pa.int32()),
                "locations": pa.array([recoded.locations.tolist()], pa.list_(pa.int32())),
                "first": pa.array([recoded.first.tolist()], pa.list_(pa.int32())),
                "safe": pa.array([recoded.safe]),
                "displacement": pa.array([displacement]),
            }
            return pa.table(columns)

        schema = f"{_SPAN}locations array<int>, first array<int>, safe boolean, displacement double"
        tagged = self.frame.select("position", "records").mapInArrow(_in_spans(spans), _SPAN + _UNIT)
        rows = {row["span"]: row for row in tagged.groupBy("span").applyInArrow(work, schema).collect()}
        return [(_recoded(rows[number]), rows[number]["displacement"]) for number in range(len(spans))]

    def _require_room(self, spans: list[Group]) -> None:
        """Refuse a cluster of more visits than a task may take."""
        largest = max(end - start for start, end in spans)
        visits = -(-largest * self.visits // max(1, self.size))
        if visits > self.most_visits:
            raise Infeasible(
                f"{self.method.name}: on Spark a cluster has at most {self.most_visits:,} visits, one of these would "
                f"have about {visits:,}; give a larger number of clusters, or raise most_elements if an executor has "
                "the memory for it"
            )


def sorted_units(records: Records, method: SelectOrganizeAnonymize, bits: Any, sensitive: Flags) -> tuple[Any, int]:
    """The units with a nonsensitive visit in Gray order, as `_UNIT`, persisted; and how many they are.

    Units that are equal hold the same records; persons settle their order, so that a task that is repeated has the same
    units.
    """
    from pyspark.sql import functions as F  # noqa: N812

    by_person = records.by_person
    frame = records.frame.select("codes", F.col("person").cast("string")) if by_person else records.frame
    person = _BY_PERSON if by_person else ""

    def work(data: Trajectories) -> Iterator[pa.RecordBatch]:
        organized = Organized(data, sensitive)
        if organized.n_units:
            yield from _keyed(organized, *method.keys(organized, bits), by_person)

    columns = ["key", "places", "records", *(["person"] if by_person else [])]
    schema = f"key array<int>, places array<int>, records array<array<int>>{person}"
    keyed = in_partitions(frame, records.side, work, schema)
    kept = [name for name in columns if name not in ("key", "places")]
    ordered = keyed.orderBy(*columns).select(*kept, F.spark_partition_id().alias("part")).persist()
    sizes = {row[0]: row[1] for row in ordered.groupBy("part").count().collect()}
    before, reached = {}, 0
    for part in sorted(sizes):
        before[part] = reached
        reached += sizes[part]

    def number(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        position = None
        for batch in batches:
            if len(batch):
                position = before[batch.column("part")[0].as_py()] if position is None else position
                places = pa.array(np.arange(position, position + len(batch)))
                yield pa.RecordBatch.from_pydict({"position": places} | {name: batch.column(name) for name in kept})
                position += len(batch)

    return ordered.mapInArrow(number, _UNIT + person).persist(), reached


def _keyed(organized: Organized, offsets: Ints, ones: Ints, by_person: bool) -> Iterator[pa.RecordBatch]:
    """The units of a partition by what they are sorted by."""
    import pyarrow as pa

    n_units, data = organized.n_units, organized.data
    _, records = organized.in_order(np.arange(n_units))
    counts = np.bincount(organized.unit, minlength=n_units)
    starts, places = organized.locations_of_units(np.ones(len(organized.sensitive), dtype=bool))
    columns = {
        "key": _lists(*_rising(offsets, ones)),
        "places": _lists(starts, places),
        "records": lists_of_units(counts, data.lengths[records], data.codes[data.elements_of(records)]),
    }
    if by_person and data.persons is not None:
        first = data.persons.codes[records[np.cumsum(counts) - counts]]
        columns["person"] = pa.array(data.persons.names.gather(first).to_list(), pa.string())
    batch = pa.RecordBatch.from_pydict(columns)
    for start in range(0, n_units, _ROWS):
        yield batch.slice(start, _ROWS)


def _rising(offsets: Ints, ones: Ints) -> tuple[Ints, Ints]:
    """Keys as words that come in the order of the alphabet where the keys come in Gray order.

    Letters at odd places fall, so they are negative; a word that ends there comes last, so a 1 is put at its end.

    >>> [column.tolist() for column in _rising(np.array([0, 0, 1, 3]), np.array([2, 2, 0]))]
    [[0, 0, 2, 4], [2, 1, 2, 0]]
    """
    lengths = np.diff(offsets)
    place = np.arange(len(ones)) - np.repeat(offsets[:-1], lengths)
    letters = np.where(place % 2 == 1, -ones, ones)
    ends = offsets[1:][lengths % 2 == 1]
    return offsets + np.concatenate(([0], np.cumsum(lengths % 2))), np.insert(letters, ends, 1)


def _in_spans(spans: list[Group]) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The work that gives every unit the numbers of the spans that it is in; positions of a batch rise one by one."""
    starts, ends = np.array(spans).T

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            first = batch.column("position")[0].as_py() if len(batch) else 0
            for span in np.flatnonzero((starts < first + len(batch)) & (ends > first)).tolist():
                begin = max(0, int(starts[span]) - first)
                part = batch.slice(begin, min(len(batch), int(ends[span]) - first) - begin)
                number = pa.array(np.full(len(part), span, dtype=np.int32))
                yield pa.RecordBatch.from_pydict({"span": number, **{n: part.column(n) for n in part.schema.names}})

    return work


def units_of(records: pa.ListArray) -> tuple[Ints, Ints, Ints]:
    """The column `records`, flat: how many records each unit has, the length of each record, and its visits."""
    lists = records.flatten()
    return (
        np.asarray(records.value_lengths()).astype(np.int64),
        np.asarray(lists.value_lengths()).astype(np.int64),
        np.asarray(lists.flatten()).astype(np.int32),
    )


def lists_of_units(counts: Ints, lengths: Ints, codes: Ints) -> pa.ListArray:
    """The column `records` of units, from what `units_of` returns."""
    import pyarrow as pa

    starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return pa.ListArray.from_arrays(
        pa.array(starts, pa.int32()), _lists(np.concatenate(([0], np.cumsum(lengths))), codes)
    )


def _lists(offsets: Ints, values: Ints) -> pa.ListArray:
    import pyarrow as pa

    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(values.astype(np.int32)))


def _recoded(row: Any) -> Recoded:
    locations, first = (np.array(row[name], dtype=np.int64) for name in ("locations", "first"))
    return Recoded(locations, first, bool(row["safe"]))
