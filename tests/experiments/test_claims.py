"""The sentence about a claim, for planted results."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.experiments.claims import Finding, Point, judge
from sfumato.experiments.definition.experiment import Expectation


def planted(**series: list[float]) -> dict[tuple[str, object], Point]:
    """Single runs at 1, 2, 3, ..."""
    return {(name, at): Point(v, v, v) for name, values in series.items() for at, v in enumerate(values, start=1)}


def said(expects: Expectation, points: dict, settings: list | None = None) -> str:
    return str(judge(expects, points, settings or sorted({at for _, at in points}), "k"))


LOWER = Expectation("ordering", ("new", "old"), better="lower")
HIGHER = Expectation("ordering", ("new", "old"), better="higher")


@pytest.mark.parametrize(
    ("expects", "new", "old", "sentence"),
    [
        (LOWER, [1, 2], [2, 8], "Holds: new is lower than old at all 2 values of k, by 50% to 75%."),
        (LOWER, [1, 2, 3], [2, 8, 4], "Holds: new is lower than old at all 3 values of k, by 25% to 75% (median 50%)."),
        (HIGHER, [3, 3], [2, 2], "Holds: new is higher than old at all 2 values of k, by 50%."),
        (
            LOWER,
            [1, 5],
            [2, 4],
            "Holds in part: new is lower than old at 1 of 2 values of k, by 50%; not at k = 2 (25% higher).",
        ),
        (
            HIGHER,
            [1, 4],
            [2, 4],
            "Does not hold: new is higher than old at none of 2 values of k: k = 1 (50% lower) and k = 2 (equal).",
        ),
        (LOWER, [-2], [0], "Holds: new is lower than old at k = 1, by 2."),
        (
            LOWER,
            [9, 9, 9, 9, 9, 9, 9],
            [1, 1, 1, 1, 1, 1, 10],
            "Holds in part: new is lower than old at 1 of 7 values of k, by 10%; not at k = 1 (800% higher), "
            "k = 2 (800% higher), k = 3 (800% higher), k = 4 (800% higher), k = 5 (800% higher) and 1 more.",
        ),
    ],
)
def test_an_ordering(expects: Expectation, new: list[float], old: list[float], sentence: str) -> None:
    assert said(expects, planted(new=new, old=old)) == sentence


def test_a_factor_must_be_reached() -> None:
    twice = Expectation("ordering", ("new", "old"), better="lower", factor=2)
    assert said(twice, planted(new=[1, 3], old=[2, 5])) == (
        "Holds in part: new is lower than old by a factor of at least 2 at 1 of 2 values of k, by 50%; "
        "not at k = 2 (only 40% lower)."
    )


def test_three_in_a_row_are_two_pairs() -> None:
    chain = Expectation("ordering", ("a", "b", "c"), better="lower")
    assert said(chain, planted(a=[1], b=[2], c=[1])) == (
        "Holds in part: a is lower than b at k = 1, by 50%; b is not lower than c at k = 1 (100% higher)."
    )


def test_the_spread_of_repetitions_is_said() -> None:
    points = {
        ("new", 1): Point(1.0, 0.5, 1.5, 3),
        ("old", 1): Point(2.0, 1.6, 2.5, 3),
        ("new", 2): Point(1.0, 0.5, 1.8, 3),
        ("old", 2): Point(2.0, 1.6, 2.5, 3),
    }
    assert said(LOWER, points).endswith("by 50%, at 1 of them beyond the spread of 3 repetitions.")
    apart = {key: point for key, point in points.items() if key[1] == 1}
    assert said(LOWER, apart).endswith("by 50%, beyond the spread of 3 repetitions.")
    over = {key: point for key, point in points.items() if key[1] == 2}
    assert said(LOWER, over).endswith("by 50%, within the spread of 3 repetitions.")


def test_where_nothing_varies() -> None:
    points = {("new", None): Point(3, 3, 3), ("old", None): Point(4, 4, 4)}
    assert said(LOWER, points, [None]) == "Holds: new is lower than old, by 25%."
    assert said(HIGHER, points, [None]) == "Does not hold: new is not higher than old (25% lower)."
    small = Expectation("bounds", ("new", "old"), at_most=3)
    assert said(small, points, [None]) == "Holds in part: new is at most 3 (3); old is not at most 3 (4)."


FALLING = Expectation("monotone", ("new",), direction="falling")
RISING = Expectation("monotone", ("new",), direction="rising")


@pytest.mark.parametrize(
    ("expects", "new", "sentence"),
    [
        (FALLING, [5, 5, 2], "Holds: new falls from 5 (k = 1) to 2 (k = 3) and never rises."),
        (RISING, [1, 1500], "Holds: new rises from 1 (k = 1) to 1,500 (k = 2) and never falls."),
        (
            FALLING,
            [8, 4, 5, 2],
            "Holds in part: new falls from 8 (k = 1) to 2 (k = 4), but it rises at 1 of 3 steps: k = 2 to 3 (25%).",
        ),
        (
            RISING,
            [4, 2],
            "Does not hold: new goes from 4 (k = 1) to 2 (k = 2); it falls at 1 of 1 steps: k = 1 to 2 (50%).",
        ),
        (RISING, [4, 4, 4], "Does not hold: new is 4 at all 3 values of k."),
    ],
)
def test_a_trend(expects: Expectation, new: list[float], sentence: str) -> None:
    assert said(expects, planted(new=new)) == sentence


def test_a_step_within_the_spread_is_said() -> None:
    points = {("new", 1): Point(1, 1, 1, 3), ("new", 2): Point(4, 3, 5, 3), ("new", 3): Point(3.5, 2, 6, 3)}
    assert said(RISING, points).endswith("it falls at 1 of 2 steps: k = 2 to 3 (12%, within the spread).")


def test_bounds_and_a_part_of_the_range() -> None:
    bound = Expectation("bounds", ("new",), at_least=1, at_most=4, start=2)
    assert said(bound, planted(new=[9, 4, 5])) == (
        "Holds in part: new is at least 1 and at most 4 at 1 of 2 values of k; not at k = 3: 5."
    )
    end = Expectation("bounds", ("new",), at_most=4, start=3)
    assert said(end, planted(new=[9, 4, 5])) == "Does not hold: new is not at most 4 at k = 3: 5."


@pytest.mark.parametrize(
    ("within", "old", "sentence"),
    [
        (0.0, [2, 4], "Holds: old is equal to new at all 2 values of k."),
        (0.0, [2, 5], "Holds in part: old is equal to new at 1 of 2 values of k; not at k = 2 (25% higher)."),
        (0.25, [1.5, 5], "Holds: old is within 25% of new at all 2 values of k."),
        (
            0.2,
            [1.5, 5],
            "Does not hold: old is within 20% of new at none of 2 values of k; "
            "not at k = 1 (25% lower) and k = 2 (25% higher).",
        ),
    ],
)
def test_alike(within: float, old: list[float], sentence: str) -> None:
    assert said(Expectation("equal", ("new", "old"), within=within), planted(new=[2, 4], old=old)) == sentence


def test_alike_where_nothing_varies() -> None:
    points = {("a", None): Point(2, 2, 2), ("b", None): Point(2, 2, 2), ("c", None): Point(3, 3, 3)}
    sentence = said(Expectation("equal", ("a", "b", "c")), points, [None])
    assert sentence == "Holds in part: b is equal to a; c is not equal to a (50% higher)."


def test_missing_figures() -> None:
    some = planted(new=[1, 1], old=[2])
    assert said(LOWER, some, [1, 2]) == (
        "Holds: new is lower than old at k = 1, by 50%; not judged at k = 2, where a figure is missing."
    )
    assert judge(LOWER, planted(new=[1]), [1], "k").verdict == "cannot be judged"
    assert judge(RISING, planted(new=[1]), [1, 2], "k").verdict == "cannot be judged"


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=8))
def test_the_verdict_of_an_ordering_is_a_count(pairs: list[tuple[int, int]]) -> None:
    found: Finding = judge(
        LOWER, planted(new=[a for a, _ in pairs], old=[b for _, b in pairs]), list(range(1, len(pairs) + 1)), "k"
    )
    better = sum(a < b for a, b in pairs)
    assert found.verdict == ("holds" if better == len(pairs) else "holds in part" if better else "does not hold")


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=8))
def test_the_verdict_of_a_trend(values: list[int]) -> None:
    found = judge(RISING, planted(new=values), list(range(1, len(values) + 1)), "k")
    if values == sorted(values) and values[0] < values[-1]:
        assert found.verdict == "holds"
    else:
        assert found.verdict == ("holds in part" if values[-1] > values[0] else "does not hold")
