"""The published directory: data.csv (or chunks.csv and clusters.csv), members.csv, context/ and certificate.json.

The data files end in .parquet instead where that is chosen.  The directory holds nothing computed from private data
beyond the promise, and appears whole or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sfumato.catalogue import MODELS, model_class
from sfumato.data import Chunks, Dataset, Mixed, RoadTrajectories, Table, Trajectories, Transactions
from sfumato.data.base import Ints, Members
from sfumato.data.frames import Source
from sfumato.data.labels.flat_members import require_flat
from sfumato.data.labels.label_geometry import label_geometry
from sfumato.data.mixed import baskets
from sfumato.data.ragged import Ragged
from sfumato.data.rows.visits import RegularVisits
from sfumato.errors import Bug, CallerError, DataError, FileError, listed
from sfumato.io.atomic_writes import Appearance, fresh_directory
from sfumato.io.frames import column_names, read_csv
from sfumato.io.inputs.batches import Irregular, batches_of
from sfumato.io.published.certificate import CERTIFICATE, Certificate, Guarantee
from sfumato.io.published.certificate_schema import CERTIFICATE_BYTES
from sfumato.io.published.chunks import chunk_rows, read_chunks
from sfumato.io.published.context import context_texts, with_context
from sfumato.io.published.directory_files import DirectoryFiles
from sfumato.io.published.folder import read_plain
from sfumato.io.published.row_files import Rows, read_rows, require_format, row_file, write_content
from sfumato.io.roads.road_trajectories import read_published_roads

__all__ = ["CERTIFICATE", "Published", "as_published", "file_contents", "read", "write"]

_BATCH = 1 << 20  # visits or items that are written at a time
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


def file_contents(data: Dataset, context: Collection[str] = (), format: str = "csv") -> dict[str, Rows | str]:
    """The files of a published dataset by name, without the certificate; see `write` for context and format."""
    require_format(format)
    if any(getattr(data, private, None) is not None for private in ("ids", "persons", "times", "workplaces")):
        raise Bug("a dataset with ids, persons, times or workplaces was about to be published")
    rows = chunk_rows(data) if isinstance(data, Chunks) else {"data": _data_rows(data)}
    members = _members_frame(data)
    if len(members):
        rows["members"] = Rows.of(members)
    files: dict[str, Rows | str] = {f"{stem}.{format}": part for stem, part in rows.items()}
    roles = _roles_frame(data)
    if roles is not None:
        files["context/roles.csv"] = roles.write_csv()
    return files | context_texts(data, context)


def read(folder: str | Path) -> Published:
    """Read a published directory that somebody else may have written.

    What does not fit the certificate is a problem, not an error.  The data are parsed only where every file that
    belongs to them is a plain file, is listed, and has the digest of the certificate.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise FileError(folder, "wanted a published directory, found none")
    raw = read_plain(folder, CERTIFICATE, at_most=CERTIFICATE_BYTES)
    certificate = Certificate.parse(raw, folder / CERTIFICATE)
    files = DirectoryFiles.inspect(folder, certificate.files or {})
    problems, data = list(files.problems), None
    if files.trusted:
        try:
            data = _read_data(folder, certificate.kind, certificate.policy)
        except DataError as error:
            problems.append(str(error))
    records = certificate.records.get("published")
    if data is not None and records is not None and records != len(data):
        where = row_file(folder, "clusters" if isinstance(data, Chunks) else "data").name
        problems.append(f"the certificate states {records} records, {where} holds {len(data)}")
    return Published(folder, certificate, data, tuple(problems), raw, files)


def as_published(release: str | Path | Published) -> Published:
    """A published directory that may have been read already."""
    return release if isinstance(release, Published) else read(release)


def _data_rows(data: Dataset) -> Rows:
    """The file of the data: records numbered from 1 in the order of their content."""
    if isinstance(data, Trajectories | Transactions):
        names = pl.Series(data.names, dtype=pl.String)
        return Rows(_batch(data, names, 0, 0).schema, lambda: _batches(data, names))
    if isinstance(data, RoadTrajectories):
        return Rows.of(data.to_polars().insert_column(1, _steps(data.offsets)))
    if isinstance(data, Table | Mixed):
        return Rows.of(data.to_polars())
    raise TypeError(type(data))


