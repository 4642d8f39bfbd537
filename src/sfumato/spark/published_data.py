"""The data of a published directory on a cluster, with what its other files say about them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import polars as pl

from sfumato.data.ragged import Ragged
from sfumato.errors import CallerError, DataError, FileError, listed
from sfumato.io.published.chunks import CLUSTERS
from sfumato.io.published.directory import Published, inspect, table_with_side_files, with_side_files
from sfumato.io.published.row_files import as_texts, row_file
from sfumato.io.roads.network import read_network
from sfumato.spark.itemsets.chunk_rows import ChunkRows
from sfumato.spark.parquet import read_parquet
from sfumato.spark.records import Records
from sfumato.spark.roads.records import RoadRecords
from sfumato.spark.table_methods import TableRows

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["every_label", "inspected", "number_of_records", "published_data", "trusted_data"]

RaggedT = TypeVar("RaggedT", bound=Ragged)
_COLUMNS = {"trajectories": ["trajectory", "step", "location"], "transactions": ["record", "item"]}
_ROADS = ["trajectory", "step", "interval", "road", "direction"]
_KINDS = (*_COLUMNS, "roads", "table", "chunks")


def inspected(folder: str | Path) -> Published:
    """The certificate and the files of a published directory that a cluster can read."""
    published = inspect(folder, at_most=None)
    kind = published.certificate.kind
    path = row_file(published.folder, CLUSTERS if kind == "chunks" else "data")
    if kind not in _KINDS:
        raise CallerError(f"spark: a release of kind {kind} is not read on Spark; use one machine")
    if path.suffix == ".csv" and path.exists():  # a file that is missing is a problem of the directory
        raise CallerError(f"spark: wanted published data in Parquet, found {path.name}; use one machine")
    return published


def trusted_data(spark: Any, folder: str | Path) -> tuple[Published, Records | TableRows]:
    """A published directory and its data; refuses files that do not fit the certificate."""
    published = inspected(folder)
    if published.certificate.kind not in (*_COLUMNS, "table"):
        kind = published.certificate.kind
        raise CallerError(f"spark: a release of kind {kind} can only be verified on Spark; use one machine")
    if not published.files.trusted:
        raise FileError(folder, published.problems[0])
    data = published_data(spark, published)
    assert not isinstance(data, ChunkRows)
    return published, data


def published_data(spark: Any, published: Published) -> Records | TableRows | ChunkRows:
    """The published records or rows, as texts, with the members of their labels and the context."""
    kind, path = published.certificate.kind, row_file(published.folder, "data")
    if kind == "chunks":
        return ChunkRows.read(spark, published.folder)
    frame = read_parquet(spark, path)
    if kind == "table":
        return _rows(frame, published.folder)
    wanted = _ROADS if kind == "roads" else _COLUMNS[kind]
    if frame.columns != wanted:
        raise DataError(f"{path}: wanted the columns {', '.join(wanted)}, found {listed(frame.columns)}")
    if kind == "roads":
        network = read_network(published.folder / "context")
        return RoadRecords.read(spark, path, columns={"time": "step"}, network=network)
    columns = {"time": "step"} if kind == "trajectories" else {}
    records = Records.read(spark, path, kind=kind, columns=columns)
    side = with_side_files(published.folder, records.side, published.certificate.policy)
    return records.with_frame(records.frame, side)


def _rows(frame: Any, folder: Path) -> TableRows:
    """A table as it is read from its CSV file on one machine: every cell is a text."""
    side = table_with_side_files(folder, pl.DataFrame(schema=dict.fromkeys(frame.columns, pl.String)))

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            texts = as_texts(pl.DataFrame(pa.Table.from_batches([batch])))
            arrays = [pa.array(texts[name].to_list(), pa.string()) for name in texts.columns]
            yield pa.RecordBatch.from_arrays(arrays, names=texts.columns)

    texts = frame.mapInArrow(work, ", ".join(f"`{name}` string" for name in frame.columns))
    return TableRows(texts, side.quasi_identifiers, sensitive=side.sensitive, side=side)


def number_of_records(data: Records | TableRows | ChunkRows) -> int:
    """How many records or rows there are."""
    if isinstance(data, ChunkRows):
        return len(data)
    return data.sizes["records"] if isinstance(data, Records) else int(data.frame.count())


def every_label(side: RaggedT) -> RaggedT:
    """One record with every label of the data, in place of the records: for what depends on the labels alone."""
    n = len(side.names)
    return replace(side, offsets=np.array([0, n]), codes=np.arange(n, dtype=np.int32))
