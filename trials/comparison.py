"""The product's verifiers against the checkers, on random data that look published and often break their promise."""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl

from sfumato.catalogue import model_class
from sfumato.data import (
    Chunks,
    Mixed,
    Network,
    Persons,
    Places,
    Policy,
    RoadTrajectories,
    Table,
    Trajectories,
    Transactions,
)
from sfumato.errors import CallerError
from sfumato.privacy.noise.budget import WHOLE, Spends
from trials.checkers import CHECKERS
from trials.files import Behind, Cluster, Seen
from trials.nasty import some_names, some_tree

__all__ = ["Compared", "compare"]


@dataclass
class Compared:
    """What both said of one dataset; `skipped` where the product answers that it cannot check."""

    case: str
    model: str
    holds: bool = False
    skipped: str = ""
    found: list[str] = field(default_factory=list)


@dataclass
class _Dataset:
    """The same data for the product and for the checkers."""

    data: Any
    seen: Seen
    parameters: dict[str, Any]
    behind: Behind
    original: Any = None


def compare(name: str) -> Compared:
    """Both answers on the case of a name, such as ``klm=17``."""
    model, _, _ = name.rpartition("=")
    chance = Random(f"sfumato {name}")
    said = Compared(name, model)
    try:
        made = _MAKERS[model](chance)
        broken = CHECKERS[model](made.seen, made.parameters, made.behind)
        said.holds = not broken
        holds = _by_the_product(model, made)
    except CallerError as refusal:
        said.skipped = str(refusal)
        return said
    except Exception:
        said.found = [f"crash: {traceback.format_exc(limit=-3)}"]
        return said
    if holds == "not checkable":
        said.skipped = holds
    elif holds is not said.holds:
        said.found = [f"the verifier says {holds}, the checker {broken[:2]} of {made.parameters}"]
    return said


def _by_the_product(model: str, made: _Dataset) -> Any:
    declared = model_class(model).from_json(made.parameters)
    if model == "epsilon":
        return declared.check_spends(made.data).holds
    data = made.data
    if made.behind.persons is not None:
        data = data.with_persons(Persons.of(made.behind.persons))
    return declared.check(data, made.original).holds


def _someone(chance: Random, count: int) -> list[str] | None:
    if chance.random() < 0.5:
        return None
    few = [f"p{number}" for number in range(max(1, int(count * chance.uniform(0.3, 1.2))))]
    return [chance.choice(few) for _ in range(count)]


def _labels(chance: Random, leaves: list[str]) -> tuple[list[str], dict[str, tuple[str, ...]]]:
    """Published labels and their members: most leaves stand for themselves, some labels stand for several."""
    members: dict[str, tuple[str, ...]] = {}
    own = list(leaves)
    for number in range(chance.choice([0, 0, 1, 2])):
        group = tuple(sorted(chance.sample(leaves, min(len(leaves), chance.randint(1, 3)))))
        members[f"g{number + 1}"] = group
        if chance.random() < 0.8:
            own = [leaf for leaf in own if leaf not in group]
    return [*own, *members], members


def _records(
    chance: Random, labels: list[str], *, repeats: bool, low: int = 1, longest: int = 4
) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for _ in range(chance.randint(1, 14)):
        if rows and chance.random() < 0.6:
            rows.append(chance.choice(rows))
            continue
        row = [chance.choice(labels) for _ in range(chance.randint(low, longest))]
        rows.append(tuple(row) if repeats else tuple(sorted(set(row))))
    return rows


def _without_overlaps(
    chance: Random, rows: list[tuple[str, ...]], members: dict[str, tuple[str, ...]]
) -> list[tuple[str, ...]]:
    """Mostly, records without labels that share a member with an earlier one; labels still overlap between records."""
    if chance.random() < 0.3:
        return rows
    kept = []
    for row in rows:
        labels: list[str] = []
        for label in row:
            group = set(members.get(label, (label,)))
            if all(label == other or not group & set(members.get(other, (other,))) for other in labels):
                labels.append(label)
        kept.append(tuple(labels))
    return kept


