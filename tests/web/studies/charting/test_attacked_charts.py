"""Sequences of shared charts against an attacker who tries every table of whole numbers that agrees with them.

People have two answers, and joined early or late; charts are about one or both answers, of everybody, of the early ones
(as a study that grew), or of those who gave a certain answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

from sfumato.errors import Infeasible
from sfumato.web.studies.charting.linking import Number, SharedTable, reveals
from sfumato.web.studies.charting.suppressing import Table, suppressed

KINDS = [*product(range(2), range(2), range(2)), (2, 0, 0), (2, 0, 1)]  # first and second answer, whether late
PLACES = range(len(KINDS))
REAL_BOUNDS = (398, 402, 454, 464, 499, 521, 529)  # where bounds of real numbers would let a small count through


def random_chart(random: Random) -> tuple[tuple[int, ...], list[int]]:
    """The questions of a chart, and the kinds of people whom it is about."""
    questions = random.choice([(0,), (1,), (0, 1)])
    question, value = random.choice([(None, 0), (None, 0), (2, 0), (2, 0), (0, 1), (1, 0)])
    return questions, [place for place, kind in enumerate(KINDS) if question is None or kind[question] == value]


def drawn(
    questions: tuple[int, ...], about: Sequence[int], counts: Sequence[int], k: int
) -> tuple[SharedTable, list[tuple[frozenset[int], bool]]]:
    """A chart with its small counts hidden, and its numbers as sets of kinds, as attackers know them."""
    rows = range(3 if questions[0] == 0 else 2)
    columns = range(2 if len(questions) == 2 else 1)
    cells = {
        (row, column): frozenset(
            place
            for place in about
            if KINDS[place][questions[0]] == row and (len(questions) == 1 or KINDS[place][1] == column)
        )
        for row in rows
        for column in columns
    }
    hidden = suppressed(
        Table(tuple(tuple(sum(counts[place] for place in cells[row, column]) for column in columns) for row in rows)), k
    )
    places: dict = {(None, None): frozenset(about), **cells}
    if len(questions) == 2:
        places |= {(row, None): cells[row, 0] | cells[row, 1] for row in rows}
        places |= {(None, column): frozenset().union(*(cells[row, column] for row in rows)) for column in columns}
    people = {
        name: frozenset(f"{place}-{number}" for place in kinds for number in range(counts[place]))
        for name, kinds in places.items()
    }
    numbers = tuple(Number(people[name], name not in hidden) for name in places if people[name])
    table = SharedTable(frozenset(map(str, questions)), people[None, None], numbers)
    return table, [(kinds, name not in hidden) for name, kinds in places.items()]


Numbers = Sequence[tuple[frozenset[int], bool]]


def is_possible(numbers: Numbers, counts: Sequence[int], goal: frozenset[int], wanted: range) -> bool:
    """Whether some counts agree with shown numbers, make no hidden one zero, and give a group one of certain sizes."""
    # kinds that the same numbers count are as good as one kind
    alike = {
        tuple(place in kinds for kinds in (goal, *(kinds for kinds, _shown in numbers))): place for place in PLACES
    }
    order = sorted(alike.values(), key=lambda place: place not in goal)
    turn = {place: number for number, place in enumerate(order)}
    shown = [(kinds, max(turn.get(n, 0) for n in kinds)) for kinds, is_shown in set(numbers) if is_shown and kinds]
    hidden = [kinds for kinds, is_shown in set(numbers) if not is_shown]

    def fill(number: int, world: dict[int, int], left: list[int]) -> bool:
        if number == len(goal & turn.keys()) and sum(world.values()) not in wanted:
            return False
        if number == len(order):
            return all(any(world.get(place) for place in kinds) for kinds in hidden)
        place = order[number]
        touched = [n for n, (kinds, _last) in enumerate(shown) if place in kinds]
        most = min((left[n] for n in touched), default=0)
        ends = [left[n] for n in touched if shown[n][1] == number]
        for value in range(max(ends, default=0), most + 1):
            rest = [room - value * (n in touched) for n, room in enumerate(left)]
            if all(value == end for end in ends) and fill(number + 1, {**world, place: value}, rest):
                return True
        return False

    return fill(0, {}, [sum(counts[place] for place in kinds) for kinds, _last in shown])


def attack(seed: int, k: int = 3) -> tuple[int, int]:
    """Share up to three charts; no small count of any may be known to be small.  How many left, and were refused."""
    random = Random(seed)
    counts = [random.choice((0, 1, 1, 2, 3)) for _kind in KINDS]
    shared: list[SharedTable] = []
    known: list[tuple[frozenset[int], bool]] = []
    refused = 0
    for _number in range(random.choice((2, 3))):
        try:
            table, numbers = drawn(*random_chart(random), counts, k)
        except Infeasible:
            continue
        if not table.people or reveals(table, shared, k):
            refused += 1
            continue
        shared.append(table)
        known += numbers
    groups = {kinds for kinds, _shown in known}
    groups |= {later - sooner for later in groups for sooner in groups if sooner < later}
    for kinds in groups:
        if 0 < sum(counts[place] for place in kinds) < k:
            assert is_possible(known, counts, kinds, range(k, 99)) or is_possible(known, counts, kinds, range(1)), (
                f"case {seed}: {sorted(kinds)} is known to be small"
            )
    return len(shared), refused


def test_no_sequence_of_charts_reveals_a_small_count() -> None:
    results = [attack(seed) for seed in (*range(60), *REAL_BOUNDS)]
    assert sum(left for left, _refused in results) > 60
    assert sum(refused for _left, refused in results) > 15
