"""Undoing generalization by counting what must hide behind labels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.attacks import AttackSetting, Downcoding, Exposed
from sfumato.data import Table, Trajectories, Transactions


def test_what_is_published_as_it_is_need_not_hide() -> None:
    # all three 31s are shown, so whatever hides in [30:31] is 30
    people = Table({"age": [30, 30, 31, 31, 31]})
    release = Table({"age": ["[30:31]", "[30:31]", "31", "31", "31"]})
    found = Downcoding().run(AttackSetting.of(people, Exposed(release, np.arange(5))))
    assert found.successes.tolist() == [1.0, 1.0]
    assert found.facts == {"generalized": pytest.approx(2 / 5), "certain": 1.0}
    assert found.baseline == pytest.approx(1 / 2)


def test_the_likeliest_member_is_taken() -> None:
    walks = Trajectories.from_lists([["a", "a"], ["a", "b"], ["c"]])
    release = replace(Trajectories.from_lists([["c"], ["g", "g"], ["g", "g"]]), ids=None, members={"g": ("a", "b")})
    found = Downcoding().run(AttackSetting.of(walks, Exposed(release, np.array([2, 0, 1]))))
    assert found.successes.tolist() == [1.0, 1.0, 1.0, 0.0]
    assert found.facts["certain"] == 0.0
    assert found.baseline == pytest.approx(0.5)


@settings(max_examples=25, deadline=None)
@given(
    rows=st.lists(st.tuples(st.sampled_from([30, 31, 32]), st.sampled_from(["own", "[30:31]", "[30:32]"])), min_size=1)
)
def test_columns_as_the_twin(rows: list[tuple[int, str]]) -> None:
    """Settle what has one possibility, take it off, and take the member with most left for the rest."""
    covers = {"[30:31]": [30, 31], "[30:32]": [30, 31, 32]}
    ages = [age for age, _ in rows]
    seen = [str(age) if cut == "own" or age not in covers[cut] else cut for age, cut in rows]
    left = {age: ages.count(age) - seen.count(str(age)) for age in sorted(set(ages))}
    used = sorted(label for label in covers if label in seen)
    sure: dict[str, int] = {}
    for _ in used:
        for label in used:
            possible = [one for one in covers[label] if left.get(one, 0) > 0]
            if label not in sure and len(possible) == 1:
                sure[label] = possible[0]
                left[possible[0]] -= seen.count(label)
    guess = {
        label: max((one for one in covers[label] if one in left), key=lambda one: (left[one], -one)) for label in used
    } | sure
    setting = AttackSetting.of(Table({"age": ages}), Exposed(Table({"age": seen}), np.arange(len(rows))))
    if not used:
        assert Downcoding().unfit(setting) is not None
        return
    found = Downcoding().run(setting)
    assert found.successes.tolist() == [float(guess[s] == a) for a, s in zip(ages, seen, strict=True) if s in covers]
    assert all(age == sure[label] for age, label in zip(ages, seen, strict=True) if label in sure)
    cells = sum(label in covers for label in seen)
    assert found.facts["certain"] == pytest.approx(sum(label in sure for label in seen) / cells)


def test_items_of_a_set() -> None:
    baskets = Transactions.from_lists([["a", "b"], ["b"], ["c"]])
    release = Transactions.from_lists([["g"], ["g"], ["c"]])
    release = replace(release, ids=None, members={"g": ("a", "b")})
    found = Downcoding().run(AttackSetting.of(baskets, Exposed(release, np.array([0, 1, 2]))))
    assert found.mean == 1.0  # b, which both have
    assert found.baseline == pytest.approx(0.75)


def test_where_nobody_can_tell() -> None:
    people = Table({"age": [30, 31]})
    found = Downcoding().run(AttackSetting.of(people, Table({"age": ["[30:31]", "[30:31]"]})))
    assert found.tried == 0
    assert "give the private report of the run" in found.sentences[-1]
    plain = AttackSetting.of(people, people.published()[0])
    assert "no generalized labels" in str(Downcoding().unfit(plain))
