"""Expected counts, by hand and by enumerating every possible world."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import driving
import oracles
from sfumato.data import Chunks, Dataset, Mixed, RoadTrajectories, Table, Taxonomy, Trajectories, Transactions
from sfumato.data.queries import ESTIMATES, Between, OneOf, Query
from sfumato.errors import DataError, ParameterError
from twins import queries as twin

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


OVERLAPPING = {**MEMBERS, "g3": ("a", "c"), "g4": ("a", "b", "c")}  # an item may be under several labels of a record


@pytest.mark.parametrize("estimate", ESTIMATES)
@settings(max_examples=150, deadline=None)
@given(
    rows=st.lists(st.sets(st.sampled_from(["g1", "g2", "g3", "g4", "f", "a"]), max_size=4), min_size=1, max_size=3),
    wanted=st.sets(st.sampled_from("abcdef"), min_size=1, max_size=3),
)
def test_a_set_is_expected_as_often_as_in_all_worlds(estimate: str, rows: list[set[str]], wanted: set[str]) -> None:
    data = Transactions.from_lists([sorted(row) for row in rows])
    data = replace(data, members={label: OVERLAPPING[label] for label in data.names if label in OVERLAPPING})
    query = Query(items=tuple(sorted(wanted)))
    truth = [float(twin.chance(row, data.members, wanted, estimate)) for row in rows]
    assert data.chances(query, estimate).tolist() == pytest.approx(truth)
    assert data.expected_count(query, estimate) == pytest.approx(sum(truth))
    assert data.expected_counts([query, query], estimate).tolist() == pytest.approx([sum(truth)] * 2)
    twice = Query(items=query.items * 2)
    assert data.chances(twice, estimate).tolist() == data.chances(query, estimate).tolist()


@settings(max_examples=120, deadline=None)
@given(
    row=st.sets(st.sampled_from(["g1", "g2", "f"])), wanted=st.sets(st.sampled_from("abcdef"), min_size=1, max_size=4)
)
def test_the_share_is_as_it_is_printed(row: set[str], wanted: set[str]) -> None:
    """j wanted items under one label of n count n^-j."""
    data = Transactions.from_lists([sorted(row)])
    data = replace(data, members={label: MEMBERS[label] for label in data.names if label in MEMBERS})
    printed = float(twin.printed_share(row, data.members, wanted))
    assert data.expected_count(Query(items=tuple(sorted(wanted)))) == pytest.approx(printed)


def test_a_label_of_many_members_is_no_overflow() -> None:
    many = tuple(f"i{number:04}" for number in range(3000))
    data = replace(Transactions.from_lists([["all", "one"]] * 2), members={"all": many, "one": many[:1]})
    query = Query(items=many[1:3])
    assert data.expected_count(query, "subsets") == pytest.approx(2 / 4)
    assert data.expected_count(query) == pytest.approx(2 / 3000**2)
    assert data.expected_count(Query(items=many[:2]), "subsets") == pytest.approx(2 / 2)


@pytest.mark.parametrize(
    ("data", "query"),
    [
        (replace(Trajectories.from_lists([["g1", "c"]]), members={"g1": ("a", "b")}), Query(locations=("a", "c"))),
        (Table({"age": ["[30:39]"]}), Query(where={"age": Between(30, 31)})),
        (Chunks.of([{"size": 4, "chunks": [[["a"], ["a"]]], "terms": ["c"]}]), Query(items=("a", "c"))),
        (RoadTrajectories.from_lists([["ab+"]], network=driving.town("ab bc")), Query(locations=("ab",))),
        (Mixed.from_frame({"age": [30], "items": ["a"]}), Query(items=("a",))),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_other_data_take_every_estimate_and_no_other(data: Dataset, query: Query) -> None:
    assert data.expected_count(query, "share") == data.expected_count(query, "subsets") == data.expected_count(query)
    assert data.expected_counts([query], "subsets").tolist() == [data.expected_count(query)]
    for refused in (data.chances, data.expected_count):
        with pytest.raises(ParameterError, match="estimate must be one of 'share', 'subsets', got 'all'"):
            refused(query, "all")
    with pytest.raises(ParameterError, match="estimate must be one of"):
        data.expected_counts([], "all")


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
