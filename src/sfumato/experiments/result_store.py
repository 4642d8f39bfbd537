"""The output directory of a comparison: finished runs, kept one file each, so that none is run twice."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sfumato
from sfumato.errors import OutputError
from sfumato.experiments.definition.experiment import Experiment
from sfumato.experiments.single_run import Cell, code_digest, dataset_digest
from sfumato.io.atomic_writes import write_json, write_text
from sfumato.io.outputs import require_parent, require_private

__all__ = ["Store"]

_ABOUT = "experiment.json"
_REMEDY = "choose another directory or remove it first"


class Store:
    """Finished runs by their key.  Nothing is written before `begin`."""

    def __init__(self, out: str | Path, experiment: Experiment, cells: Sequence[Cell]) -> None:
        self.out = Path(out)
        self._experiment, self._wanted = experiment, {cell.key for cell in cells}
        self._cells = self.out / "cells"
        self._require_own()
        self.finished = {path.stem: outcome for path in self._files() if (outcome := _read(path)) is not None}

    def _files(self) -> list[Path]:
        return sorted(self._cells.glob("*.json")) if self._cells.is_dir() else []

    def _require_own(self) -> None:
        """Refuse a directory that holds anything but finished runs of this experiment."""
        require_private(self.out, "comparison")
        if not self.out.exists():
            require_parent(self.out)
            return
        if not self.out.is_dir():
            raise OutputError(f"{self.out}: wanted a directory, found a file; choose another name")
        for path in self._experiment.inputs:
            if path.resolve().is_relative_to(self.out.resolve()):
                raise OutputError(f"{self.out}: contains {path}, an input of this experiment; choose another directory")
        about = _read(self.out / _ABOUT)
        if about is None:
            if any(self.out.iterdir()):
                raise OutputError(
                    f"{self.out}: wanted a new directory or an earlier comparison, found other files; {_REMEDY}"
                )
            return
        if {path.stem for path in self._files()} <= self._wanted:
            return
        if about.get("data") != dataset_digest(self._experiment):
            whose = "another dataset"
        elif (about.get("sfumato"), about.get("code")) != (sfumato.__version__, code_digest()):
            whose = "another version of sfumato"
        else:
            whose = "another experiment"
        raise OutputError(f"{self.out}: contains the results of {whose} ({about.get('title')!r}); {_REMEDY}")

    def begin(self) -> None:
        """Make the directory and record the experiment of its results."""
        try:
            for folder in (self.out, self._cells):
                folder.mkdir(0o700, exist_ok=True)
        except OSError as error:
            raise OutputError(f"{self.out}: cannot be written ({error.strerror})") from None
        about = {
            "private": True,
            "title": self._experiment.title,
            "data": dataset_digest(self._experiment),
            "sfumato": sfumato.__version__,
            "code": code_digest(),
        }
        write_json(about, self.out / _ABOUT)
        write_text(self._experiment.text, self.out / "experiment.toml")

    def keep(self, key: str, outcome: dict[str, Any]) -> None:
        """Write the outcome of a finished run."""
        write_json(outcome, self._cells / f"{key}.json")
        self.finished[key] = outcome

    def sweep(self) -> None:
        """Remove the unfinished files of killed runs, and the charts of an earlier comparison."""
        for stale in [*self.out.glob(".*.partial"), *self._cells.glob(".*.partial")]:
            stale.unlink(missing_ok=True)
        shutil.rmtree(self.out / "charts", ignore_errors=True)


def _read(path: Path) -> dict[str, Any] | None:
    """The JSON object in a file, or None."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return value if isinstance(value, dict) else None
