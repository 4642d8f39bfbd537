"""Ways to spoil a release: what a verifier must see through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import polars as pl

from sfumato.data import Chunks, Mixed, Persons, RoadTrajectories, Table, Trajectories, Transactions
from sfumato.privacy.noise.budget import WHOLE, Spends


def mutants(published: Any, persons: Persons | None, chance: Random, number: int) -> Iterator[Any]:
    """Spoiled variants of a published dataset, with the persons that belong to their records."""
    spoil: Any = _spoil_table if isinstance(published, Table) else _spoil_ragged
    if isinstance(published, Chunks):
        spoil = _spoil_chunks
    if isinstance(published, Spends):
        spoil = _spoil_spends
    if isinstance(published, Mixed):
        spoil = _spoil_mixed
    if isinstance(published, RoadTrajectories):
        spoil = _spoil_roads
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


def _spoil_roads(published: RoadTrajectories, persons: Persons | None, chance: Random) -> RoadTrajectories:
    """Other paths: shorter, longer, turned off, gone, or in another interval; what is no path cannot be read."""
    rows = published.to_lists()
    assert published.intervals is not None
    when = [published.interval_names[number] for number in published.intervals]
    who = None if persons is None else persons.names.gather(persons.codes).to_list()
    for _ in range(chance.randint(1, 2)):
        at = chance.randrange(len(rows))
        row = rows[at]
        match chance.randrange(6):
            case 0 if len(row) > 1:  # begins later
                del row[0]
            case 1 if len(row) > 1:  # ends earlier
                del row[-1]
            case 2:  # turns round and goes back
                row.append(row[-1][:-1] + ("-" if row[-1].endswith("+") else "+"))
            case 3:  # goes on, or elsewhere
                _go_on(published, row, chance)
            case 4 if len(rows) > 1:  # a record less
                for lines in (rows, when, who or [None] * len(rows)):
                    del lines[at]
            case 5:  # at another time
                when[at] = chance.choice([*published.interval_names, "never"])
    return RoadTrajectories.from_lists(rows, network=published.network, intervals=when, persons=who)


def _go_on(published: RoadTrajectories, row: list[str], chance: Random) -> None:
    """One of the roads at the end of the row's last but one road instead of its last, or one more."""
    ends = published.network.ends
    road = published.network.rows_of_roads([row[-1][:-1]])[0]
    turned = chance.random() < 0.5
    here = ends[road][int(row[-1].endswith("+") != turned)]
    if turned:
        del row[-1]
    ways = [
        f"{name}{sign}"
        for name, (tail, head) in zip(published.network.roads, ends, strict=True)
        for sign, start in (("+", tail), ("-", head))
        if start == here
    ]
    row.append(chance.choice(ways))


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


def _spoil_mixed(published: Mixed, persons: Persons | None, chance: Random) -> Mixed:
    """Another row, or other items, of a record; or a record less."""
    if chance.random() < 0.3:
        n = len(published)
        keep = np.array([at for at in range(n) if at != chance.randrange(n)] or [0])
        left = published.take(keep)
        return left.with_persons(None if persons is None else persons.take(keep))
    if chance.random() < 0.5:
        rows = published.table.frame.to_dicts()
        at, column = chance.randrange(len(rows)), chance.choice(published.table.quasi_identifiers)
        strange = 99 if published.table[column].dtype.is_numeric() else "nowhere-else"
        rows[at][column] = chance.choice([chance.choice(rows)[column], None, strange])
        table = replace(published.table, frame=pl.DataFrame(rows, schema=published.table.frame.schema))
        return replace(published, table=table).with_persons(persons)
    rows = published.items.to_lists()
    for _ in range(chance.randint(1, 2)):
        row = chance.choice(rows)
        match chance.randrange(4):
            case 0 if row:  # an item less
                del row[chance.randrange(len(row))]
            case 1:  # an item more
                row.append(chance.choice([*published.items.names, "nowhere-else"]))
            case 2 if row:  # another item
                row[chance.randrange(len(row))] = chance.choice([*published.items.names, *"abcdef"])
            case 3 if row and (label := chance.choice(row)) in published.items.members:
                row.append(published.items.members[label][0])  # a member beside its label: one item with two images
    spoiled = Transactions.from_lists(rows)
    members = {label: group for label, group in published.items.members.items() if label in spoiled.names}
    items = replace(spoiled, members=members, sensitive=published.items.sensitive)
    return replace(published, items=items).with_persons(persons)


def _spoil_spends(spends: Spends, persons: Persons | None, chance: Random) -> Spends:  # noqa: ARG001
    """A ledger in which more was spent, or elsewhere, or by a unit that contributes more."""
    at = chance.randrange(len(spends.branches))
    shares, branches, parents = spends.shares.copy(), spends.branches.copy(), spends.parents.copy()
    match chance.randrange(6):
        case 0:
            shares[at] += chance.choice([1, WHOLE // 100, WHOLE])
        case 1:
            shares[at] = chance.choice([1, WHOLE, 0])
        case 2:  # a branch is split once more
            branches = np.append(branches, chance.randrange(len(parents)))
            shares = np.append(shares, chance.choice([1, WHOLE // 3]))
        case 3 if len(parents) > 2:  # a branch comes out of another one
            branch = chance.randrange(2, len(parents))
            parents[branch] = chance.randrange(branch)
        case 4:
            return replace(spends, epsilon=spends.epsilon * chance.choice([0.5, 1.001, 2]))
        case 5:
            return replace(spends, largest=spends.at_most + chance.choice([0, 1]))
    return replace(spends, shares=shares, branches=branches, parents=parents)


def _spoil_chunks(published: Chunks, persons: Persons | None, chance: Random) -> Chunks:  # noqa: ARG001
    """Chunks in which a subrecord, an item, a size or a place was changed."""
    nested = published.to_nested()
    every, waiting = [], list(nested)
    while waiting:
        every.append(waiting.pop())
        waiting += every[-1].get("children", [])
    simple = [cluster for cluster in every if "children" not in cluster]
    rows = [(chunk, row) for cluster in every for chunk in cluster["chunks"] for row in chunk]
    chunk, row = chance.choice(rows)
    cluster = chance.choice(simple)
    match chance.randrange(8):
        case 0:  # a subrecord less
            chunk.remove(row)
        case 1:  # another item in its place
            row[chance.randrange(len(row))] = chance.choice(published.names)
        case 2:  # an item nobody else has
            row.append("nowhere-else")
        case 3 if len(row) > 1:
            row.pop(chance.randrange(len(row)))
        case 4:  # one record less, or more
            cluster["size"] += chance.choice([-1, 1])
        case 5 if cluster["terms"]:  # out of the term chunk
            cluster["terms"].pop()
        case 6:  # into it
            cluster["terms"].append(chance.choice(published.names))
        case 7:  # a rare item in a chunk of its own
            cluster["chunks"].append([[chance.choice(published.names)]])
    return Chunks.of(nested, sensitive=published.sensitive)
