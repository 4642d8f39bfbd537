"""The published directory: data.csv (or chunks.csv and clusters.csv), members.csv, context/ and certificate.json.

It holds nothing computed from private data beyond the promise, and appears whole or not at all.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sfumato.data import Chunks, Dataset, Mixed, RoadTrajectories, Table, Trajectories, Transactions
from sfumato.data.base import Members
from sfumato.data.mixed import baskets
from sfumato.data.ragged import Ragged
from sfumato.errors import Bug, DataError, FileError
from sfumato.io.chunks import chunk_texts, read_chunks
from sfumato.io.context import context_texts, with_context
from sfumato.io.files import fresh_directory, read_text
from sfumato.io.frames import read_csv
from sfumato.io.roads import read_published_roads

__all__ = ["Published", "read", "write"]

CERTIFICATE = "certificate.json"
OVERRIDDEN = (
    "an attacker who combines this release with an earlier one about the same people: such an attack succeeded or "
    "could not be made, and the release was written all the same"
)
FIELDS = (
    "sfumato",
    "kind",
    "unit",
    "method",
    "parameters",
    "seeded",
    "guarantees",
    "records",
    "not_covered",
    "files",
)
_ROLES = ("quasi-identifier", "sensitive", "other", "items")


@dataclass(frozen=True)
class Published:
    """A directory as it was found: its data, its certificate, and what does not fit together."""

    data: Any
    certificate: dict[str, Any]
    problems: tuple[str, ...]


def write(data: Dataset, certificate: Mapping[str, Any], out: str | Path, *, context: Collection[str] = ()) -> Path:
    """Write a published dataset and its certificate; the digests of the files are added.

    context : what a verifier needs beside the data, and an attacker is assumed to know anyway: `owner` or
    `sensitive` of places or items, the `taxonomy`, a `privacy_policy`, a `utility_policy`.
    """
    if any(getattr(data, private, None) is not None for private in ("ids", "persons", "times", "workplaces")):
        raise Bug("a dataset that still knows its ids, persons, times or workplaces was about to be published")
    files = chunk_texts(data) if isinstance(data, Chunks) else {"data.csv": _data_frame(data).write_csv()}
    members = _members_frame(data)
    if len(members):
        files["members.csv"] = members.write_csv()
    roles = _roles_frame(data)
    if roles is not None:
        files["context/roles.csv"] = roles.write_csv()
    files |= context_texts(data, context)
    with fresh_directory(out) as folder:
        for name, text in files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8", newline="")
        digests = {name: hashlib.sha256(text.encode("utf-8")).hexdigest() for name, text in sorted(files.items())}
        whole = json.dumps({**certificate, "files": digests}, indent=2, ensure_ascii=False)
        (folder / CERTIFICATE).write_text(whole + "\n", encoding="utf-8", newline="")
    return Path(out)


def read(folder: str | Path) -> Published:
    """Read a published directory; a digest that does not fit is a problem, not an error."""
    folder = Path(folder)
    if not folder.is_dir():
        raise FileError(folder, "wanted a published directory, found none")
    certificate = _read_certificate(folder)
    problems = _digest_problems(folder, certificate["files"])
    try:
        data = _read_data(folder, certificate["kind"])
    except DataError as error:
        return Published(None, certificate, (*problems, str(error)))
    records = certificate["records"].get("published")
    if records is not None and records != len(data):
        where = "clusters.csv" if isinstance(data, Chunks) else "data.csv"
        problems.append(f"the certificate speaks of {records} records, {where} holds {len(data)}")
    return Published(data, certificate, tuple(problems))


def _read_certificate(folder: Path) -> dict[str, Any]:
    path = folder / CERTIFICATE
    try:
        certificate = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise FileError(path, "wanted JSON, found something else", line=error.lineno) from None
    if not isinstance(certificate, dict):
        raise FileError(path, "wanted an object with the fields of a certificate, found something else")
    missing = [field for field in FIELDS if field not in certificate]
    if missing:
        raise FileError(path, f"wanted the fields {', '.join(FIELDS)}, found no {', '.join(missing)}")
    shapes = {"guarantees": list, "records": dict, "files": dict}
    if any(not isinstance(certificate[field], shape) for field, shape in shapes.items()):
        raise FileError(path, "wanted guarantees as a list, records and files as objects, found otherwise")
    return certificate


def _digest_problems(folder: Path, digests: Mapping[str, str]) -> list[str]:
    problems = []
    for name, digest in digests.items():
        file = folder / name
        if not file.resolve().is_relative_to(folder.resolve()) or not file.is_file():
            problems.append(f"{name} is missing")
        elif hashlib.sha256(file.read_bytes()).hexdigest() != digest:
            problems.append(f"{name} was altered: its digest is not the one in the certificate")
    present = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
    problems += [f"{name} is not listed in the certificate" for name in sorted(present - set(digests) - {CERTIFICATE})]
    return problems


def _data_frame(data: Dataset) -> pl.DataFrame:
    """data.csv: records numbered from 1 in the order of their content."""
    if isinstance(data, Trajectories | RoadTrajectories):
        starts = np.repeat(data.offsets[:-1], data.lengths)
        step = np.arange(len(data.codes)) - starts + 1
        return data.to_polars().insert_column(1, pl.Series("step", step))
    if isinstance(data, Transactions | Table | Mixed):
        return data.to_polars()
    raise TypeError(type(data))


def _members_frame(data: Any) -> pl.DataFrame:
    """members.csv: what each generalized label stands for."""
    groups: dict[str, Mapping[str, tuple[str, ...]]] = {}
    if isinstance(data, Ragged):
        groups = {data.attribute: data.members}
    elif isinstance(data, Table):
        groups = dict(data.members)
    elif isinstance(data, Mixed):
        groups = {**data.table.members, data.column: data.items.members}
    rows = [
        (attribute, label, member)
        for attribute, labels in groups.items()
        for label, members in sorted(labels.items())
        for member in members
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(("attribute", "label", "member"), pl.String), orient="row")


def _roles_frame(data: Any) -> pl.DataFrame | None:
    """context/roles.csv: what each column of a table is to an attacker."""
    table = data.table if isinstance(data, Mixed) else data
    if not isinstance(table, Table):
        return None
    rows = [(column, table.role(column)) for column in table.frame.columns]
    if isinstance(data, Mixed):
        rows.append((data.column, "items"))
    return pl.DataFrame(rows, schema={"column": pl.String, "role": pl.String}, orient="row")


def _read_data(folder: Path, kind: str) -> Any:
    path = folder / "data.csv"
    if kind == Chunks.kind:
        return with_context(folder, read_chunks(folder))
    if kind == RoadTrajectories.kind:
        return read_published_roads(folder)
    members = _read_members(folder)
    if kind == "trajectories":
        return with_context(folder, _read_ragged(path, members.get("location", {}), Trajectories))
    if kind == "transactions":
        return with_context(folder, _read_ragged(path, members.get("item", {}), Transactions))
    if kind not in ("table", "mixed"):
        raise FileError(folder / CERTIFICATE, f"wanted a kind of data, found {kind!r}")
    frame, _ = read_csv(path)
    roles = _read_roles(folder, kind, frame.columns)
    chosen: dict[str, Any] = {
        "quasi_identifiers": tuple(column for column, role in roles.items() if role == "quasi-identifier"),
        "sensitive": tuple(column for column, role in roles.items() if role == "sensitive"),
    }
    if kind == "table":
        return Table(frame, **chosen, members=members)
    items = next(column for column, role in roles.items() if role == "items")
    rest = {name: labels for name, labels in members.items() if name != items}
    table = Table(frame.drop(items), **chosen, members=rest)
    return with_context(folder, Mixed(table, replace(baskets(frame[items]), members=members.get(items, {})), items))


def _read_ragged(path: Path, members: Members, shape: type[Trajectories] | type[Transactions]) -> Any:
    """Records exactly as published: empty releases are legal, and the step column orders visits."""
    frame, source = read_csv(path)
    wanted = [shape.record, "step", "location"] if shape is Trajectories else [shape.record, "item"]
    if frame.columns != wanted:
        raise source.error(f"wanted the columns {', '.join(wanted)}, found {', '.join(frame.columns)}")
    if len(frame) == 0:
        return shape(offsets=np.zeros(1, dtype=np.int64), codes=np.empty(0, dtype=np.int32), names=())
    if shape is Trajectories:
        frame = frame.rename({"step": "time"})
    data = shape.from_frame(frame, source=source)
    unknown = sorted(set(members) - set(data.names))
    if unknown:
        raise FileError(path.parent / "members.csv", f"wanted labels that data.csv uses, found {unknown[0]!r}")
    data = replace(data, ids=None, members=members)
    return replace(data, times=None) if isinstance(data, Trajectories) else data


def _read_members(folder: Path) -> dict[str, Members]:
    path = folder / "members.csv"
    if not path.exists():
        return {}
    frame, source = read_csv(path)
    if frame.columns != ["attribute", "label", "member"]:
        raise source.error(f"wanted the columns attribute, label, member, found {', '.join(frame.columns)}")
    found: dict[str, dict[str, list[str]]] = {}
    for row, (attribute, label, member) in enumerate(frame.iter_rows()):
        if attribute is None or label is None or member is None:
            raise source.error("wanted an attribute, a label and a member, found nothing", row=row)
        found.setdefault(attribute, {}).setdefault(label, []).append(member)
    return {name: {label: tuple(group) for label, group in labels.items()} for name, labels in found.items()}


def _read_roles(folder: Path, kind: str, columns: list[str]) -> dict[str, str]:
    frame, source = read_csv(folder / "context" / "roles.csv")
    if frame.columns != ["column", "role"]:
        raise source.error(f"wanted the columns column, role, found {', '.join(frame.columns)}")
    strange = ~frame["role"].is_in(_ROLES) | frame["role"].is_null()
    if strange.any():
        raise source.error(f"wanted one of the roles {', '.join(_ROLES)}, found another", row=strange.arg_max())
    if frame["column"].to_list() != columns:
        raise source.error(f"wanted the columns of data.csv ({', '.join(columns)}) in their order, found others")
    if (frame["role"] == "items").sum() != (kind == "mixed"):
        raise source.error("wanted one column of items in mixed data and none in a table, found otherwise")
    return dict(frame.iter_rows())
