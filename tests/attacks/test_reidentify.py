"""Re-identification by a few known visits, items or values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attacks.recoded_rows import ONE, brief, rows_of, seen_as, through
from sfumato.attacks import (
    AttackSetting,
    Exposed,
    Reidentify,
)
from sfumato.data import Mixed, Persons, Table, Trajectories, Transactions
from twins.attacks_fits import fits_known, sets_of_everyone, smallest_crowds


def test_reidentification_counts_persons_and_finds_the_rarest_pieces() -> None:
    walks = Trajectories.from_lists([["a", "b", "c"], ["a", "b"], ["a", "b"]], persons=["ann", "bob", "bob"])
    setting = AttackSetting.of(walks, walks.published()[0])
    found = Reidentify(known=2, tries=1).run(setting, seed=1)
    assert found.successes.tolist() == [1.0, 0.5]
    assert found.facts == {
        "random_mean": pytest.approx(found.facts["random_mean"]),
        "smallest_anonymity_set": 1,
        "anonymity_set_unit": "person",
    }
    assert not found.at_most
    assert found.exact
    # whoever is no longer in the crowd is not found
    gone = replace(Trajectories.from_lists([["a", "b"], ["a", "b"]]), ids=None)
    hidden = Reidentify(known=1).run(AttackSetting.of(walks, Exposed(gone, np.array([1, 2]))), seed=1)
    assert hidden.successes.tolist() == [0.0, 1.0]


def test_reidentification_as_it_is_is_the_audit() -> None:
    rows = [list("ab"), list("abc"), list("b")]
    walks = Trajectories.from_lists(rows)
    found = Reidentify(known=2).run(AttackSetting.of(walks))
    assert found.successes.tolist() == pytest.approx([1 / crowd for crowd in smallest_crowds(rows, 2, ordered=True)])


@pytest.mark.parametrize("kind", [Trajectories, Transactions])
@brief
@given(rows=rows_of, flags=st.lists(st.booleans(), min_size=6, max_size=6))
def test_reidentification_as_the_twin(kind: Any, rows: list[list[str]], flags: list[bool]) -> None:
    ordered = kind is Trajectories
    rows = rows if ordered else [sorted(set(row)) for row in rows]
    published = through(ONE, rows, flags[: len(rows)])
    published = published if ordered else [sorted(set(row)) for row in published]
    exposed = Exposed(seen_as(kind, published, ONE), np.arange(len(rows)))
    # all pieces are known: nothing is left to chance
    found = Reidentify(known=3, tries=1).run(AttackSetting(kind.from_lists(rows), (exposed,)), seed=1)
    twin = [sum(fits_known(one, ONE, row, ordered=ordered) for one in published) for row in rows]
    assert found.successes.tolist() == pytest.approx([1 / crowd for crowd in twin])
    assert found.facts["smallest_anonymity_set"] == min(twin)


@pytest.mark.parametrize("kind", [Trajectories, Transactions])
@brief
@given(rows=rows_of, data=st.data())
def test_every_choice_about_every_person_is_counted(kind: Any, rows: list[list[str]], data: Any) -> None:
    ordered = kind is Trajectories and data.draw(st.booleans())
    rows = rows if kind is Trajectories else [sorted(set(row)) for row in rows]
    units = data.draw(st.lists(st.integers(0, 2), min_size=len(rows), max_size=len(rows)))
    flags = data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    gone = data.draw(st.sampled_from("abcdx"))  # a place that is suppressed
    labelled = through(ONE, [[leaf for leaf in row if leaf != gone] for row in rows], flags)
    behind = [number for number, row in enumerate(labelled) if row]
    published = [labelled[number] if kind is Trajectories else sorted(set(labelled[number])) for number in behind]
    original = replace(kind.from_lists(rows), persons=Persons(np.array(units, np.int32), pl.Series(["p", "q", "r"])))
    exposed = Exposed(seen_as(kind, published, ONE), np.array(behind, dtype=np.int64))
    attack = Reidentify(known=data.draw(st.integers(1, 3)), ordered=ordered)
    found = attack.run(AttackSetting(original, (exposed,)), seed=1)
    worst, random, smallest = sets_of_everyone(rows, published, ONE, behind, units, attack.known, ordered=ordered)
    assert found.successes.tolist() == pytest.approx(worst)
    assert found.facts["random_mean"] == pytest.approx(sum(random) / len(random))
    assert (found.facts["smallest_anonymity_set"], found.exact) == (smallest, True)
    assert found.to_json()["interval"] == [found.mean, found.mean]
    # a sample of choices stays below the truth, and states it
    tried = replace(attack, budget=0, tries=1).run(AttackSetting(original, (exposed,)), seed=1)
    assert np.all(tried.successes <= found.successes + 1e-12)
    assert tried.interval[0] <= found.mean + 1e-12 <= tried.interval[1] + 2e-12
    assert tried.exact == (tried.successes == 1).all()


def test_a_rare_pair_of_frequent_places_is_found() -> None:
    """The pair (a, z) occurs once, although both places are frequent; the rarest places and random draws miss it."""
    middle = [f"m{number:02}" for number in range(40)]
    rows = [["a", *middle, "y"], ["b", *middle, "z"], ["a", *middle, "z"]]
    rows = [row for row in rows for _ in range(1 if row[0] + row[-1] == "az" else 9)] + [["a"], ["z"]] * 15
    walks = Trajectories.from_lists(rows)
    setting = AttackSetting.of(walks, walks.published()[0])
    exact = Reidentify(known=2).run(setting, seed=1)
    tried = Reidentify(known=2, budget=0, tries=2).run(setting, seed=1)
    assert (exact.facts["smallest_anonymity_set"], exact.worst, exact.exact) == (1, 1.0, True)
    assert tried.facts["smallest_anonymity_set"] > 1
    assert not tried.exact
    assert (tried.to_json()["exact"], tried.to_json()["seed"], tried.worst_interval[1]) == (False, 1, 1.0)
    assert "at least" in tried.sentences[1]
    assert "The seed of this sample is 1." in tried.sentences
    assert "exact" in exact.sentences[1]
    assert "The smallest anonymity set has 1 record." in exact.sentences
    assert f"The smallest anonymity set has at most {tried.facts['smallest_anonymity_set']} records." in tried.sentences


def test_a_person_with_many_rows_is_attacked_by_each_of_them() -> None:
    people = Table(
        {"age": [30, 30, 40, 50], "sex": ["f", "m", "f", "f"]},
        persons=Persons(np.array([0, 1, 0, 2], np.int32), pl.Series(["ann", "bob", "cid"])),
    )
    published = Table({"age": ["30", "30", "[40:50]", "[40:50]"], "sex": ["*", "*", "f", "f"]})
    found = Reidentify().run(AttackSetting(people, (Exposed(published, np.arange(4)),)), seed=1)
    # ann's second row leaves two persons, as her first does; cid's only one leaves two
    assert found.successes.tolist() == [0.5, 0.5, 0.5]
    assert (found.of, found.unit, found.exact) == (3, "person", True)
    assert found.baseline == pytest.approx(1 / 3)  # persons, not the four rows
    unknown = Reidentify().run(AttackSetting(people, (Exposed(published),)), seed=1)
    assert (unknown.of, unknown.unit, unknown.at_most, unknown.baseline) == (4, "record", True, 1 / 4)


def test_mixed_records_are_counted_row_by_row() -> None:
    table = Table({"age": [30, 31, 40, 41], "zip": [1, 1, 1, 1]}, quasi_identifiers=("age", "zip"))
    items = Transactions.from_lists([["a", "b"], ["a"], ["a", "c"], ["b", "c"]])
    people = Mixed(table, items)
    rows = Table(
        {"age": ["[30:31]", "[30:31]", "[40:41]", "[40:41]"], "zip": [1] * 4}, quasi_identifiers=("age", "zip")
    )
    exposed = Exposed(Mixed(rows, replace(items, ids=None)), np.arange(4))
    found = Reidentify(known=1).run(AttackSetting(people, (exposed,)), seed=1)
    assert found.successes.tolist() == [1.0, 0.5, 1.0, 1.0]
    assert found.facts["random_mean"] == pytest.approx((0.75 + 0.5 + 0.75 + 0.75) / 4)
    assert found.exact
