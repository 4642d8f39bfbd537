"""Charts together: an attacker who holds several of them learns no count below k."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from sfumato.web.studies.charting.bounding import OtherTables
from sfumato.web.studies.charting.linking import Number, SharedTable, reveals


def people(*ranges: tuple[int, int]) -> frozenset[str]:
    return frozenset(str(person) for low, high in ranges for person in range(low, high))


def chart(questions: str, *cells: frozenset[str], hidden: tuple[int, ...] = ()) -> SharedTable:
    everybody = frozenset().union(*cells)
    numbers = [Number(cell, place not in hidden) for place, cell in enumerate(cells)]
    return SharedTable(frozenset(questions.split()), everybody, (*numbers, Number(everybody, True)))


def test_the_same_chart_again_reveals_nothing() -> None:
    gender = chart("gender", people((0, 30)), people((30, 60)))
    assert reveals(gender, [gender], 5) == ""


def test_one_entry_more_is_refused_and_five_more_are_not() -> None:
    before = chart("gender", people((0, 30)), people((30, 60)))
    assert "difference" in reveals(chart("gender", people((0, 31)), people((31, 61))), [before], 5)
    one_more = chart("gender", people((0, 30), (60, 61)), people((30, 60)))
    assert "difference" in reveals(one_more, [before], 5)
    assert reveals(chart("gender", people((0, 30), (60, 66)), people((30, 60), (70, 77))), [before], 5) == ""


def test_everybody_and_everybody_but_one_are_refused_also_for_another_question() -> None:
    everybody = chart("gender", people((0, 30)), people((30, 60)))
    but_one = chart("age", people((0, 40)), people((40, 59)))
    assert "difference" in reveals(but_one, [everybody], 5)


def test_other_questions_about_the_same_people_are_shared() -> None:
    everybody = chart("gender", people((0, 30)), people((30, 60)))
    even = frozenset(str(person) for person in range(0, 60, 2))
    assert reveals(chart("age", even, people((0, 60)) - even), [everybody], 5) == ""


def test_three_charts_whose_sums_leave_one_person_are_refused() -> None:
    """100 people; 60 of them younger, 39 older: who is neither is one."""
    everybody = chart("gender", people((0, 50)), people((50, 100)))
    younger = chart("gender", people((0, 30)), people((50, 80)))
    older = chart("gender", people((30, 50)), people((80, 99)))
    assert reveals(younger, [everybody], 5) == ""
    assert "below 5" in reveals(older, [everybody, younger], 5)


def test_a_hidden_count_is_not_revealed_by_the_margin_of_another_chart() -> None:
    """Gender in each hospital hides a row, of which a chart of one hospital shows the other part."""
    two_way = chart("gender centre", people((0, 3)), people((3, 33)), people((33, 63)), people((63, 99)), hidden=(0, 1))
    one_way = chart("gender", people((3, 33)), people((33, 63)))
    assert "below 5" in reveals(one_way, [two_way], 5)


def test_bounds_of_two_charts_together_are_refused() -> None:
    """3 are hidden beside 6 in one chart; another shows that the sum of both is 9, of which 5 or more are not them."""
    hidden, other, rest = people((0, 3)), people((3, 9)), people((9, 40))
    first = chart("drug", hidden, other, rest, hidden=(0, 1))
    second = SharedTable(
        frozenset({"drug"}),
        first.people,
        (Number(people((3, 8)), True), Number(people((8, 9)), False), Number(first.people, True)),
    )
    assert "below 5" in reveals(second, [first], 5)


@pytest.mark.parametrize("seed", range(12))
def test_another_table_is_found_where_whole_numbers_allow_one(seed: int) -> None:
    random = np.random.default_rng(seed)
    shown = np.vstack([random.integers(0, 2, (2, 4)), np.ones((1, 4), dtype=np.int64)])
    counts, goal = random.integers(1, 4, 4), np.eye(4, dtype=np.int64)[random.integers(4)]
    hidden = np.array([[1, 1, 0, 0]])
    every = np.array(list(product(range(int(counts.sum()) + 1), repeat=4)))
    agreeing = every[(every @ shown.T == shown @ counts).all(axis=1) & (every @ hidden[0] >= 1)]
    sums = agreeing @ goal
    for k in range(int(goal @ counts) + 1, int(counts.sum()) + 1):
        assert OtherTables(shown, hidden, counts).has(goal, k) == bool(((sums == 0) | (sums >= k)).any())


def test_bounds_are_those_of_whole_numbers() -> None:
    """Three parts of which any two hold 3 people at most: real numbers allow 4.5 together, whole ones 4."""
    parts = np.array([[1, 1, 0, 1, 0, 0, 0], [1, 0, 1, 0, 1, 0, 0], [0, 1, 1, 0, 0, 1, 0], [1, 1, 1, 1, 1, 1, 1]])
    shown = np.vstack([parts, np.eye(7, dtype=np.int64)[6]])
    counts, goal = np.array([0, 1, 2, 2, 1, 0, 9]), np.array([1, 1, 1, 0, 0, 0, 0])
    others = OtherTables(shown, np.zeros((0, 7), dtype=np.int64), counts)
    assert not others.has(goal, 5)
    assert (others.known @ shown.T == shown @ counts).all()


def test_a_hidden_count_that_is_not_zero_bounds_another() -> None:
    """Of 5 people in two hidden counts, neither holds 5, since the other is not zero."""
    both, each = np.array([[1, 1, 0], [1, 1, 1]]), np.eye(3, dtype=np.int64)
    assert OtherTables(both, each[:0], np.array([2, 3, 9])).has(each[0], 5)
    others = OtherTables(both, each[:2], np.array([2, 3, 9]))
    assert not others.has(each[0], 5)
    assert others.has(each[0], 4)


def random_tables(people: int) -> list[SharedTable]:
    """Twelve charts that share a question and divide nearly all people from each other."""
    answers = np.random.default_rng(1).integers(0, 6, (12, people))
    return [
        chart(f"q{number} shared", *(frozenset(map(str, np.flatnonzero(row == value))) for value in range(6)))
        for number, row in enumerate(answers)
    ]


def test_many_charts_about_many_people_are_compared_quickly() -> None:
    new, *earlier = random_tables(800)
    assert reveals(new, earlier, 5) == ""


def test_more_small_groups_than_can_be_searched_are_refused() -> None:
    new, *earlier = random_tables(2100)
    assert "too many small groups" in reveals(new, earlier, 5)
    new, *earlier = random_tables(100)
    assert "too many small groups" in reveals(new, earlier, 10)


def test_three_people_among_many_small_groups_are_found() -> None:
    """Sums of several numbers leave three people, each in a group of one."""
    everybody, *others = random_tables(800)
    first, second, third = (frozenset({str(person)}) for person in (0, 1, 2))
    few = first | second | third
    part = everybody.people - few
    half = frozenset(str(person) for person in range(400))
    charts = [chart("shared x", half & part, part - half), chart("shared y", half, everybody.people - half)]
    assert reveals(charts[1], [everybody, *others], 5) == ""
    assert "below 5" in reveals(charts[0], [everybody, *others, charts[1]], 5)
