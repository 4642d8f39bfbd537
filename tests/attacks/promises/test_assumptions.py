"""A promise about shares of persons is not held against shares of records."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from sfumato.attacks import AttackSetting, Exposed, weigh
from sfumato.data import Places, Table, Trajectories
from sfumato.experiments.advice.candidates import candidates_for
from sfumato.privacy import KlmAnonymity, LDiversity, TCloseness

WALKS = Trajectories.from_lists(
    [["a", "s"], ["a", "s"], ["a", "b"]],
    persons=["ann", "ann", "bob"],
    places=Places.from_frame({"location": ["a", "b", "s"], "sensitive": [False, False, True]}),
)


def test_shares_of_records_beat_no_promise_about_persons() -> None:
    published = Trajectories.from_lists([["a", "s"], ["a", "s"], ["a"]], places=WALKS.places)  # something suppressed
    setting = AttackSetting.of(WALKS, Exposed(published, None, (KlmAnonymity(k=2, l=2, m=1),), "person"))
    found = weigh(setting, seed=1)
    assert [one.beaten for one in found] == [None, False]
    assert found[0].note.endswith("give the private report of the run")


@pytest.mark.parametrize("model", [TCloseness(t=0.1), LDiversity(l=2, variant="entropy")])
def test_nor_do_those_of_rows(model: TCloseness | LDiversity) -> None:
    people = Table({"age": [30, 30, 31], "ill": ["x", "x", "y"]}, sensitive=("ill",))
    setting = AttackSetting.of(people, Exposed(people.published()[0], None, (model,), "person"))
    assert [one.beaten for one in weigh(setting, seed=1)] == [None]


def test_facts_of_the_context_join_coordinates_of_the_original() -> None:
    plain = replace(WALKS, places=Places.planar({"a": (0, 0), "b": (1, 0), "s": (2, 0)}))
    setting = AttackSetting.of(plain, Exposed(WALKS.published()[0]))
    assert setting.original.sensitive == {"s"}
    assert setting.original.places.located


def test_a_crowd_with_unnamed_secrets_is_no_defeat() -> None:
    plain = Trajectories.from_lists([["a", "s"], ["a"]])
    setting = AttackSetting.of(plain, Exposed(plain.published()[0], None, (KlmAnonymity(k=2, l=2, m=1),)))
    assert [one.beaten for one in weigh(setting, seed=1)] == [None, None]


def test_a_command_states_parameters_to_the_last_digit() -> None:
    people = Table(pl.DataFrame({"age": [1, 1, 2, 2], "ill": ["x", "y", "x", "y"]}), sensitive=("ill",))
    found = candidates_for(TCloseness(t=0.41234567), people).found
    assert {one.options["t"] for one in found} == {"0.41234567"}
