"""Many queries at once: the same answers as one after the other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import Disassociate, Trajectories, Transactions
from sfumato.data.chunks.chunks import Chunks
from sfumato.data.queries import ESTIMATES, Query
from sfumato.utility.supports import KlDivergence
from sfumato.utility.workload import Workload

LABELS = ["a", "b", "c", "bc", "all"]
MEMBERS = {"bc": ("b", "c"), "all": ("a", "b", "c", "d")}
ASKED = st.lists(st.lists(st.sampled_from("abcde"), max_size=3).map(tuple), max_size=6)
ROWS = st.lists(st.lists(st.sampled_from(LABELS), max_size=4), min_size=1, max_size=8)


def _members(data: Any) -> Any:
    return replace(data, members={label: MEMBERS[label] for label in data.names if label in MEMBERS})


@settings(max_examples=150, deadline=None)
@given(rows=ROWS, asked=ASKED)
def test_many_answers_are_each_answer(rows: list[list[str]], asked: list[tuple[str, ...]]) -> None:
    walks = _members(Trajectories.from_lists(rows))
    baskets = _members(Transactions.from_lists([sorted(set(row)) for row in rows]))
    for data, queries in (
        (walks, [Query(locations=names) for names in asked]),
        (baskets, [Query(items=names) for names in asked]),
    ):
        for estimate in ESTIMATES:
            each = [data.chances(query, estimate).sum() for query in queries]
            assert np.allclose(data.expected_counts(queries, estimate), each)


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(st.sets(st.sampled_from("abcdefgh"), max_size=5), min_size=4, max_size=30), asked=ASKED)
def test_many_answers_of_chunks_are_each_answer(rows: list[set[str]], asked: list[tuple[str, ...]]) -> None:
    baskets = Transactions.from_lists([sorted(row) for row in [*rows, {"a"}, {"a"}, {"b"}]])
    chunks = Disassociate(k=2, m=2, max_cluster_size=4).anonymize(baskets, seed=1).data
    queries = [Query(items=names) for names in [*asked, *"abcdefgh"]]
    assert np.allclose(chunks.expected_counts(queries), [chunks.chances(query).sum() for query in queries])


def test_clusters_in_any_order_keep_their_sizes() -> None:
    """The children of a joint cluster may be listed before it."""
    nested = [{"children": [{"size": 2, "chunks": [[["b"]]]}, {"size": 5, "chunks": [[["a"]] * 5]}], "chunks": []}]
    made = Chunks.of([*nested, {"size": 3, "chunks": [[["c"]] * 3]}])
    order = np.array([3, 2, 0, 1])  # the joint cluster is the third now
    position = np.argsort(order)
    turned = replace(
        made,
        sizes=made.sizes[order],
        parents=np.where(made.parents[order] < 0, -1, position[made.parents[order]]),
        chunk_clusters=position[made.chunk_clusters],
        term_offsets=np.zeros(5, dtype=np.int64),
    )
    for chunks in (made, turned):
        queries = [Query(items=(name,)) for name in "abc"]
        assert (
            chunks.expected_counts(queries).tolist() == [chunks.chances(query).sum() for query in queries] == [5, 1, 3]
        )


def test_the_divergence_of_chunks_is_that_of_its_definition() -> None:
    rng = np.random.default_rng(3)
    baskets = Transactions.from_lists([sorted({f"i{at}" for at in rng.zipf(1.6, 5) if at < 40}) for _ in range(300)])
    release = Disassociate(k=3, m=2).anonymize(baskets, seed=1)
    queries = list(Workload.every_name(baskets))
    p, q = (np.array([data.chances(query).sum() + 0.5 for query in queries]) for data in (baskets, release.data))
    p, q = p / p.sum(), q / q.sum()
    assert np.isclose(KlDivergence()(baskets, release).value, np.sum(p * np.log(p / q)))
