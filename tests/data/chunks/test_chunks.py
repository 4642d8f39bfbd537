"""Chunks: what they say, what they may have been, and an order that says nothing."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import Disassociate, Transactions
from sfumato.data import Chunks, Persons
from sfumato.data.chunks.layout import layout_of
from sfumato.data.chunks.reconstruction import _assign_subrecords
from sfumato.data.queries import Query
from sfumato.errors import Bug, DataError

SIMPLE = {"size": 4, "chunks": [[["a", "b"], ["a", "b"], ["a"]], [["c"], ["c"]]], "terms": ["d"]}
ONE, TWO = {"size": 3, "chunks": [[["a"], ["a"]]], "terms": ["x"]}, {"size": 5, "chunks": [[["b"]] * 4], "terms": ["y"]}
JOINT = {"size": 8, "children": [ONE, TWO], "chunks": [[["e", "f"], ["e", "f"], ["e"]]]}


def expected(chunks: Chunks, *items: str) -> float:
    return chunks.expected_count(Query(items=items))


def test_expected_counts_of_a_simple_cluster() -> None:
    chunks = Chunks.of([SIMPLE])
    assert len(chunks) == 4
    assert expected(chunks, "a") == 3
    assert expected(chunks, "a", "b") == 2
    assert expected(chunks, "a", "c") == pytest.approx(3 * 2 / 4)
    assert expected(chunks, "a", "b", "c") == pytest.approx(2 * 2 / 4)
    assert expected(chunks, "d") == 1
    assert expected(chunks, "a", "d") == pytest.approx(3 / 4)
    assert expected(chunks, "c", "d", "b") == pytest.approx(4 * 2 / 4 / 4 * 2 / 4)
    assert expected(chunks, "nothing") == 0
    assert expected(chunks) == 4


def test_expected_counts_across_joint_clusters() -> None:
    chunks = Chunks.of([JOINT, SIMPLE])
    assert expected(chunks, "e") == pytest.approx(3)
    assert expected(chunks, "e", "f") == pytest.approx(2)
    assert expected(chunks, "e", "b") == pytest.approx(4 * 3 / 8)  # b of the second child
    assert expected(chunks, "e", "x") == pytest.approx(1 * 3 / 8)
    assert expected(chunks, "x", "y") == 0
    assert expected(chunks, "a") == pytest.approx(2 + 3)


def test_a_shared_item_keeps_out_of_clusters_that_have_it() -> None:
    """a is in the record chunk of the first child: the shared a's are all in the second."""
    chunks = Chunks.of([{"size": 8, "children": [ONE, TWO], "chunks": [[["a", "e"]] * 3 + [["e"]]]}])
    layout = layout_of(chunks)
    assert sorted(layout.capacity.tolist()) == [3, 3, 5, 5, 5, 5, 5, 5, 5, 8]
    assert expected(chunks, "a") == pytest.approx(2 + 3)
    assert expected(chunks, "a", "x") == pytest.approx(3 * 2 / 3 / 3)
    assert expected(chunks, "e", "x") == pytest.approx(3 * (1 / 8) / 3)
    assert expected(chunks, "a", "b") == pytest.approx(5 * (3 / 5) * (4 / 5))
    for world in chunks.reconstruct(20, seed=1):
        assert Counter(item for row in world.to_lists() for item in row)["a"] == 5


def test_lower_bounds_are_counted_in_subrecords() -> None:
    chunks = Chunks.of([JOINT, SIMPLE])
    assert chunks.lower_bound(["a", "b"]) == 2
    assert chunks.lower_bound(["b"]) == 4 + 2
    assert chunks.lower_bound(["d"]) == 1
    assert chunks.lower_bound(["a", "c"]) == 0
    assert chunks.lower_bound([]) == 12


@settings(max_examples=30, deadline=None)
@given(
    rows=st.lists(st.sets(st.sampled_from("abcdefgh"), min_size=1, max_size=5), min_size=4, max_size=30),
    seed=st.integers(0, 9),
)
def test_reconstructions_are_possible_originals(rows: list[set[str]], seed: int) -> None:
    data = Transactions.from_lists([sorted(row) for row in rows])
    chunks = Disassociate(k=2, m=2, max_cluster_size=4).anonymize(data).data
    (world,) = chunks.reconstruct(1, seed=seed)
    assert len(world) == len(data)
    assert all(world.lengths > 0)
    assert world.names == data.names
    layout = layout_of(chunks)
    where = np.searchsorted(layout.record_starts, np.arange(len(world)), side="right") - 1
    lists = world.to_lists()
    for chunk, cluster in enumerate(chunks.chunk_clusters.tolist()):
        subrecords = [chunks._row(at) for at in range(*chunks.chunk_offsets[chunk : chunk + 2])]
        domain = {item for row in subrecords for item in row}
        inside = [
            row for row, leaf in zip(lists, where, strict=True) if layout.low[cluster] <= leaf < layout.high[cluster]
        ]
        projected = Counter(tuple(item for item in row if item in domain) for row in inside)
        for content, count in Counter(map(tuple, subrecords)).items():
            assert chunks.joint[cluster] or projected[content] == count
    for item in world.names:
        assert world.expected_count(Query(items=(item,))) >= chunks.lower_bound([item])


