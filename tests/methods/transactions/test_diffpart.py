"""DiffPart: sets of items with noisy counts."""

from __future__ import annotations

from collections import Counter
from math import exp, sqrt
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import DiffPart, Taxonomy, Transactions
from sfumato.errors import DataError, MissingKnowledge, ParameterError
from sfumato.methods.base import Run
from sfumato.methods.transactions.partitions import Baskets, Partition

ITEMS = [f"i{number}" for number in range(7)]
TREE = Taxonomy.balanced(ITEMS, 3)


def baskets(seed: int, number: int = 400) -> Transactions:
    chance = Random(seed)
    kinds = [["i0"], ["i1", "i5"], ["i2", "i3", "i6"], ["i4"]]
    return Transactions.from_lists([chance.choice(kinds) for _ in range(number)], taxonomy=TREE)


def told(data: Transactions) -> Counter[tuple[str, ...]]:
    return Counter(tuple(row) for row in data.to_lists())


def test_much_epsilon_tells_the_frequent_sets_nearly_as_they_are() -> None:
    data = baskets(1)
    release = DiffPart(epsilon=60.0, fanout=3).anonymize(data, seed=3)
    assert set(told(release.data)) == set(told(data))
    assert all(abs(count - told(data)[one]) <= 2 for one, count in told(release.data).items())


def test_little_epsilon_tells_nothing_of_a_few() -> None:
    assert len(DiffPart(epsilon=0.01).anonymize(baskets(1, 20), seed=3).data) == 0


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sets(st.sampled_from(ITEMS), max_size=4), min_size=1, max_size=8))
def test_cells_are_those_of_brute_force(rows: list[set[str]]) -> None:
    data = Transactions.from_lists([sorted(row) for row in rows], taxonomy=TREE)
    partitions = Baskets(data, TREE)
    node = partitions.start.inner[0]
    cells = partitions.cells(np.zeros(len(data), dtype=np.int64), np.array([0]), [node])
    for cell, row in zip(cells.tolist(), rows, strict=True):
        below = [set(TREE.leaves_below(child)) & row for child in TREE.children(TREE.root)]
        assert cell == sum(2**number for number, found in enumerate(below) if found) - 1


def test_every_set_of_items_has_one_path_and_its_splits_are_bounded() -> None:
    data = Transactions.from_lists([ITEMS[:5]], taxonomy=TREE)
    partitions = Baskets(data, TREE)
    at, steps = partitions.start, 0
    allowed = partitions.splits_below(at)
    while at.inner:
        mask = int(partitions.cells(np.zeros(1, dtype=np.int64), np.array([0]), [at.inner[0]])[0]) + 1
        at, steps = partitions.below(at, mask), steps + 1
    assert at == Partition((), (0, 1, 2, 3, 4))
    assert steps <= allowed


def test_what_is_spent_along_every_path_is_at_most_epsilon() -> None:
    method = DiffPart(epsilon=3.0, fanout=2)
    run = Run(seed=5)
    method.transform(baskets(2), run)
    model = method.guarantees[0]
    assert model.check_spends(run.budget.spends).holds is True
    assert run.budget.spends.largest == 1


def test_of_each_person_one_record_counts() -> None:
    rows = [["i0"]] * 300 + [["i4"]] * 2
    data = Transactions.from_lists(rows, persons=["one"] * 300 + ["two", "three"], taxonomy=TREE)
    release = DiffPart(epsilon=60.0, fanout=3).anonymize(data, seed=1)
    assert told(release.data)[("i0",)] <= 3  # 300 records, but of one person
    assert release.certificate().unit == "person"


def test_neighbours_are_told_apart_by_no_more_than_epsilon() -> None:
    """The real code path, many times: how likely something is published, with and without one record."""
    epsilon, runs = 1.0, 700
    tree = Taxonomy.balanced(["a", "b"], 2)
    many, fewer = (Transactions.from_lists([["a"]] * number, taxonomy=tree) for number in (9, 8))
    method = DiffPart(epsilon=epsilon, fanout=2)
    with_one, without = (
        sum(len(method.anonymize(data, seed=seed).data) >= 9 for seed in range(runs)) / runs for data in (many, fewer)
    )
    assert 0.05 < without < with_one  # the figures say something
    margin = 4 * sqrt(0.25 / runs)
    assert with_one - margin <= exp(epsilon) * (without + margin)
    assert 1 - without - margin <= exp(epsilon) * (1 - with_one + margin)


def test_the_certificate_tells_no_exact_figure() -> None:
    certificate = DiffPart(epsilon=5.0).anonymize(baskets(1), seed=1).certificate()
    assert set(certificate.records) == {"published"}
    assert certificate.guarantees[0].verdict["measured"] == {}


def test_refusals() -> None:
    with pytest.raises(ParameterError, match=r"epsilon must be a number of at least 0.001 and at most 100, got 1e-12"):
        DiffPart(epsilon=1e-12, fanout=3)
    with pytest.raises(MissingKnowledge, match="diffpart: needs taxonomy"):
        DiffPart(epsilon=1.0).anonymize(Transactions.from_lists([["a"]]))
    with pytest.raises(DataError, match=r"wanted a leaf for every item of the data, found none for 1"):
        DiffPart(epsilon=1.0).anonymize(Transactions.from_lists([["x"]], taxonomy=TREE))
