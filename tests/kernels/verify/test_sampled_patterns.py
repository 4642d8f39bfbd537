"""Counting and numbering the distinct subsequences of a record, against listing them."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from datasets import records
from sfumato import Trajectories
from sfumato.attacks.audit.known_points import KnowablePoints
from sfumato.kernels.verify.prefixes.divided import continuation_counts
from sfumato.kernels.verify.sampled_patterns import numbered_patterns

M = 4


@settings(max_examples=100, deadline=None)
@given(rows=records("abc"))
def test_counts_are_those_of_listing(rows: list[list[str]]) -> None:
    pieces = KnowablePoints.of(Trajectories.from_lists(rows), ordered=True)
    after, whole = continuation_counts(pieces.codes, pieces.offsets, pieces.n_labels, M)
    sizes = [min(M, len(row)) for row in rows]
    assert whole.tolist() == [
        len(oracles.subsequences(row, size, size)) if size else 1 for row, size in zip(rows, sizes, strict=True)
    ]
    rests = [row[at + 1 :] for row in rows for at in range(len(row))]
    assert after.tolist() == [[len(oracles.subsequences(rest, size, size)) for size in range(1, M)] for rest in rests]


@settings(max_examples=100, deadline=None)
@given(rows=records("abc"), m=st.integers(1, M))
def test_numbers_lead_to_every_pattern_once(rows: list[list[str]], m: int) -> None:
    data = Trajectories.from_lists(rows, persons=["one"] * len(rows))
    pieces = KnowablePoints.of(data, ordered=True)
    after, whole = continuation_counts(pieces.codes, pieces.offsets, pieces.n_labels, m)
    expected = sorted(
        found for row in rows if row for found in oracles.subsequences(row, min(m, len(row)), min(m, len(row)))
    )
    ranks = np.arange(len(expected), dtype=np.float64)
    patterns = numbered_patterns(
        np.zeros(len(ranks), dtype=np.int64),
        ranks,
        m,
        pieces.codes,
        pieces.offsets,
        pieces.unit_offsets,
        pieces.n_labels,
        after,
        whole,
    )
    assert sorted(tuple(data.names[code] for code in row if code >= 0) for row in patterns.tolist()) == expected


def test_counts_beyond_what_can_be_listed() -> None:
    for labels, expected in ((300, [comb(299, size) for size in range(1, 20)]), (1, [1] * 19)):
        walk = [f"p{at % labels:03}" for at in range(300)]
        pieces = KnowablePoints.of(Trajectories.from_lists([walk]), ordered=True)
        after, whole = continuation_counts(pieces.codes, pieces.offsets, pieces.n_labels, 20)
        assert after[0] == pytest.approx(expected, rel=1e-12)
        assert whole == pytest.approx([comb(300, 20) if labels == 300 else 1], rel=1e-12)
