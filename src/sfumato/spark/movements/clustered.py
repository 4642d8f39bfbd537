"""ZGA and SGA on a cluster of machines: units sorted by their keys, and spans of them made clusters, each in a task."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.methods.base import Run
from sfumato.methods.trajectories.klm.cluster_bisection import by_halving
from sfumato.methods.trajectories.klm.clustering import Clustered, in_clusters
from sfumato.methods.trajectories.klm.local_recoding import LocalLabels, names_with_labels
from sfumato.methods.trajectories.klm.sga import Sga
from sfumato.methods.trajectories.klm.soa import points_of, with_flags
from sfumato.methods.trajectories.klm.suppression import largest_share, lost_visits
from sfumato.methods.trajectories.klm.unit_order import Flags, Organized, visits_of
from sfumato.methods.trajectories.klm.zga import Zga
from sfumato.spark.movements.frequent_subtrajectories import most_frequent
from sfumato.spark.movements.ordered_units import OrderedUnits, lists_of_units, sorted_units, units_of
from sfumato.spark.records import Records, batch_of, in_partitions

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["recode_in_clusters"]


def recode_in_clusters(
    method: Zga | Sga, records: Records, run: Run, most_visits: int
) -> tuple[Records, dict[str, int]]:
    """The output of one machine: its code makes the clusters, each in a task, and cuts them at the same units."""
    side = records.side
    assert isinstance(side, Trajectories)
    assert side.places is not None
    flags = side.sensitive
    sensitive = np.array([name in flags for name in side.names], dtype=bool)
    shown = np.flatnonzero(~sensitive)
    bits = method.ranks(side, shown) if isinstance(method, Zga) else most_frequent(records, method.top, sensitive)
    frame, size = sorted_units(records, method, bits, sensitive)
    visits = records.sizes["elements"]
    method.require_enough_units(records.unit, size, visits)
    units = OrderedUnits(
        frame, size, visits, sensitive, points_of(side, shown), side.places.radius, method, most_visits
    )
    clusters = method.clusters
    clustered = in_clusters(units, clusters, run) if isinstance(clusters, int) else by_halving(units, run)
    others = in_partitions(records.frame, side, _others(sensitive, records.by_person), _codes(records))
    kept = frame if clustered.safe else _without_lost(method, units, records)
    recoding = _Recoding(side, clustered, _sensitive_left(clustered, kept, others, sensitive))
    recoded = kept.mapInArrow(recoding.of_units(records.by_person), _codes(records))
    published = records.with_frame(recoded.unionAll(others.mapInArrow(recoding.of_others, _codes(records))))
    published = replace(published, side=recoding.side(with_flags(side)))
    counts = recoding.counts()
    if clustered.safe:
        return published, counts
    published = published.with_frame(published.frame.filter("size(codes) > 0").persist())
    return published, counts | {
        "suppressed_visits": visits - published.sizes["elements"],
        "suppressed_records": records.sizes["records"] - published.sizes["records"],
    }


class _Recoding:
    """The published code of every location in every cluster, and of the sensitive ones that are left."""

    def __init__(self, side: Trajectories, clustered: Clustered, sensitive_left: Ints) -> None:
        n = len(side.names)
        self._labels = LocalLabels(n, clustered.recoded)
        names, members, code_of = names_with_labels(side.names, self._labels.groups)
        pairs = [self._labels.of(cluster) for cluster in range(len(clustered.recoded))]
        used = np.zeros(len(names), dtype=bool)
        used[code_of[sensitive_left]] = True
        for _, label in pairs:
            used[code_of[label]] = True
        code_of = (np.cumsum(used) - 1)[code_of]
        self._n, self._bounds, self._code_of = n, clustered.bounds, code_of
        self._keys = np.concatenate([at * n + locations for at, (locations, _) in enumerate(pairs)])
        self._codes = code_of[np.concatenate([label for _, label in pairs])]
        self._names = tuple(name for name, kept in zip(names, used, strict=True) if kept)
        self._members = {label: members[label] for label in self._names if label in members}
        self._n_labels = [len(np.unique(label[label >= n])) for _, label in pairs]

    def side(self, private: Trajectories) -> Trajectories:
        """What is published besides the records."""
        side = replace(private, names=self._names, members=self._members, taxonomy=None)
        return side.with_public_knowledge()

    def counts(self) -> dict[str, int]:
        """The counts of one machine, where nothing is suppressed."""
        return {
            "clusters": len(self._n_labels),
            "cluster_labels": sum(self._n_labels),
            "suppressed_visits": 0,
            "suppressed_records": 0,
            "merged_locations": len({member for group in self._labels.groups for member in group}),
        }

    def of_units(self, by_person: bool) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
        """The work that gives the records of units the labels of their clusters."""
        n, bounds, keys, labels, code_of = self._n, self._bounds, self._keys, self._codes, self._code_of

        def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for batch in batches:
                counts, lengths, codes = units_of(batch.column("records"))
                cluster = np.searchsorted(bounds, batch.column("position").to_numpy(), side="right") - 1
                wanted = np.repeat(np.repeat(cluster, counts), lengths) * n + codes
                at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
                recoded = np.where(keys[at] == wanted, labels[at], code_of[codes])
                yield _batch(recoded, lengths, batch.column("person").take(_repeated(counts)) if by_person else None)

        return work

    def of_others(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The work that gives sensitive places their published codes."""
        code_of = self._code_of
        for batch in batches:
            column = batch.column("codes")
            lengths = np.asarray(column.value_lengths()).astype(np.int64)
            persons = batch.column("person") if "person" in batch.schema.names else None
            yield _batch(code_of[column.flatten().to_numpy()], lengths, persons)


