"""Projection safety against brute force, and everything its verifier must not be fooled by."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import PLACES, persons, records
from sfumato import Places, Table, Trajectories
from sfumato.data import Persons
from sfumato.errors import DataError, MissingKnowledge, ParameterError
from sfumato.privacy import ProjectionSafety
from twins.threats import merged, shares, threats

OWNERS = {"a": "A", "b": "A", "c": "B", "d": "B", "e": "C"}  # nobody owns f
THRESHOLDS = st.sampled_from([0.2, 0.25, 0.3, 1 / 3, 0.5, 0.6, 2 / 3, 0.75, 1.0])


def walks(*rows: str, who: list[str] | None = None) -> Trajectories:
    return Trajectories.from_lists([list(row) for row in rows], persons=who, places=PLACES)


@settings(max_examples=200, deadline=None)
@given(rows=records(), threshold=THRESHOLDS, collude=st.sampled_from([None, "A,B", "C,A"]), draw=st.data())
def test_every_figure_is_that_of_brute_force(rows: Any, threshold: float, collude: str | None, draw: Any) -> None:
    who = draw.draw(persons(len(rows)))
    data = Trajectories.from_lists(rows, persons=who, places=PLACES)
    owners = merged(OWNERS, collude)
    model = ProjectionSafety(threshold=threshold, collude=collude)
    verdict = model.check(data)
    units = data.units.tolist()
    every, bad = shares(rows, units, owners), threats(rows, units, owners, threshold)
    assert verdict.holds is not bool(bad)
    assert verdict.checked_from == ("files" if who is None else "original")
    assert verdict.measured["problematic_pairs"] == len(bad)
    assert verdict.measured["problems"] == sum(n for n, *_ in bad.values())
    worst = max((max(n / size, people / crowd) for n, size, people, crowd in every.values()), default=0.0)
    assert verdict.measured["worst_probability"] == worst
    assert verdict.measured["adversaries"] == len({owners[place] for row in rows for place in row if place in owners})
    _assert_listed(model.threats(data), bad, known=who is not None)
    _assert_witnesses(verdict.witnesses, bad)


def _assert_listed(found: pl.DataFrame, bad: Any, *, known: bool) -> None:
    listed = {
        (row["owner"], tuple(row["projection"]), row["location"]): (
            row["records"],
            row["of_records"],
            row["persons" if known else "records"],
            row["of_persons" if known else "of_records"],
        )
        for row in found.iter_rows(named=True)
    }
    assert listed == bad
    assert found.height == len(bad)


def _assert_witnesses(witnesses: Any, bad: Any) -> None:
    """The worst projections, shortest first, then in name order, each with its worst place."""
    probability = {pair: max(n / size, people / crowd) for pair, (n, size, people, crowd) in bad.items()}
    worst: dict[Any, float] = {}
    for (owner, seen, _), value in probability.items():
        worst[owner, seen] = max(value, worst.get((owner, seen), 0.0))
    order = sorted(worst, key=lambda pair: (-worst[pair], len(pair[1]), pair[1]))[:5]
    assert [(witness["owner"], tuple(witness["projection"])) for witness in witnesses] == order
    for witness in witnesses:
        pair = (witness["owner"], tuple(witness["projection"]), witness["location"])
        assert probability[pair] == worst[pair[:2]] == witness["probability"] == witness["count"] / witness["of"]


def test_a_share_equal_to_the_threshold_is_allowed() -> None:
    rows = ["ac"] * 3 + ["a"] * 7  # 3 of 10, and 0.3 is a little less than 3/10 as a float
    assert ProjectionSafety(threshold=0.3).check(walks(*rows, "c", "c", "c", "c", "c", "c", "c")).holds is True
    assert ProjectionSafety(threshold=0.3).check(walks(*rows, "c", "c", "c", "c", "c", "c")).holds is False
    thirds = walks("ac", "a", "a", "c", "c")
    assert ProjectionSafety(threshold=0.3333333333333334).check(thirds).holds is True
    assert ProjectionSafety(threshold=1 / 3).check(thirds).holds is False  # 0.3333333333333333 is less than a third


def test_the_empty_projection_is_never_problematic() -> None:
    assert ProjectionSafety(threshold=0.1).check(walks("cd", "cd", "a")).measured["problematic_pairs"] == 0


def test_places_that_nobody_owns_are_secrets_to_everybody() -> None:
    verdict = ProjectionSafety(threshold=0.5).check(walks("af", "af", "a"))
    assert verdict.witnesses == (
        {
            "owner": "A",
            "projection": ["a"],
            "location": "f",
            "count": 2,
            "of": 3,
            "unit": "record",
            "probability": 2 / 3,
        },
    )
    assert ProjectionSafety(threshold=0.5).check(walks("az", "az", "a")).witnesses[0]["location"] == "z"


def test_repeats_are_part_of_a_projection_and_count_once_as_a_secret() -> None:
    verdict = ProjectionSafety(threshold=0.5).check(walks("aac", "a", "cac", "ccca"))
    # A sees aa once and a three times; behind a are c twice
    assert ProjectionSafety(threshold=0.5).threats(walks("aac", "a", "cac", "ccca")).filter(
        owner="A"
    ).rows() == [("A", ["a"], "c", 2, 3, 2 / 3), ("A", ["a", "a"], "c", 1, 1, 1.0)]  # fmt: skip
    assert verdict.holds is False


def test_several_trajectories_of_one_person_hide_nobody() -> None:
    rows = ["ac", *["a"] * 9, *["c"] * 9]
    assert ProjectionSafety(threshold=0.5).check(walks(*rows)).measured["worst_probability"] == 0.1
    one = walks(*rows, who=["ann"] * 10 + [f"person {number}" for number in range(9)])
    verdict = ProjectionSafety(threshold=0.5).check(one)
    assert verdict.holds is False
    assert verdict.witnesses[0]["unit"] == "person"
    assert (verdict.witnesses[0]["count"], verdict.witnesses[0]["of"]) == (1, 1)


def test_what_few_persons_do_in_most_trajectories_is_believed_of_all() -> None:
    rows = [*["ac"] * 9, "a", "a", "a", *["c"] * 30]
    who = ["ann"] * 9 + ["bob", "cy", "di"] + [f"person {number}" for number in range(30)]
    verdict = ProjectionSafety(threshold=0.5).check(walks(*rows, who=who))
    assert verdict.holds is False  # one person of four, but nine trajectories of twelve
    assert verdict.witnesses[0]["unit"] == "record"
    assert (verdict.witnesses[0]["count"], verdict.witnesses[0]["of"]) == (9, 12)


def test_pieces_of_one_trajectory_are_one_persons() -> None:
    """a c a split into a c and a: whoever owns a and knows one such customer knows both pieces."""
    assert ProjectionSafety(threshold=0.5).check(walks("ac", "a", "c")).holds is True
    assert ProjectionSafety(threshold=0.5).check(walks("ac", "a", "c", who=["ann", "ann", "bob"])).holds is False


def test_colluding_owners_are_one() -> None:
    data = walks("ace", "a", "a", "c", "c", "e", "e")
    assert ProjectionSafety(threshold=0.5).check(data).holds is True
    verdict = ProjectionSafety(threshold=0.5, collude="B,A").check(data)
    assert verdict.measured["adversaries"] == 2
    assert verdict.witnesses == (
        {
            "owner": "A+B",
            "projection": ["a", "c"],
            "location": "e",
            "count": 1,
            "of": 1,
            "unit": "record",
            "probability": 1.0,
        },
    )
    # what colluding owners keep from each other is no secret any more
    assert ProjectionSafety(threshold=0.5, collude="A,B").check(walks("ac")).holds is True


@pytest.mark.parametrize(
    ("collude", "message"),
    [
        ("A", "projection: collude must be groups of two owners or more, such as A,B;C,D, got 'A'"),
        ("", "projection: collude must be groups of two owners or more, such as A,B;C,D, got ''"),
        ("A,", "projection: collude must be groups of two owners or more, such as A,B;C,D, got 'A,'"),
        ("A,B;B,C", "projection: collude must name an owner once, got 'B' twice"),
    ],
)
def test_bad_coalitions_are_refused(collude: str, message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        ProjectionSafety(threshold=0.5, collude=collude)
    assert str(caught.value).startswith(message)


def test_a_coalition_with_somebody_who_owns_nothing_is_refused() -> None:
    with pytest.raises(ParameterError) as caught:
        ProjectionSafety(threshold=0.5, collude="A,Zed").check(walks("ac"))
    assert str(caught.value) == "projection: collude names 'Zed', who owns no place"


@pytest.mark.parametrize("threshold", [0, -0.1, 1.01, "half", float("nan"), None])
def test_a_threshold_outside_its_range_is_refused(threshold: Any) -> None:
    with pytest.raises(ParameterError) as caught:
        ProjectionSafety(threshold=threshold)
    assert str(caught.value) == f"ProjectionSafety: threshold must be a number above 0 and at most 1, got {threshold!r}"


def test_data_without_owners_are_refused() -> None:
    for places in (None, Places.planar({"a": (0, 0)})):
        with pytest.raises(MissingKnowledge) as caught:
            ProjectionSafety(threshold=0.5).check(Trajectories.from_lists(["a"], places=places))
        assert str(caught.value) == (
            "projection: needs owners, these data carry none; give places with an owner column"
        )
    with pytest.raises(DataError, match="projection: wanted trajectories, got table"):
        ProjectionSafety(threshold=0.5).check(Table({"age": [1]}))


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], "nothing to protect: there are no visits"),
        ([""], "nothing to protect: there are no visits"),
        (["ab", "ba"], "nothing to protect: A owns every visited place"),
        (["f", "ff"], "nothing to protect against: no visited place has an owner"),
        (["abf", "a"], ""),  # one owner, and a place that is secret to it
        (["a", "f"], ""),
        (["a", "c"], ""),
    ],
)
def test_it_is_said_when_there_is_nothing_to_protect(rows: list[str], reason: str) -> None:
    verdict = ProjectionSafety(threshold=0.01).check(walks(*rows))
    assert verdict.reason == reason
    assert verdict.holds is (not any("a" in row and "f" in row for row in rows))


def test_time_slots_belong_to_the_owner_of_their_place() -> None:
    data = Trajectories.from_lists([["a@8", "c@9"], ["a@8"], ["a@9", "c@9"], ["c@9"]], places=PLACES)
    assert ProjectionSafety(threshold=0.5).threats(data).select("owner", "projection", "location").rows() == [
        ("A", ["a@9"], "c@9")
    ]


def test_owners_come_from_the_original_where_the_published_data_carry_none() -> None:
    bare = Trajectories.from_lists([["a", "c"]])
    assert ProjectionSafety(threshold=0.5).check(bare, walks("ac")).holds is False


def test_persons_of_the_original_count_where_they_can_be_told() -> None:
    original = walks("ac", "a", "c", who=["ann", "ann", "bob"])
    published, _ = original.published()
    model = ProjectionSafety(threshold=0.5)
    assert model.check(published).holds is True
    assert model.check(published, original).holds is False
    shorter = walks("a", "a", "c").published()[0]
    verdict = model.check(shorter, original)
    assert verdict.holds == "not checkable"
    assert "persons behind the records cannot be determined" in verdict.reason
    assert model.check(walks("ac").published()[0], original).holds is False


def test_generalized_labels_are_not_checkable() -> None:
    data = replace(Trajectories.from_lists([["g1", "a"]], places=PLACES), members={"g1": ("b", "c")})
    verdict = ProjectionSafety(threshold=0.5).check(data)
    assert verdict.holds == "not checkable"
    assert verdict.reason.startswith("a label stands for several locations (such as 'g1')")


@settings(max_examples=60, deadline=None)
@given(rows=records(), draw=st.data())
def test_neither_the_order_of_records_nor_the_names_of_persons_show(rows: Any, draw: Any) -> None:
    who = draw.draw(persons(len(rows)))
    data = Trajectories.from_lists(rows, persons=who, places=PLACES)
    order = draw.draw(st.permutations(range(len(rows))))
    moved = Trajectories.from_lists([rows[at] for at in order], places=PLACES)
    if who is not None:
        moved = moved.with_persons(Persons.of([who[at][::-1] for at in order]))
    model = ProjectionSafety(threshold=0.4)
    assert model.check(data) == model.check(moved)
    assert model.threats(data).equals(model.threats(moved))


def test_many_long_and_different_projections() -> None:
    """More projections than the first table holds, some of them long."""
    rows = [[f"a{digit}" for digit in f"{number:04d}"] * 3 + ["z"] for number in range(3000)]
    rows += [["y"] * 5000 + ["z"]]
    names = {place for row in rows for place in row}
    places = Places.from_frame({"location": sorted(names - {"z"}), "owner": ["A"] * len(names - {"z"})})
    verdict = ProjectionSafety(threshold=0.9).check(Trajectories.from_lists(rows, places=places))
    assert verdict.measured["projections"] == 3001
    assert verdict.measured["problems"] == 3001
    assert verdict.witnesses[0]["projection"] == rows[0][:-1]
