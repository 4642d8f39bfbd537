"""The published directory: data.csv (or chunks.csv and clusters.csv), members.csv, context/ and certificate.json.

It holds nothing computed from private data beyond the promise, and appears whole or not at all.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sfumato.data import Chunks, Dataset, Mixed, RoadTrajectories, Table, Trajectories, Transactions
from sfumato.data.base import Members
from sfumato.data.mixed import baskets
from sfumato.data.ragged import Ragged
from sfumato.errors import Bug, DataError, FileError, listed
from sfumato.io.files import Appearance, fresh_directory
from sfumato.io.frames import csv_text, read_csv
from sfumato.io.published.certificate import CERTIFICATE, FIELDS, SIGNATURE, read_certificate
from sfumato.io.published.chunks import CHUNKS, CLUSTERS, chunk_texts, read_chunks
from sfumato.io.published.context import context_texts, with_context
from sfumato.io.published.folder import CONTEXT, DIRECTORY_BYTES, digest_of, entries, printed, size_of
from sfumato.io.published.signature import signature_problem
from sfumato.io.roads.road_trajectories import read_published_roads

__all__ = ["CERTIFICATE", "FIELDS", "Published", "is_sound", "read", "write"]

_PARSED = ("data.csv", "members.csv", CHUNKS, CLUSTERS)  # and whatever lies in context/
_ROLES = ("quasi-identifier", "sensitive", "other", "items")


@dataclass(frozen=True)
class Published:
    """A directory as it was found: its data, its certificate, and what does not fit together."""

    data: Any
    certificate: dict[str, Any]
    problems: tuple[str, ...]


def write(
    data: Dataset,
    certificate: Mapping[str, Any],
    out: str | Path,
    *,
    context: Collection[str] = (),
    check: Callable[[Path], None] | None = None,
    appearance: Appearance | None = None,
) -> Path:
    """Write a published dataset and its certificate; the digests of the files are added.

    context : what a verifier needs beside the data, and an attacker is assumed to know anyway: `owner` or
    `sensitive` of places or items, the `taxonomy`, a `privacy_policy`, a `utility_policy`.
    check : looks at the written files before the directory appears; it appears only if nothing is raised.
    appearance : what else happens at the moment at which the directory appears.
    """
    if any(getattr(data, private, None) is not None for private in ("ids", "persons", "times", "workplaces")):
        raise Bug("a dataset that still knows its ids, persons, times or workplaces was about to be published")
    files = chunk_texts(data) if isinstance(data, Chunks) else {"data.csv": csv_text(_data_frame(data))}
    members = _members_frame(data)
    if len(members):
        files["members.csv"] = members.write_csv()
    roles = _roles_frame(data)
    if roles is not None:
        files["context/roles.csv"] = roles.write_csv()
    files |= context_texts(data, context)
    with fresh_directory(out, appearance) as folder:
        for name, text in files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8", newline="")
        digests = {name: hashlib.sha256(text.encode("utf-8")).hexdigest() for name, text in sorted(files.items())}
        whole = json.dumps({**certificate, "files": digests}, indent=2, ensure_ascii=False)
        (folder / CERTIFICATE).write_text(whole + "\n", encoding="utf-8", newline="")
        if check is not None:
            check(folder)
    return Path(out)


def read(folder: str | Path) -> Published:
    """Read a published directory that somebody else may have written.

    What does not fit the certificate is a problem, not an error.  The data are parsed only where every file that
    belongs to them is a plain file, is listed, and has the digest of the certificate.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise FileError(folder, "wanted a published directory, found none")
    certificate = read_certificate(folder)
    problems, trusted = _file_problems(folder, certificate["files"])
    if not trusted:
        return Published(None, certificate, tuple(problems))
    try:
        data = _read_data(folder, certificate["kind"], certificate.get("policy"))
    except DataError as error:
        return Published(None, certificate, (*problems, str(error)))
    records = certificate["records"].get("published")
    if records is not None and records != len(data):
        where = "clusters.csv" if isinstance(data, Chunks) else "data.csv"
        problems.append(f"the certificate speaks of {records} records, {where} holds {len(data)}")
    return Published(data, certificate, tuple(problems))


