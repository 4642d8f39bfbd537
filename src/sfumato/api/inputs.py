"""Datasets from what a user has: a dataset, a frame, a release, a file or a published directory."""

from __future__ import annotations

import warnings
from os import PathLike
from pathlib import Path
from typing import Any, TypeGuard, cast

from sfumato.catalogue import model_class
from sfumato.data import Dataset, original_kind
from sfumato.data.base import Frame
from sfumato.errors import FileError, ParameterError
from sfumato.io import read
from sfumato.io.original_options import options_from_release
from sfumato.io.published import Published
from sfumato.io.published import read as read_published
from sfumato.methods.promise_texts import promise_of_text
from sfumato.methods.release import Release
from sfumato.privacy import PrivacyModel

__all__ = ["STRICT", "ReadingNote", "Source", "dataset_of", "is_published", "opened", "original_of", "promise_of"]

Source = Dataset | Frame | Release[Dataset] | Published | str | PathLike[str]
"""Data that a function takes: a dataset, a frame of any make, a release, a file or a published directory."""


class ReadingNote(UserWarning):
    """What was decided or noticed while data were read, such as which column is which."""


STRICT: dict[str, Any] = {"missing": (), "dates": "text"}
"""How to read published data: every value is taken as it is."""


def is_published(source: object) -> TypeGuard[str | PathLike[str]]:
    """Whether this is the path of a directory: every dataset that is more than a file is a published one."""
    return isinstance(source, str | PathLike) and Path(source).is_dir()


def opened(source: Source) -> Source:
    """A published directory as it was read, so that it is read once; anything else unchanged."""
    return read_published(Path(source)) if is_published(source) else source


def dataset_of(source: Source, *, kind: str | None = None, **options: Any) -> Dataset:
    """The dataset that something is, holds or names.

    kind, options : how to read a file or a frame, as `sfumato.io.read` takes them.  Notes about how it was read are
    given as warnings, unless the options have a list that collects them.
    """
    if isinstance(source, Release):
        return source.data
    if isinstance(source, Dataset):
        return source
    source = opened(source)
    if isinstance(source, Published):
        data: Dataset = source.require_data()
        return data
    collected: list[str] = []
    options = {"notes": collected, **options}
    if isinstance(source, str | PathLike):
        if not Path(source).exists():
            raise FileError(Path(source), "no such file or directory")
        data = read(Path(source), kind=kind, **options)
    else:
        data = read(cast("Frame", source), kind=kind, **options)
    for sentence in collected:
        warnings.warn(sentence, ReadingNote, stacklevel=3)
    return data


def promise_of(who: str, promise: PrivacyModel | str, parameters: dict[str, Any]) -> PrivacyModel:
    """A privacy model, or the one of this name with these parameters, or of this text, such as ``km:k=5,m=2``."""
    if isinstance(promise, PrivacyModel):
        if parameters:
            names = ", ".join(repr(name) for name in parameters)
            raise ParameterError(f"{who}: {promise.name} has its parameters already; leave {names} out")
        return promise
    if ":" in promise and not parameters:
        return promise_of_text(promise)
    model: PrivacyModel = model_class(promise).from_json(parameters)
    return model


def original_of(source: Source, release: Source) -> Dataset:
    """The private dataset of a release, which states how to read a file: its kind, its items, its network."""
    if isinstance(source, Dataset):
        return source
    release = opened(release)
    if isinstance(release, Published):
        return dataset_of(source, kind=release.certificate.original_kind, **options_from_release(release))
    if isinstance(release, Dataset | Release):
        data = release.data if isinstance(release, Release) else release
        return dataset_of(source, kind=original_kind(data.kind))
    return dataset_of(source)
