"""Workloads as CSV: nothing is lost on the way, and broken rows are named."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data.queries import Between, OneOf, Query
from sfumato.errors import FileError
from sfumato.utility.workload import Workload

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=6)
NUMBER = st.floats(allow_nan=False, allow_infinity=False)
CONDITION = (
    st.builds(Between, NUMBER, NUMBER)
    | st.builds(Between, st.dates(), st.dates())
    | st.builds(lambda values: OneOf(tuple(values)), st.lists(TEXT, min_size=1, max_size=3))
)
QUERY = st.builds(
    Query,
    st.lists(TEXT, max_size=3).map(tuple),
    st.lists(TEXT, max_size=3, unique=True).map(lambda items: tuple(sorted(items))),
    st.dictionaries(TEXT, CONDITION, max_size=2),
)


@settings(max_examples=80, deadline=None)
@given(st.lists(QUERY, min_size=1, max_size=4), st.sampled_from(["given", "3 drawn from the data, seed 1"]))
def test_csv_and_json_lose_nothing(tmp_path_factory: pytest.TempPathFactory, queries: list[Query], rule: str) -> None:
    folder = tmp_path_factory.mktemp("w")
    workload = Workload(tuple(queries), rule)
    for name in ("w.csv", "w.json"):
        workload.save(folder / name)
        again = Workload.load(folder / name)
        assert (again.queries, again.rule) == (workload.queries, rule)


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ("query,part\n1,item\n", "wanted the columns query, part, column, value, from, to, found query, part"),
        ("query,part,column,value,from,to\n", "wanted at least one query"),
        ("query,part,column,value,from,to\n1,thing,,a,,\n", "line 2: wanted the part location, item, value or range"),
        ("query,part,column,value,from,to\n,item,,a,,\n", "line 2: wanted the number of a query"),
        ("query,part,column,value,from,to\n1,range,,,1,2\n", "line 2: wanted a column with a value or a range"),
        ("query,part,column,value,from,to\n1,range,age,,1,x\n", "line 2: wanted numbers or days"),
        ("query,part,column,value,from,to\n1,range,age,,1,inf\n", "line 2: wanted numbers or days"),
        ("query,part,column,value,from,to\n1,range,age,,1,2\n1,value,age,3,,\n", "line 3: wanted one condition"),
    ],
)
def test_broken_rows(tmp_path: Path, rows: str, sentence: str) -> None:
    (tmp_path / "w.csv").write_text(rows)
    with pytest.raises(FileError, match=sentence):
        Workload.load(tmp_path / "w.csv")


def test_edits_keep_a_drawn_workload_private() -> None:
    day = Query(where={"day": Between(date(2024, 1, 1), date(2024, 1, 2))})
    drawn = Workload((day,), "1 drawn from the data, seed 0")
    once = drawn.with_query(Query(items=("ale",)))
    assert (len(once), once.rule, once.private) == (2, "1 drawn from the data, seed 0, edited", True)
    assert once.without_query(1).rule == once.rule
    assert Workload((day,)).with_query(day).rule == "given"
