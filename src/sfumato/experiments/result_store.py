"""The output directory of a comparison: finished runs, kept one file each, so that none is run twice."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sfumato
from sfumato.errors import OutputError
from sfumato.experiments.definition.experiment import Experiment
from sfumato.experiments.planned_runs import write_plan
from sfumato.experiments.single_run import Cell, certificate_digest, code_digest, dataset_digest
from sfumato.io.atomic_writes import write_json, write_text
from sfumato.io.outputs import require_parent, require_private

__all__ = ["RELEASES", "Store", "finished_runs"]

RELEASES = "releases"
_CELLS = "cells"
_ABOUT = "experiment.json"
_REMEDY = "choose another directory or remove it first"


class Store:
    """Finished runs by their key.  Nothing is written before `begin`.

    releases : whether a run is finished only once its release is kept.
    """

    def __init__(
        self, out: str | Path, experiment: Experiment, cells: Sequence[Cell], *, releases: bool = False
    ) -> None:
        self.out = Path(out)
        self._experiment, self._plan, self._wanted = experiment, cells, {cell.key for cell in cells}
        self._cells = self.out / _CELLS
        self._folders = _folders(experiment, cells) if releases else {}
        self._require_own()
        self.finished = finished_runs(self.out)
        if releases:
            self.finished = {key: outcome for key, outcome in self.finished.items() if _has_its_release(outcome)}

    def release_of(self, key: str) -> Path | None:
        """The directory for the release of a run; None where releases are not kept."""
        folder = self._folders.get(key)
        return None if folder is None else (self.out / RELEASES / folder).resolve()

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
        if {path.stem for path in _files(self.out)} <= self._wanted:
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
            for folder in (self.out, self._cells, *([self.out / RELEASES] if self._folders else [])):
                folder.mkdir(0o700, exist_ok=True)
            self._tidy_releases()
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
        write_plan(self._plan, self.out)

    def _tidy_releases(self) -> None:
        """Make room for the releases of runs that are not finished, and name the others as their configurations."""
        for key, folder in self._folders.items():
            if key not in self.finished and (self.out / RELEASES / folder).exists():
                shutil.rmtree(self.out / RELEASES / folder)
        renamed = {
            key: folder
            for key, folder in self._folders.items()
            if key in self.finished
            and "release" in self.finished[key]
            and self.finished[key]["release"]["folder"] != folder
        }
        for key in renamed:  # first aside: a configuration may get the name that another one had
            (self.out / RELEASES / self.finished[key]["release"]["folder"]).rename(self.out / RELEASES / f".{key}")
        for key, folder in renamed.items():
            (self.out / RELEASES / f".{key}").rename(self.out / RELEASES / folder)
            release = {**self.finished[key]["release"], "folder": folder}
            self.keep(key, {**self.finished[key], "release": release})

    def keep(self, key: str, outcome: dict[str, Any]) -> None:
        """Write the outcome of a finished run."""
        write_json(outcome, self._cells / f"{key}.json")
        self.finished[key] = outcome

    def sweep(self) -> None:
        """Remove the unfinished files of killed runs, and the charts of an earlier comparison."""
        for stale in [*self.out.glob(".*.partial"), *self._cells.glob(".*.partial")]:
            stale.unlink(missing_ok=True)
        for stale in (self.out / RELEASES).glob(".*"):
            shutil.rmtree(stale, ignore_errors=True)
        shutil.rmtree(self.out / "charts", ignore_errors=True)


def finished_runs(out: Path) -> dict[str, dict[str, Any]]:
    """The outcome of every finished run in the directory of a comparison, by the key of the run."""
    finished = {path.stem: outcome for path in _files(out) if (outcome := _read(path)) is not None}
    for outcome in finished.values():
        if "release" in outcome and not _is_kept(out, outcome["release"]):
            del outcome["release"]
    return finished


def _files(out: Path) -> list[Path]:
    cells = out / _CELLS
    return sorted(cells.glob("*.json")) if cells.is_dir() else []


def _is_kept(out: Path, release: dict[str, str]) -> bool:
    return certificate_digest(out / RELEASES / release["folder"]) == release["certificate"]


def _has_its_release(outcome: dict[str, Any]) -> bool:
    """Whether the release of a run is kept, or the run has none that may be kept."""
    return bool({"release", "unkept", "infeasible"} & outcome.keys()) or outcome.get("holds") == ["nothing is promised"]


def _folders(experiment: Experiment, cells: Sequence[Cell]) -> dict[str, str]:
    """A readable name for the release of each run: configuration, value of the varying parameter, repetition."""
    folders: dict[str, str] = {}
    for cell in cells:
        if cell.key in folders:
            continue
        vary = None if cell.configuration.constant else experiment.vary
        setting = [] if vary is None else [vary.field, str(cell.setting)]
        name = "-".join(_plain(part) for part in (cell.configuration.name, *setting, "run", str(cell.repetition)))
        number = 1
        while (folder := name if number == 1 else f"{name}-{number}") in folders.values():
            number += 1
        folders[cell.key] = folder
    return folders


def _plain(text: str) -> str:
    """A text as a part of a file name.

    >>> _plain("COAT, all:2"), _plain("0.5")
    ('coat-all-2', '0.5')
    """
    return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-.") or "x"


def _read(path: Path) -> dict[str, Any] | None:
    """The JSON object in a file, or None."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return value if isinstance(value, dict) else None