def test_the_mean_over_reconstructions_is_the_expectation() -> None:
    chunks = Chunks.of([SIMPLE, {**JOINT, "chunks": [[["e"]] * 4, [["g"]] * 2]}])
    queries = [Query(items=pair) for pair in (("a", "c"), ("e", "g"), ("e", "b"), ("b", "c"))]
    rng = np.random.default_rng(5)
    layout, counts = layout_of(chunks), np.zeros(len(queries))
    for _ in range(4000):
        record = np.repeat(_assign_subrecords(chunks, layout, rng), chunks.lengths)
        held: dict[int, set[str]] = {}
        for at, code in zip(record.tolist(), chunks.codes.tolist(), strict=True):
            held.setdefault(at, set()).add(chunks.names[code])
        counts += [sum(set(query.items) <= items for items in held.values()) for query in queries]
    assert counts / 4000 == pytest.approx([chunks.expected_count(query) for query in queries], abs=0.06)


def test_averaged_counts_settle() -> None:
    chunks = Chunks.of([{"size": 40, "chunks": [[["a"]] * 20, [["b"]] * 20], "terms": ["t"]}])
    query = Query(items=("a", "b"))
    assert chunks.averaged_counts([query], 200, seed=3)[0] == pytest.approx(chunks.expected_count(query), abs=0.7)
    assert chunks.averaged_counts([query], 3, seed=3) == chunks.averaged_counts([query], 3, seed=3)


def test_a_record_left_empty_gets_a_term_or_a_subrecord() -> None:
    with_terms = Chunks.of([{"size": 3, "chunks": [[["a"]]], "terms": ["t"]}])
    without = Chunks.of([{"size": 3, "chunks": [[["a"], ["a"]], [["b"], ["b"]]], "terms": []}])
    for seed in range(10):
        assert all(with_terms.reconstruct(1, seed=seed)[0].lengths > 0)
        (world,) = without.reconstruct(1, seed=seed)
        assert sorted(map(tuple, world.to_lists())) == [("a",), ("a", "b"), ("b",)]


def test_more_subrecords_than_records_cannot_be_dealt() -> None:
    with pytest.raises(DataError, match="at most as many subrecords"):
        Chunks.of([{"size": 1, "chunks": [[["a"], ["a"]]], "terms": []}]).reconstruct()


def shuffled(cluster: dict, chance: Random) -> dict:
    made = {**cluster, "chunks": [chance.sample(chunk, len(chunk)) for chunk in cluster["chunks"]]}
    chance.shuffle(made["chunks"])
    if "children" in cluster:
        made["children"] = [shuffled(child, chance) for child in cluster["children"]]
        chance.shuffle(made["children"])
    return made


def test_the_published_order_is_that_of_the_content() -> None:
    nested = [SIMPLE, JOINT, {**SIMPLE, "terms": ["z"]}, ONE, ONE]
    once = Chunks.of(nested).published()[0]
    assert len(once) == len(Chunks.of(nested))
    for seed in range(20):
        chance = Random(seed)
        mixed = [shuffled(cluster, chance) for cluster in nested]
        chance.shuffle(mixed)
        again = Chunks.of(mixed).published()[0]
        assert again.to_polars().equals(once.to_polars())
        assert again.clusters_to_polars().equals(once.clusters_to_polars())
    assert once.published()[0].to_polars().equals(once.to_polars())


def test_nested_lists_come_back() -> None:
    assert Chunks.of([JOINT, SIMPLE]).to_nested() == [JOINT, SIMPLE]


def test_no_records_at_all() -> None:
    nothing = Chunks.of([])
    assert (len(nothing), nothing.expected_count(Query(items=("a",)))) == (0, 0)
    assert len(nothing.published()[0].to_polars()) == 0
    assert len(nothing.reconstruct()[0]) == 0
    assert repr(nothing) == "<Chunks: 0 records in 0 clusters, 0 chunks of 0 subrecords, 0 distinct items>"


def test_frames_go_out() -> None:
    chunks = Chunks.of([SIMPLE])
    assert chunks.to_pandas().shape == (8, 5)
    assert chunks.to_arrow().num_rows == 8


def test_nobody_is_behind_a_subrecord() -> None:
    chunks = Chunks.of([SIMPLE])
    assert chunks.with_persons(None) is chunks
    with pytest.raises(Bug):
        chunks.with_persons(Persons.of(["u"] * 4))


def test_a_ring_of_clusters_is_refused() -> None:
    from dataclasses import replace

    with pytest.raises(DataError, match="found a cluster inside itself"):
        replace(Chunks.of([SIMPLE, SIMPLE]), parents=np.array([1, 0]))


@pytest.mark.parametrize("seed", range(20))
def test_subrecords_that_are_blocked_find_their_records(seed: int) -> None:
    """The shared a's fill the second child to its last record but one."""
    shared = [["a"]] * 4 + [["e"]] * 4
    chunks = Chunks.of([{"size": 8, "children": [ONE, TWO], "chunks": [shared]}])
    (world,) = chunks.reconstruct(1, seed=seed)
    held = [Counter(item for row in rows for item in row) for rows in (world.to_lists()[:3], world.to_lists()[3:])]
    assert (held[0]["a"], held[1]["a"]) == (2, 4)
    assert held[0]["e"] + held[1]["e"] == 4
    assert held[1]["e"] <= 1


def test_blocked_subrecords_without_room_are_refused() -> None:
    chunks = Chunks.of([{"size": 8, "children": [ONE, TWO], "chunks": [[["a"]] * 6]}])
    with pytest.raises(DataError, match="as many subrecords in a shared chunk as records that may hold them"):
        chunks.reconstruct()
