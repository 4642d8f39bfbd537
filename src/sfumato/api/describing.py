"""`sfumato.describe`: what is in a dataset, a file or a published directory, and how a file is read."""

from __future__ import annotations

from os import PathLike
from typing import Unpack

from sfumato.api.inputs import Source, dataset_of
from sfumato.api.reading import ReadOptions, with_knowledge
from sfumato.data import Dataset
from sfumato.experiments.description import Description
from sfumato.experiments.description import describe as describe_data

__all__ = ["describe"]


def describe(source: Source, *, kind: str | None = None, **options: Unpack[ReadOptions]) -> Description:
    """Describe data: kind, sizes, histograms, columns, hierarchies, and notes on how a file was read.

    Parameters
    ----------
    source
        A dataset, a frame of any make, a release, a file or a published directory.
    kind, options
        How to read a file or a frame, as `sfumato.read` takes them.

    Examples
    --------
    >>> import polars as pl
    >>> visits = pl.DataFrame({"tid": [1, 1, 2], "poi": ["home", "gym", "home"]})
    >>> about = describe(visits)
    >>> about.figures["visits"], about.notes[0]
    (3, 'the frame: read as trajectories by the names of its columns: trajectory=tid,location=poi; ...')
    """
    notes: list[str] = []

    def loaded(data: Source) -> Dataset:
        return dataset_of(data, kind=kind, **{**with_knowledge(options), "notes": notes, "complete": False})

    if isinstance(source, str | PathLike):
        return describe_data(source, reader=loaded, notes=notes)
    return describe_data(loaded(source), notes=notes)
