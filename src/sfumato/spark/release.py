"""A release on a cluster: published records, verdicts, and the directory that is written by all partitions."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from sfumato.data import Chunks, Dataset, Table
from sfumato.data.ragged import Ragged
from sfumato.errors import PromiseBroken
from sfumato.io.atomic_writes import fresh_directory
from sfumato.io.published.certificate import CERTIFICATE, Certificate, Guarantee
from sfumato.io.published.contents import data_rows, side_contents
from sfumato.io.published.row_files import part_name, write_content
from sfumato.methods.base import Method
from sfumato.methods.derived_context import policy_rules
from sfumato.privacy.base import PrivacyModel, Verdict
from sfumato.privacy.not_covered import Limit, limits_of
from sfumato.spark.itemsets.chunk_blocks import ChunkBlocks, write_chunks
from sfumato.spark.positions import with_positions
from sfumato.spark.records import Records
from sfumato.spark.table_methods import TableRows
from sfumato.spark.verifying import beyond

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["SparkRelease"]

_TIMES, _FIRST, _END, _PART = "\x01times", "\x01first", "\x01end", "\x01part"  # columns beside the content of records
_PART_RECORDS = 250_000
_MOST_PARTS = 900  # a published directory has at most 1,000 files


@dataclass(frozen=True, eq=False)
class SparkRelease:
    """What a method made of records on a cluster, and the verdict of each guarantee.

    records : the published records or rows; they still name their persons, which `to_frame` and `write` leave out.
    original : the private dataset without its records.  counts, seed : private.
    """

    records: Records | TableRows | ChunkBlocks
    method: Method[Dataset]
    verdicts: tuple[tuple[PrivacyModel, Verdict], ...]
    original: Ragged | Table
    unit: str
    counts: dict[str, int] = field(default_factory=dict)
    seed: int | None = None

    @property
    def holds(self) -> bool:
        """Whether every guarantee was checked and holds."""
        return all(verdict.holds is True for _, verdict in self.verdicts)

    def __repr__(self) -> str:
        state = "every promise holds" if self.holds else "A PROMISE DOES NOT HOLD"
        return f"<SparkRelease by {self.method}: {state}>"

    @property
    def not_covered(self) -> list[Limit]:
        """What the promises do not cover."""
        models = (model for model, _ in self.verdicts)
        return limits_of(models, unit=self.unit, seeded=self.seed is not None, of_method=self.method.limits())

    def certificate(self, published: int) -> Certificate:
        """What is published besides the data, except the digests of the files; published : how many records."""
        side = self.records.side
        rules = policy_rules(self.original, {fact for model, _ in self.verdicts for fact in model.context})
        lost = {what: self.counts.get(f"{what}_records", 0) for what in ("suppressed", "added", "split")}
        return Certificate(
            kind=side.kind,
            unit=self.unit,
            method=self.method.name,
            parameters=self.method.to_json(),
            policy=rules or None,
            seeded=self.seed is not None,
            guarantees=tuple(
                Guarantee.of(
                    model,
                    verdict.to_published_json(),
                    None if verdict.holds is False else beyond(model, side),
                )
                for model, verdict in self.verdicts
            ),
            records={"published": published, **lost},
            not_covered=tuple(limit.to_json() for limit in self.not_covered),
            override=not self.holds,
        )

    def to_frame(self) -> Any:
        """The published rows as a DataFrame: records, or clusters, in the order of their content, numbered from 1."""
        if isinstance(self.records, ChunkBlocks):
            return self.records.rows(Chunks.to_polars)
        side = self.records.side
        if isinstance(side, Table):
            return self.records.frame.select(*(f"`{name}`" for name in side.frame.columns)).orderBy(*_content(side))

        def rows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            import pyarrow as pa

            for batch in batches:
                for row in batch.to_pylist():
                    data = _expanded_records([row], side)
                    for frame in data_rows(data, 0, len(data), number=row[_FIRST]).batches():
                        yield from pa.Table.from_batches(frame.to_arrow().to_batches()).cast(_schema(side)).to_batches()

        step = "step long, " if side.kind == "trajectories" else ""
        pieces = _in_parts(_numbered(self.records), _PART_RECORDS)
        return pieces.mapInArrow(rows, f"{side.record} long, {step}{side.attribute} string")

    def write(self, out: str | Path, *, override: bool = False, part_records: int | None = None) -> Certificate:
        """Write the published directory, complete or not at all; returns its certificate.

        The directory must be on a file system that the driver and all executors share.  Its content depends on the data
        alone, and not on how they are divided among executors or on which of them failed.
        part_records : how many records each file of the data has, the last one aside.
        """
        if not self.holds and not override:
            broken = next(model for model, verdict in self.verdicts if verdict.holds is not True)
            raise PromiseBroken(
                f"{self.method.name}: {broken} does not hold on this release, so it was not written", remedy="override"
            )
        side = self.records.side
        context = {fact for model, _ in self.verdicts for fact in model.context}
        with fresh_directory(out) as folder:
            published, digests = self._write_data(folder.resolve(), part_records)
            for name, content in sorted(side_contents(side, context, "parquet").items()):
                (folder / name).parent.mkdir(exist_ok=True)
                digests[name] = write_content(content, folder / name)
            certificate = replace(self.certificate(published), files=dict(sorted(digests.items())))
            (folder / CERTIFICATE).write_bytes(certificate.to_bytes())
        return certificate

    def _write_data(self, folder: Path, part_records: int | None) -> tuple[int, dict[str, str]]:
        """Write the files of the data; returns the number of records and the digest of each file."""
        if isinstance(self.records, ChunkBlocks):
            return len(self.records), write_chunks(self.records, folder)
        runs = _numbered(self.records)
        try:
            published = _total(runs)
            size = part_records or max(_PART_RECORDS, -(-published // _MOST_PARTS))
            (folder / "data").mkdir()
            return published, _write_parts(runs, self.records.side, folder, size, published)
        finally:
            runs.unpersist()


def _content(side: Ragged | Table) -> list[Any]:
    """The columns of a record's content, in the order by which records are sorted."""
    from pyspark.sql import functions as F  # noqa: N812

    if isinstance(side, Table):
        return [F.col(f"`{name}`").asc_nulls_first() for name in side.frame.columns]
    return [F.col("codes").asc()]


