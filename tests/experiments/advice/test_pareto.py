"""The front and the compromise: by hand, and against looking at every pair."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sfumato.experiments.advice.pareto import compromise, front, regrets

VALUES = st.sampled_from([0, 1, 2, 99, 100, 102])
POINTS = st.lists(st.tuples(VALUES, VALUES, VALUES), min_size=1, max_size=8)
BETTER = st.tuples(*[st.sampled_from(["lower", "higher", "closer to 100"])] * 3)


@given(points=POINTS, better=BETTER)
def test_the_front_is_what_nobody_beats(points: list[tuple[int, int, int]], better: tuple[str, str, str]) -> None:
    def at_least_as_good(a: int, b: int, direction: str) -> bool:
        if direction == "closer to 100":
            return abs(100 - a) <= abs(100 - b)
        return a <= b if direction == "lower" else a >= b

    for one, best in zip(points, front(points, better), strict=True):
        beaten = any(
            other != one and all(at_least_as_good(a, b, d) for a, b, d in zip(other, one, better, strict=True))
            for other in points
        )
        assert best is not beaten


@given(points=POINTS, better=BETTER)
def test_the_compromise_is_on_the_front_and_gives_up_least(points: list[tuple[int, ...]], better: list[str]) -> None:
    chosen = compromise(points, better)
    assert chosen is not None
    on_front = front(points, better)
    given_up = [max(row) for row in regrets(points, better)]
    assert on_front[chosen]
    assert given_up[chosen] == min(value for value, best in zip(given_up, on_front, strict=True) if best)


def test_one_measure_has_one_best_and_its_equals() -> None:
    assert front([(3,), (1,), (1,)], ["lower"]) == [False, True, True]
    assert compromise([(3,), (1,), (1,)], ["lower"]) == 1
    assert compromise([(3,), (1,), (1,)], ["higher"]) == 0


def test_regrets_where_all_are_equal_are_none() -> None:
    assert regrets([(2, 1), (2, 3)], ["lower", "higher"]) == [[0.0, 1.0], [0.0, 0.0]]


def test_nothing_has_no_compromise() -> None:
    assert front([], ["lower"]) == []
    assert compromise([], ["lower"]) is None
