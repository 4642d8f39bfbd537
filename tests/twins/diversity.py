"""l-diversity and t-closeness, literally: every class is read row by row, every assignment and every share is tried."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import isnan
from typing import Any

import polars as pl
from hypothesis import strategies as st

from sfumato.data import Persons, Table

ILL = st.sampled_from(["flu", "cold", "hiv", None])


@st.composite
def sick_people(draw: Any, cells: Any = ILL) -> Table:
    """Random ages with a sensitive column, and persons behind them or nobody."""
    n = draw(st.integers(1, 12))
    ages = draw(st.lists(st.sampled_from([30, 31, None]), min_size=n, max_size=n))
    ill = draw(st.lists(cells, min_size=n, max_size=n))
    who = draw(st.none() | st.lists(st.sampled_from("uvwxyz"), min_size=n, max_size=n))
    frame = pl.DataFrame({"age": pl.Series(ages, dtype=pl.Int64), "ill": pl.Series(ill, strict=False)})
    return Table(frame, sensitive=("ill",), persons=None if who is None else Persons.of(who))


def value_of(cell: Any) -> Any:
    """A cell; all missing ones are one value."""
    return None if cell is None or cell == "" or (isinstance(cell, float) and isnan(cell)) else cell


def countings(published: Any) -> list[list[int]]:
    """Who is behind each row: persons, and once more every row itself."""
    return [published.units.tolist(), list(range(len(published)))]


def classes(published: Any, column: str, units: list[int]) -> list[list[tuple[Any, Any]]]:
    """The (unit, value) pairs of each class, each pair once."""
    found: dict[tuple[Any, ...], list[tuple[Any, Any]]] = {}
    for row, unit in zip(published.frame.iter_rows(named=True), units, strict=True):
        rows = found.setdefault(tuple(row[name] for name in published.quasi_identifiers), [])
        if (unit, value_of(row[column])) not in rows:
            rows.append((unit, value_of(row[column])))
    return list(found.values())


def columns(published: Any, original: Any) -> set[str]:
    return {*published.sensitive, *(original.sensitive if original is not None else ())}


def matched(pairs: list[tuple[Any, Any]]) -> int:
    """How many values can be given to different persons, by trying every order in which values choose."""
    values = sorted({value for _, value in pairs}, key=repr)
    most = 0
    for order in permutations(values):
        most = max(most, _given(order, pairs, frozenset()))
    return most


def _given(values: tuple[Any, ...], pairs: list[tuple[Any, Any]], taken: frozenset[Any]) -> int:
    """The most values of the list that find a person who is not taken."""
    if not values:
        return 0
    without = _given(values[1:], pairs, taken)
    holders = [unit for unit, value in pairs if value == values[0] and unit not in taken]
    return max([without, *(1 + _given(values[1:], pairs, taken | {holder}) for holder in holders)])


def l_diversity_holds(model: Any, published: Any, original: Any = None) -> bool:
    for column, units in product(columns(published, original), countings(published)):
        for pairs in classes(published, column, units):
            counts = [sum(v == value for _, v in pairs) for value in {v for _, v in pairs}]
            if model.variant == "entropy":
                total = sum(counts)
                powers = 1
                for count in counts:
                    powers *= count**count
                if total**total < model.l**total * powers:
                    return False
            elif len(counts) < model.l or _given(tuple({v for _, v in pairs}), pairs, frozenset()) < model.l:
                return False
    return True


def distance(model: Any, pairs: list[tuple[Any, Any]], everybody: list[tuple[Any, Any]]) -> Fraction:
    """The earth mover's distance between the values of a class and of the whole table."""
    values = sorted({v for _, v in everybody}, key=lambda v: (v is not None, v if v is not None else 0))

    def share(some: list[tuple[Any, Any]], value: Any) -> Fraction:
        return Fraction(sum(v == value for _, v in some), len(some))

    apart = [share(pairs, value) - share(everybody, value) for value in values]
    if model.distance == "equal":
        return sum((abs(one) for one in apart), Fraction(0)) / 2
    steps = max(1, len(values) - 1)
    return sum((abs(sum(apart[: at + 1], Fraction(0))) for at in range(len(values))), Fraction(0)) / steps


def t_closeness_holds(model: Any, published: Any, original: Any = None) -> bool:
    for column, units in product(columns(published, original), countings(published)):
        cells = [value_of(cell) for cell in published[column].to_list()]
        everybody = sorted(set(zip(units, cells, strict=True)), key=repr)
        if any(distance(model, p, everybody) > Fraction(str(model.t)) for p in classes(published, column, units)):
            return False
    return True
