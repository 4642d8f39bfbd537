"""Datasets from what a user has at hand: a dataset, a frame, a release, a file or a published directory."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any, TypeGuard

from sfumato.data import Dataset, original_kind
from sfumato.data.base import Frame
from sfumato.io import read
from sfumato.io.original_options import options_from_release
from sfumato.io.published import Published
from sfumato.io.published import read as read_published
from sfumato.methods.release import Release

__all__ = ["Source", "dataset_of", "is_published", "original_of"]

Source = Dataset | Frame | Release[Dataset] | str | PathLike[str]
"""Data that a function takes: a dataset, a frame of any make, a release, a file or a published directory."""


def is_published(source: object) -> TypeGuard[str | PathLike[str]]:
    """Whether this is the path of a directory: every dataset that is more than a file is a published one."""
    return isinstance(source, str | PathLike) and Path(source).is_dir()


def dataset_of(source: Source, *, kind: str | None = None, **options: Any) -> Dataset:
    """The dataset that something is, holds or names.

    kind, options : how to read a file or a frame, as `sfumato.io.read` takes them.
    """
    if isinstance(source, Release):
        return source.data
    if isinstance(source, Dataset):
        return source
    if is_published(source):
        data: Dataset = read_published(Path(source)).require_data()
        return data
    return read(Path(source) if isinstance(source, PathLike) else source, kind=kind, **options)


def original_of(source: Source, release: Source | Published) -> Dataset:
    """The private dataset of a release, which states how to read a file: its kind, its items, its network."""
    if isinstance(source, Dataset):
        return source
    if is_published(release):
        release = read_published(Path(release))
    if isinstance(release, Published):
        return dataset_of(source, kind=release.certificate.original_kind, **options_from_release(release))
    if isinstance(release, Dataset | Release):
        data = release.data if isinstance(release, Release) else release
        return dataset_of(source, kind=original_kind(data.kind))
    return dataset_of(source)
