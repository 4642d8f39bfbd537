"""ARE, KL divergence and counts of subtrajectories, computed by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from sfumato import SeqAnon, Trajectories
from sfumato.data import Mixed, Table, Transactions
from sfumato.data.queries import ESTIMATES, Query
from sfumato.errors import DataError
from sfumato.utility.queries import Are
from sfumato.utility.supports import KlDivergence
from sfumato.utility.workload import Workload
from twins import queries as twin

# b and c become one label, so that each is expected in half of the three visits to it
WALKS = Trajectories.from_lists(["ab", "ab", "ac", "a"], places={"a": (0, 0), "b": (50, 0), "c": (51, 0)})


class Unchanged:
    """A release that publishes the original."""

    origin = None

    def __init__(self, data: Any) -> None:
        self.data = data


@pytest.fixture
def release() -> Any:
    release = SeqAnon(k=2, m=1).anonymize(WALKS)
    assert release.data.members == {"g1": ("b", "c")}
    return release


def test_are_by_hand(release: Any, tmp_path: Path) -> None:
    asked = Workload(tuple(Query(locations=tuple(text)) for text in ("a", "b", "c", "ab", "ba")))
    asked.save(tmp_path / "w.json")
    score = Are(workload=str(tmp_path / "w.json"))(WALKS, release)
    # a: 4 and 4; b: 2 and 1.5; c: 1 and 1.5; ab: 2 and 1.5; ba: 0 and 0
    assert score.value == pytest.approx((0 + 0.25 + 0.5 + 0.25 + 0) / 5)


def test_a_query_without_answers_divides_by_one(tmp_path: Path, release: Any) -> None:
    data = Trajectories.from_lists(["cb", "bc"], places=WALKS.places)
    Workload((Query(locations=("b", "b")),)).save(tmp_path / "w.json")
    both = SeqAnon(k=2, m=2).anonymize(data)
    expected = both.data.expected_count(Query(locations=("b", "b")))
    assert Are(workload=str(tmp_path / "w.json"))(data, both).value == pytest.approx(expected)
    Workload((Query(locations=("z",)),)).save(tmp_path / "w.json")
    with pytest.raises(DataError, match="wanted a location of the data"):
        Are(workload=str(tmp_path / "w.json"))(WALKS, release)


@pytest.mark.parametrize(
    "data",
    [
        WALKS,
        Transactions.from_lists(["ab", "c"]),
        Table({"age": [1, 2, 3]}),
        Mixed.from_frame({"age": [1, 2], "items": ["a", "b c"]}),
    ],
    ids=lambda data: data.kind,
)
def test_what_is_published_unchanged_loses_nothing(data: Any) -> None:
    assert Are()(data, Unchanged(data)).value == 0
    if data.kind in KlDivergence.kinds:
        assert KlDivergence()(data, Unchanged(data)).value == 0


LABELS = {"ab": "g1", "cd": "g2", "abc": "g3"}


@pytest.mark.parametrize("estimate", ESTIMATES)
@settings(max_examples=60, deadline=None)
@given(rows=st.lists(st.sets(st.sampled_from("abcde"), max_size=4), min_size=1, max_size=6), draw=st.data())
def test_items_are_counted_as_in_all_worlds(estimate: str, rows: list[set[str]], draw: Any) -> None:
    """On random releases, with and without a table beside the items."""

    def image(name: str) -> str:
        return draw.draw(st.sampled_from([name, *(label for group, label in LABELS.items() if name in group)]))

    published = [sorted({image(name) for name in sorted(row)}) for row in rows]
    baskets, made = (Transactions.from_lists([sorted(row) for row in some]) for some in (rows, published))
    made = replace(made, members={label: tuple(group) for group, label in LABELS.items() if label in made.names})
    errors = []
    for query in Workload.of(baskets, number=12, largest=3, seed=2):
        true = sum(set(query.items) <= row for row in rows)
        seen = sum(twin.chance(row, made.members, query.items, estimate) for row in published)
        errors.append(abs(true - seen) / max(true, 1))
    wanted = float(sum(errors) / len(errors))
    assert Are(queries=12, largest=3, seed=2, estimate=estimate)(baskets, made).value == pytest.approx(wanted)
    ages = Table({"age": [30] * len(rows)})
    both = Are(queries=12, largest=3, seed=2, about="items", estimate=estimate)(Mixed(ages, baskets), Mixed(ages, made))
    assert both.value == pytest.approx(wanted)


def _error(pairs: list[tuple[float, float]]) -> float:
    """The formula as it is printed."""
    return sum(abs(true - seen) / max(true, 1) for true, seen in pairs) / len(pairs)


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(st.lists(st.sampled_from("abcde"), max_size=4), min_size=1, max_size=5), draw=st.data())
def test_visits_are_counted_as_in_all_worlds(rows: list[list[str]], draw: Any) -> None:
    def image(name: str) -> str:
        return draw.draw(st.sampled_from([name, *(label for group, label in LABELS.items() if name in group)]))

    published = [[image(name) for name in row] for row in rows]
    walks, made = Trajectories.from_lists(rows), Trajectories.from_lists(published)
    made = replace(made, members={label: tuple(group) for group, label in LABELS.items() if label in made.names})
    worlds = [list(product(*(made.members.get(label, (label,)) for label in row))) for row in published]
    pairs = []
    for query in Workload.of(walks, number=10, draw="uniform", seed=2):
        fitting = [sum(oracles.contains(world, query.locations) for world in some) / len(some) for some in worlds]
        pairs.append((sum(oracles.contains(row, query.locations) for row in rows), sum(fitting)))
    assert Are(queries=10, draw="uniform", seed=2)(walks, made).value == pytest.approx(_error(pairs))


TOWNS = {"south": ("Bari", "Rome"), "north": ("Oslo", "Turku", "Umea")}
PEOPLE = st.lists(
    st.tuples(
        st.integers(20, 29),
        st.sampled_from([*TOWNS["south"], *TOWNS["north"]]),
        st.sets(st.sampled_from("abc"), max_size=2),
    ),
    min_size=1,
    max_size=6,
)


@pytest.mark.parametrize("estimate", ESTIMATES)
@settings(max_examples=60, deadline=None)
@given(people=PEOPLE, draw=st.data())
def test_rows_and_items_are_counted_by_their_leaves(estimate: str, people: list[Any], draw: Any) -> None:
    """A range is each of its whole numbers, a node each of its leaves; in mixed data times the chance of the items."""
    seen = []
    for age, town, items in people:
        low, high = draw.draw(st.tuples(st.integers(18, age), st.integers(age, 31)))
        node = next(node for node, leaves in TOWNS.items() if town in leaves)
        labels = {"g" if name < "c" and draw.draw(st.booleans()) else name for name in sorted(items)}
        seen.append(((low, high), draw.draw(st.sampled_from([town, node])), labels))
    original = Table({"age": [age for age, _, _ in people], "town": [town for _, town, _ in people]})
    published = Table(
        {"age": [f"[{low}:{high}]" for (low, high), _, _ in seen], "town": [town for _, town, _ in seen]},
        members={"town": TOWNS},
    )
    baskets, made = (Transactions.from_lists([sorted(one[2]) for one in some]) for some in (people, seen))
    made = replace(made, members={"g": ("a", "b")} if "g" in made.names else {})

    def chance(row: Any, query: Query) -> float:
        (low, high), town, labels = row
        share = float(twin.chance(labels, made.members, query.items, estimate))
        if (asked := query.where.get("age")) is not None:
            share *= sum(asked.low <= age <= asked.high for age in range(low, high + 1)) / (high - low + 1)
        if (asked := query.where.get("town")) is not None:
            leaves = TOWNS.get(town, (town,))
            share *= sum(leaf in asked.values for leaf in leaves) / len(leaves)
        return share

    for about, before, after in (
        ("rows", original, published),
        ("both", Mixed(original, baskets), Mixed(published, made)),
    ):
        queries = Workload.of(before, number=10, draw="frequency", width=0.3, seed=2)
        exact = [((age, age), town, items) for age, town, items in people]
        pairs = [tuple(sum(chance(row, query) for row in some) for some in (exact, seen)) for query in queries]
        measure = Are(queries=10, draw="frequency", width=0.3, seed=2, estimate=estimate)
        assert measure(before, after).value == pytest.approx(_error(pairs)), about


def test_a_seed_repeats() -> None:
    other = SeqAnon(k=2, m=2).anonymize(WALKS)
    assert Are(seed=3, queries=7)(WALKS, other) == Are(seed=3, queries=7)(WALKS, other)
