"""The files that experiments read, made in a folder of results from a folder of public data."""

from __future__ import annotations

import runpy
import shutil
from pathlib import Path

from replications.declarations import Paper, Source

__all__ = ["DataMissing", "provide"]


class DataMissing(Exception):
    """An experiment needs a file that was not given."""


def provide(paper: Paper, text: str, data: Path | None, work: Path) -> None:
    """Put what the text of an experiment names into the folder of its results."""
    for source in paper.needed_by(text):
        if source.path and (data is None or not (data / source.path).exists()):
            where = "no data folder was given" if data is None else f"{data} has none"
            raise DataMissing(f"needs {source.path} of the data folder; {where}")
        if not all((work / name).exists() for name in source.makes):
            _make(paper, source, (data or work) / source.path, work)


def _make(paper: Paper, source: Source, path: Path, work: Path) -> None:
    if source.script:
        runpy.run_path(str(paper.folder / source.script))["main"](str(path), str(work))
    elif path.is_dir():
        shutil.copytree(path, work / source.makes[0], dirs_exist_ok=True)
    else:
        shutil.copyfile(path, work / source.makes[0])
