"""Mixed data for the tests of methods on it."""

from __future__ import annotations

from random import Random
from typing import Any

from sfumato.data import Mixed, Persons, Taxonomy

TOWNS = Taxonomy(
    {"Italy": "*", "Norway": "*", "*": None, "Rome": "Italy", "Bari": "Italy", "Oslo": "Norway", "Voss": "Norway"}
)
ILLS = Taxonomy(
    {"any": None, "lung": "any", "joint": "any", "flu": "lung", "cough": "lung", "gout": "joint", "ache": "joint"}
    | {"hiv": "any"}
)


def people(n: int, *, chance: int = 1, persons: int | None = None, items: int = 3, **more: Any) -> Mixed:
    """Ages with a missing one now and then, towns, and up to so many illnesses."""
    draw = Random(chance)
    frame = {
        "age": [
            draw.choice([None, *range(20, 80)]) if draw.random() < 0.2 else draw.randrange(20, 80) for _ in range(n)
        ],
        "town": [draw.choice(["Rome", "Bari", "Oslo", "Voss"]) for _ in range(n)],
        "ills": [
            " ".join(draw.sample(["flu", "cough", "gout", "ache", "hiv"], draw.randint(0, items))) for _ in range(n)
        ],
    }
    data = Mixed.from_frame(frame, items="ills", taxonomy=ILLS, hierarchies={"town": TOWNS}, **more)
    return data if persons is None else data.with_persons(Persons.of([draw.randrange(persons) for _ in range(n)]))
