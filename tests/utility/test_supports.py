"""How well the distribution of supports is kept."""

from __future__ import annotations

from itertools import combinations
from math import log
from pathlib import Path
from typing import Any

import pytest

from sfumato import NGrams, SeqAnon, Trajectories
from sfumato.data.queries import Query
from sfumato.errors import DataError
from sfumato.experiments.evaluation import evaluate
from sfumato.utility.supports import KlDivergence, Subtrajectories
from sfumato.utility.workload import Workload
from twins.counterparts import counterpart_support, divergence
from twins.random_releases import baskets, walks

# b and c become one label, which three trajectories contain
WALKS = Trajectories.from_lists(["ab", "ab", "ac", "a"], places={"a": (0, 0), "b": (50, 0), "c": (51, 0)})


@pytest.fixture
def release() -> Any:
    release = SeqAnon(k=2, m=1).anonymize(WALKS)
    assert release.data.members == {"g1": ("b", "c")}
    return release


def test_kl_by_hand(release: Any) -> None:
    true, published = [4.5, 2.5, 1.5], [4.5, 3.5, 3.5]  # b and c have the support of their label
    p, q = [[x / sum(values) for x in values] for values in (true, published)]
    expected = sum(a * log(a / b) for a, b in zip(p, q, strict=True))
    assert KlDivergence()(WALKS, release).value == pytest.approx(expected)
    assert KlDivergence(patterns=30, largest=2)(WALKS, release).value > 0


def test_subtrajectories_by_hand(release: Any) -> None:
    # before: ab, ac; published: a g1
    assert Subtrajectories(size=2)(WALKS, release).value == 50
    assert Subtrajectories(size=1)(WALKS, release).value == pytest.approx(200 / 3)
    assert Subtrajectories(size=5)(WALKS, release).value == 100


@pytest.mark.parametrize("size", [1, 2, 3])
def test_subtrajectories_of_every_shape(size: int) -> None:
    for case in walks(8):
        before, after = (
            {part for row in rows for part in combinations(row, size)} for rows in (case.before, case.after)
        )
        value = Subtrajectories(size=size)(case.original, case.published).value
        assert value == pytest.approx(100 * len(after) / len(before) if before else 100)


def test_the_grams_of_ngrams_are_counted_and_not_its_walks(tmp_path: Path) -> None:
    rows = [["a", "b", "c"]] * 400 + [["c", "b"]] * 300 + [["d"]]
    data = Trajectories.from_lists(rows, places=dict.fromkeys("abcdef", (0, 0)))
    release = NGrams(epsilon=8.0, l_max=5, n_max=4).anonymize(data, seed=3)
    for size in (1, 2, 3, 4, 5):
        before = {part for row in rows for part in combinations(row, size)}
        kept = release.counts.get(f"grams_of_size_{size}", 0)
        expected = 100 * kept / len(before) if before else 100
        assert Subtrajectories(size=size)(data, release).value == pytest.approx(expected)
    walked = Subtrajectories(size=2)(data, release.data).value  # the synthetic trajectories as data, gaps allowed
    assert walked != Subtrajectories(size=2)(data, release).value
    release.write(tmp_path / "synthetic")
    with pytest.raises(DataError, match="subtrajectories: needs the run itself"):
        evaluate(data, tmp_path / "synthetic", ["subtrajectories"])
    assert "subtrajectories" in evaluate(data, tmp_path / "synthetic").unmeasured


@pytest.mark.parametrize("largest", [None, 1, 2, 3])
def test_kl_of_every_shape_is_its_literal_definition(largest: int | None) -> None:
    for case in (*walks(3), *baskets(4)):
        ordered = case.original.kind == "trajectories"
        if largest is None:
            workload, measure = Workload.every_name(case.original), KlDivergence()
        else:
            workload = Workload.of(case.original, number=12, largest=largest, seed=5)
            measure = KlDivergence(patterns=12, largest=largest, seed=5)
        patterns = [query.locations or query.items for query in workload]
        true = [sum(_contains(row, pattern, ordered) for row in case.before) for pattern in patterns]
        if case.shape == "chunks":
            published = [case.published.expected_count(query) for query in workload]
        else:
            published = [counterpart_support(case, pattern, ordered=ordered) for pattern in patterns]
        expected = divergence(true, published) if patterns else 0.0
        assert measure(case.original, case.published).value == pytest.approx(expected)
        if case.shape == "unchanged":
            assert expected == pytest.approx(0)


def _contains(row: list[str], pattern: tuple[str, ...], ordered: bool) -> bool:
    rest = iter(row)
    return all(name in rest for name in pattern) if ordered else set(pattern) <= set(row)


def test_the_patterns_of_kl_come_from_a_workload_file(tmp_path: Path) -> None:
    days = Trajectories.from_lists([["a", "b"], ["a", "b", "c"], ["c"]])
    published = Trajectories.from_lists([["a", "b"], ["a"], ["c"]])
    patterns = Workload.of(days, number=6, largest=2, seed=3)
    patterns.save(tmp_path / "w.json")
    measured = KlDivergence(workload=str(tmp_path / "w.json"))(days, published)
    assert measured == KlDivergence(patterns=6, largest=2, seed=3)(days, published)
    Workload((Query(items=("a",)),)).save(tmp_path / "other.json")
    with pytest.raises(DataError, match="found items in query 1"):
        KlDivergence(workload=str(tmp_path / "other.json")).require_kind("trajectories")