def is_sound(folder: str | Path, name: str) -> bool:
    """Whether the directory holds this file, plain and with the digest that its certificate lists."""
    folder = Path(folder)
    listed = read_certificate(folder)["files"].get(name)
    if listed is None or entries(folder).get(name) != "file" or size_of(folder, name) > DIRECTORY_BYTES:
        return False
    return digest_of(folder, name) == (listed, False)


def _file_problems(folder: Path, digests: Mapping[str, str]) -> tuple[list[str], bool]:
    """What is wrong with the files, and whether those that hold data may be parsed."""
    present = entries(folder)
    problems: dict[str, str] = {}
    for name, what in present.items():
        if what != "file":
            problems[name] = f"{printed(name)} is {what}; a published directory holds plain files"
        elif name not in (CERTIFICATE, SIGNATURE, *digests):
            problems[name] = f"{printed(name)} is not listed in the certificate"
    sizes = {name: size_of(folder, name) for name in digests if present.get(name) == "file"}
    if sum(sizes.values()) > DIRECTORY_BYTES:
        limit = f"the {DIRECTORY_BYTES >> 30} GB that are read of a published directory"
        return [*problems.values(), f"the listed files are larger than {limit}"], False
    for name, digest in digests.items():
        if name not in sizes:
            problems.setdefault(name, f"{name} is missing")
            continue
        found, zipped = digest_of(folder, name)
        if found != digest:
            problems[name] = f"{name} was altered: its digest is not the one in the certificate"
        elif zipped:
            problems[name] = f"{name} is compressed; published files are plain text"
    trusted = not any(name in digests or name in _PARSED or name.startswith(CONTEXT) for name in problems)
    false = signature_problem(folder)
    if false is not None:
        problems.setdefault(SIGNATURE, false)
    order = dict.fromkeys((*(name for name in digests if name in problems), *problems))
    return [problems[name] for name in order], trusted


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
        for member in sorted(members)
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


def _read_data(folder: Path, kind: str, rules: Mapping[str, str] | None = None) -> Any:
    path = folder / "data.csv"
    if kind == Chunks.kind:
        return with_context(folder, read_chunks(folder))
    if kind == RoadTrajectories.kind:
        return read_published_roads(folder)
    members = _read_members(folder)
    if kind == "trajectories":
        return with_context(folder, _read_ragged(path, members.get("location", {}), Trajectories))
    if kind == "transactions":
        return with_context(folder, _read_ragged(path, members.get("item", {}), Transactions), rules)
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
        raise source.error(f"wanted the columns {', '.join(wanted)}, found {listed(frame.columns)}")
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
        raise source.error(f"wanted the columns attribute, label, member, found {listed(frame.columns)}")
    found: dict[str, dict[str, list[str]]] = {}
    for row, (attribute, label, member) in enumerate(frame.iter_rows()):
        if attribute is None or label is None or member is None:
            raise source.error("wanted an attribute, a label and a member, found nothing", row=row)
        found.setdefault(attribute, {}).setdefault(label, []).append(member)
    return {name: {label: tuple(group) for label, group in labels.items()} for name, labels in found.items()}


def _read_roles(folder: Path, kind: str, columns: list[str]) -> dict[str, str]:
    frame, source = read_csv(folder / "context" / "roles.csv")
    if frame.columns != ["column", "role"]:
        raise source.error(f"wanted the columns column, role, found {listed(frame.columns)}")
    strange = ~frame["role"].is_in(_ROLES) | frame["role"].is_null()
    if strange.any():
        raise source.error(f"wanted one of the roles {', '.join(_ROLES)}, found another", row=strange.arg_max())
    if frame["column"].to_list() != columns:
        raise source.error(f"wanted the columns of data.csv ({listed(columns)}) in their order, found others")
    if (frame["role"] == "items").sum() != (kind == "mixed"):
        raise source.error("wanted one column of items in mixed data and none in a table, found otherwise")
    return dict(frame.iter_rows())
