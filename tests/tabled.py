"""Small tables over hierarchies whose leaves lie at different depths."""

from __future__ import annotations

from typing import Any

import polars as pl
from hypothesis import strategies as st

from sfumato import Table, Taxonomy
from sfumato.data import Persons

JOB = Taxonomy(
    {"any": None, "craft": "any", "wood": "craft", "joiner": "wood", "turner": "wood", "smith": "craft", "poet": "any"}
)
TOWN = Taxonomy({"*": None, "south": "*", "Rome": "south", "Bari": "south", "north": "*", "Oslo": "north"})
SEX = Taxonomy({"*": None, "f": "*", "m": "*"})
HIERARCHIES = {"job": JOB, "town": TOWN, "sex": SEX}
CELLS = st.tuples(
    st.sampled_from(["joiner", "turner", "smith", "poet", None]),
    st.sampled_from(["Rome", "Bari", "Oslo"]),
    st.sampled_from(["f", "m", None]),
)


def people(rows: list[tuple[Any, ...]], who: list[str] | None = None, ill: list[str] | None = None) -> Table:
    """Rows of job, town and sex, and a sensitive column where one is given."""
    frame = pl.DataFrame(rows, schema=dict.fromkeys(("job", "town", "sex"), pl.String), orient="row")
    sensitive: tuple[str, ...] = ()
    if ill is not None:
        frame, sensitive = frame.with_columns(pl.Series("ill", ill)), ("ill",)
    persons = None if who is None else Persons.of(who)
    return Table(frame, hierarchies=HIERARCHIES, persons=persons, sensitive=sensitive)


@st.composite
def tables(draw: Any) -> Table:
    """Random rows, with persons behind them or without."""
    rows = draw(st.lists(CELLS, min_size=4, max_size=16))
    return people(rows, draw(st.none() | st.lists(st.sampled_from("uvwxyz"), min_size=len(rows), max_size=len(rows))))


@st.composite
def numbers(draw: Any) -> Table:
    """Random rows of two columns of numbers without a hierarchy, some of them far from the others, and of jobs."""
    ages = st.sampled_from([20, 21, 23, 30, 31, 64, None])
    incomes = st.sampled_from([10, 11, 12, 13, 500, 1000])
    rows = draw(st.lists(st.tuples(ages, incomes, CELLS), min_size=4, max_size=14))
    frame = {
        "age": [40, *(age for age, _, _ in rows)],
        "income": [10, *(income for _, income, _ in rows)],
        "job": ["poet", *(cells[0] for _, _, cells in rows)],
    }
    return Table(pl.DataFrame(frame, schema_overrides={"job": pl.String}), hierarchies={"job": JOB})


def classes_of(release: Any) -> set[frozenset[int]]:
    """The original rows of a release, those under equal labels together."""
    found: dict[tuple[Any, ...], set[int]] = {}
    names = release.data.quasi_identifiers
    for row, source in zip(release.data.frame.select(names).rows(), release.origin.tolist(), strict=True):
        found.setdefault(row, set()).add(source)
    return {frozenset(rows) for rows in found.values()}
