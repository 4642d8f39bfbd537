"""The chunks of a published directory on a cluster: the rows of its files, clusters that lie in each other together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import polars as pl

from sfumato.data import Chunks
from sfumato.data.frames import Source
from sfumato.errors import CallerError, DataError, listed
from sfumato.io.published.chunks import CHUNKS, CLUSTERS, chunks_of_rows
from sfumato.io.published.context import with_context
from sfumato.io.published.row_files import row_file
from sfumato.spark.itemsets.chunk_blocks import NumberedChunks
from sfumato.spark.parquet import read_parquet

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ChunkRows"]

_SIDE = Chunks.of([])
_COLUMNS = {CHUNKS: dict(_SIDE.to_polars().schema), CLUSTERS: dict(_SIDE.clusters_to_polars().schema)}
_TYPES = {pl.Int64: "long", pl.String: "string"}
_ROWS = 1_000_000  # of a partition, on average
_NUMBERED = "wanted the clusters numbered from 1, found another number"
_PARENT = "wanted another cluster as the parent, found an unknown cluster or the cluster itself"
_SIZE = "wanted a whole number of at least 1 as the size, found something else"


@dataclass(frozen=True, eq=False)
class ChunkRows:
    """The rows of both files; all clusters around each other are in one partition.

    frame : the columns of both files, of which a row has those of its file, and `root`, the cluster around all others.
    side : the same data without clusters: the sensitive items.
    """

    frame: Any
    side: Chunks
    kind: str = "chunks"
    by_person: bool = False
    unit: str = "record"

    @classmethod
    def read(cls, spark: Any, folder: Path) -> Self:
        """Read the chunks of a published directory; refuses contradictory files, but not a broken guarantee."""
        from pyspark.sql import functions as F  # noqa: N812

        paths = {stem: row_file(folder, stem) for stem in (CLUSTERS, CHUNKS)}
        clusters, chunks = (_read(spark, path, _COLUMNS[stem]) for stem, path in paths.items())
        n = _number_of_clusters(clusters, paths[CLUSTERS])
        inside = F.count_if(F.col("cluster").between(1, n))
        n_rows, n_inside = chunks.agg(F.count(F.lit(1)), inside).first()
        if n_inside < n_rows:
            raise DataError(f"{paths[CHUNKS]}: wanted a cluster of {paths[CLUSTERS].name}, found another")
        roots = _roots(clusters, n)
        with_roots = clusters.join(roots, "cluster").select("root", *_COLUMNS[CLUSTERS])
        rows = chunks.join(roots, "cluster").select("root", *_COLUMNS[CHUNKS])
        partitions = max(int(spark.conf.get("spark.sql.shuffle.partitions")), n_rows // _ROWS)
        together = with_roots.unionByName(rows, allowMissingColumns=True).repartition(partitions, "root").persist()
        found = cls(together, with_context(folder, _SIDE))
        problem = found._problem()
        if problem is not None:
            raise DataError(f"{paths[CHUNKS]}: {problem}")
        return found

    def __len__(self) -> int:
        from pyspark.sql import functions as F  # noqa: N812

        around = self.frame.filter("parent is not null").select(F.col("parent").alias("cluster")).distinct()
        simple = self.frame.filter("size is not null").join(around, "cluster", "left_anti")
        return int(simple.agg(F.sum("size")).first()[0] or 0)

    def in_partitions(self, work: Callable[[NumberedChunks], Iterator[Any]], schema: str) -> Any:
        """A DataFrame of what some work makes of the clusters of each partition."""
        sensitive = self.side.sensitive

        def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            part = _chunks_of_partition(batches)
            if part is not None:
                yield from work(part._replace(chunks=replace(part.chunks, sensitive=sensitive)))

        return self.frame.mapInArrow(run, schema)

    def _problem(self) -> str | None:
        """What is contradictory in the rows, in the first of the partitions where something is."""

        def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            import pyarrow as pa

            try:
                _chunks_of_partition(batches)
            except DataError as error:
                sentence = re.sub(r"^.*?: ", "", str(error))
                yield pa.RecordBatch.from_pydict({"problem": pa.array([sentence], pa.string())})

        found = self.frame.mapInArrow(run, "problem string").orderBy("problem").first()
        return None if found is None else str(found["problem"])


def _chunks_of_partition(batches: Iterator[pa.RecordBatch]) -> NumberedChunks | None:
    """The clusters of a partition, numbered from 1 among themselves, and their published numbers."""
    import pyarrow as pa

    tables = [batch for batch in batches if len(batch)]
    if not tables:
        return None
    rows = pl.DataFrame(pa.Table.from_batches(tables))
    is_cluster = rows["size"].is_not_null()
    clusters = rows.filter(is_cluster).sort("cluster").select(list(_COLUMNS[CLUSTERS]))
    numbers = clusters["cluster"].to_numpy()
    place = pl.DataFrame({"old": numbers, "new": np.arange(1, len(numbers) + 1)})
    clusters = clusters.with_columns(_renumbered("cluster", place), _renumbered("parent", place))
    chunks = rows.filter(~is_cluster).select(list(_COLUMNS[CHUNKS])).with_columns(_renumbered("cluster", place))
    source = Source("chunks")
    return NumberedChunks(chunks_of_rows(clusters, source, chunks, source), numbers, np.ones(len(numbers), np.int64))


def _renumbered(column: str, place: pl.DataFrame) -> pl.Expr:
    return pl.col(column).replace_strict(place["old"], place["new"], default=None, return_dtype=pl.Int64)


def _read(spark: Any, path: Path, columns: dict[str, Any]) -> Any:
    """The rows of a file, and the number of each, from 1."""
    from pyspark.sql import functions as F  # noqa: N812

    if path.suffix != ".parquet" and path.exists():
        raise CallerError(f"spark: wanted published data in Parquet, found {path.name}; use one machine")
    frame = read_parquet(spark, path)
    if frame.columns != list(columns):
        raise DataError(f"{path}: wanted the columns {', '.join(columns)}, found {listed(frame.columns)}")
    for name, type_ in columns.items():
        if frame.schema[name].dataType.typeName() != _TYPES[type_]:
            wanted = "texts" if type_ == pl.String else "whole numbers of 64 bits"
            raise DataError(f"{path}: wanted {wanted} in the column {name}, found others")
    return frame.select("*", (F.col("_metadata.row_index") + 1).alias("row"))


def _number_of_clusters(clusters: Any, path: Path) -> int:
    """How many clusters there are; refuses wrong numbers, sizes and parents."""
    from pyspark.sql import functions as F  # noqa: N812

    cluster, parent = F.col("cluster"), F.col("parent")
    n, numbered, sized, own, low, high = clusters.agg(
        *(F.count(F.lit(1)), F.count_if(cluster == F.col("row")), F.count_if(F.col("size") >= 1)),
        *(F.count_if(parent == cluster), F.min(parent), F.max(parent)),
    ).first()
    for wrong, sentence in (
        (numbered < n, _NUMBERED),
        (sized < n, _SIZE),
        (own > 0 or (low is not None and (low < 1 or high > n)), _PARENT),
    ):
        if wrong:
            raise DataError(f"{path}: {sentence}")
    return int(n)


def _roots(clusters: Any, n: int) -> Any:
    """The cluster around all others of each cluster: every step looks twice as far up; refuses a cycle."""
    from pyspark.sql import functions as F  # noqa: N812

    up = clusters.select("cluster", F.coalesce("parent", "cluster").alias("root")).persist()
    tops = clusters.filter("parent is null").select(F.col("cluster").alias("root"))
    for _ in range(n.bit_length() + 1):
        if up.join(tops, "root", "left_anti").limit(1).count() == 0:
            return up
        further = up.select(F.col("cluster").alias("root"), F.col("root").alias("further"))
        up = up.join(further, "root").select("cluster", F.col("further").alias("root")).persist()
    raise DataError("chunks: wanted joint clusters in a tree, found a cluster inside itself")
