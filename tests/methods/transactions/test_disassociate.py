"""Disassociation: the guarantee by trying everything, the twins of its steps, persons, sensitive items, refusals."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import Disassociate, Transactions
from sfumato.attacks import find_covers
from sfumato.data.chunks.layout import layout_of
from sfumato.data.queries import Query
from sfumato.errors import DataError, Infeasible, ParameterError
from sfumato.methods.transactions import verpart as dividing
from sfumato.methods.transactions.horpart import Clusters, horpart
from sfumato.methods.transactions.verpart import verpart
from sfumato.threads import use_threads
from twins import chunks as twin

baskets = st.lists(st.sets(st.sampled_from("abcdefgh"), min_size=1, max_size=5), min_size=4, max_size=40)
few = settings(max_examples=60, deadline=None)


def none_skipped(data: Transactions) -> np.ndarray:
    return np.zeros(len(data.names), dtype=bool)


def some_baskets(seed: int, n: int = 60, items: str = "abcdefghij", longest: int = 5) -> Transactions:
    chance = Random(seed)
    return Transactions.from_lists([chance.sample(items, chance.randint(1, longest)) for _ in range(n)])


@few
@given(rows=baskets, k=st.integers(2, 4), more=st.integers(0, 5))
def test_horpart_is_its_twin(rows: list[set[str]], k: int, more: int) -> None:
    data = Transactions.from_lists([sorted(row) for row in rows])
    if len(rows) < k:
        return
    made = horpart(data, smallest=k, largest=2 * k + more, skipped=none_skipped(data))
    records = made.data.to_lists()
    clusters = [records[a:b] for a, b in pairwise(made.starts.tolist())]
    assert sorted(clusters) == sorted(twin.horpart(sorted(sorted(row) for row in rows), k, 2 * k + more))
    assert all(k <= len(cluster) <= 2 * k + more for cluster in clusters)


@few
@given(rows=baskets, k=st.integers(2, 4), m=st.integers(1, 4), secret=st.sets(st.sampled_from("abc"), max_size=1))
def test_verpart_is_its_twin(rows: list[set[str]], k: int, m: int, secret: set[str]) -> None:
    data = Transactions.from_lists([sorted(row) for row in rows])
    skipped = np.array([name in secret for name in data.names])
    parts = verpart(Clusters(data, np.array([0, len(data)])), k=k, m=m, skipped=skipped)
    found: dict[int, set[str]] = {}
    for code, part in zip(data.codes.tolist(), parts.tolist(), strict=True):
        found.setdefault(part, set()).add(data.names[code])
    terms = found.pop(-1, set())
    chunks, in_terms = twin.verpart(rows, k, m, frozenset(secret))
    assert terms == in_terms
    assert sorted(map(sorted, found.values())) == sorted(map(sorted, chunks))


@pytest.mark.parametrize("seed", range(40))
def test_any_m_items_that_can_be_together_can_be_so_k_times(seed: int) -> None:
    chance = Random(seed)
    k, m = chance.choice([2, 2, 3]), chance.choice([1, 2, 2, 3])
    data = some_baskets(seed, n=chance.randint(k, 12), items="abcdef"[: chance.choice([4, 6])], longest=3)
    release = Disassociate(k=k, m=m, max_cluster_size=2 * k, safe=seed % 5 == 0).anonymize(data)
    assert release.holds
    assert twin.guarantee_1_holds(release.data.to_nested(), k, m)


@pytest.mark.parametrize("seed", [13, 29, 32, 107, 174, 328])
def test_the_same_where_shared_chunks_have_items_from_below(seed: int) -> None:
    chance = Random(seed)
    number = chance.randint(10, 26)
    rows = [chance.sample("abcdefgh"[: chance.choice([6, 8])], chance.randint(1, 4)) for _ in range(number)]
    method = Disassociate(k=2, m=2, max_cluster_size=chance.choice([4, 5, 6]))
    release = method.anonymize(Transactions.from_lists(rows))
    assert len(layout_of(release.data).blocked)
    assert twin.guarantee_1_holds(release.data.to_nested(), 2, 2)


def test_joint_clusters_of_several_levels() -> None:
    """Too many for trying everything: by the conditions that suffice."""
    data = some_baskets(1, n=400, items="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN", longest=6)
    release = Disassociate(k=3, m=2, max_cluster_size=10).anonymize(data)
    assert int(release.data.depths.max()) >= 3
    assert len(layout_of(release.data).blocked)
    assert release.holds
    assert twin.reconstruction_holds(release.method.guarantees[0], release.data)


@few
@given(rows=baskets)
def test_the_original_is_possible(rows: list[set[str]]) -> None:
    """Supports in the original are never below what the chunks say, and every item is published."""
    data = Transactions.from_lists([sorted(row) for row in rows])
    chunks = Disassociate(k=2, m=2, max_cluster_size=4).anonymize(data).data
    assert len(chunks) == len(data)
    for at, one in enumerate(data.names):
        assert chunks.lower_bound([one]) >= 1
        for other in data.names[at:]:
            true = int(data.expected_count(Query(items=tuple({one, other}))))
            assert chunks.lower_bound([one, other]) <= true


def test_nothing_is_lost_of_records_that_are_all_equal() -> None:
    data = Transactions.from_lists([["a", "b", "c"]] * 7)
    (cluster,) = Disassociate(k=3, m=2).anonymize(data).data.to_nested()
    assert cluster == {"size": 7, "chunks": [[["a", "b", "c"]] * 7], "terms": []}


def test_the_number_of_threads_does_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    data = some_baskets(2, n=3000, items="abcdefghijklmnopqrstuvwxyz", longest=8)
    method = Disassociate(k=3, m=2, max_cluster_size=8)
    seen = []
    for number in (1, 3):
        monkeypatch.setattr(dividing, "_AT_ONCE", 7)
        with use_threads(number):
            seen.append(method.anonymize(data).data.to_polars())
    assert seen[0].equals(seen[1])


def test_refine_off_leaves_simple_clusters() -> None:
    release = Disassociate(k=2, m=2, max_cluster_size=6, refine=False).anonymize(some_baskets(3))
    assert not release.data.joint.any()
    assert Disassociate(k=2, m=2, max_cluster_size=6).anonymize(some_baskets(3)).data.joint.any()


def test_sensitive_items_stay_in_term_chunks_and_do_not_split() -> None:
    data = Transactions.from_lists([["a", "x"]] * 8 + [["b", "x"]] * 8, sensitive=["x"])
    release = Disassociate(k=2, m=2, max_cluster_size=8).anonymize(data)
    assert [(c["size"], c["chunks"][0][0], c["terms"]) for c in release.data.to_nested()] == [
        (8, ["a"], ["x"]),
        (8, ["b"], ["x"]),
    ]
    assert release.data.sensitive == {"x"}
    assert release.certificate().guarantees[0].parameters == {"k": 2, "m": 2, "l": 1}


def test_l_makes_clusters_larger() -> None:
    release = Disassociate(k=2, m=2, l=6, max_cluster_size=4).anonymize(some_baskets(4))
    assert release.data.sizes[~release.data.joint].min() >= 6


def test_the_records_of_a_person_are_one() -> None:
    rows = [["a"], ["b"], ["a", "b"], ["a", "b"], ["c"], ["a", "b"]]
    data = Transactions.from_lists(rows, persons=["u", "u", "v", "w", "w", "x"])
    release = Disassociate(k=2, m=2).anonymize(data)
    assert len(release.data) == 4
    assert release.counts["merged_records"] == 2
    assert release.data.lower_bound(["a", "b"]) == 4
    assert release.data.to_nested()[0]["terms"] == ["c"]
    model, verdict = release.verdicts[0]
    assert (verdict.holds, verdict.checked_from) == (True, "original")
    as_records = Disassociate(k=2, m=2).anonymize(Transactions.from_lists(rows))
    assert model.check(as_records.data, data).holds is False  # more records than persons


@pytest.mark.parametrize(("number", "clusters"), [(1, 1), (3, 2)])
def test_empty_records_are_dropped_or_kept_as_asked(number: int, clusters: int) -> None:
    data = Transactions.from_lists([["a", "b"]] * 4 + [[]] * number)
    dropped = Disassociate(k=2, m=2).anonymize(data)
    assert (len(dropped.data), dropped.counts["suppressed_records"]) == (4, number)
    kept = Disassociate(k=2, m=2, empty="keep").anonymize(data)
    assert (len(kept.data), kept.counts["suppressed_records"]) == (4 + number, 0)
    assert len(kept.data.sizes) == clusters
    assert kept.holds


def test_items_that_repeat_in_a_record_count_once() -> None:
    data = Transactions.from_lists([["a", "a", "b"], ["a", "b", "b"]])
    assert Disassociate(k=2, m=2).anonymize(data).data.to_nested()[0]["chunks"] == [[["a", "b"], ["a", "b"]]]


@pytest.mark.parametrize("seed", range(8))
def test_safe_leaves_no_cover(seed: int) -> None:
    data = some_baskets(seed, n=200, items="abcdefghijkl")
    rough = Disassociate(k=3, m=2, max_cluster_size=20).anonymize(data)
    safe = Disassociate(k=3, m=2, max_cluster_size=20, safe=True).anonymize(data)
    assert find_covers(rough.data).share > 0
    assert find_covers(safe.data).share == 0
    assert safe.holds
    assert safe.counts["suppressed_items"] > 0


def test_safe_suppresses_single_occurrences() -> None:
    """b never comes without a: in one of its six records a goes."""
    data = Transactions.from_lists([["a", "b"]] * 6 + [["a"]] * 4)
    release = Disassociate(k=3, m=2, safe=True).anonymize(data)
    (cluster,) = release.data.to_nested()
    assert release.counts["suppressed_items"] == 1
    assert sorted(cluster["chunks"][0]) == [["a"]] * 4 + [["a", "b"]] * 5 + [["b"]]
    assert cluster["terms"] == []


def test_a_crowd_too_small_is_refused() -> None:
    message = "disassociate: k=5 needs at least 5 records with an item, these data have 2"
    with pytest.raises(Infeasible, match=message):
        Disassociate(k=5, m=2).anonymize(Transactions.from_lists([["a"], ["b"], []]))


def test_parameters_are_checked() -> None:
    with pytest.raises(ParameterError, match="empty must be one of 'drop', 'keep', got 'maybe'"):
        Disassociate(k=2, m=2, empty="maybe")
    with pytest.raises(DataError, match="wanted items of the data, found 'x'"):
        Transactions.from_lists([["a"]], sensitive=["x"])


def test_a_large_m_is_no_trouble() -> None:
    data = some_baskets(5, n=80)
    largest = Disassociate(k=3, m=5, max_cluster_size=20, refine=False).anonymize(data)
    beyond = Disassociate(k=3, m=1_000_000, max_cluster_size=20, refine=False).anonymize(data)
    assert largest.holds
    assert beyond.holds
    simple = [cluster for cluster in beyond.data.to_nested() if cluster["terms"]]
    assert [cluster["chunks"] for cluster in simple] == [
        cluster["chunks"] for cluster in largest.data.to_nested() if cluster["terms"]
    ]


def test_parts_are_those_of_horpart_and_share_no_chunk() -> None:
    data = some_baskets(7, n=300, items="abcdefghijklmnopqrst")
    whole, cut = (Disassociate(k=3, m=2, max_cluster_size=6, partition=p).anonymize(data) for p in (None, 20))
    assert cut.holds
    assert len(cut.data) == len(whole.data) == 300
    assert int(cut.data.sizes[cut.data.parents < 0].max()) <= 20 < int(whole.data.sizes[whole.data.parents < 0].max())
    parts = horpart(data, smallest=3, largest=20, skipped=none_skipped(data))
    alone = Disassociate(k=3, m=2, max_cluster_size=6)
    made = [
        cluster
        for first, end in pairwise(parts.starts.tolist())
        for cluster in alone.anonymize(parts.data.take(np.arange(first, end))).data.to_nested()
    ]
    assert sorted(map(str, made)) == sorted(map(str, cut.data.to_nested()))


@pytest.mark.parametrize("refine", [True, False])
def test_parts_of_one_cluster_are_not_refined(refine: bool) -> None:
    """Without refining, the parts show only where a part is cut by size."""
    data = some_baskets(8, n=200)
    whole = Disassociate(k=3, m=2, max_cluster_size=8, refine=False).anonymize(data)
    cut = Disassociate(k=3, m=2, max_cluster_size=8, refine=refine, partition=2).anonymize(data)
    assert cut.data.to_polars().equals(whole.data.to_polars())


@pytest.mark.parametrize("number", [1, 4])
def test_empty_records_go_to_the_last_part(number: int) -> None:
    data = Transactions.from_lists([["a", "b"]] * 6 + [["c"]] * 5 + [[]] * number)
    kept = Disassociate(k=2, m=2, max_cluster_size=4, empty="keep", partition=6).anonymize(data)
    assert kept.holds
    assert len(kept.data) == 11 + number
