"""A published directory, read with the standard library alone.

Nothing of sfumato is imported here or in `trials.checkers`: what the product writes is judged by other eyes.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Behind", "Cluster", "Seen", "parse_csv", "read_directory"]

Cell = str | None
_FIELD = re.compile(r'(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\r?\n|\Z)')


@dataclass
class Cluster:
    """One cluster of chunks.csv and clusters.csv: `chunks` are lists of subrecords, each a tuple of items."""

    number: int
    size: int
    parent: int | None
    chunks: list[list[tuple[str, ...]]] = field(default_factory=list)
    terms: list[str] = field(default_factory=list)


@dataclass
class Seen:
    """What anybody sees in a published directory.

    records : trajectories: tuples of labels.  transactions: sorted tuples of labels.  roads: pairs of an interval and a
    tuple of (road, direction).  table and mixed: dictionaries from column to cell; None is an empty cell.
    items : mixed only: the sorted items of each record.
    """

    kind: str
    records: list[Any] = field(default_factory=list)
    items: list[tuple[str, ...]] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    members: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    roles: dict[str, str] = field(default_factory=dict)
    places: dict[str, dict[str, Cell]] | None = None
    parents: dict[str, str | None] | None = None
    flagged: set[str] = field(default_factory=set)  # nodes of the taxonomy with a flag of their own
    sensitive: set[str] | None = None
    policies: dict[str, Any] = field(default_factory=dict)
    ends: dict[str, tuple[str, str]] = field(default_factory=dict)  # road -> its two nodes
    clusters: list[Cluster] = field(default_factory=list)
    certificate: dict[str, Any] = field(default_factory=dict)

    def stands_for(self, attribute: str, label: str) -> tuple[str, ...]:
        """The members of a label; a label that is not listed stands for itself."""
        return self.members.get(attribute, {}).get(label, (label,))


@dataclass
class Behind:
    """What only the owner of the private data knows.

    persons : who is behind each published record; None where nobody is known.  A dummy is somebody of its own.
    original : the private records in the shape of `Seen.records` (mixed: pairs of a row and its items).
    original_persons : who is behind each private record.
    spends : of a differentially private run: parents, branches, shares, epsilon, at_most, largest.
    public : of a differentially private run: the names that may be published.
    policies : policies that a rule computed from the private data, in the shape of `Seen.policies`.
    """

    persons: list[Any] | None = None
    original: list[Any] | None = None
    original_persons: list[Any] | None = None
    spends: Any = None
    public: set[str] | None = None
    policies: dict[str, Any] = field(default_factory=dict)


def parse_csv(text: str) -> list[list[Cell]]:
    """Rows of cells; an empty cell without quotes is None, one with quotes an empty text."""
    rows: list[list[Cell]] = []
    row: list[Cell] = []
    at = 0
    while at < len(text):
        found = _FIELD.match(text, at)
        if found is None:
            raise ValueError(f"not a cell of a CSV file, at character {at}")
        quoted, plain, end = found.groups()
        row.append(quoted.replace('""', '"') if quoted is not None else (plain or None))
        at = found.end()
        if end != ",":
            rows.append(row)
            row = []
        elif at == len(text):
            row.append(None)
    if row:
        rows.append(row)
    return rows


def read_directory(folder: Path) -> Seen:
    """Everything that a published directory says."""
    certificate = json.loads((folder / "certificate.json").read_bytes().decode("utf-8"))
    seen = Seen(certificate["kind"], certificate=certificate)
    for attribute, label, member in _rows(folder / "members.csv"):
        held = seen.members.setdefault(str(attribute), {})
        held[str(label)] = (*held.get(str(label), ()), str(member))
    context = folder / "context"
    seen.roles = {str(column): str(role) for column, role in _rows(context / "roles.csv")}
    if (context / "places.csv").exists():
        header, *rows = _table(context / "places.csv")
        seen.places = {str(row[0]): dict(zip([str(name) for name in header[1:]], row[1:], strict=True)) for row in rows}
    if (context / "taxonomy.csv").exists():
        rows = _rows(context / "taxonomy.csv")
        seen.parents = {str(node): parent for node, parent, _ in rows}
        seen.flagged = {str(node) for node, _, flag in rows if flag == "true"}
    if (context / "sensitive.csv").exists():
        seen.sensitive = {str(item) for (item,) in _rows(context / "sensitive.csv")}
    for policy in ("privacy_policy", "utility_policy"):
        if (context / f"{policy}.csv").exists():
            seen.policies[policy] = _policy(context / f"{policy}.csv")
    seen.ends = {str(row[0]): (str(row[1]), str(row[2])) for row in _rows(context / "roads.csv")}
    if seen.kind == "chunks":
        seen.clusters = _clusters(folder)
    else:
        _read_data(folder / "data.csv", seen)
    return seen


def _table(path: Path) -> list[list[Cell]]:
    return parse_csv(path.read_bytes().decode("utf-8")) if path.exists() else [[]]


def _rows(path: Path) -> list[list[Cell]]:
    return _table(path)[1:]


def _policy(path: Path) -> dict[str, Any]:
    header, *rows = _table(path)
    if header == ["size"]:
        return {"size": int(str(rows[0][0])), "sets": []}
    sets: dict[str, set[str]] = {}
    for constraint, item in rows:
        sets.setdefault(str(constraint), set()).add(str(item))
    return {"size": 0, "sets": [frozenset(one) for one in sets.values()]}


def _read_data(path: Path, seen: Seen) -> None:
    header, *rows = _table(path)
    seen.columns = [str(name) for name in header]
    if seen.kind in ("table", "mixed"):
        # a table of one column has empty lines for missing values
        cells = [dict(zip(seen.columns, row, strict=True)) for row in rows]
        if seen.kind == "mixed":
            column = next(name for name, role in seen.roles.items() if role == "items")
            seen.items = [tuple(sorted((row[column] or "").split())) for row in cells]
        seen.records = cells
        return
    groups: dict[int, list[list[Cell]]] = {}
    for row in rows:
        groups.setdefault(int(str(row[0])), []).append(row[1:])
    if list(groups) != list(range(1, len(groups) + 1)):
        raise ValueError("records are not numbered from 1")
    for record in groups.values():
        if seen.kind == "transactions":
            seen.records.append(tuple(sorted(str(item) for (item,) in record)))
            continue
        if [step for step, *_ in record] != [str(number) for number in range(1, len(record) + 1)]:
            raise ValueError("steps are not numbered from 1")
        if seen.kind == "trajectories":
            seen.records.append(tuple(str(location) for _, location in record))
        else:
            path_of = tuple((str(road), str(direction)) for _, _, road, direction in record)
            seen.records.append((record[0][1], path_of))


def _clusters(folder: Path) -> list[Cluster]:
    clusters = [
        Cluster(int(str(number)), int(str(size)), None if parent is None else int(parent))
        for number, size, parent in _rows(folder / "clusters.csv")
    ]
    chunks: dict[tuple[int, int], dict[int, list[str]]] = {}
    for cluster, chunk, kind, subrecord, item in _rows(folder / "chunks.csv"):
        if kind == "term":
            clusters[int(str(cluster)) - 1].terms.append(str(item))
        else:
            rows = chunks.setdefault((int(str(cluster)), int(str(chunk))), {})
            rows.setdefault(int(str(subrecord)), []).append(str(item))
    for (owner, _), rows in sorted(chunks.items()):
        clusters[owner - 1].chunks.append([tuple(sorted(items)) for items in rows.values()])
    return clusters
