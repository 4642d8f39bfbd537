"""Save a state of a dataset as a Parquet file and its row in the database."""

from __future__ import annotations

import os
import uuid
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl
from django.db import transaction
from django.db.models import Max

from sfumato.web.workbench.models import Dataset, Project, Version
from sfumato.web.workbench.withdrawals import keep_snapshots

__all__ = ["add_version", "digest_of_file", "new_dataset", "save_frame"]


def digest_of_file(path: Path) -> str:
    """The SHA-256 of a file, read a part at a time."""
    digest = sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def new_dataset(
    project: Project, name: str, frame: pl.DataFrame, reading: dict[str, Any], *, by: Any = None, profile: Any = None
) -> Version:
    """A new dataset of a project with its first version; `reading` has the kind."""
    dataset = Dataset.objects.create(project=project, name=name, kind=reading["kind"])
    return save_frame(dataset, frame, reading, by=by, operation={"verb": "created"}, profile=profile)


def save_frame(dataset: Dataset, frame: pl.DataFrame, reading: dict[str, Any], **facts: Any) -> Version:
    """A new version of a dataset from a frame."""
    file = f"versions/{uuid.uuid4()}.parquet"
    path = dataset.project.folder / file
    partial = path.with_suffix(".part")
    frame.write_parquet(partial)
    partial.chmod(0o600)
    os.replace(partial, path)
    return add_version(dataset, file, reading, rows=len(frame), **facts)


def add_version(dataset: Dataset, file: str, reading: dict[str, Any], *, rows: int, **facts: Any) -> Version:
    """A new version from a Parquet file that is already in the project's folder.

    facts : by, operation, profile, parent.
    """
    path = dataset.project.folder / file
    facts = {name: value for name, value in facts.items() if value is not None}
    with transaction.atomic():
        Dataset.objects.select_for_update().get(pk=dataset.pk)
        number = (dataset.versions.aggregate(last=Max("number"))["last"] or 0) + 1
        parent = facts.pop("parent", None) or dataset.latest
        version = Version.objects.create(
            dataset=dataset,
            number=number,
            file=file,
            sha256=digest_of_file(path),
            size=path.stat().st_size,
            rows=rows,
            reading=reading,
            parent=parent,
            **facts,
        )
        keep_snapshots(version, parent)
        if dataset.kind != reading["kind"]:
            dataset.kind = reading["kind"]
            dataset.save(update_fields=["kind"])
        return version
