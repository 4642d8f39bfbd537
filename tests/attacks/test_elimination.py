"""Elimination against all matchings, and on the paper's figure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import PLACES
from sfumato import Places, Trajectories
from sfumato.attacks import elimination
from sfumato.attacks.elimination import eliminated
from sfumato.privacy.checks.place_owners import Adversaries
from twins.elimination import placed_for_sure

OWNERS = {"a": "A", "b": "A", "c": "B", "d": "B", "e": "C"}
ROWS = st.lists(st.lists(st.sampled_from("aabcdf"), max_size=4), min_size=1, max_size=5)


def walks(rows: Any) -> Trajectories:
    return Trajectories.from_lists([list(row) for row in rows], places=PLACES)


@settings(max_examples=150, deadline=None)
@given(rows=ROWS, draw=st.data())
def test_suppressed_releases_against_all_matchings(rows: Any, draw: Any) -> None:
    kept = [[place for place in row if draw.draw(st.booleans())] for row in rows]
    published = walks([row for row in kept if row])
    original = walks(rows)
    found = eliminated(original, published, Adversaries.of(original))
    assert not isinstance(found, str)
    for one in found:
        assert set(one.records.tolist()) == placed_for_sure(rows, published.to_lists(), OWNERS, one.owner)
        assert bool(one.location) is (len(one.records) > 0)
        assert not one.location or OWNERS.get(one.location) != one.owner


@settings(max_examples=150, deadline=None)
@given(rows=ROWS, other=ROWS)
def test_any_two_datasets_against_all_matchings(rows: Any, other: Any) -> None:
    original, published = walks(rows), walks(other)
    found = eliminated(original, published, Adversaries.of(original))
    owners = sorted({OWNERS[place] for row in rows for place in row if place in OWNERS})
    wanted = [placed_for_sure(rows, other, OWNERS, owner) for owner in owners] if len(
        [row for row in other if row]
    ) <= len([row for row in rows if row]) else [None]  # fmt: skip
    if {place for row in other for place in row} - {place for row in rows for place in row}:
        assert found == "the release names locations that the original does not have"
    elif None in wanted:
        assert found in (
            "the release is not the original with visits suppressed",
            "the release has more trajectories than the original: some were split or added",
        )
    else:
        assert not isinstance(found, str)
        assert [set(one.records.tolist()) for one in found] == wanted


def test_figure_1d_of_the_paper() -> None:
    """A matches t1 and t8, whose visits to A were suppressed; B even learns a3 of all six others."""
    places = Places.from_frame({"location": ["a1", "a2", "a3", "b1", "b2", "b3"], "owner": list("AAABBB")})
    before = ["a1 b2 b3", "b1 a2 b2 a3", "a2 b3 a3", "a2 a3 b1", "a3 a1 b1", "a3 a1 b1", "a3 b2 a1", "a3 b2 b3"]
    after = ["b2 b3", "a2 a3", "a2 a3", "a2 a3", "a3 a1", "a3 a1", "a3 a1", "b2 b3"]
    original, published = (Trajectories.from_lists([row.split() for row in rows], places=places)
                           for rows in (before, after))  # fmt: skip
    a, b = eliminated(original, published, Adversaries.of(original))
    assert (a.owner, a.records.tolist(), a.seen, a.location) == ("A", [0, 7], ("a1",), "b2")
    assert (b.owner, b.records.tolist(), b.seen, b.location) == ("B", [1, 2, 3, 4, 5, 6], ("b1",), "a3")


def test_what_was_not_published_may_hide_somebody() -> None:
    original = walks(["ac", "ac"])
    assert eliminated(original, walks(["c", "c"]), Adversaries.of(original))[0].records.tolist() == [0, 1]
    assert eliminated(original, walks(["c"]), Adversaries.of(original))[0].records.tolist() == []


def test_colluding_owners_know_more() -> None:
    original, published = walks(["ace", "aa", "cc"]), walks(["e", "aa", "cc"])
    alone = eliminated(original, published, Adversaries.of(original))
    together = eliminated(original, published, Adversaries.of(original, "A,B"))
    assert [(one.owner, one.records.tolist()) for one in alone] == [("A", []), ("B", []), ("C", [])]
    assert [(one.owner, one.records.tolist(), one.location) for one in together] == [("A+B", [0], "e"), ("C", [], "")]


def test_too_many_ways_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elimination, "BUDGET", 3)
    original = walks(["ab", "abb", "abab", "a", "aabb"])
    assert eliminated(original, original, Adversaries.of(original)) == (
        "there are more than 3 ways to match persons with trajectories"
    )


def test_generalized_labels_are_not_matched() -> None:
    original = walks(["ab"])
    blurred = replace(walks(["ab"]), members={"a": ("a", "b")})
    assert isinstance(eliminated(original, blurred, Adversaries.of(original)), str)
