"""The published directory: data.csv (or chunks.csv and clusters.csv), members.csv, context/ and certificate.json.

The data files end in .parquet instead where that is chosen; data/part-*.parquet are the data in several parts, in
order, each with the same number of records, the last with what is left.  The directory holds nothing computed from
private data beyond the promise, and appears whole or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from os.path import lexists
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sfumato.catalogue import MODELS, model_class
from sfumato.data import Chunks, Dataset, Mixed, RoadTrajectories, Table, Trajectories, Transactions
from sfumato.data.base import Members
from sfumato.data.frames import Source
from sfumato.data.labels.flat_members import require_flat
from sfumato.data.labels.label_geometry import label_geometry
from sfumato.data.mixed import baskets
from sfumato.data.rows.visits import RegularVisits, VisitBatch
from sfumato.errors import CallerError, DataError, FileError, listed
from sfumato.io.atomic_writes import Appearance, fresh_directory
from sfumato.io.frames import column_names, read_csv
from sfumato.io.inputs.batches import Irregular, batches_of
from sfumato.io.published.certificate import CERTIFICATE, Certificate, Guarantee
from sfumato.io.published.certificate_schema import CERTIFICATE_BYTES
from sfumato.io.published.chunks import read_chunks
from sfumato.io.published.contents import file_contents
from sfumato.io.published.context import with_context
from sfumato.io.published.directory_files import DirectoryFiles
from sfumato.io.published.folder import DIRECTORY_BYTES, read_plain
from sfumato.io.published.row_files import (
    read_rows,
    row_file,
    row_files,
    write_content,
)
from sfumato.io.roads.road_trajectories import read_published_roads

__all__ = [
    "CERTIFICATE",
    "Published",
    "as_published",
    "inspect",
    "read",
    "table_with_side_files",
    "with_side_files",
    "write",
]

_ROLES = ("quasi-identifier", "sensitive", "other", "items")


@dataclass(frozen=True, eq=False)
class Published:
    """A published directory, read and hashed once: its certificate, its data, and what does not fit together.

    data : the dataset; None where its files do not fit the certificate or cannot be read.
    raw : the bytes of the certificate.  files : what lies in the directory.
    """

    folder: Path
    certificate: Certificate
    data: Any
    problems: tuple[str, ...]
    raw: bytes
    files: DirectoryFiles

    @property
    def format(self) -> str:
        """The format of the data files: csv or parquet."""
        return "parquet" if any(name.endswith(".parquet") for name in self.certificate.files or ()) else "csv"

    @cached_property
    def part_records(self) -> int | None:
        """How many records each part of the data has, the last one aside; None where the data are one file."""
        path = row_file(self.folder, "data")
        if not path.is_dir() or self.data is None:
            return None
        first, _ = read_rows(row_files(path)[0])
        if isinstance(self.data, Trajectories | Transactions):
            return first[self.data.record].n_unique()
        return len(first)

    @cached_property
    def models(self) -> tuple[Any, ...]:
        """The privacy model of each guarantee, with its parameters; a model that is not installed is left out."""
        return tuple(self._model(guarantee) for guarantee in self.certificate.guarantees if guarantee.model in MODELS)

    def _model(self, guarantee: Guarantee) -> Any:
        path = self.folder / CERTIFICATE
        try:
            return model_class(guarantee.model).from_json(guarantee.parameters)
        except (KeyError, TypeError, AttributeError):
            raise FileError(path, "wanted a model and its parameters in each guarantee, found otherwise") from None
        except CallerError as error:
            raise FileError(path, str(error)) from None

    def require_data(self) -> Any:
        """The data; refuses a directory whose data cannot be read, with the last problem."""
        if self.data is None:
            raise FileError(self.folder, self.problems[-1])
        return self.data

    def to_geopandas(self) -> Any:
        """A row a published label with its geometry, from the published coordinates; see `label_geometry`."""
        return label_geometry(self.require_data())


def write(
    data: Dataset,
    certificate: Certificate,
    out: str | Path,
    *,
    context: Collection[str] = (),
    format: str = "csv",
    check: Callable[[Path], None] | None = None,
    appearance: Appearance | None = None,
) -> Path:
    """Write a published dataset and its certificate; the digests of the files are added.

    context : what a verifier needs beside the data, and an attacker is assumed to know anyway: `owner` or
    `sensitive` of places or items, the `taxonomy`, a `privacy_policy`, a `utility_policy`; on request the `geometry`,
    coordinates of places from a public file.
    format : of the data files, csv or parquet; the context is CSV.
    check : looks at the written files before the directory appears; it appears only if nothing is raised.
    appearance : what else happens at the moment at which the directory appears.
    """
    files = file_contents(data, context, format)
    with fresh_directory(out, appearance) as folder:
        digests = {}
        for name, content in sorted(files.items()):
            (folder / name).parent.mkdir(exist_ok=True)
            digests[name] = write_content(content, folder / name)
        (folder / CERTIFICATE).write_bytes(replace(certificate, files=digests).to_bytes())
        if check is not None:
            check(folder)
    return Path(out)


def read(folder: str | Path) -> Published:
    """Read a published directory that somebody else may have written.

    What does not fit the certificate is a problem, not an error.  The data are parsed only where every file that
    belongs to them is a plain file, is listed, and has the digest of the certificate.
    """
    published = inspect(folder)
    folder, certificate = published.folder, published.certificate
    problems, data = list(published.problems), None
    if published.files.trusted:
        try:
            data = _read_data(folder, certificate.kind, certificate.policy)
        except DataError as error:
            problems.append(str(error))
    records = certificate.records.get("published")
    if data is not None and records is not None and records != len(data):
        where = row_file(folder, "clusters" if isinstance(data, Chunks) else "data").name
        problems.append(f"the certificate states {records} records, {where} holds {len(data)}")
    return replace(published, data=data, problems=tuple(problems))


def inspect(folder: str | Path, *, at_most: int | None = DIRECTORY_BYTES) -> Published:
    """The certificate and the files of a published directory, without its data.

    at_most : how many bytes are read for their digests; None for all.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise FileError(folder, "wanted a published directory, found none")
    if not lexists(folder / CERTIFICATE):
        raise FileError(folder, "wanted a published directory, found one without certificate.json")
    raw = read_plain(folder, CERTIFICATE, at_most=CERTIFICATE_BYTES)
    certificate = Certificate.parse(raw, folder / CERTIFICATE)
    files = DirectoryFiles.inspect(folder, certificate.files or {}, at_most=at_most)
    return Published(folder, certificate, None, files.problems, raw, files)