def _batches(data: Trajectories | Transactions, names: pl.Series) -> Iterator[pl.DataFrame]:
    """The rows of some records at a time, so that names are never held for all of them."""
    borders = np.searchsorted(data.offsets, np.arange(0, len(data.codes) + _BATCH, _BATCH))
    for first, last in pairwise(borders.clip(max=len(data)).tolist()):
        yield _batch(data, names, first, last)


def _batch(data: Trajectories | Transactions, names: pl.Series, first: int, last: int) -> pl.DataFrame:
    """The rows of the records from the first to the one before the last."""
    offsets = data.offsets[first : last + 1]
    codes = data.codes[offsets[0] : offsets[-1]]
    record = pl.Series(data.record, np.repeat(np.arange(first + 1, last + 1), np.diff(offsets)))
    columns = [record, names.gather(codes).alias(data.attribute)]
    return pl.DataFrame([record, _steps(offsets), columns[1]] if isinstance(data, Trajectories) else columns)


def _steps(offsets: Ints) -> pl.Series:
    """The number of each visit in its record, from 1."""
    lengths = np.diff(offsets)
    return pl.Series("step", np.arange(1, lengths.sum() + 1) - np.repeat(offsets[:-1] - offsets[0], lengths))


def _members_frame(data: Dataset) -> pl.DataFrame:
    """The file of the members: what each generalized label stands for."""
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


def _roles_frame(data: Dataset) -> pl.DataFrame | None:
    """context/roles.csv: what each column of a table is to an attacker."""
    table = data.table if isinstance(data, Mixed) else data
    if not isinstance(table, Table):
        return None
    rows = [(column, table.role(column)) for column in table.frame.columns]
    if isinstance(data, Mixed):
        rows.append((data.column, "items"))
    return pl.DataFrame(rows, schema={"column": pl.String, "role": pl.String}, orient="row")


def _read_data(folder: Path, kind: str, rules: Mapping[str, str] | None = None) -> Any:
    path = row_file(folder, "data")
    if kind == Chunks.kind:
        return with_context(folder, read_chunks(folder))
    if kind == RoadTrajectories.kind:
        frame, source = read_rows(path, texts=True)
        return read_published_roads(folder, frame, source)
    members = _read_members(folder)
    if kind == "trajectories":
        return with_context(folder, _read_ragged(path, members.get("location", {}), Trajectories))
    if kind == "transactions":
        return with_context(folder, _read_ragged(path, members.get("item", {}), Transactions), rules)
    frame, _ = read_rows(path, texts=True)
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
    mixed = Mixed(table, replace(baskets(frame[items]), members=members.get(items, {})), items)
    return with_context(folder, mixed, rules)


def _read_ragged(path: Path, members: Members, shape: type[Trajectories] | type[Transactions]) -> Any:
    """Records exactly as published: empty releases are legal, and the step column orders visits."""
    if shape is Trajectories and (regular := _regular_trajectories(path)) is not None:
        return _with_members(regular, members, path)
    frame, source = read_rows(path)
    wanted = [shape.record, "step", "location"] if shape is Trajectories else [shape.record, "item"]
    if frame.columns != wanted:
        raise source.error(f"wanted the columns {', '.join(wanted)}, found {listed(frame.columns)}")
    if len(frame) == 0:
        return shape(offsets=np.zeros(1, dtype=np.int64), codes=np.empty(0, dtype=np.int32), names=())
    if shape is Trajectories:
        frame = frame.rename({"step": "time"})
    return _with_members(shape.from_frame(frame, source=source), members, path)


def _regular_trajectories(path: Path) -> Trajectories | None:
    """Trajectories read some rows at a time; None where the file is not as a release is written."""
    if column_names(path) != ["trajectory", "step", "location"]:
        return None
    visits = RegularVisits(timed=False)
    types = {"trajectory": pl.Int64, "step": pl.Int64, "location": pl.String}
    try:
        for batch in batches_of(path, list(types), types):
            if dict(batch.schema) != types or not visits.add(batch.rename({"step": "time"})):
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
