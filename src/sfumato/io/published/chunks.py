"""Reading and writing the files of disassociated data: chunks.csv and clusters.csv, or the same as Parquet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sfumato.data import Chunks
from sfumato.data.base import Ints
from sfumato.data.frames import Source
from sfumato.data.ragged import encode
from sfumato.errors import listed
from sfumato.io.published.row_files import Rows, read_rows, row_file

__all__ = ["CHUNKS", "CLUSTERS", "chunk_rows", "chunks_of_rows", "read_chunks"]

CHUNKS, CLUSTERS = "chunks", "clusters"
_KINDS = ("record", "shared", "term")


def chunk_rows(chunks: Chunks) -> dict[str, Rows]:
    """The rows of the two files, by their names without an ending."""
    return {CHUNKS: Rows.of(chunks.to_polars()), CLUSTERS: Rows.of(chunks.clusters_to_polars())}


def read_chunks(folder: str | Path) -> Chunks:
    """Read the chunks of a directory; refuses contradictory files, but not a broken guarantee."""
    clusters, chunks = (row_file(Path(folder), stem) for stem in (CLUSTERS, CHUNKS))
    return chunks_of_rows(*read_rows(clusters), *read_rows(chunks))


def chunks_of_rows(clusters: pl.DataFrame, listed_in: Source, frame: pl.DataFrame, source: Source) -> Chunks:
    """The chunks of the rows of the two files; refuses contradictory rows, but not a broken guarantee.

    clusters, frame : the rows of clusters and of chunks.  listed_in, source : where they come from.
    """
    sizes, parents = _clusters(clusters, listed_in)
    _require_columns(frame, source, ["cluster", "chunk", "kind", "subrecord", "item"])
    if frame["item"].is_null().any():
        raise source.error("wanted an item, found nothing", row=frame["item"].is_null().arg_max())
    is_unknown_kind = ~frame["kind"].is_in(_KINDS) | frame["kind"].is_null()
    if is_unknown_kind.any():
        raise source.error(f"wanted one of the kinds {', '.join(_KINDS)}, found another", row=is_unknown_kind.arg_max())
    in_terms = (frame["kind"] == "term").to_numpy()
    cluster = _numbers(frame, source, "cluster") - 1
    chunk = _numbers(frame, source, "chunk")
    _refuse(cluster >= len(sizes), source, f"wanted a cluster of {Path(listed_in.name).name}, found another")
    joint = np.zeros(len(sizes), dtype=bool)
    joint[parents[parents >= 0]] = True
    shared = (frame["kind"] == "shared").to_numpy()
    _refuse(
        joint[cluster] != shared,
        source,
        "wanted shared chunks in joint clusters and nowhere else, found another kind of chunk",
    )
    codes, names = encode(frame["item"])
    listed = np.flatnonzero(~in_terms)
    subrecord = _numbers(frame[listed], source, "subrecord", listed)
    _refuse(
        in_terms & frame["subrecord"].is_not_null().to_numpy(),
        source,
        "wanted no subrecord in a term chunk, found one",
    )
    _require_one_kind(cluster, chunk, in_terms, source)
    order = listed[np.lexsort((codes[listed], subrecord, chunk[listed], cluster[listed]))]
    subrecord_of_row = np.full(len(frame), 0, dtype=np.int64)
    subrecord_of_row[listed] = subrecord
    new_chunk = _changes(cluster[order], chunk[order])
    new_row = _changes(cluster[order], chunk[order], subrecord_of_row[order])
    row_starts, chunk_starts = np.flatnonzero(new_row), np.flatnonzero(new_chunk)
    terms = np.flatnonzero(in_terms)
    terms = terms[np.lexsort((codes[terms], cluster[terms]))]
    return Chunks(
        sizes=sizes,
        parents=parents,
        chunk_clusters=cluster[order][chunk_starts],
        chunk_offsets=np.append(np.searchsorted(row_starts, chunk_starts), len(row_starts)),
        offsets=np.append(row_starts, len(order)),
        codes=codes[order],
        term_offsets=np.concatenate(([0], np.cumsum(np.bincount(cluster[terms], minlength=len(sizes))))),
        term_codes=codes[terms],
        names=names,
    )


def _clusters(frame: pl.DataFrame, source: Source) -> tuple[Ints, Ints]:
    _require_columns(frame, source, ["cluster", "size", "parent"])
    number = _numbers(frame, source, "cluster")
    _refuse(number != np.arange(1, len(frame) + 1), source, "wanted the clusters numbered from 1, found another number")
    parents = np.full(len(frame), -1, dtype=np.int64)
    children = np.flatnonzero(frame["parent"].is_not_null().to_numpy())
    parents[children] = _numbers(frame[children], source, "parent", children) - 1
    invalid = parents >= len(frame)
    invalid |= parents == np.arange(len(frame))
    _refuse(invalid, source, "wanted another cluster as the parent, found an unknown cluster or the cluster itself")
    return _numbers(frame, source, "size"), parents


def _require_columns(frame: pl.DataFrame, source: Source, required: list[str]) -> None:
    if frame.columns != required:
        raise source.error(f"wanted the columns {', '.join(required)}, found {listed(frame.columns)}")


def _numbers(frame: pl.DataFrame, source: Source, column: str, rows: Ints | None = None) -> Ints:
    """A column of whole numbers from 1."""
    values = frame[column].cast(pl.Int64, strict=False)
    invalid = values.is_null() | (values < 1).fill_null(True)
    if invalid.any():
        row = int(invalid.arg_max() or 0)
        raise source.error(
            f"wanted a whole number of at least 1 as the {column}, found something else",
            row=row if rows is None else int(rows[row]),
        )
    return values.to_numpy().astype(np.int64)


def _require_one_kind(cluster: Ints, chunk: Ints, in_terms: Any, source: Source) -> None:
    """Refuse a chunk of two kinds, and a cluster with two term chunks."""
    key = cluster * (int(chunk.max(initial=0)) + 1) + chunk
    mixed = np.isin(key, np.intersect1d(key[in_terms], key[~in_terms]))
    _refuse(mixed, source, "wanted one kind in a chunk, found two")
    terms = np.unique(key[in_terms])
    owner = terms // (int(chunk.max(initial=0)) + 1)
    repeated = np.isin(cluster, owner[1:][owner[1:] == owner[:-1]]) & in_terms
    _refuse(repeated, source, "wanted one term chunk in a cluster, found two")


def _refuse(invalid: Any, source: Source, sentence: str) -> None:
    if np.any(invalid):
        raise source.error(sentence, row=int(np.argmax(invalid)))


def _changes(*columns: Ints) -> Any:
    """Whether each row differs from the row before."""
    changes = np.ones(len(columns[0]), dtype=bool)
    changes[1:] = False
    for column in columns:
        changes[1:] |= column[1:] != column[:-1]
    return changes
