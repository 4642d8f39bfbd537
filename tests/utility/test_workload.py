"""Workloads: drawn by a stated rule, saved, loaded, edited, refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from datasets import build
from sfumato.catalogue import MEASURES
from sfumato.data import Mixed, Table, Trajectories
from sfumato.data.queries import Query
from sfumato.errors import DataError, FileError, ParameterError
from sfumato.utility.workload import Workload

ROWS = [list("abc"), list("acb"), [], ["d"]]
MIXED = Mixed.from_frame({"age": [30, 40, None], "town": ["Rome", None, "Oslo"], "items": ["a b", "b", ""]})
EVERY = {kind: build(kind, ROWS) for kind in ("trajectories", "transactions", "table")} | {"mixed": MIXED}


@pytest.mark.parametrize("kind", EVERY)
def test_drawn_queries_have_answers_and_a_seed(kind: str) -> None:
    data = EVERY[kind]
    workload = Workload.of(data, number=60, largest=3, seed=4)
    assert len(workload) == 60
    assert workload == Workload.of(data, number=60, largest=3, seed=4)
    assert workload.queries != Workload.of(data, number=60, largest=3, seed=5).queries
    assert (workload.counts(data) >= 1).all()
    workload.require(data)


DRAWN = {
    "trajectories": [{"locations": ["a", "c"]}, {"locations": ["a", "b"]}, {"locations": ["a", "c"]}],
    "transactions": [{"items": ["a", "c"]}, {"items": ["a", "b"]}, {"items": ["a", "b"]}],
    "table": [
        {"where": {"age": {"from": 30.918577425940573, "to": 31.018577425940574}}},
        {"where": {"age": {"from": 30.939989947403436, "to": 31.039989947403438}}},
        {"where": {"age": {"from": 30.994485337266692, "to": 31.094485337266693}, "town": ["d"]}},
    ],
    "mixed": [
        {"where": {"town": ["Oslo"]}},
        {"items": ["b"], "where": {"age": {"from": 29.399899474034346, "to": 30.399899474034346}}},
        {"where": {"town": ["Oslo"]}},
    ],
}


@pytest.mark.parametrize("kind", EVERY)
def test_a_seed_draws_the_queries_that_it_drew_in_earlier_versions(kind: str) -> None:
    assert [query.to_json() for query in Workload.of(EVERY[kind], number=3, seed=2)] == DRAWN[kind]


def test_sizes_are_drawn_up_to_the_largest() -> None:
    sizes = {len(query.locations) for query in Workload.of(EVERY["trajectories"], number=200, largest=3)}
    assert sizes == {1, 2, 3}
    beyond = {len(query.locations) for query in Workload.of(EVERY["trajectories"], number=200, largest=9)}
    assert max(beyond) == 3


@pytest.mark.parametrize("kind", EVERY)
def test_a_saved_workload_is_loaded_again(kind: str, tmp_path: Path) -> None:
    workload = Workload.of(EVERY[kind], number=20, largest=2, seed=1)
    workload.save(tmp_path / "w.json")
    assert Workload.load(tmp_path / "w.json") == workload


def test_a_list_written_by_hand_is_a_workload(tmp_path: Path) -> None:
    (tmp_path / "w.json").write_text(json.dumps([{"locations": ["a", "b"]}]))
    assert Workload.load(tmp_path / "w.json").queries == (Query(locations=("a", "b")),)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "line 1: wanted JSON, found something else"),
        ('{"queries": 3}', "wanted a list of queries, found something else"),
        ('[["a"]]', "wanted a list of queries, found something else"),
        ('[{"place": ["a"]}]', "a query: wanted locations, items or where, found place"),
    ],
)
def test_files_that_cannot_be_used(content: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "w.json").write_text(content)
    with pytest.raises(FileError) as refusal:
        Workload.load(tmp_path / "w.json")
    assert str(refusal.value).endswith(problem)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(DataError, match="the workload: wanted a location of the data"):
        Workload((Query(locations=("a", "z")),)).require(EVERY["trajectories"])
    with pytest.raises(DataError, match="wanted an item of the data"):
        Workload((Query(items=("z",)),)).require(MIXED)
    with pytest.raises(DataError, match="wanted columns of the data, found 'agee'; did you mean 'age'"):
        Workload((Query.from_json({"where": {"agee": ["1"]}}),)).require(MIXED)


def test_nothing_gives_nothing() -> None:
    assert len(Workload.of(Trajectories.from_lists([]))) == 0
    assert Workload.of(Trajectories.from_lists([[]]), number=1).queries == (Query(),)
    assert len(Workload.of(Table({"age": [None]}), number=2)) == 2


def test_queries_about_one_side_of_mixed_data() -> None:
    both, rows, items = (list(Workload.of(MIXED, number=20, about=about)) for about in ("both", "rows", "items"))
    assert all(query.where and not query.items for query in rows)
    assert all(query.items and not query.where for query in items)
    assert any(query.items and query.where for query in both)


@pytest.mark.parametrize(
    ("kind", "query", "sentence"),
    [
        (
            "trajectories",
            {"items": ["a"]},
            "wanted queries with locations for data of the kind trajectories, found items",
        ),
        ("transactions", {"where": {"age": ["1"]}}, "wanted queries with items .* found where in query 1"),
        ("table", {"locations": ["a"]}, "wanted queries with where .* found locations in query 1"),
        ("mixed", {"locations": ["a"]}, "wanted queries with items or where .* found locations in query 1"),
        (
            "mixed",
            {"where": {"town": {"from": 1, "to": 2}}},
            "'town', a column of texts, found a range of numbers in query 1",
        ),
        (
            "mixed",
            {"where": {"age": {"from": 3, "to": 2}}},
            "lower end to its higher end, found the reverse in query 1",
        ),
    ],
)
def test_queries_that_the_data_cannot_answer_are_refused(kind: str, query: dict[str, object], sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        Workload((Query.from_json(query),)).require(EVERY[kind])


def test_a_drawn_workload_is_private_and_a_given_one_is_not() -> None:
    drawn = Workload.of(EVERY["trajectories"], number=2)
    assert (drawn.private, drawn.to_json()["private"]) == (True, True)
    assert not Workload(drawn.queries).private
    assert drawn.to_polars()["asks_for"].to_list() == [query.in_words() for query in drawn]


def test_a_workload_file_excludes_a_rule_for_drawing() -> None:
    for name, parameters in (("are", {"queries": 5}), ("are", {"draw": "uniform"}), ("kl", {"patterns": 5})):
        with pytest.raises(
            ParameterError, match=f"workload file or a rule for drawing, found both: {next(iter(parameters))} has"
        ):
            MEASURES.load(name)(workload="w.json", **parameters)
    assert MEASURES.load("are")(workload="w.json").queries == 100
