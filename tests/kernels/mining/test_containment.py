"""Patterns in records, beside a search for the first embedding, step by step."""

import numpy as np

from sfumato.kernels.mining.containment import contained_patterns, first_embeddings


def test_the_first_embedding_ends_where_a_search_ends() -> None:
    rng = np.random.default_rng(4)
    lengths = rng.integers(0, 8, 60)
    offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    codes = rng.integers(0, 3, offsets[-1]).astype(np.int32)
    for pattern in ([], [0], [1, 1], [2, 0, 1]):
        ends = first_embeddings(codes, offsets, np.array(pattern, dtype=np.int32))
        inside = contained_patterns(
            codes, offsets, np.array(pattern, dtype=np.int32), np.array([0, len(pattern)], dtype=np.int64)
        )
        for record, end in enumerate(ends.tolist()):
            left = list(pattern)
            position = int(offsets[record])
            while left and position < offsets[record + 1]:
                left = left[1:] if codes[position] == left[0] else left
                position += 1
            assert end == (offsets[record + 1] if left else position)
            assert inside[record, 0] == (not left)
