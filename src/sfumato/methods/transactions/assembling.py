"""Chunks put together from the clusters of records, from the places of their items, and from several parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from sfumato.data import Chunks
from sfumato.data.base import Ints, read_only
from sfumato.kernels.items.chunk_records import numbered_chunks, subrecords_of_chunks
from sfumato.kernels.items.cluster_terms import terms_of_clusters
from sfumato.kernels.items.verpart import TERM
from sfumato.methods.transactions.horpart import Clusters
from sfumato.methods.transactions.refine import Joints

__all__ = ["NumberedChunks", "assemble", "joined_chunks", "stands_alone", "with_empty_cluster", "with_empty_records"]


@dataclass(frozen=True, eq=False)
class NumberedChunks:
    """The record chunks of all clusters, numbered through.

    chunk : int32, of each item, -1 for none.  clusters, subrecords : int64, of each chunk.
    """

    chunk: npt.NDArray[np.int32]
    clusters: Ints
    subrecords: Ints

    @classmethod
    def of(cls, clusters: Clusters, parts: npt.NDArray[np.int32]) -> Self:
        return cls(*numbered_chunks(parts, clusters.data.offsets, clusters.starts))


def stands_alone(clusters: Clusters, chunks: NumberedChunks, k: int, m: int) -> npt.NDArray[np.bool_]:
    """For which clusters Lemma 2 holds by their record chunks alone."""
    counts = np.bincount(chunks.clusters, weights=chunks.subrecords, minlength=len(clusters))
    v = np.bincount(chunks.clusters, minlength=len(clusters))
    return np.asarray((v > 0) & (counts >= clusters.sizes + k * (np.minimum(m, v) - 1)))


def assemble(clusters: Clusters, parts: npt.NDArray[np.int32], chunks: NumberedChunks, joints: Joints) -> Chunks:
    """The chunks that the items' places describe."""
    data = clusters.data
    all_clusters = np.concatenate((chunks.clusters, joints.chunk_joints)).astype(np.int64)
    codes, offsets, chunk_offsets = subrecords_of_chunks(
        data.codes, data.offsets, chunks.chunk, joints.item_chunks, len(chunks.clusters), len(all_clusters)
    )
    sizes = np.concatenate((clusters.sizes, np.zeros(len(joints.parents) - len(clusters), dtype=np.int64)))
    for number, parent in enumerate(joints.parents):
        if parent >= 0:
            sizes[parent] += sizes[number]
    same = np.arange(len(data.names))
    bounds, terms, *_ = terms_of_clusters(parts, TERM, TERM, data.codes, data.offsets, clusters.starts, same, False)
    return Chunks(
        sizes=sizes,
        parents=np.array(joints.parents, dtype=np.int32),
        chunk_clusters=all_clusters,
        chunk_offsets=read_only(chunk_offsets),
        offsets=read_only(offsets),
        codes=read_only(codes),
        term_offsets=np.append(bounds, np.full(len(sizes) - len(clusters), bounds[-1])),
        term_codes=read_only(terms),
        names=data.names,
    )


def joined_chunks(parts: Sequence[Chunks]) -> Chunks:
    """The chunks of several parts of the records together; all parts have the same names.

    >>> one = Chunks.of([{"size": 2, "chunks": [[["a"], ["a"]]]}])
    >>> joined_chunks([one, one]).sizes.tolist()
    [2, 2]
    """
    if len(parts) == 1:
        return parts[0]
    clusters, subrecords, items, terms = (
        [0, *accumulate(lengths)][:-1]
        for lengths in (
            [len(part.sizes) for part in parts],
            [len(part.offsets) - 1 for part in parts],
            [len(part.codes) for part in parts],
            [len(part.term_codes) for part in parts],
        )
    )
    columns: dict[str, list[Ints]] = {
        "sizes": [part.sizes for part in parts],
        "parents": [np.where(p.parents >= 0, p.parents + first, -1) for p, first in zip(parts, clusters, strict=True)],
        "chunk_clusters": [part.chunk_clusters + first for part, first in zip(parts, clusters, strict=True)],
        "chunk_offsets": _starts([part.chunk_offsets for part in parts], subrecords),
        "offsets": _starts([part.offsets for part in parts], items),
        "codes": [part.codes for part in parts],
        "term_offsets": _starts([part.term_offsets for part in parts], terms),
        "term_codes": [part.term_codes for part in parts],
    }
    joined: dict[str, Any] = {name: np.concatenate(arrays) for name, arrays in columns.items()}
    return replace(parts[0], **joined)


def _starts(starts: list[Ints], firsts: list[int]) -> list[Ints]:
    """The starts of several parts, each moved behind the parts before it."""
    moved = [own[1:] + first for own, first in zip(starts, firsts, strict=True)]
    return [np.zeros(1, dtype=np.int64), *moved]


def with_empty_records(clusters: Clusters, n_empty: int) -> Clusters:
    """A few empty records, too few for a cluster of their own, in the last one."""
    data = clusters.data
    offsets = np.concatenate((data.offsets, np.full(n_empty, data.offsets[-1])))
    starts = clusters.starts.copy()
    starts[-1] += n_empty
    return Clusters(replace(data, offsets=offsets), starts)


def with_empty_cluster(chunks: Chunks, n_empty: int) -> Chunks:
    """The same with one more cluster, of empty records."""
    return replace(
        chunks,
        sizes=np.append(chunks.sizes, n_empty),
        parents=np.append(chunks.parents, -1),
        term_offsets=np.append(chunks.term_offsets, chunks.term_offsets[-1]),
    )