def _numbered(records: Records | TableRows) -> Any:
    """Each distinct record once, in the order of the contents: content, `times` and `first`, how many come before it.

    Equal records are counted before they are sorted, so that a content that half of the records have is one row.
    """
    from pyspark.sql import functions as F  # noqa: N812

    frame, side = records.frame, records.side
    names = list(side.frame.columns) if isinstance(side, Table) else ["codes"]
    filled = frame if isinstance(side, Table) else frame.filter(F.size("codes") > 0)
    distinct = filled.groupBy(*(f"`{name}`" for name in names)).agg(F.count(F.lit(1)).alias(_TIMES))
    return with_positions(distinct, _content(side), F.col(_TIMES), _FIRST)


def _total(runs: Any) -> int:
    from pyspark.sql import functions as F  # noqa: N812

    return int(runs.agg(F.sum(_TIMES)).first()[0] or 0)


def _write_parts(runs: Any, side: Ragged | Table, folder: Path, size: int, published: int) -> dict[str, str]:
    """Write the parts of the data, each by one task; returns the digest of each."""
    if published == 0:
        return {part_name(1): write_content(data_rows(side, 0, 0), folder / part_name(1))}

    def write(key: Any, table: pa.Table) -> pa.Table:
        import pyarrow as pa

        number = int(key[0].as_py())
        data = _expanded(table.sort_by(_FIRST), side)
        name = part_name(number + 1)
        partial = folder / f"{name}.{os.getpid()}.parquet"
        digest = write_content(data_rows(data, 0, len(data), number=number * size), partial)
        partial.replace(folder / name)  # a task that is repeated writes the same bytes
        return pa.table({"name": [name], "digest": [digest]})

    pieces = _in_parts(runs, size)
    written = pieces.groupBy(_PART).applyInArrow(write, "name string, digest string").collect()
    digests = {row["name"]: row["digest"] for row in written}
    for path in (folder / "data").iterdir():
        if f"data/{path.name}" not in digests:  # of a task that was killed
            path.unlink()
    return digests


def _in_parts(runs: Any, size: int) -> Any:
    """The runs of equal records, cut where a part of so many records ends, with the number of the part, from 0."""
    from pyspark.sql import functions as F  # noqa: N812

    content = [f"`{name}`" for name in runs.columns if name not in (_FIRST, _TIMES)]
    end = F.col(_FIRST) + F.col(_TIMES)
    part = F.explode(F.sequence(F.floor(F.col(_FIRST) / size), F.floor((end - 1) / size)))
    pieces = runs.select(*content, _FIRST, end.alias(_END), part.alias(_PART))
    first = F.greatest(F.col(_FIRST), F.col(_PART) * size)
    times = F.least(F.col(_END), (F.col(_PART) + 1) * size) - first
    return pieces.select(_PART, *content, first.alias(_FIRST), times.alias(_TIMES))


def _expanded(rows: pa.Table, side: Ragged | Table) -> Ragged | Table:
    """Distinct records as often as they occur."""
    if not isinstance(side, Table):
        return _expanded_records(rows.to_pylist(), side)
    frame = pl.DataFrame(rows)
    repeated = frame.select(side.frame.columns)[np.repeat(np.arange(len(frame)), frame[_TIMES].to_numpy())]
    return replace(side, frame=repeated.cast(side.frame.schema))


def _expanded_records(rows: list[dict[str, Any]], side: Ragged) -> Ragged:
    """Distinct records of a kind with elements as often as they occur."""
    lengths = np.array([len(row["codes"]) for row in rows], dtype=np.int64)
    times = np.array([row[_TIMES] for row in rows], dtype=np.int64)
    codes = [np.tile(np.array(row["codes"], dtype=np.int32), row[_TIMES]) for row in rows]
    offsets = np.concatenate(([0], np.cumsum(np.repeat(lengths, times)))).astype(np.int64)
    return replace(side, offsets=offsets, codes=np.concatenate([np.empty(0, dtype=np.int32), *codes]))


def _schema(side: Ragged) -> Any:
    import pyarrow as pa

    step = [("step", pa.int64())] if side.kind == "trajectories" else []
    return pa.schema([(side.record, pa.int64()), *step, (side.attribute, pa.string())])