def _used(members: dict[str, tuple[str, ...]], rows: list[tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    seen = {label for row in rows for label in row}
    return {label: group for label, group in members.items() if label in seen}


def _km(chance: Random) -> _Dataset:
    labels, members = _labels(chance, some_names(chance, chance.randint(1, 5)))
    moving = chance.random() < 0.5
    rows = _records(chance, labels, repeats=moving)
    members, persons = _used(members, rows), _someone(chance, len(rows))
    shape: Any = Trajectories if moving else Transactions
    data = replace(shape.from_lists(rows), members=members)
    seen = Seen(data.kind, records=rows, members={data.attribute: members})
    parameters = {"k": chance.choice([2, 2, 3]), "m": chance.choice([1, 2, 3])}
    return _Dataset(data, seen, parameters, Behind(persons))


def _klm(chance: Random) -> _Dataset:
    leaves = some_names(chance, chance.randint(2, 6))
    labels, members = _labels(chance, leaves)
    rows = _without_overlaps(chance, _records(chance, labels, repeats=True), members)
    secret = chance.sample(leaves, max(1, len(leaves) // 3))
    members, persons = _used(members, rows), _someone(chance, len(rows))
    flags = [leaf in secret for leaf in leaves]
    places = Places.from_frame(pl.DataFrame({"location": leaves, "sensitive": flags}))
    data = replace(Trajectories.from_lists(rows, places=places), members=members)
    told: Any = {leaf: {"sensitive": "true" if leaf in secret else "false"} for leaf in leaves}
    seen = Seen("trajectories", records=rows, members={"location": members}, places=told)
    parameters = {"k": 2, "l": chance.choice([2, 2, 3]), "m": chance.choice([1, 2])}
    return _Dataset(data, seen, parameters, Behind(persons))


def _lm(chance: Random) -> _Dataset:
    leaves = some_names(chance, chance.randint(2, 6))
    labels, members = _labels(chance, leaves)
    rows = _without_overlaps(chance, _records(chance, labels, repeats=False), members)
    secret = frozenset(chance.sample(leaves, max(1, len(leaves) // 3)))
    members, persons = _used(members, rows), _someone(chance, len(rows))
    data = replace(Transactions.from_lists(rows), members=members, sensitive=secret)
    seen = Seen("transactions", records=rows, members={"item": members}, sensitive=set(secret))
    parameters = {"k": chance.choice([1, 2]), "l": chance.choice([1, 2, 2, 3]), "m": chance.choice([1, 2])}
    return _Dataset(data, seen, parameters, Behind(persons))


def _projection(chance: Random) -> _Dataset:
    names = some_names(chance, chance.randint(2, 6))
    rows = _records(chance, names, repeats=True)
    owners = [chance.choice(["A", "B", "C", None]) for _ in names]
    owners[0] = "A"
    places = Places.from_frame(
        pl.DataFrame({"location": names, "owner": owners}, schema={"location": pl.String, "owner": pl.String})
    )
    seen = Seen("trajectories", records=rows)
    seen.places = {name: {"owner": owner} for name, owner in zip(names, owners, strict=True)}
    parameters: dict[str, Any] = {"threshold": chance.randint(1, 10) / 10, "collude": None}
    if {"A", "B"} <= set(owners) and chance.random() < 0.3:
        parameters["collude"] = "A,B"
    data = Trajectories.from_lists(rows, places=places)
    return _Dataset(data, seen, parameters, Behind(_someone(chance, len(rows))))


def _c_safety(chance: Random) -> _Dataset:
    leaves = some_names(chance, chance.randint(3, 7))
    tree = some_tree(chance, leaves, sensitive=chance.sample(leaves, max(1, len(leaves) // 3)))
    nodes = [node for node, _, _ in tree.to_parents()]
    rows = _records(chance, nodes, repeats=True, longest=3)
    data = Trajectories.from_lists(rows, taxonomy=tree)
    seen = Seen("trajectories", records=rows)
    seen.parents = {node: parent for node, parent, _ in tree.to_parents()}
    seen.flagged = {node for node, _, flag in tree.to_parents() if flag}
    return _Dataset(data, seen, {"c": chance.randint(1, 10) / 10}, Behind(_someone(chance, len(rows))))


def _sequence_k(chance: Random) -> _Dataset:
    labels, members = _labels(chance, some_names(chance, chance.randint(1, 4)))
    leaves = sorted({member for label in labels for member in members.get(label, (label,))})
    rows, original = (
        _records(chance, labels, repeats=True, longest=3),
        _records(chance, leaves, repeats=True, longest=5),
    )
    members = _used(members, rows)
    persons = _someone(chance, len(original))
    data = replace(Trajectories.from_lists(rows), members=members)
    seen = Seen("trajectories", records=rows, members={"location": members})
    private = Trajectories.from_lists(original, persons=persons)
    return _Dataset(data, seen, {"k": chance.choice([2, 3])}, Behind(None, original, persons), private)


def _roads(chance: Random) -> _Dataset:
    nodes = some_names(chance, chance.randint(3, 5))
    pairs = [(one, other) for at, one in enumerate(nodes) for other in nodes[at + 1 :]]
    chosen = chance.sample(pairs, min(len(pairs), chance.randint(2, 5)))
    ends = {f"r{number}": pair for number, pair in enumerate(chosen)}
    network = Network.from_frames(
        {"node": nodes, "x": list(range(len(nodes))), "y": [0] * len(nodes)},
        {"road": list(ends), "from": [one for one, _ in chosen], "to": [other for _, other in chosen]},
    )
    ways = [(road, sign, *(pair if sign == "+" else pair[::-1])) for road, pair in ends.items() for sign in "+-"]
    rows: list[Any] = []
    for _ in range(chance.randint(1, 14)):
        if rows and chance.random() < 0.7:
            rows.append(chance.choice(rows))
            continue
        path: list[tuple[str, str]] = []
        here = None
        for _ in range(chance.randint(1, 3)):
            road, sign, _, head = chance.choice([way for way in ways if here is None or way[2] == here])
            path.append((road, sign))
            here = head
        rows.append((chance.choice(["0-900", "900-1800"]), tuple(path)))
    lists = [["".join(road) for road in path] for _, path in rows]
    data = RoadTrajectories.from_lists(lists, network=network)
    numbers = np.array([0 if when == "0-900" else 1 for when, _ in rows], dtype=np.int32)
    data = replace(data, intervals=numbers, interval_names=("0-900", "900-1800"))
    seen = Seen("roads", records=rows, ends=ends)
    return _Dataset(data, seen, {"k": chance.choice([2, 2, 3])}, Behind(_someone(chance, len(rows))))


def _cells(chance: Random, count: int, *, numbers: bool) -> tuple[list[Any], Any]:
    if numbers or chance.random() < 0.4:
        pool: list[Any] = chance.sample([0.0, -0.0, 1.5, 2.0, -3.0, math.nan, None], chance.randint(1, 4))
        return [chance.choice(pool) for _ in range(count)], pl.Float64
    pool = [*some_names(chance, chance.randint(1, 3)), *([None, ""] if chance.random() < 0.3 else [])]
    return [chance.choice(pool) for _ in range(count)], pl.String


def _as_text(value: Any) -> str | None:
    if value is None or value == "" or (isinstance(value, float) and math.isnan(value)):
        return None
    return repr(value + 0.0) if isinstance(value, float) else str(value)


def _table_of(
    chance: Random, count: int, *, secrets: int, numbers: bool = False
) -> tuple[Table, list[Any], dict[str, str]]:
    known = [f"q{number}" for number in range(chance.randint(1, 2))]
    sensitive = [f"s{number}" for number in range(secrets)]
    columns = {name: _cells(chance, count, numbers=numbers and name in sensitive) for name in (*known, *sensitive)}
    frame = pl.DataFrame({name: pl.Series(values, dtype=kind) for name, (values, kind) in columns.items()})
    table = Table(frame, quasi_identifiers=tuple(known), sensitive=tuple(sensitive))
    rows = [{name: _as_text(values[row]) for name, (values, _) in columns.items()} for row in range(count)]
    roles = dict.fromkeys(known, "quasi-identifier") | dict.fromkeys(sensitive, "sensitive")
    return table, rows, roles


def _table(chance: Random, model: str) -> _Dataset:
    count = chance.randint(1, 16)
    ordered = model == "t-closeness" and chance.random() < 0.5
    table, rows, roles = _table_of(chance, count, secrets=chance.randint(1, 2), numbers=ordered)
    seen = Seen("table", records=rows, roles=roles)
    parameters: dict[str, Any] = {"k": chance.choice([2, 2, 3])}
    if model == "l-diversity":
        parameters = {"l": 2, "variant": chance.choice(["distinct", "entropy"])}
    elif model == "t-closeness":
        parameters = {"t": chance.randint(1, 9) / 10, "distance": "ordered" if ordered else "equal"}
    return _Dataset(table, seen, parameters, Behind(_someone(chance, count)))


def _mixed(chance: Random, model: str) -> _Dataset:
    leaves = some_names(chance, chance.randint(2, 5), blanks=False)
    labels, members = _labels(chance, leaves)
    baskets = _without_overlaps(chance, _records(chance, labels, repeats=False, low=0, longest=3), members)
    members = _used(members, baskets)
    table, rows, roles = _table_of(chance, len(baskets), secrets=0)
    secret = frozenset(chance.sample(leaves, 1))
    items = replace(Transactions.from_lists(baskets), members=members, sensitive=secret)
    seen = Seen("mixed", records=rows, items=baskets, roles=roles | {"items": "items"}, members={"items": members})
    seen.sensitive = set(secret)
    parameters = {"k": 2, "m": chance.choice([1, 2])}
    if model == "klm-diversity":
        parameters["l"] = chance.choice([2, 2, 3])
    return _Dataset(Mixed(table, items), seen, parameters, Behind(_someone(chance, len(rows))))


def _policy(chance: Random) -> _Dataset:
    leaves = some_names(chance, chance.randint(2, 6))
    labels, members = _labels(chance, leaves)
    rows = _records(chance, labels, repeats=False)
    members = _used(members, rows)
    sets = [chance.sample(leaves, chance.randint(1, min(3, len(leaves)))) for _ in range(chance.randint(1, 3))]
    privacy = Policy(size=chance.choice([1, 2])) if chance.random() < 0.3 else Policy(sets)
    cut = chance.randint(0, len(leaves))
    utility = None if chance.random() < 0.4 else Policy([part for part in (leaves[:cut], leaves[cut:]) if part])
    data = replace(Transactions.from_lists(rows), members=members).with_policies(privacy, utility)
    seen = Seen("transactions", records=rows, members={"item": members})
    for name, policy in (("privacy_policy", privacy), ("utility_policy", utility)):
        if policy is not None:
            seen.policies[name] = {"size": policy.size, "sets": [frozenset(one) for one in policy.sets]}
    parameters = {"k": chance.choice([2, 3]), "suppression": 1.0}
    return _Dataset(data, seen, parameters, Behind(_someone(chance, len(rows))))


def _k_policy(chance: Random) -> _Dataset:
    mixed = _mixed(chance, "kkm")
    leaves = sorted(
        {item for label in mixed.data.items.names for item in mixed.data.items.members.get(label, (label,))}
    )
    sets = [chance.sample(leaves, chance.randint(1, min(3, len(leaves)))) for _ in range(2)] if leaves else []
    privacy = Policy(size=chance.choice([1, 2])) if not sets or chance.random() < 0.3 else Policy(sets)
    cut = chance.randint(0, len(leaves))
    parts = [part for part in (leaves[:cut], leaves[cut:]) if part]
    utility = None if not parts or chance.random() < 0.4 else Policy(parts)
    for name, policy in (("privacy_policy", privacy), ("utility_policy", utility)):
        if policy is not None:
            mixed.seen.policies[name] = {"size": policy.size, "sets": [frozenset(one) for one in policy.sets]}
    return replace(mixed, data=mixed.data.with_policies(privacy, utility), parameters={"k": 2})


def _reconstruction(chance: Random) -> _Dataset:
    names = some_names(chance, chance.randint(2, 6))
    flat: list[dict[str, Any]] = []

    def chunk(items: list[str], size: int) -> list[list[str]]:
        rows = [sorted(chance.sample(items, chance.randint(1, min(2, len(items))))) for _ in range(3)]
        return [chance.choice(rows) for _ in range(chance.randint(1, size))]

    def cluster(depth: int) -> dict[str, Any]:
        mine: dict[str, Any] = {}
        flat.append(mine)
        if depth and chance.random() < 0.7:
            mine["children"] = [cluster(depth - 1) for _ in range(2)]
            mine["size"] = sum(child["size"] for child in mine["children"])
        else:
            mine["size"] = chance.randint(1, 6)
        free = chance.sample(names, len(names))
        mine["chunks"] = [
            chunk(free[at : at + 2], mine["size"]) for at in range(0, min(len(free), chance.choice([0, 2, 4])), 2)
        ]
        used = {item for rows in mine["chunks"] for row in rows for item in row}
        left = [item for item in free if item not in used or chance.random() < 0.05]
        mine["terms"] = [] if "children" in mine or chance.random() < 0.3 else left[: chance.randint(0, 2)]
        return mine

    tops = [cluster(chance.choice([0, 1, 1])) for _ in range(chance.randint(1, 2))]
    secret = frozenset(chance.sample(names, 1)) if chance.random() < 0.3 else frozenset()
    data = Chunks.of(tops, sensitive=secret)
    seen = Seen("chunks", sensitive=set(secret))

    def enter(one: dict[str, Any], parent: int | None) -> None:
        number = len(seen.clusters) + 1
        rows = [[tuple(sorted(set(row))) for row in chunk] for chunk in one["chunks"]]
        seen.clusters.append(Cluster(number, one["size"], parent, rows, sorted(set(one["terms"]))))
        for child in one.get("children", ()):
            enter(child, number)

    for one in tops:
        enter(one, None)
    parameters = {"k": chance.choice([2, 2, 3]), "m": chance.choice([1, 2]), "l": chance.choice([1, 2])}
    return _Dataset(data, seen, parameters, Behind())


def _epsilon(chance: Random) -> _Dataset:
    parents = [-1, *(chance.randrange(at + 1) for at in range(chance.randint(0, 8)))]
    count = chance.randint(1, 10)
    branches = [chance.randrange(len(parents)) for _ in range(count)]
    shares = [chance.choice([WHOLE, WHOLE // 2, WHOLE // 4, WHOLE // 8, 1]) for _ in branches]
    epsilon, at_most = chance.choice([0.1, 1.0, 2.5]), chance.randint(1, 3)
    largest = chance.randint(0, at_most + (chance.random() < 0.1))
    figures: dict[str, Any] = {"epsilon": epsilon, "at_most": at_most, "largest": largest}
    spends = Spends(np.array(parents), np.array(branches), np.array(shares), **figures)
    plain = SimpleNamespace(parents=parents, branches=branches, shares=shares, **figures)
    parameters = {"epsilon": epsilon * chance.choice([1, 1, 2, 0.5])}
    return _Dataset(spends, Seen("trajectories"), parameters, Behind(spends=plain))


_MAKERS: dict[str, Callable[[Random], _Dataset]] = {
    "km": _km,
    "klm": _klm,
    "projection": _projection,
    "c-safety": _c_safety,
    "sequence-k": _sequence_k,
    "strict-k": _roads,
    "inference-route": _roads,
    "k-anonymity": lambda chance: _table(chance, "k-anonymity"),
    "l-diversity": lambda chance: _table(chance, "l-diversity"),
    "t-closeness": lambda chance: _table(chance, "t-closeness"),
    "lm": _lm,
    "reconstruction": _reconstruction,
    "kkm": lambda chance: _mixed(chance, "kkm"),
    "klm-diversity": lambda chance: _mixed(chance, "klm-diversity"),
    "policy": _policy,
    "k-policy": _k_policy,
    "epsilon": _epsilon,
}
