"""Inference of sensitive values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attacks.recoded_rows import ONE, brief, rows_of, seen_as, through
from sfumato.attacks import (
    AttackSetting,
    Exposed,
    Inference,
    Reidentify,
)
from sfumato.data import Places, Table, Trajectories, Transactions
from sfumato.remedies import Sentence
from twins.attacks_fits import all_patterns, fits_known


@brief
@given(rows=rows_of, flags=st.lists(st.booleans(), min_size=6, max_size=6))
def test_inference_as_the_twin(rows: list[list[str]], flags: list[bool]) -> None:
    rows = [sorted(set(row)) for row in rows]
    published = [sorted(set(row)) for row in through(ONE, rows, flags[: len(rows)])]
    original = Transactions.from_lists([*rows, ["d"]], sensitive=["d"])
    setting = AttackSetting(original, (Exposed(seen_as(Transactions, published, ONE)),))
    found = Inference(known=3, tries=1).run(setting, seed=1)
    assert Inference(known=0).run(setting, seed=1).of == sum("d" in row for row in rows) + 1
    twin = []
    for row in rows:
        if "d" in row and len(row) > 1:  # who has nothing but a secret cannot be known by anything else
            known = [piece for piece in row if piece != "d"]
            crowd = [one for one in published if fits_known(one, ONE, known, ordered=False)]
            told = [one for one in crowd if fits_known(one, ONE, ["d"], ordered=False)]
            twin.append(len(told) / len(crowd) if crowd else 0.0)
    assert found.successes.tolist() == pytest.approx(twin)


def test_secrets_are_not_known_when_the_promise_says_so() -> None:
    shops = Places.from_frame({"location": ["a", "s"], "sensitive": [False, True]})
    walks = Trajectories.from_lists([["a", "s"], ["a"]], places=shops)
    setting = AttackSetting.of(walks, walks.published()[0])
    assert Reidentify(known=2).run(setting, seed=1).worst == 1.0
    assert Reidentify(known=2, sensitive=False).run(setting, seed=1).worst == 0.5


def test_inference_of_items_and_places() -> None:
    baskets = Transactions.from_lists([["tea", "hiv"], ["tea"], ["tea"], ["ale"]], sensitive=["hiv"])
    found = Inference(known=1).run(AttackSetting.of(baskets, baskets.published()[0]), seed=1)
    assert found.successes.tolist() == pytest.approx([1 / 3])
    assert found.baseline == pytest.approx(1 / 4)
    assert (found.of, found.exact) == (1, True)
    nothing = Transactions.from_lists([["tea"]])
    unfit = Inference().unfit(AttackSetting.of(nothing, nothing.published()[0]))
    assert isinstance(unfit, Sentence)
    assert unfit.remedy == "name-sensitive"


def test_inference_of_columns() -> None:
    people = Table({"age": [30, 30, 30, 31], "ill": ["a", "a", None, "b"]}, sensitive=("ill",))
    found = Inference().run(AttackSetting.of(people, people.published()[0]), seed=1)
    assert found.successes.tolist() == pytest.approx([2 / 3, 2 / 3, 1 / 3, 1.0])
    assert found.facts["fewest_values"] == 1
    assert found.facts["largest_shift"] == pytest.approx(0.75)
    assert found.facts["largest_ordered_shift"] is None
    numbers = Table({"age": [30, 30, 31, 31], "pay": [1, 2, 3, 4]}, sensitive=("pay",))
    moved = Inference().run(AttackSetting.of(numbers, numbers.published()[0]), seed=1).facts
    # shares apart 1/4, 1/2, 1/4, 0 when cumulated, over three steps
    assert moved["largest_ordered_shift"] == pytest.approx(1 / 3)
    assert moved["fewest_effective"] == pytest.approx(2.0)


@brief
@given(rows=rows_of, flags=st.lists(st.booleans(), min_size=6, max_size=6), known=st.integers(1, 2))
def test_every_choice_about_every_record_is_tried(rows: list[list[str]], flags: list[bool], known: int) -> None:
    published = through(ONE, rows, flags[: len(rows)])
    places = Places.from_frame({"location": list("abcd"), "sensitive": [False, False, False, True]})
    original = Trajectories.from_lists([*rows, list("abcd")], places=places)
    setting = AttackSetting(original, (Exposed(seen_as(Trajectories, published, ONE)),))
    found = Inference(known=known).run(setting, seed=1)
    twin = []
    for row in (row for row in [*rows, list("abcd")] if "d" in row and set(row) != {"d"}):
        probabilities = [0.0]
        for choice in all_patterns([place for place in row if place != "d"], known, ordered=True):
            matching = [one for one in published if fits_known(one, ONE, choice, ordered=True)]
            sensitive = [one for one in matching if fits_known(one, ONE, ["d"], ordered=False)]
            probabilities += [len(sensitive) / len(matching)] if matching else []
        twin.append(max(probabilities))
    assert found.successes.tolist() == pytest.approx(twin)
    assert found.exact
    sampled = Inference(known=known, budget=0, tries=1, targets=1).run(setting, seed=1)
    assert (sampled.tried, sampled.to_json()["seed"]) == (1, None if sampled.exact else 1)
    assert sampled.worst <= found.worst
