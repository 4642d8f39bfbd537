"""Hidden counts: an attacker who tries every table learns no count between 1 and k - 1."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import Infeasible
from sfumato.web.studies.charting.suppressing import Table, interval, suppressed


def compositions(parts: int, total: int) -> Iterator[tuple[int, ...]]:
    """Every way to write a number as a sum of positive ones."""
    if parts == 0:
        yield from [()] if total == 0 else []
        return
    for first in range(1, total - parts + 2):
        for rest in compositions(parts - 1, total - first):
            yield (first, *rest)


def every_table(table: Table, hidden: frozenset) -> Iterator[dict]:
    """All tables that agree with what is shown."""
    values = table.values()
    inner = [(row, column) for row in range(len(table.counts)) for column in range(table.columns)]
    unknown = [place for place in inner if place in hidden]
    for numbers in compositions(len(unknown), sum(values[place] for place in unknown)):
        cells = {place: values[place] for place in inner} | dict(zip(unknown, numbers, strict=True))
        lines = tuple(tuple(cells[row, column] for column in range(table.columns)) for row in range(len(table.counts)))
        world = Table(lines).values()
        if all(world[place] == values[place] for place in values if place not in hidden):
            yield world


def check(table: Table, k: int) -> frozenset | None:
    try:
        hidden = suppressed(table, k)
    except Infeasible:
        return None
    values = table.values()
    assert (None, None) not in hidden
    worlds = list(every_table(table, hidden))
    for place, number in values.items():
        if 0 < number < k:
            possible = {world[place] for world in worlds}
            assert max(possible) >= number + k - 1
            assert interval(table, hidden, place) == (min(possible), max(possible))
        if number == 0:
            assert place not in hidden
    return hidden


def test_two_answers_of_which_one_is_rare_hide_each_other() -> None:
    assert suppressed(Table(((2,), (30,))), 5) == {(0, 0), (1, 0)}


def test_nothing_is_hidden_where_all_counts_are_large_or_zero() -> None:
    assert suppressed(Table(((7, 0), (9, 12))), 5) == frozenset()


def test_a_rare_answer_of_three_takes_the_smallest_other_with_it() -> None:
    assert suppressed(Table(((2,), (30,), (9,))), 5) == {(0, 0), (2, 0)}


def test_two_rare_answers_do_not_protect_each_other() -> None:
    """1 and 2 sum to 3: each would be known to be below 5."""
    assert suppressed(Table(((1,), (2,), (9,))), 5) == {(0, 0), (1, 0), (2, 0)}


def test_a_small_count_of_a_two_way_table_is_safe_from_all_totals() -> None:
    table = Table(((2, 8, 6), (7, 5, 6), (9, 5, 6)))
    hidden = check(table, 5)
    assert hidden is not None
    assert len(hidden) >= 4


def test_a_row_with_one_small_count_hides_its_total() -> None:
    hidden = suppressed(Table(((3, 0), (20, 30), (25, 35))), 5)
    assert {(0, 0), (0, None)} <= hidden


def test_few_entries_are_not_shared() -> None:
    with pytest.raises(Infeasible, match="fewer than 5 entries"):
        suppressed(Table(((2,), (1,))), 5)
    with pytest.raises(Infeasible, match="at least 3"):
        suppressed(Table(((2,), (1,))), 2)


def test_everybody_in_one_small_group_of_a_shown_total_is_refused() -> None:
    with pytest.raises(Infeasible):
        suppressed(Table(((3,), (2,))), 4)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 7), min_size=2, max_size=4), st.integers(3, 5))
def test_no_attacker_learns_a_small_count_of_one_question(counts: list[int], k: int) -> None:
    check(Table(tuple((number,) for number in counts)), k)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.integers(0, 6), min_size=2, max_size=2), min_size=2, max_size=2), st.integers(3, 4))
def test_no_attacker_learns_a_small_count_of_two_questions(counts: list[list[int]], k: int) -> None:
    check(Table(tuple(map(tuple, counts))), k)
