"""Classes by hashing, against dictionaries."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.kernels.tables.equivalence_classes import classes_of, distinct_pairs


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 6), st.integers(1, 4)), max_size=40),
    image=st.lists(st.integers(0, 6), min_size=7, max_size=7),
)
def test_rows_with_the_same_image_are_one_class(rows: list[tuple[int, int, int]], image: list[int]) -> None:
    """Two digits in two words; the first one is kept, the second is mapped."""
    keys = np.array([(a << 5, b << 60) for a, b, _ in rows], dtype=np.uint64).reshape(-1, 2)
    counts = np.array([count for *_, count in rows], dtype=np.int64)
    ids, found, total = classes_of(
        keys,
        counts,
        np.array([3 << 5, 0], dtype=np.uint64),
        np.array([1]),
        np.array([60], dtype=np.uint64),
        np.array([7], dtype=np.uint64),
        np.array([0]),
        np.array(image),
    )
    expected: dict[tuple[int, int], int] = {}
    for a, b, count in rows:
        expected[a, image[b]] = expected.get((a, image[b]), 0) + count
    labels = [(int(one) >> 5, int(other) >> 60) for one, other in found]
    assert dict(zip(labels, total.tolist(), strict=True)) == expected
    assert list(expected) == labels  # by first appearance
    assert [labels[one] for one in ids] == [(a, image[b]) for a, b, _ in rows]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=30))
def test_the_first_of_each_pair(pairs: list[tuple[int, int]]) -> None:
    ids, others = (np.array([pair[at] for pair in pairs], dtype=np.int32) for at in (0, 1))
    assert distinct_pairs(ids, others).tolist() == [pair not in pairs[:at] for at, pair in enumerate(pairs)]
