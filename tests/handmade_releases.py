"""Releases made by hand: labels, suppressed and split records, synthetic ones, chunks, coarse tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl

from datasets import LOCATIONS, turns
from sfumato.data import Chunks, Mixed, RoadTrajectories, Table, Trajectories, Transactions


def releases_by_hand(original: Any, chance: Random) -> Iterator[tuple[str, Any]]:
    shapes: dict[str, tuple[Callable[..., Any], ...]] = {
        "trajectories": (unchanged, recoded, recoded_in_halves, climbed, suppressed, split_by_hand, synthetic),
        "transactions": (unchanged, recoded, recoded_in_halves, climbed, suppressed, synthetic, chunks, joint_chunks),
        "table": (unchanged, coarse, fewer_rows),
        "mixed": (unchanged, coarse, fewer_rows),
        "roads": (unchanged, fewer_roads, split_by_hand, synthetic_drives, only_sequences),
    }
    for shape in shapes[original.kind]:
        data, origin = shape(original, chance)
        if data is not None:
            yield shape.__name__, SimpleNamespace(data=data, origin=origin, k=2)


def unchanged(original: Any, chance: Random) -> tuple[Any, Any]:  # noqa: ARG001
    count = len(original.codes) if hasattr(original, "codes") else len(original)
    return original.with_persons(None), np.arange(count)


def _relabelled(original: Any, rows: list[list[str]], members: dict[str, tuple[str, ...]], origin: list[int]) -> Any:
    """Records under new labels; equal labels of a set of items are one label."""
    make = Trajectories if original.kind == "trajectories" else Transactions
    if original.kind == "transactions":
        kept: list[int] = []
        start = 0
        for row in rows:
            first = {label: start + at for at, label in reversed(list(enumerate(row)))}
            kept += [origin[place] for _, place in sorted(first.items())]
            start += len(row)
        rows, origin = [sorted(set(row)) for row in rows], kept
        data: Any = make.from_lists(rows, taxonomy=original.taxonomy)
    else:
        data = Trajectories.from_lists(rows, places=original.places, taxonomy=original.taxonomy)
    used = {label: inside for label, inside in members.items() if label in data.names}
    return replace(data, members=used), np.array(origin, dtype=np.int64)


def _partition(names: list[str], chance: Random, mark: str) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """A label for every name: some names stay, others share a label."""
    groups: dict[int, list[str]] = {}
    for name in names:
        groups.setdefault(chance.randrange(max(1, len(names) - 2)), []).append(name)
    label, members = {}, {}
    for number, group in groups.items():
        shared = group[0] if len(group) == 1 else f"{mark}{number}"
        label.update(dict.fromkeys(group, shared))
        if len(group) > 1:
            members[shared] = tuple(sorted(group))
    return label, members


def recoded(original: Any, chance: Random) -> tuple[Any, Any]:
    label, members = _partition(list(original.names), chance, "g")
    rows = [[label[name] for name in row] for row in original.to_lists()]
    return _relabelled(original, rows, members, list(range(len(original.codes))))


def recoded_in_halves(original: Any, chance: Random) -> tuple[Any, Any]:
    """Local recoding: two halves with labels of their own."""
    one, first = _partition(list(original.names), chance, "g")
    two, second = _partition(list(original.names), chance, "h")
    rows = original.to_lists()
    half = len(rows) // 2
    rows = [[(one if at < half else two)[name] for name in row] for at, row in enumerate(rows)]
    return _relabelled(original, rows, first | second, list(range(len(original.codes))))


def climbed(original: Any, chance: Random) -> tuple[Any, Any]:
    """A random cut through the taxonomy as labels."""
    tree = original.taxonomy
    if tree is None:
        return None, None
    node: dict[str, str] = {}
    open_nodes = [next(top for top in tree.nodes if tree.parent(top) is None)]
    while open_nodes:
        top = open_nodes.pop()
        if tree.is_leaf(top) or chance.random() < 0.4:
            node.update(dict.fromkeys(tree.leaves_below(top), top))
        else:
            open_nodes += tree.children(top)
    rows = [[node[name] for name in row] for row in original.to_lists()]
    members = {label: tree.leaves_below(label) for label in node.values() if not tree.is_leaf(label)}
    return _relabelled(original, rows, members, list(range(len(original.codes))))


def suppressed(original: Any, chance: Random) -> tuple[Any, Any]:
    rows, origin, place = [], [], 0
    for row in original.to_lists():
        kept = [at for at in range(len(row)) if chance.random() < 0.7]
        rows.append([row[at] for at in kept])
        origin += [place + at for at in kept]
        place += len(row)
    return _relabelled(original, rows, {}, origin)


def split_by_hand(original: Any, chance: Random) -> tuple[Any, Any]:
    rows = []
    for row in original.to_lists():
        cut = chance.randint(0, len(row))
        rows += [part for part in (row[:cut], row[cut:]) if part]
    if original.kind == "roads":
        return RoadTrajectories.from_lists(rows, network=original.network), None
    return _relabelled(original, rows, {}, list(range(len(original.codes))))


def synthetic(original: Any, chance: Random) -> tuple[Any, Any]:
    """Records that no person has, some with names that no original has."""
    names = sorted({*LOCATIONS, *original.names})
    number = chance.choice([0, len(original), 2 * len(original)])
    rows = [[chance.choice(names) for _ in range(chance.randint(1, 4))] for _ in range(number)]
    return _relabelled(original, rows, {}, [0] * sum(map(len, rows)))[0], None


def chunks(original: Any, chance: Random) -> tuple[Any, Any]:
    """Two clusters; of each, the items are distributed over chunks and a term chunk."""
    rows = original.to_lists()
    clusters = []
    for part in (rows[: len(rows) // 2], rows[len(rows) // 2 :]):
        items = sorted({item for row in part for item in row})
        home = {item: chance.randrange(3) for item in items}
        inside = [[[i for i in row if home[i] == number] for row in part] for number in (0, 1)]
        listed = [[row for row in chunk if row] for chunk in inside]
        terms = [item for item in items if home[item] == 2]
        clusters.append({"size": len(part), "chunks": [chunk for chunk in listed if chunk], "terms": terms})
    return Chunks.of(clusters), None


def joint_chunks(original: Any, chance: Random) -> tuple[Any, Any]:
    """A joint cluster: a chunk that its two clusters share has items that one of them may have in its own chunks."""
    rows = original.to_lists()
    half = len(rows) // 2
    children: list[dict[str, Any]] = []
    shared: list[list[str]] = []
    in_terms = {item for item in sorted({item for row in rows for item in row}) if chance.random() < 0.3}
    for part in (rows[:half], rows[half:]):
        present = sorted({item for row in part for item in row})
        home = {item: 1 if item in in_terms else chance.choice([0, 2]) for item in present}
        own = [row for row in ([item for item in row if home[item] == 0] for row in part) if row]
        shared += [row for row in ([item for item in row if home[item] == 2] for row in part) if row]
        terms = [item for item, number in home.items() if number == 1]
        children.append({"size": len(part), "chunks": [own] if own else [], "terms": terms})
    return Chunks.of([{"size": len(rows), "children": children, "chunks": [shared] if shared else []}]), None


def coarse(original: Any, chance: Random) -> tuple[Any, Any]:
    """Cells under random labels: ranges, nodes of the hierarchy, everything."""
    table = original.table if original.kind == "mixed" else original
    tree = table.hierarchies["town"]
    frame = table.frame
    columns: dict[str, list[Any]] = {name: frame[name].to_list() for name in frame.columns}
    members: dict[str, dict[str, tuple[str, ...]]] = {"age": {}, "pay": {}, "town": {}, "sex": {}}
    for name in ("age", "pay"):
        known = [value for value in columns[name] if value is not None]
        low, high = min(known), max(known)
        cells = []
        for value in columns[name]:
            if value is None or chance.random() < 0.2:
                whole = f"[{_text(low)}:{_text(high)}]"
                missing = ("(missing)",) if None in columns[name] else ()
                members[name]["*"] = (whole, *missing)
                cells.append("*" if missing else whole)
            elif chance.random() < 0.4:
                cells.append(_text(value))
            else:
                ends = sorted([value, chance.choice(known)])
                cells.append(_text(value) if ends[0] == ends[1] else f"[{_text(ends[0])}:{_text(ends[1])}]")
        columns[name] = cells
    missing = ("(missing)",) if None in columns["town"] else ()
    towns = []
    for value in columns["town"]:
        label = "anywhere" if value is None else chance.choice([value, *tree.ancestors(value)])
        if not tree.is_leaf(label):
            members["town"][label] = tree.leaves_below(label) + (missing if label == "anywhere" else ())
        towns.append(label)
    columns["town"] = towns
    if len(set(columns["sex"])) == 2:
        members["sex"]["*"] = ("f", "m")
        columns["sex"] = [chance.choice([value, "*"]) for value in columns["sex"]]
    members = {name: labels for name, labels in members.items() if labels}
    schema = dict.fromkeys(frame.columns, pl.String)
    data = Table(
        pl.DataFrame(columns, schema=schema),
        quasi_identifiers=table.quasi_identifiers,
        sensitive=table.sensitive,
        hierarchies={"town": tree},
        members=members,
    )
    if original.kind == "mixed":
        items, _ = recoded(original.items, chance)
        return Mixed(data, items), np.arange(len(data))
    return data, np.arange(len(data))


def _text(value: float) -> str:
    return f"{value:g}"


def fewer_rows(original: Any, chance: Random) -> tuple[Any, Any]:
    rows = np.array([row for row in range(len(original)) if chance.random() < 0.6], dtype=np.int64)
    if original.kind == "mixed":
        return Mixed(replace(original.table.take(rows), persons=None), original.items.take(rows)), rows
    return replace(original.take(rows), persons=None), rows


def fewer_roads(original: Any, chance: Random) -> tuple[Any, Any]:
    rows = [row[: chance.randint(0, len(row))] for row in original.to_lists()]
    return RoadTrajectories.from_lists([row for row in rows if row], network=original.network), None


def synthetic_drives(original: Any, chance: Random) -> tuple[Any, Any]:
    paths = [turns([chance.randrange(6) for _ in range(chance.randint(1, 4))]) for _ in range(len(original) + 5)]
    return RoadTrajectories.from_lists(paths, network=original.network), None


def only_sequences(original: Any, chance: Random) -> tuple[Any, Any]:
    """Directed roads published by a method for any sequences."""
    rows, _ = fewer_roads(original, chance)
    return Trajectories.from_lists(rows.to_lists()), None