def as_published(release: str | Path | Published) -> Published:
    """A published directory that may have been read already."""
    return release if isinstance(release, Published) else read(release)


def _read_data(folder: Path, kind: str, rules: Mapping[str, str] | None = None) -> Any:
    path = row_file(folder, "data")
    if kind == Chunks.kind:
        return with_context(folder, read_chunks(folder))
    if kind == RoadTrajectories.kind:
        frame, source = read_rows(path, texts=True)
        return read_published_roads(folder, frame, source)
    if kind == "trajectories":
        return with_side_files(folder, _read_ragged(path, Trajectories))
    if kind == "transactions":
        return with_side_files(folder, _read_ragged(path, Transactions), rules)
    frame, _ = read_rows(path, texts=True)
    if kind == "table":
        return table_with_side_files(folder, frame)
    members, roles = _read_members(folder), _read_roles(folder, kind, frame.columns)
    items = next(column for column, role in roles.items() if role == "items")
    rest = {name: labels for name, labels in members.items() if name != items}
    table = Table(frame.drop(items), **_named_roles(roles), members=rest)
    mixed = Mixed(table, replace(baskets(frame[items]), members=members.get(items, {})), items)
    return with_context(folder, mixed, rules)


def table_with_side_files(folder: Path, frame: pl.DataFrame) -> Table:
    """Rows of a published table with the roles of its columns and the members of its labels."""
    roles = _read_roles(folder, "table", frame.columns)
    return Table(frame, **_named_roles(roles), members=_read_members(folder))


def _named_roles(roles: Mapping[str, str]) -> dict[str, Any]:
    return {
        "quasi_identifiers": tuple(column for column, role in roles.items() if role == "quasi-identifier"),
        "sensitive": tuple(column for column, role in roles.items() if role == "sensitive"),
    }


