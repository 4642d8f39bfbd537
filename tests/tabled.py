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
