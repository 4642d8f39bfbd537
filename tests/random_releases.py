"""Random originals of every kind with releases of every shape: by all methods, and made by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

import polars as pl

from datasets import CONSTRAINTS, LOCATIONS, PLACES, STREETS, TAXONOMY, TOWNS, build, told, turns
from handmade_releases import releases_by_hand
from sfumato.catalogue import METHODS, method_class
from sfumato.data import Dataset, Mixed, Persons, Places, RoadTrajectories, Table, Trajectories, Transactions
from sfumato.errors import Infeasible, SfumatoError

KINDS = ("trajectories", "transactions", "table", "mixed", "roads")
SEEDS = range(4)
# with categories, and one place far away from the others
FAR = Places.from_frame(
    PLACES.frame.with_columns(
        pl.Series("category", ["bar", "shop", "bar", "shop", "bar", None]),
        pl.when(pl.col("location") == "f").then(9).otherwise(pl.col("x")).alias("x"),
    )
)


@dataclass(frozen=True)
class Case:
    """One original and one of its releases."""

    name: str
    original: Any
    release: Any


@cache
def cases(kind: str) -> tuple[Case, ...]:
    """Originals of a kind with their releases."""
    found = []
    for seed in SEEDS:
        original = random_original(kind, Random(seed), seed)
        for name, release in (*_by_methods(original, seed), *releases_by_hand(original, Random(seed + 100))):
            found.append(Case(f"{kind} {seed}: {name}", original, release))
    return tuple(found)


# --- originals -------------------------------------------------------------------------------------------------------


def random_original(kind: str, chance: Random, seed: int) -> Dataset:
    """Persons in every second dataset, other places and items without a hierarchy in every third.

    In every fourth, one place or item does not occur, which a label may stand for nevertheless.
    """
    number = chance.randint(9, 14)
    skewed = ("abcde" if seed % 4 == 3 else LOCATIONS) + "aab"
    rows = [[chance.choice(skewed) for _ in range(chance.randint(0, 5))] for _ in range(number)]
    who = [f"p{chance.randrange(number - 2)}" for _ in rows] if seed % 2 else None
    if kind == "table":
        return _table(chance, number, who)
    if kind == "mixed":
        items = told(Transactions.from_lists(rows, taxonomy=TAXONOMY))
        return Mixed(_table(chance, number, who), items)
    if kind == "roads":
        return _drives(rows, who)
    if kind == "trajectories":
        places = FAR if seed % 3 == 0 else PLACES
        known = Trajectories.from_lists(rows, persons=who, places=places, taxonomy=TAXONOMY)
        return replace(known, constraints=CONSTRAINTS)
    data = build(kind, rows, who)
    return replace(data, taxonomy=None) if seed % 3 == 2 else data  # type: ignore[type-var]


def _table(chance: Random, number: int, who: list[str] | None) -> Table:
    """Whole numbers, numbers, a hierarchy and plain texts, with missing values; and a sensitive column."""
    frame = pl.DataFrame(
        {
            "age": [chance.choice([30, 31, 35, 44, 60, None]) for _ in range(number)],
            "pay": [chance.choice([1.5, 2.0, 7.25, 9.0]) for _ in range(number)],
            "town": [chance.choice(["Rome", "a", "b", "d", "e", None]) for _ in range(number)],
            "sex": [chance.choice("fm") for _ in range(number)],
            "illness": [chance.choice(["flu", "cold", "gout"]) for _ in range(number)],
        }
    )
    persons = None if who is None else Persons.of(who)
    return Table(frame, sensitive=("illness",), hierarchies={"town": TOWNS}, persons=persons)


def _drives(rows: list[list[str]], who: list[str] | None) -> RoadTrajectories:
    paths = [turns([LOCATIONS.index(letter) for letter in row]) for row in rows]
    times = [[900.0 * (len(row) % 3) + 400.0 * step for step in range(len(row))] for row in paths]
    return RoadTrajectories.from_lists(paths, network=STREETS, times=times, persons=who)


# --- releases of methods ---------------------------------------------------------------------------------------------


def _by_methods(original: Any, seed: int) -> Iterator[tuple[str, Any]]:
    """The releases of all methods for this kind of data, with small parameters; what refuses is left out."""
    for name in METHODS.built_in:
        method = method_class(name)
        if method.kind != original.kind:
            continue
        small = {
            "k": 2 + seed % 2,
            "m": 1 + seed % 2,
            "l": 2,
            "epsilon": 20.0,
            "group_size": 2,
            "c": 0.4,
            "threshold": 0.5,
            "delta": 0.9,
            "max_cluster_size": 4,  # of chunks, so that some clusters are joined
        }
        chosen = {
            one.name: small.get(one.name, one.at_least if one.required else one.default)
            for one in method.parameters()
            if one.required or one.name == "max_cluster_size"
        }
        try:
            yield name, method.from_json(chosen).anonymize(original, seed=seed)
        except Infeasible:
            continue
        except SfumatoError as refusal:
            if "hierarchy" not in str(refusal) and "taxonomy" not in str(refusal):  # every third has none
                raise
