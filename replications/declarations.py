"""What the folder of a paper declares in figures.toml: a row for each figure, and the files that experiments need."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

__all__ = ["FOLDER", "VERDICTS", "Paper", "Part", "Row", "Script", "Source", "read_paper", "read_papers"]

FOLDER = Path(__file__).parent
VERDICTS = ("holds", "holds in part", "does not hold")


@dataclass(frozen=True)
class Part:
    """A chart of an experiment, or one of the claims about it, counted from 1: ``k/01-intact`` or ``k/01-intact:2``."""

    experiment: str
    chart: str
    claim: int | None = None

    @classmethod
    def of_text(cls, text: str) -> Part:
        name, _, claim = text.partition(":")
        experiment, _, chart = name.partition("/")
        if not chart:
            raise ValueError(f"wanted EXPERIMENT/CHART, found {text!r}")
        return cls(experiment, chart, int(claim) if claim else None)

    def __str__(self) -> str:
        return f"{self.experiment}/{self.chart}" + ("" if self.claim is None else f":{self.claim}")


@dataclass(frozen=True)
class Row:
    """A figure or table of a paper.

    claim : what the paper says about it, in our words; the claims of its charts if empty.
    charts : the charts of experiments that judge it.
    tests : the tests that repeat it, for worked examples; `shows` is the verdict that they support if they pass.
    measured : what was found, in words, where charts do not say it.
    cause : why the verdict is not "holds"; `shown_by` names the charts and tests that support the cause.
    needed : where no cause was found, what was tried and what would be needed to find it.
    not_repeated : why there is no verdict.
    """

    figure: str
    claim: str = ""
    charts: tuple[Part, ...] = ()
    tests: tuple[str, ...] = ()
    shows: str = "holds"
    measured: str = ""
    cause: str = ""
    shown_by: tuple[str, ...] = ()
    needed: str = ""
    not_repeated: str = ""

    @property
    def causes(self) -> tuple[Part, ...]:
        """The charts that show the cause."""
        return tuple(Part.of_text(name) for name in self.shown_by if "::" not in name)


@dataclass(frozen=True)
class Source:
    """A file or folder of the data folder, and what is made of it for the experiments.

    path : where it is in the data folder; empty for files that the script generates.
    makes : the names of the files that experiments read.
    script : the script whose `main` makes them, of the source and the folder for the result; without one, the source
    itself gets the name that `makes` has.
    """

    path: str
    makes: tuple[str, ...]
    script: str = ""
    about: str = ""


@dataclass(frozen=True)
class Script:
    """An experiment that is a program: it is called with `arguments` and writes findings.json into {out}.

    arguments : {data} stands for the data folder, {out} for the folder of its results.
    quick, tiny : further arguments, for the quick version and for the tests, which leave out `causes` without them.
    """

    name: str
    file: str
    arguments: tuple[str, ...]
    quick: tuple[str, ...] = ()
    tiny: tuple[str, ...] = ()


@dataclass(frozen=True)
class Paper:
    """A paper with its rows; `quick` says how experiments are made small, by name, and ``size`` for all of them."""

    folder: Path
    paper: str
    title: str
    about: str = ""
    rows: tuple[Row, ...] = ()
    sources: tuple[Source, ...] = ()
    scripts: tuple[Script, ...] = ()
    quick: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def experiments(self) -> dict[str, Path]:
        """The experiment files, by their name without ending."""
        return {file.stem: file for file in sorted(self.folder.glob("*.toml")) if file.name != "figures.toml"}

    def needed_by(self, text: str) -> list[Source]:
        """The sources of the files that an experiment names."""
        return [source for source in self.sources if any(f'"{name}"' in text for name in source.makes)]


def read_papers(folder: Path = FOLDER) -> list[Paper]:
    """Every paper that declares its figures, by name."""
    return [read_paper(file.parent) for file in sorted(folder.glob("*/figures.toml"))]


def read_paper(folder: Path) -> Paper:
    """The declarations of one folder."""
    file = folder / "figures.toml"
    values = tomllib.loads(file.read_text(encoding="utf-8"))
    rows = tuple(_made(Row, file, row, charts=Part.of_text) for row in values.pop("figure", []))
    sources = tuple(_made(Source, file, source) for source in values.pop("source", []))
    scripts = tuple(_made(Script, file, script) for script in values.pop("script", []))
    paper: Paper = _made(
        Paper, file, {**values, "folder": folder, "rows": rows, "sources": sources, "scripts": scripts}
    )
    return paper


def _made(declared: Any, file: Path, values: Mapping[str, Any], **readers: Any) -> Any:
    known = {part.name for part in fields(declared)}
    if unknown := values.keys() - known:
        raise ValueError(f"{file}: {declared.__name__} has no field {sorted(unknown)[0]!r}")
    read = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    for name, reader in readers.items():
        if name in read:
            read[name] = tuple(map(reader, read[name]))
    return declared(**read)
