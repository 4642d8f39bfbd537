"""Ways to spoil a release: what a verifier must see through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import polars as pl

from sfumato.data import Persons, Table, Trajectories, Transactions


def mutants(published: Any, persons: Persons | None, chance: Random, number: int) -> Iterator[Any]:
    """Spoiled variants of a published dataset, with the persons that belong to their records."""
    spoil = _spoil_table if isinstance(published, Table) else _spoil_ragged
    for _ in range(number):
        yield spoil(published, persons, chance)


def _spoil_ragged(published: Any, persons: Persons | None, chance: Random) -> Any:
    rows = published.to_lists()
    who = None if persons is None else persons.names.gather(persons.codes).to_list()
    members = dict(published.members)
    for _ in range(chance.randint(1, 2)):
        at = chance.randrange(len(rows))
        row = rows[at]
        spot = chance.randrange(len(row)) if row else 0
        match chance.randrange(7):
            case 0 if row:  # another label in one place
                row[spot] = chance.choice(published.names)
            case 1 if row:  # a label nobody else has
                row[spot] = "nowhere-else"
            case 2 if len(row) > 1:  # another order
                chance.shuffle(row)
            case 3 if row:  # a visit less
                del row[spot]
            case 4:  # a visit more
                row.insert(spot, chance.choice(published.names))
            case 5 if len(rows) > 1:  # a record less
                del rows[at]
                if who is not None:
                    del who[at]
            case 6 if row and row[spot] in members:  # a member beside its label: one leaf with two images
                row.append(members[row[spot]][0])
    shape = Trajectories if published.kind == "trajectories" else Transactions
    spoiled = shape.from_lists(rows, persons=who)
    return replace(spoiled, members={label: members[label] for label in spoiled.names if label in members})


def _spoil_table(published: Table, persons: Persons | None, chance: Random) -> Table:
    rows = published.frame.to_dicts()
    who = None if persons is None else persons.names.gather(persons.codes).to_list()
    at = chance.randrange(len(rows))
    column = chance.choice(published.quasi_identifiers)
    match chance.randrange(4):
        case 0:
            rows[at][column] = chance.choice(rows)[column]
        case 1:
            rows[at][column] = None
        case 2:
            rows[at][column] = 99 if published[column].dtype.is_numeric() else "nowhere-else"
        case 3 if len(rows) > 1:
            del rows[at]
            if who is not None:
                del who[at]
    frame = pl.DataFrame(rows, schema=published.frame.schema)
    return replace(published, frame=frame, persons=None if who is None else Persons.of(who))
