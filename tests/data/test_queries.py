"""Expected counts, by hand and by enumerating every possible world."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, combinations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from sfumato.data import Mixed, Table, Taxonomy, Trajectories, Transactions
from sfumato.data.queries import Between, OneOf, Query
from sfumato.errors import DataError

MEMBERS = {"g1": ("a", "b"), "g2": ("c", "d", "e")}


@settings(max_examples=120, deadline=None)
@given(
    row=st.lists(st.sampled_from(["g1", "g2", "f"]), max_size=4),
    wanted=st.lists(st.sampled_from("abcdef"), min_size=1, max_size=3),
)
def test_a_sequence_is_expected_as_often_as_in_all_worlds(row: list[str], wanted: list[str]) -> None:
    data = Trajectories.from_lists([row])
    data = replace(data, members={label: MEMBERS[label] for label in data.names if label in MEMBERS})
    worlds = list(product(*(MEMBERS.get(label, (label,)) for label in row)))
    truth = sum(oracles.contains(world, wanted) for world in worlds) / len(worlds)
    assert data.expected_count(Query(locations=tuple(wanted))) == pytest.approx(truth)


@settings(max_examples=120, deadline=None)
@given(
    row=st.sets(st.sampled_from(["g1", "g2", "f"])), wanted=st.sets(st.sampled_from("abcdef"), min_size=1, max_size=3)
)
def test_a_set_is_expected_as_often_as_in_all_worlds(row: set[str], wanted: set[str]) -> None:
    data = Transactions.from_lists([sorted(row)])
    data = replace(data, members={label: MEMBERS[label] for label in data.names if label in MEMBERS})
    choices = [_non_empty_subsets(MEMBERS.get(label, (label,))) for label in sorted(row)]
    worlds = [set(chain.from_iterable(world)) for world in product(*choices)]
    truth = sum(wanted <= world for world in worlds) / len(worlds)
    assert data.expected_count(Query(items=tuple(sorted(wanted)))) == pytest.approx(truth)


def _non_empty_subsets(members: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [some for size in range(1, len(members) + 1) for some in combinations(members, size)]


def test_what_nothing_is_generalized_is_counted_exactly() -> None:
    walks = Trajectories.from_lists(["abcab", "ba", "", "aab"])
    assert walks.expected_count(Query(locations=("a", "b"))) == 2
    assert walks.expected_count(Query(locations=("a", "a", "b"))) == 2
    assert walks.expected_count(Query(locations=("nowhere",))) == 0
    assert walks.expected_count(Query()) == 4
    assert Transactions.from_lists(["ab", "b"]).expected_count(Query(items=("a", "b"))) == 1


@pytest.mark.parametrize(
    ("cell", "condition", "share"),
    [
        (25, Between(20, 30), 1),
        (31, Between(20, 30), 0),
        ("[19:22]", Between(20, 21), 0.5),
        ("[19:22]", Between(20.5, 21.5), 0.25),
        ("[19:22]", Between(0, 100), 1),
        ("[-5:-2]", Between(-3, 0), 0.5),
        ("[1.5:2.5]", Between(2, 9), 0.5),
        ("[2.5:2.5]", Between(2, 3), 1),
        (1.25, Between(1, 2), 1),
        ("Rome", Between(1, 2), 0),
        (True, Between(0, 2), 0),
        ("Rome", OneOf(("Rome", "Oslo")), 1),
        (7, OneOf(("7",)), 1),
        (None, OneOf(("None",)), 0),
    ],
)
def test_the_share_of_a_cell(cell: Any, condition: Any, share: float) -> None:
    assert condition.share(cell) == share


def test_tables_use_members_hierarchies_and_ranges() -> None:
    towns = Taxonomy({"*": None, "south": "*", "Rome": "south", "Bari": "south", "Oslo": "*"})
    table = Table(
        {"town": ["south", "Oslo", "*", "north", None], "age": ["[30:39]", "31", "[0:99]", "[30:39]", "30"]},
        hierarchies={"town": towns},
        members={"town": {"north": ("Oslo", "Turku")}},
    )
    rome = Query(where={"town": OneOf(("Rome",))})
    assert table.chances(rome).tolist() == [0.5, 0, pytest.approx(1 / 3), 0, 0]
    assert table.expected_count(Query(where={"town": OneOf(("Turku",))})) == 0.5
    both = Query(where={"town": OneOf(("Rome",)), "age": Between(30, 34)})
    assert table.chances(both).tolist() == [0.25, 0, pytest.approx(0.05 / 3), 0, 0]
    with pytest.raises(DataError, match="the table has no column 'twon'; did you mean 'town'"):
        table.expected_count(Query(where={"twon": OneOf(("Rome",))}))


def test_mixed_data_ask_both() -> None:
    data = Mixed.from_frame({"age": [30, 31, 30], "items": ["a b", "a", "b"]})
    assert data.expected_count(Query(items=("a",), where={"age": Between(30, 30)})) == 1


@pytest.mark.parametrize(
    "query",
    [
        Query(locations=("a", "b", "a")),
        Query(items=("x", "y")),
        Query(items=("x",), where={"age": Between(1, 2.5), "town": OneOf(("Rome",))}),
    ],
)
def test_queries_survive_json(query: Query) -> None:
    assert Query.from_json(query.to_json()) == query


@pytest.mark.parametrize(
    "said",
    [{"locatoins": ["a"]}, {"locations": "ab"}, {"where": {"age": {"from": 1}}}, {"where": ["a"]}, {"items": 3}],
)
def test_queries_that_cannot_be_read_are_refused(said: Any) -> None:
    with pytest.raises(DataError, match="a query: wanted"):
        Query.from_json(said)
