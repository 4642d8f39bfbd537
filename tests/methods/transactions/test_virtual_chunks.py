from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from sfumato.kernels.items.joint_clusters import ClusterTerms
from sfumato.methods.transactions.virtual_chunks import VirtualChunks

Chunk = dict[int, int]


def virtual(chunks: list[Chunk], names: list[int], k: int) -> VirtualChunks:
    terms = [term for chunk in chunks for term in sorted(chunk)]
    supports = [chunk[term] for chunk in chunks for term in sorted(chunk)]
    starts = np.concatenate(([0], np.cumsum([len(chunk) for chunk in chunks])))
    entries = np.arange(len(terms))
    return VirtualChunks(
        starts,
        ClusterTerms(np.array(terms, dtype=np.int64), np.array(supports, dtype=np.int64), entries, entries),
        np.array(names),
        k,
    )


def slow_order(living: dict[int, Chunk], names: list[int], k: int) -> tuple[list[int], list[bool]]:
    some = {number: chunk for number, chunk in living.items() if chunk}
    often = {term: sum(term in chunk for chunk in some.values()) for term in range(len(names))}
    ranked = sorted(often, key=lambda term: (-often[term], names[term]))
    order = sorted(some, key=lambda number: (sorted(ranked.index(term) for term in some[number]), number))
    hopeful = [
        any(some[one][term] + some[other].get(term, -k) >= k for term in some[one]) for one, other in pairwise(order)
    ]
    return order, hopeful


@pytest.mark.parametrize("n_terms", [3, 12, 5000])  # with the most, five leading terms fill a key
@pytest.mark.parametrize("seed", range(5))
def test_order_after_every_join(seed: int, n_terms: int) -> None:
    rng = np.random.default_rng(seed)
    names = rng.permutation(n_terms).tolist()
    few = rng.choice(n_terms, size=min(n_terms, 12), replace=False)
    chunks = [
        {int(term): int(rng.integers(1, 4)) for term in rng.permutation(few)[: rng.integers(0, len(few) + 1)]}
        for _ in range(40)
    ]
    work, living = virtual(chunks, names, 5), dict(enumerate(chunks))
    for number in range(40, 79):
        order, hopeful = work.in_order()
        assert (order.tolist(), hopeful.tolist()) == slow_order(living, names, 5)
        one, other = (int(some) for some in rng.choice(list(living), size=2, replace=False))
        merged = dict(living.pop(one))
        for term, support in living.pop(other).items():
            merged[term] = merged.get(term, 0) + support
        for term in sorted(merged)[: rng.integers(0, 3)]:
            del merged[term]
        terms = np.array(sorted(merged), dtype=np.int64)
        supports = np.array([merged[term] for term in sorted(merged)], dtype=np.int64)
        work.replace(one, other, number, ClusterTerms(terms, supports, terms, terms))
        living[number] = merged
    for number, chunk in living.items():
        assert dict(zip(*(column.tolist() for column in work.of(number)[:2]), strict=True)) == chunk


def test_nothing_to_order() -> None:
    order, hopeful = virtual([{}, {}], [0], 2).in_order()
    assert len(order) == len(hopeful) == 0
