"""What an experiment is: data, configurations, at most one varying parameter, repetitions, measures, charts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from sfumato.experiments.definition.file_tables import Data

__all__ = ["Better", "Chart", "Configuration", "Expectation", "Experiment", "Figure", "Vary", "pretty"]

Better = Literal["lower", "higher"]


@dataclass(frozen=True)
class Configuration:
    """A method with fixed parameters, under the name it has in results and charts.

    knowledge : a taxonomy and constraints of its own.
    constant : whether it lacks the varying parameter, and is the same at every value of it.
    """

    name: str
    method: str
    parameters: Mapping[str, Any]
    knowledge: Mapping[str, Any] = field(default_factory=dict)
    constant: bool = False


@dataclass(frozen=True)
class Vary:
    """The varying parameter: of every method (``k``), or of the data (``data.sample``)."""

    parameter: str
    values: tuple[Any, ...]
    label: str

    @property
    def of_data(self) -> bool:
        return self.parameter.startswith("data.")

    @property
    def field(self) -> str:
        return self.parameter.removeprefix("data.")


@dataclass(frozen=True)
class Figure:
    """A measure with its parameters, under the name it has in results and charts."""

    name: str
    measure: str
    parameters: Mapping[str, Any]
    title: str
    better: Better


@dataclass(frozen=True)
class Expectation:
    """What somebody claims about a chart; from `start` to `end` of the varying parameter where they are given."""

    kind: Literal["ordering", "equal", "monotone", "bounds"]
    configurations: tuple[str, ...]
    better: Better = "lower"
    factor: float = 1.0
    within: float = 0.0
    direction: Literal["rising", "falling"] = "rising"
    at_least: float | None = None
    at_most: float | None = None
    start: float | None = None
    end: float | None = None
    claim: str = ""


@dataclass(frozen=True)
class Chart:
    """A figure over the varying parameter, or over the configurations where nothing varies.

    of : the configurations that it shows; all of them if nothing.
    """

    title: str
    y: str
    label: str
    of: tuple[str, ...] = ()
    log_x: bool = False
    log_y: bool = False
    claim: str = ""
    expects: tuple[Expectation, ...] = ()


@dataclass(frozen=True)
class Experiment:
    """An experiment file, read and checked by `sfumato.experiments.definition.experiment_file.read_experiment`."""

    file: Path
    text: str
    title: str
    about: str
    data: Data
    configurations: tuple[Configuration, ...]
    vary: Vary | None
    seeds: tuple[int, ...]
    figures: tuple[Figure, ...]
    charts: tuple[Chart, ...]

    @property
    def settings(self) -> tuple[Any, ...]:
        """The values of the varying parameter; nothing stands for the one setting where nothing varies."""
        return (None,) if self.vary is None else self.vary.values

    @property
    def inputs(self) -> tuple[Path, ...]:
        """The files and directories that the runs read."""
        named: list[Any] = [*self.data.arguments.values(), *self.data.knowledge.values()]
        named += [v for c in self.configurations for v in (*c.parameters.values(), *c.knowledge.values())]
        named += [
            self.data.file,
            *self.data.options.values(),
            *(v for f in self.figures for v in f.parameters.values()),
        ]
        texts = (Path(value) for value in named if isinstance(value, str) and Path(value).is_absolute())
        return (*(value for value in named if isinstance(value, Path)), *(path for path in texts if path.exists()))

    @property
    def evaluates(self) -> bool:
        """Whether one configuration is examined by itself: SECRETA's Evaluation mode."""
        return self.vary is None and len(self.configurations) == 1


def pretty(number: float) -> str:
    """A number as people read it, four digits of it.

    >>> [pretty(number) for number in (18143.0, 4.7218, 0.000123456, 2.0)]
    ['18,143', '4.722', '0.0001235', '2']
    """
    return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:.4g}"