def _without_lost(method: Zga | Sga, units: OrderedUnits, records: Records) -> Any:
    """The units without the visits that must be suppressed, which one task finds among all."""
    sensitive = units.sensitive
    k, l, m = method.k, method.l, method.m  # noqa: E741

    def shares(table: pa.Table) -> pa.Table:
        import pyarrow as pa

        counts, lengths, codes = units_of(table.sort_by("position").column("records").combine_chunks())
        visits = visits_of(codes, lengths, counts, sensitive)
        return pa.table({"share": [[*largest_share(visits), *largest_share(visits.by_record())]]})

    def suppress(table: pa.Table) -> pa.Table:
        import pyarrow as pa

        table = table.sort_by("position")
        counts, lengths, codes = units_of(table.column("records").combine_chunks())
        lost = lost_visits(visits_of(codes, lengths, counts, sensitive), codes, lengths, sensitive, k, l, m)
        record = np.repeat(np.arange(len(lengths)), lengths)
        left = np.bincount(record[~lost], minlength=len(lengths))
        column = table.schema.get_field_index("records")
        return pa.table(table.set_column(column, "records", lists_of_units(counts, left, codes[~lost])))

    found = units.whole(shares, "share array<long>").first()[0]
    method.require_shares(tuple(found[:2]), tuple(found[2:]), records.unit)
    return units.whole(suppress, units.frame.schema).persist()


def _sensitive_left(clustered: Clustered, kept: Any, others: Any, sensitive: Flags) -> Ints:
    """The sensitive places that some record still visits."""
    from pyspark.sql import functions as F  # noqa: N812

    if clustered.safe:
        return np.flatnonzero(sensitive)
    visits = kept.select(F.explode(F.flatten("records")).alias("code"))
    visits = visits.unionAll(others.select(F.explode("codes").alias("code")))
    left = np.array(sorted(row[0] for row in visits.distinct().collect()), dtype=np.int64)
    return left[sensitive[left]]


def _others(sensitive: Flags, by_person: bool) -> Callable[[Trajectories], Iterator[pa.RecordBatch]]:
    """The work that gives the records of units without a nonsensitive visit."""

    def work(data: Trajectories) -> Iterator[pa.RecordBatch]:
        chosen = data.take(Organized(data, sensitive).others)
        if len(chosen):
            yield batch_of(chosen.codes, chosen.lengths, chosen.persons if by_person else None)

    return work


def _batch(codes: Ints, lengths: Ints, persons: Any) -> pa.RecordBatch:
    import pyarrow as pa

    batch = batch_of(codes, lengths, None)
    return batch if persons is None else pa.RecordBatch.from_pydict({"codes": batch.column("codes"), "person": persons})


def _repeated(counts: Ints) -> Any:
    import pyarrow as pa

    return pa.array(np.repeat(np.arange(len(counts)), counts))


def _codes(records: Records) -> str:
    return "codes array<int>" + (", person string" if records.by_person else "")
