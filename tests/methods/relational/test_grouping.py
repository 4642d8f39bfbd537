"""Groups against their literal twins, and what exchange must never do."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import Table
from sfumato.data import Persons
from sfumato.data.tables.encoding import Coding
from sfumato.methods.relational import grouping as module
from sfumato.methods.relational.grouping import Grouping, clusters, improved_groups
from sfumato.privacy import KAnonymity, LDiversity, TCloseness
from tabled import CELLS, HIERARCHIES
from twins.clusters import cluster, groups_of, k_member, total_cost


@st.composite
def tables(draw: Any, least: int = 4, most: int = 14) -> Table:
    """Hierarchies with leaves at several depths, a column of numbers, missing values, a secret, persons or nobody."""
    rows = draw(st.lists(CELLS, min_size=least, max_size=most))
    n = len(rows)
    frame = pl.DataFrame(rows, schema=dict.fromkeys(("job", "town", "sex"), pl.String), orient="row").with_columns(
        pl.Series("age", draw(st.lists(st.sampled_from([20, 21, 34, 60, None]), min_size=n, max_size=n)), pl.Int64),
        pl.Series(
            "ill", draw(st.lists(st.sampled_from(["flu", "cold", "hiv", None]), min_size=n, max_size=n)), pl.String
        ),
    )
    who = draw(st.none() | st.lists(st.sampled_from("uvwxyz"), min_size=n, max_size=n))
    persons = None if who is None else Persons.of(who)
    return Table(frame, hierarchies=HIERARCHIES, sensitive=("ill",), persons=persons)


def arranged(table: Table, k: int, l: int = 1, t: float = 1.0) -> tuple[Grouping, Table, list[int]]:  # noqa: E741
    grouping = Grouping.of(Coding.of(table), k, np.random.default_rng(2), l, t)
    return grouping, table.take(grouping.order), grouping.demand.units.tolist()


@settings(max_examples=40, deadline=None)
@given(table=tables(), k=st.integers(2, 3), l=st.integers(1, 3), seed=st.integers(0, 9))
def test_clusters_are_those_of_the_literal_twin(table: Table, k: int, l: int, seed: int) -> None:  # noqa: E741
    grouping, ordered, units = arranged(table, k, l)
    seeds = np.random.default_rng(seed).permutation(len(table))
    assert groups_of(grouping.nearest(seeds)) == cluster(ordered, units, seeds.tolist(), k, l)


@settings(max_examples=40, deadline=None)
@given(table=tables(), k=st.integers(2, 3), l=st.integers(1, 3))
def test_greedy_groups_are_those_of_the_literal_twin(table: Table, k: int, l: int) -> None:  # noqa: E741
    grouping, ordered, units = arranged(table, k, l)
    assert groups_of(grouping.grown()) == k_member(ordered, units, k, l)


@settings(max_examples=60, deadline=None)
@given(table=tables(8, 24), k=st.integers(2, 3), l=st.integers(1, 2), t=st.sampled_from([1.0, 0.5, 0.3]))
def test_exchange_gains_what_it_says_and_keeps_the_demand(table: Table, k: int, l: int, t: float) -> None:  # noqa: E741
    grouping, ordered, _ = arranged(table, k, l, t)
    start = grouping.settled(grouping.grown())
    if start is None:
        return
    group = start.copy()
    gained = sum(grouping.passes(group))
    assert total_cost(ordered, groups_of(start)) - total_cost(ordered, groups_of(group)) == gained >= 0
    for rows in groups_of(group):
        part = ordered.take(np.array(sorted(rows)))
        same = Table(part.frame.select("ill"), sensitive=("ill",), persons=part.persons)
        assert KAnonymity(k=k).check(same).holds
        assert l == 1 or LDiversity(l=l).check(same).holds


@settings(max_examples=60, deadline=None)
@given(table=tables(), k=st.integers(2, 3), l=st.integers(1, 3), t=st.sampled_from([1.0, 0.6, 0.25, 0.0]))
def test_settled_groups_meet_every_demand(table: Table, k: int, l: int, t: float) -> None:  # noqa: E741
    coding = Coding.of(table)
    everything = Table(table.frame.select("ill"), sensitive=("ill",), persons=table.persons)
    possible = KAnonymity(k=k).check(everything).holds and (l == 1 or LDiversity(l=l).check(everything).holds)
    for group in (
        clusters(coding, k, np.random.default_rng(1), l=l, t=t),
        improved_groups(coding, k, np.random.default_rng(1), l=l, t=t),
    ):
        assert (group is not None) == possible
        if group is None:
            continue
        as_one = Table(pl.DataFrame({"group": group, "ill": table["ill"]}), sensitive=("ill",), persons=table.persons)
        assert KAnonymity(k=k).check(as_one).holds
        assert l == 1 or LDiversity(l=l).check(as_one).holds
        assert TCloseness(t=t).check(as_one).holds


@settings(max_examples=40, deadline=None)
@given(table=tables(), draw=st.data(), seed=st.integers(0, 3))
def test_the_order_of_rows_and_the_names_of_persons_do_not_matter(table: Table, draw: Any, seed: int) -> None:
    order = np.array(draw.draw(st.permutations(range(len(table)))))
    moved = table.take(order)
    if moved.persons is not None:
        names = dict(zip("uvwxyz", draw.draw(st.permutations("uvwxyz")), strict=True))
        who = table.persons.names.gather(table.persons.codes[order]).to_list()  # type: ignore[union-attr]
        moved = moved.with_persons(Persons.of([names[one] for one in who]))
    for find in (
        lambda coding: clusters(coding, 2, np.random.default_rng(seed), l=2),
        lambda coding: improved_groups(coding, 2, np.random.default_rng(seed), t=0.5),
    ):
        one, two = find(Coding.of(table)), find(Coding.of(moved))
        if one is None or two is None:
            assert one is None
            assert two is None
            continue
        assert contents(table, one) == contents(moved, two)


def contents(table: Table, group: Any) -> list[list[str]]:
    rows = table.frame.rows()
    return sorted(sorted(str(rows[row]) for row in one) for one in groups_of(group))


def test_a_chain_of_three_is_found() -> None:
    """Each of three groups holds a row that belongs to the next; no exchange of two rows between two groups helps."""
    numbers = [0, 0, 100, 100, 100, 200, 200, 200, 0]
    table = Table({"place": numbers})
    grouping = Grouping.of(Coding.of(table), 3, np.random.default_rng(1))
    group = np.array([0, 0, 2, 0, 1, 1, 1, 2, 2])
    after = grouping.exchanged(group)
    assert grouping.cost(group) > 0
    assert grouping.cost(after) == 0


def test_weights_decide_what_goes_together() -> None:
    table = Table({"job": ["a", "a", "b", "b"], "town": ["x", "y", "x", "y"]})
    coding = Coding.of(table)
    assert groups_of(improved_groups(coding, 2, np.random.default_rng(1), weights=[1.0, 0.1])) == {
        frozenset({0, 1}),
        frozenset({2, 3}),
    }
    assert groups_of(improved_groups(coding, 2, np.random.default_rng(1), weights=[0.1, 1.0])) == {
        frozenset({0, 2}),
        frozenset({1, 3}),
    }


def test_many_leaves_are_climbed_and_measured_as_few_are() -> None:
    """Beyond 512 leaves there is no table of costs; the groups are the same as with one."""
    chance = np.random.default_rng(3)
    frame = pl.DataFrame({"pay": chance.integers(0, 10**6, 700), "town": [f"t{n % 600}" for n in range(700)]})
    frame = frame.with_columns(pl.when(pl.col("pay") < 20000).then(None).otherwise(pl.col("pay")).alias("pay"))
    table = Table(frame)
    by_climbing = improved_groups(Coding.of(table), 4, np.random.default_rng(1))
    size = module.spans_of.__globals__["_TABLE"]
    try:
        module.spans_of.__globals__["_TABLE"] = 10**4
        by_table = improved_groups(Coding.of(table), 4, np.random.default_rng(1))
    finally:
        module.spans_of.__globals__["_TABLE"] = size
    assert by_climbing.tolist() == by_table.tolist()
