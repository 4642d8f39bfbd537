"""Disassociated data on a cluster: blocks of clusters, sorted and numbered, and their published rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
import polars as pl

from sfumato.data import Chunks
from sfumato.data.base import Ints
from sfumato.io.published.chunks import CHUNKS, CLUSTERS
from sfumato.io.published.row_files import Rows, write_content
from sfumato.spark.itemsets.blocks import chunks_of_blocks
from sfumato.spark.positions import with_positions
from sfumato.spark.records import Records

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ChunkBlocks", "NumberedChunks", "numbered_chunks", "write_chunks"]

_AT_ONCE = 1 << 22  # numbers of blocks that are looked at together
_TYPES = {pl.Int64: "long", pl.String: "string"}


@dataclass(frozen=True, eq=False)
class ChunkBlocks:
    """Disassociated data on a cluster.

    frame : a DataFrame with the column `codes`, the numbers of a block (see `blocks_of`).
    side : the same data without clusters: names and sensitive items.
    original : the private records, where they know their persons.
    """

    frame: Any
    side: Chunks
    original: Records | None = None
    kind: str = "chunks"

    @property
    def by_person(self) -> bool:
        """Whether a record is all that is known of a person."""
        return self.original is not None

    @property
    def unit(self) -> str:
        """What support counts: 'person' where persons are known, otherwise 'record'."""
        return "person" if self.by_person else "record"

    def with_frame(self, frame: Any) -> Self:
        """Other blocks with the same items."""
        return replace(self, frame=frame)

    @cached_property
    def numbered(self) -> Any:
        """Each distinct block once, in order: `codes`, `times`, and `first`, how many clusters come before."""
        from pyspark.sql import functions as F  # noqa: N812

        distinct = self.frame.groupBy("codes").agg(F.count(F.lit(1)).alias("times"))
        return with_positions(distinct, ["codes"], F.col("times") * F.element_at("codes", -1))

    def __len__(self) -> int:
        from pyspark.sql import functions as F  # noqa: N812

        size = F.element_at("codes", 2).cast("long")  # of the cluster around all others of the block
        return int(self.numbered.agg(F.sum(F.col("times") * size)).first()[0] or 0)

    def rows(self, of: Callable[[Chunks], pl.DataFrame]) -> Any:
        """The published rows of the clusters, in order, as a DataFrame.

        of : the rows of some clusters, with `cluster` and `parent` numbered from 1, such as `Chunks.to_polars`.
        """
        empty = of(self.side)
        schema = ", ".join(f"{name} {_TYPES[type_]}" for name, type_ in empty.schema.items())  # type: ignore[index]
        side = self.side

        def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for batch in batches:
                for part in numbered_chunks(batch, side):
                    yield from (
                        _shifted(of(part.chunks), part.numbers)
                        .to_arrow(compat_level=pl.CompatLevel.oldest())
                        .to_batches()
                    )

        return self.numbered.mapInArrow(work, schema)


class NumberedChunks(NamedTuple):
    """Some clusters, by cluster its published number, and how many clusters it stands for."""

    chunks: Chunks
    numbers: Ints
    weights: Ints


def numbered_chunks(batch: pa.RecordBatch, side: Chunks, most_times: int | None = None) -> Iterator[NumberedChunks]:
    """The clusters of a batch of numbered blocks, some at a time; each block is there as often as it occurs.

    most_times : or so many times, if it occurs more often; the last one then stands for all others.
    """
    column = batch.column("codes")
    numbers, starts = column.flatten().to_numpy(), column.offsets.to_numpy().astype(np.int64)
    starts = starts - starts[0]
    times, first = (batch.column(name).to_numpy() for name in ("times", "first"))
    counts, lengths = numbers[starts[1:] - 1].astype(np.int64), np.diff(starts)
    shown = times if most_times is None else np.minimum(times, most_times)
    for block, turn in _repetitions(shown, lengths):
        clusters = counts[block]
        span = np.concatenate(([0], np.cumsum(lengths[block])))
        places = np.arange(span[-1]) + np.repeat(starts[block] - span[:-1], lengths[block])
        before = first[block] + turn * clusters - np.concatenate(([0], np.cumsum(clusters)))[:-1]
        rest = np.where(turn == shown[block] - 1, times[block] - turn, 1)
        chunks = chunks_of_blocks(numbers[places], span, side)
        yield NumberedChunks(
            chunks, np.repeat(before, clusters) + np.arange(1, len(chunks.sizes) + 1), np.repeat(rest, clusters)
        )


def _repetitions(times: Ints, lengths: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Each row as often as it is repeated, and which repetition it is: some at a time, by the lengths of the rows."""
    ends, weights = np.cumsum(times), np.cumsum(times * lengths)
    position = 0
    while len(ends) and position < ends[-1]:
        row = int(np.searchsorted(ends, position, side="right"))
        most = int(weights[row] - (ends[row] - position) * lengths[row]) + _AT_ONCE
        last = int(np.searchsorted(weights, most, side="right"))
        stop = int(ends[-1] if last == len(ends) else ends[last] + (most - weights[last]) // lengths[last])
        places = np.arange(position, max(stop, position + 1))
        rows = np.searchsorted(ends, places, side="right")
        yield rows, places - (ends[rows] - times[rows])
        position = int(places[-1]) + 1


def _shifted(rows: pl.DataFrame, numbers: Ints) -> pl.DataFrame:
    """The rows with the published numbers of their clusters, which follow each other."""
    before = int(numbers[0]) - 1
    return rows.with_columns(pl.col(name) + before for name in ("cluster", "parent") if name in rows.columns)


def write_chunks(blocks: ChunkBlocks, folder: Path) -> dict[str, str]:
    """Write the two files of chunks; returns the digest of each.

    The executors make the rows, and the driver writes them, some at a time and in order.
    """
    digests = {}
    for stem, of in ((CHUNKS, Chunks.to_polars), (CLUSTERS, Chunks.clusters_to_polars)):
        content = Rows(of(blocks.side).schema, lambda of=of: _batches(blocks, of))  # type: ignore[misc]
        digests[f"{stem}.parquet"] = write_content(content, folder / f"{stem}.parquet")
    return digests


def _batches(blocks: ChunkBlocks, of: Callable[[Chunks], pl.DataFrame]) -> Iterator[pl.DataFrame]:
    side = blocks.side

    def pack(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            for part in numbered_chunks(batch, side):
                packed = _shifted(of(part.chunks), part.numbers).write_ipc(None, compression="zstd").getvalue()
                yield pa.RecordBatch.from_pydict({"rows": pa.array([packed], pa.binary())})

    for row in blocks.numbered.mapInArrow(pack, "rows binary").toLocalIterator(prefetchPartitions=True):
        yield pl.read_ipc(bytes(row["rows"]))
