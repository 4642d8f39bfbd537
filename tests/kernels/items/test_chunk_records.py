from __future__ import annotations

import itertools

import numpy as np
import pytest

from sfumato.kernels.items.chunk_records import numbered_chunks, subrecords_of_chunks


@pytest.mark.parametrize("seed", range(20))
def test_chunks_beside_a_slow_reference(seed: int) -> None:
    rng = np.random.default_rng(seed)
    lengths = rng.integers(0, 5, size=rng.integers(1, 15))
    offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    starts = np.unique(np.concatenate(([0, len(lengths)], rng.integers(0, len(lengths), 2)))).astype(np.int64)
    codes = rng.integers(0, 9, offsets[-1]).astype(np.int32)
    parts = rng.integers(-3, 4, offsets[-1]).astype(np.int32)
    record = np.repeat(np.arange(len(lengths)), lengths)
    cluster = np.searchsorted(starts, record, side="right") - 1
    known = sorted({(int(c), int(p)) for c, p in zip(cluster, parts, strict=True) if p >= 0})
    chunk_of, clusters, subrecords = numbered_chunks(parts, offsets, starts)
    assert chunk_of.tolist() == [
        known.index((c, p)) if p >= 0 else -1 for c, p in zip(cluster.tolist(), parts.tolist(), strict=True)
    ]
    assert clusters.tolist() == [c for c, _ in known]
    assert subrecords.tolist() == [len(set(record[chunk_of == chunk].tolist())) for chunk in range(len(known))]

    shared = np.where(parts == -3, rng.integers(0, 2, len(parts)), -1).astype(np.int32)
    chunk = np.where(shared >= 0, len(known) + shared, chunk_of)
    rows = [
        [codes[(chunk == number) & (record == one)].tolist() for one in range(len(lengths))]
        for number in range(len(known) + 2)
    ]
    listed, begins, row_starts = subrecords_of_chunks(codes, offsets, chunk_of, shared, len(known), len(known) + 2)
    found = [listed[a:b].tolist() for a, b in itertools.pairwise(begins)]
    assert [found[a:b] for a, b in itertools.pairwise(row_starts)] == [
        [row for row in chunk_rows if row] for chunk_rows in rows
    ]