def with_side_files(folder: Path, data: Any, rules: Mapping[str, str] | None = None) -> Any:
    """Trajectories or transactions of a published directory with the members of their labels and the context.

    rules : see `with_context`.
    """
    members = _read_members(folder).get(data.attribute, {}) if data.names else {}
    return with_context(folder, _with_members(data, members, row_file(folder, "data")), rules)


def _read_ragged(path: Path, shape: type[Trajectories] | type[Transactions]) -> Any:
    """Records exactly as published: empty releases are legal, and the step column orders visits."""
    if shape is Trajectories and (regular := _regular_trajectories(path)) is not None:
        return regular
    frame, source = read_rows(path)
    wanted = [shape.record, "step", "location"] if shape is Trajectories else [shape.record, "item"]
    if frame.columns != wanted:
        raise source.error(f"wanted the columns {', '.join(wanted)}, found {listed(frame.columns)}")
    if len(frame) == 0:
        return shape(offsets=np.zeros(1, dtype=np.int64), codes=np.empty(0, dtype=np.int32), names=())
    if shape is Trajectories:
        frame = frame.rename({"step": "time"})
    return shape.from_frame(frame, source=source)


def _regular_trajectories(path: Path) -> Trajectories | None:
    """Trajectories read some rows at a time; None where the file is not as a release is written."""
    visits = RegularVisits()
    types = {"trajectory": pl.Int64, "step": pl.Int64, "location": pl.String}

    def keep(rows: pl.DataFrame) -> VisitBatch | None:
        return VisitBatch.of(rows.rename({"step": "time"}), timed=False) if dict(rows.schema) == types else None

    try:
        for part in row_files(path):
            if column_names(part) != list(types):
                return None
            for batch in batches_of(part, list(types), types, keep):
                if not visits.add(batch):
                    return None
    except Irregular:
        return None
    coded = visits.finish(Source(str(path), file=True))
    return None if coded is None else Trajectories.from_coded(coded, places=None)


def _with_members(data: Any, members: Members, path: Path) -> Any:
    """Records of a file without their numbers, with what their labels stand for."""
    unknown = sorted(set(members) - set(data.names))
    if unknown:
        where = row_file(path.parent, "members")
        raise FileError(where, f"wanted labels that {path.name} uses, found {unknown[0]!r}")
    data = replace(data, ids=None, members=members)
    return replace(data, times=None) if isinstance(data, Trajectories) else data


def _read_members(folder: Path) -> dict[str, Members]:
    path = row_file(folder, "members")
    if not path.exists():
        return {}
    frame, source = read_rows(path, texts=True)
    if frame.columns != ["attribute", "label", "member"]:
        raise source.error(f"wanted the columns attribute, label, member, found {listed(frame.columns)}")
    members: dict[str, dict[str, list[str]]] = {}
    for row, (attribute, label, member) in enumerate(frame.iter_rows()):
        if attribute is None or label is None or member is None:
            raise source.error("wanted an attribute, a label and a member, found nothing", row=row)
        members.setdefault(attribute, {}).setdefault(label, []).append(member)
    groups = {name: {label: tuple(group) for label, group in labels.items()} for name, labels in members.items()}
    for labels in groups.values():
        require_flat(labels, str(path))
    return groups


def _read_roles(folder: Path, kind: str, columns: list[str]) -> dict[str, str]:
    frame, source = read_csv(folder / "context" / "roles.csv")
    if frame.columns != ["column", "role"]:
        raise source.error(f"wanted the columns column, role, found {listed(frame.columns)}")
    strange = ~frame["role"].is_in(_ROLES) | frame["role"].is_null()
    if strange.any():
        raise source.error(f"wanted one of the roles {', '.join(_ROLES)}, found another", row=strange.arg_max())
    if frame["column"].to_list() != columns:
        name = row_file(folder, "data").name
        raise source.error(f"wanted the columns of {name} ({listed(columns)}) in their order, found others")
    if (frame["role"] == "items").sum() != (kind == "mixed"):
        raise source.error("wanted one column of items in mixed data and none in a table, found another number")
    return dict(frame.iter_rows())
