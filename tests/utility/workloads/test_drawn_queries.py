"""Queries of exact sizes, from records, uniformly and by frequency, for every kind of data."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import build
from sfumato.data import Mixed, Table, Trajectories, Transactions
from sfumato.data.queries import Between, OneOf, Query
from sfumato.errors import DataError, ParameterError
from sfumato.utility.queries import Are
from sfumato.utility.workload import Workload
from sfumato.utility.workloads.drawn_queries import DrawnQueries

MIXED = Mixed.from_frame(
    {
        "age": [30, 40, None, 33, 50],
        "town": ["Rome", None, "Oslo", "Rome", "Bari"],
        "items": ["a b", "b", "", "a c d", "b c"],
    }
)
WALKS = build("trajectories", [list("abc"), list("acb"), [], ["d"], list("aab")])
EVERY: dict[str, tuple[Any, dict[str, int]]] = {
    "trajectories": (WALKS, {"visits": 2}),
    "transactions": (MIXED.items, {"items": 2}),
    "table": (MIXED.table, {"values": 2}),
    "mixed": (MIXED, {"values": 1, "items": 2}),
}
DRAWS = ("records", "uniform", "frequency")


def sizes(query: Query) -> dict[str, int]:
    found = {"visits": len(query.locations), "items": len(query.items), "values": len(query.where)}
    return {part: size for part, size in found.items() if size}


@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize("kind", EVERY)
def test_sizes_are_exact_and_a_seed_repeats(kind: str, draw: str) -> None:
    data, exact = EVERY[kind]
    workload = Workload.of(data, number=60, draw=draw, seed=3, **exact)
    assert len(workload) == 60
    assert all(sizes(query) == exact for query in workload)
    assert workload == Workload.of(data, number=60, draw=draw, seed=3, **exact)
    assert workload.queries != Workload.of(data, number=60, draw=draw, seed=4, **exact).queries
    workload.require(data)
    assert all(len(set(query.items)) == len(query.items) for query in workload)
    if draw == "records":
        assert (workload.counts(data) >= 1).all()


@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize("kind", EVERY)
def test_sizes_are_drawn_where_they_are_not_exact(kind: str, draw: str) -> None:
    data, _ = EVERY[kind]
    drawn = [sizes(query) for query in Workload.of(data, number=300, largest=3, draw=draw)]
    for part in DrawnQueries()._parts(kind):
        most = 2 if part == "values" else 3
        assert {size.get(part, 0) for size in drawn} - {0} == set(range(1, most + 1))


def _names(workload: Workload) -> Counter[str]:
    return Counter(name for query in workload for name in (*query.locations, *query.items))


def test_single_names_are_drawn_uniformly_or_by_the_records_that_hold_them() -> None:
    """a is in 3 records of the walks, b in 3, c in 2, d in 1; a second visit to a does not count."""
    uniform = _names(Workload.of(WALKS, number=9000, visits=1, draw="uniform"))
    assert [uniform[name] / 9000 for name in "abcd"] == pytest.approx([1 / 4] * 4, abs=0.02)
    frequent = _names(Workload.of(WALKS, number=9000, visits=1, draw="frequency"))
    assert [frequent[name] / 9000 for name in "abcd"] == pytest.approx([3 / 9, 3 / 9, 2 / 9, 1 / 9], abs=0.02)
    # of the items a and c are in 2 records, b in 3, d in 1
    items = _names(Workload.of(MIXED, number=8000, items=1, about="items", draw="frequency"))
    assert [items[name] / 8000 for name in "abcd"] == pytest.approx([2 / 8, 3 / 8, 2 / 8, 1 / 8], abs=0.02)


def test_visits_are_independent_and_may_repeat() -> None:
    pairs = Counter(query.locations for query in Workload.of(WALKS, number=9000, visits=2, draw="frequency"))
    assert pairs["a", "a"] / 9000 == pytest.approx(1 / 9, abs=0.02)
    assert pairs["a", "d"] / 9000 == pytest.approx(1 / 27, abs=0.02)
    assert len(pairs) == 16


@pytest.mark.parametrize(("draw", "shares"), [("uniform", [1 / 3] * 3), ("frequency", [1 / 4, 1 / 4, 1 / 2])])
def test_values_are_drawn_from_their_column(draw: str, shares: list[float]) -> None:
    """Of four towns, Rome occurs twice; columns are drawn uniformly."""
    drawn = [query.where for query in Workload.of(MIXED.table, number=9000, values=1, draw=draw)]
    assert sum("town" in where for where in drawn) / 9000 == pytest.approx(1 / 2, abs=0.02)
    towns = Counter(where["town"] for where in drawn if "town" in where)
    found = [towns[OneOf((town,))] / towns.total() for town in ("Bari", "Oslo", "Rome")]
    assert found == pytest.approx(shares, abs=0.03)


@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize("width", [0.0, 0.1, 0.5, 1.0])
def test_a_range_of_numbers_has_its_width_and_holds_a_number_of_the_column(draw: str, width: float) -> None:
    table = Table({"age": [20, 30, 60]})
    for query in Workload.of(table, number=50, values=1, draw=draw, width=width):
        asked = query.where["age"]
        assert isinstance(asked, Between)
        assert asked.high - asked.low == pytest.approx(40 * width)
        assert any(asked.low <= age <= asked.high + 1e-9 for age in (20, 30, 60))
        assert width or asked.low in (20, 30, 60)


@pytest.mark.parametrize(
    ("data", "rule", "problem"),
    [
        (WALKS, {"visits": 4}, "a query: wanted a record with as many visits"),
        (MIXED, {"items": 3, "values": 3}, "a query: wanted a record with as many"),
        (MIXED.items, {"items": 5, "draw": "uniform"}, "a query of 5: wanted as many items in the data, found 4"),
        (MIXED.table, {"values": 3, "draw": "frequency"}, "wanted as many quasi-identifiers with values in the data"),
        (Trajectories.from_lists([[]]), {"visits": 1, "draw": "uniform"}, "wanted a location in the data, found 0"),
    ],
)
def test_sizes_that_the_data_do_not_have(data: Any, rule: dict[str, Any], problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        Workload.of(data, **rule)


@pytest.mark.parametrize(
    ("data", "rule", "problem"),
    [
        (WALKS, {"items": 2}, "items in a query: wanted data with items, found trajectories"),
        (MIXED.items, {"visits": 2}, "visits in a query: wanted data with visits, found transactions"),
        (MIXED, {"items": 2, "about": "rows"}, "found mixed data, and queries about rows"),
        (WALKS, {"draw": "evenly"}, "draw must be one of 'records', 'uniform', 'frequency', got 'evenly'"),
        (WALKS, {"size": 2}, "no parameter is called 'size'"),
        (WALKS, {"visits": 0}, "visits must be a whole number of at least 1"),
    ],
)
def test_rules_that_do_not_fit(data: Any, rule: dict[str, Any], problem: str) -> None:
    with pytest.raises(ParameterError, match=problem):
        Workload.of(data, **rule)


def test_data_without_names_or_records_have_queries_for_everything_or_none() -> None:
    assert Workload.of(Trajectories.from_lists([[]]), number=1, draw="uniform").queries == (Query(),)
    assert Workload.of(Transactions.from_lists([[]]), number=1, draw="frequency").queries == (Query(),)
    assert Workload.of(Table({"age": [None]}), number=1, draw="uniform").queries == (Query(),)
    assert len(Workload.of(Trajectories.from_lists([]), draw="uniform", visits=3)) == 0


@settings(max_examples=40, deadline=None)
@given(
    rows=st.lists(st.lists(st.sampled_from("abcde"), max_size=4), min_size=1, max_size=6), seed=st.integers(0, 2**32)
)
def test_are_draws_what_a_workload_draws(rows: list[list[str]], seed: int) -> None:
    baskets = Transactions.from_lists([*rows, ["a", "b"]])
    published = Transactions.from_lists([[name for name in row if name < "c"] for row in [*rows, ["a", "b"]]])
    workload = Workload.of(baskets, number=20, items=2, draw="frequency", seed=seed)
    true, seen = workload.counts(baskets), workload.counts(published)
    wanted = np.mean(np.abs(true - seen) / np.maximum(true, 1))
    drawn = Are(queries=20, items=2, draw="frequency", seed=seed)(baskets, published)
    assert drawn.value == pytest.approx(float(wanted))


def test_the_rule_is_stated() -> None:
    assert Workload.of(WALKS, number=5).rule == "5 drawn from the data, sizes 1 to 2, seed 0"
    assert Workload.of(WALKS, number=5, visits=2, seed=1).rule == "5 drawn from the data, 2 visits, seed 1"
    both = Workload.of(MIXED, number=5, values=1, draw="frequency", width=0)
    assert both.rule == "5 drawn by frequency, 1 value, sizes 1 to 2, ranges 0.0 wide, seed 0"
    assert (
        Workload.of(MIXED, number=5, items=2, about="items", draw="uniform").rule
        == "5 drawn uniformly, 2 items, seed 0"
    )


def test_are_refuses_sizes_of_other_data_before_a_run() -> None:
    with pytest.raises(ParameterError, match="values in a query: wanted data with values, found trajectories"):
        Are(values=2).require_kind("trajectories")
