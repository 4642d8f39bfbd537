"""What a project holds, as files with readable names: datasets and side knowledge as CSV, runs, releases."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.web.workbench.exporting.zipping import Content, files_of
from sfumato.web.workbench.models import Asset, Project, Version

__all__ = ["asset_entries", "csv_parts", "entries_of", "file_name", "project_facts"]

_ROWS = 50_000  # of a part


def file_name(*texts: str) -> str:
    """Texts as the name of a file, in any script, without signs that mean something in a path.

    >>> file_name("Patients / 2024", "age")
    'Patients-2024-age'
    >>> file_name("..")
    'untitled'
    """
    return re.sub(r"[^\w.]+", "-", " ".join(texts)).strip("-.")[:100] or "untitled"


def csv_parts(path: Path) -> Iterator[bytes]:
    """The rows of a Parquet file as CSV, some at a time; items in lists are separated by blanks.

    Values are as they are, also those that a spreadsheet takes for formulas: a file that is read again, or checked by
    its digest, must not have others.  The page says so.
    """
    frame = pl.scan_parquet(path)
    schema = frame.collect_schema()
    lists = [name for name, kind in schema.items() if isinstance(kind, pl.List)]
    frame = frame.with_columns(pl.col(name).cast(pl.List(pl.String)).list.join(" ") for name in lists)
    start = 0
    while True:
        rows = frame.slice(start, _ROWS).collect()
        if start and not len(rows):
            return
        yield rows.write_csv(include_header=not start).encode()
        start += _ROWS


def asset_entries(asset: Asset) -> Iterator[tuple[str, Content]]:
    """The files of a workload or of side knowledge; a policy that is a rule is a text."""
    name = file_name(asset.dataset.name, asset.kind, asset.attribute or asset.name)
    if asset.text or not asset.file:
        content = f"{asset.text}\n".encode()
        yield f"{name}.txt", lambda: (content,)
    elif asset.path.is_dir():
        yield from files_of(asset.path, f"{name}/")
    elif asset.path.is_file():
        yield f"{name}{asset.path.suffix}", asset.path


def entries_of(project: Project) -> Iterator[tuple[str, Content]]:
    """Every file of a project with its name in the archive."""
    facts = json.dumps(project_facts(project), indent=2, ensure_ascii=False).encode()
    taken: set[str] = set()
    for name, content in _every_entry(project, facts):
        free = name
        number = 1
        while free in taken:
            number += 1
            path = Path(name)
            free = path.with_name(f"{path.stem}-{number}{path.suffix}").as_posix()
        taken.add(free)
        yield free, content


def _every_entry(project: Project, facts: bytes) -> Iterator[tuple[str, Content]]:
    yield "project.json", lambda: (facts,)
    for dataset in project.datasets.all():
        for version in dataset.versions.all():
            if version.path.is_file():
                name = f"datasets/{file_name(dataset.name, f'version {version.number}')}.csv"
                yield name, partial(csv_parts, version.path)
        for asset in dataset.assets.select_related("dataset__project"):
            for name, content in asset_entries(asset):
                yield f"configuration/{name}", content
    for run in project.runs.all():
        if run.folder.is_dir():
            yield from files_of(run.folder, f"runs/{file_name(run.title or run.mode, str(run.id)[:8])}/")
    for release in project.releases.all():
        if release.folder.is_dir():
            yield from files_of(release.folder, f"releases/{file_name(release.name, str(release.id)[:8])}/")


def project_facts(project: Project) -> dict[str, Any]:
    """What the files do not say: names, how versions are read, what runs were asked, the state of releases."""
    return {
        "private": True,
        "name": project.name,
        "created": project.created.isoformat(),
        "datasets": [
            {
                "name": dataset.name,
                "kind": dataset.kind,
                "versions": [_version_facts(version) for version in dataset.versions.all()],
                "configuration": [
                    {"kind": asset.kind, "attribute": asset.attribute, "name": asset.name, "current": asset.current}
                    for asset in dataset.assets.all()
                ],
            }
            for dataset in project.datasets.all()
        ],
        "runs": [
            {
                "id": str(run.id),
                "mode": run.mode,
                "title": run.title,
                "created": run.created.isoformat(),
                "definition": run.definition,
                "summary": run.summary,
            }
            for run in project.runs.all()
        ],
        "releases": [
            {
                "id": str(release.id),
                "name": release.name,
                "created": release.created.isoformat(),
                "published": None if release.published is None else release.published.isoformat(),
                "withdrawn": None if release.withdrawn is None else release.withdrawn.isoformat(),
            }
            for release in project.releases.all()
        ],
    }


def _version_facts(version: Version) -> dict[str, Any]:
    return {
        "number": version.number,
        "rows": version.rows,
        "sha256": version.sha256,
        "reading": version.reading,
        "operation": version.operation,
        "created": version.created.isoformat(),
    }
