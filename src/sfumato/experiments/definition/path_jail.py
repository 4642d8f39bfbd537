"""A jail for experiment files that others wrote: they may name files of one folder only, and no code of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sfumato.errors import FileError
from sfumato.experiments.definition.experiment import Experiment

__all__ = ["require_inside"]

_SHOWN = 60


def require_inside(experiment: Experiment, folder: str | Path) -> None:
    """Refuse an experiment that names a file outside of this folder, by its path or by a symbolic link.

    Every text among the parameters is taken for a path, as a method may read a file that a parameter names.
    """
    jail = Path(folder).resolve()
    beside = experiment.file.parent
    for path in (experiment.file, *experiment.inputs):
        _require(experiment, jail, path)
        for entry in path.rglob("*") if path.is_dir() else ():
            _require(experiment, jail, entry)
    for text in _texts(experiment):
        for start in (beside, Path()):  # a file is sought beside the experiment, and where the process runs
            _require(experiment, jail, start / text, only_names=start != beside)


def _require(experiment: Experiment, jail: Path, path: Path, *, only_names: bool = False) -> None:
    """only_names : whether a relative path counts only if something is there or if it leads upwards."""
    try:
        is_inside = path.resolve().is_relative_to(jail)
        if only_names and not path.is_absolute() and ".." not in path.parts:
            is_inside = is_inside or not path.exists()
    except (OSError, ValueError, RuntimeError):  # no path: too long, a null character, a loop of links
        is_inside = False
    if not is_inside:
        raise FileError(experiment.file, f"wanted files of its own folder, found {_shown(path, experiment)}")


def _shown(path: Path, experiment: Experiment) -> str:
    """The path as the file spells it, where that is known."""
    beside = experiment.file.parent
    text = str(path.relative_to(beside)) if path.is_relative_to(beside) else str(path)
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")


def _texts(experiment: Experiment) -> Iterator[str]:
    """Every text among the parameters of methods, generators and measures."""
    yield from _inside(experiment.data.arguments)
    for configuration in experiment.configurations:
        yield from _inside(configuration.parameters)
    for figure in experiment.figures:
        yield from _inside(figure.parameters)
    if experiment.vary is not None:
        yield from _inside(list(experiment.vary.values))


def _inside(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for part in value.values():
            yield from _inside(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _inside(part)
    elif isinstance(value, str):
        yield value
