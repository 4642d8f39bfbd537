"""Who is behind published records, where that can be told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sfumato import Trajectories, Transactions
from sfumato.privacy.checks.correspondence import persons_behind

PEOPLE = ["u", "v", "w"]


def names(persons: Any) -> list[str]:
    return persons.names.gather(persons.codes).to_list()


def test_trajectories_are_read_through_the_labels() -> None:
    original = Trajectories.from_lists([["b", "c"], ["a", "c"], ["c"]], persons=PEOPLE)
    published, _ = Trajectories.from_lists([["g1", "c"], ["g1", "c"], ["c"]]).published()
    persons = persons_behind(replace(published, members={"g1": ("a", "b")}), original)
    assert names(persons)[0] == "w"
    assert sorted(names(persons)[1:]) == ["u", "v"]


def test_items_that_share_a_label_become_one() -> None:
    original = Transactions.from_lists([["a", "b"], ["b", "c"], []], persons=PEOPLE)
    published, _ = Transactions.from_lists([["g1"], ["c", "g1"]]).published()
    persons = persons_behind(replace(published, members={"g1": ("a", "b")}), original)
    assert sorted(names(persons)) == ["u", "v"]


def test_what_cannot_be_told_is_not_guessed() -> None:
    original = Trajectories.from_lists([["a"], ["b"], ["c"]], persons=PEOPLE)
    published, _ = Trajectories.from_lists([["a"], ["b"], ["c"]]).published()
    assert names(persons_behind(published, original)) == PEOPLE
    assert persons_behind(published, original.with_persons(None)) is None
    fewer, _ = Trajectories.from_lists([["a"], ["b"]]).published()
    assert persons_behind(fewer, original) is None, "a location without a label was suppressed"
    shared = replace(published, members={"a": ("a", "x"), "b": ("b", "x")})
    assert persons_behind(shared, original) is None, "x has two images: local recoding"
    longer, _ = Trajectories.from_lists([["a", "a"], ["b"], ["c"]]).published()
    assert persons_behind(longer, original) is None
