"""What an experiment is: data, configurations, at most one varying parameter, repetitions, measures, charts.

One configuration by itself, or several of them: the two modes of G. Poulis, A. Gkoulalas-Divanis, G. Loukides,
S. Skiadopoulos, C. Tryfonopoulos, "SECRETA: a system for evaluating and comparing relational and transaction
anonymization algorithms", EDBT 2014.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from sfumato.experiments.definition.file_tables import Data
from sfumato.experiments.definition.knowledge_sources import HIERARCHIES

__all__ = ["Better", "Chart", "Configuration", "Expectation", "Experiment", "Figure", "Vary", "pretty"]

Better = Literal["lower", "higher"]


@dataclass(frozen=True)
class Configuration:
    """A method with fixed parameters, under the name it has in results and charts.

    knowledge : side knowledge of its own (a taxonomy, hierarchies, constraints), and the policies that it keeps.
    promises : further promises that its releases must keep, as texts such as l-diversity:l=3.
    sources : by name, the side knowledge that it uses, its own or that of the data, as the file spells it.
    constant : whether it lacks the varying parameter, and is the same at every value of it.
    """

    name: str
    method: str
    parameters: Mapping[str, Any]
    knowledge: Mapping[str, Any] = field(default_factory=dict)
    constant: bool = False
    sources: Mapping[str, str] = field(default_factory=dict)
    promises: tuple[str, ...] = ()

    @property
    def own_hierarchies(self) -> dict[str, Any]:
        """The taxonomy and the hierarchies that it does not share with the data."""
        return {name: source for name, source in self.knowledge.items() if name in HIERARCHIES}


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
    """A measure with its parameters, under the name it has in results and charts.

    hierarchy : whose hierarchy it is computed with, "experiment" or "configuration".
    seeded_by : where its seed comes from, "parameters" or "repetition".
    """

    name: str
    measure: str
    parameters: Mapping[str, Any]
    title: str
    better: str  # as the measure declares it
    hierarchy: str = "experiment"
    seeded_by: str = "parameters"

    def parameters_for(self, seed: int) -> dict[str, Any]:
        """Its parameters in the repetition with this seed."""
        return {**self.parameters, **({"seed": seed} if self.seeded_by == "repetition" else {})}


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
    def measured_with(self) -> dict[str, Any]:
        """The hierarchies of figures where the data have none: those that all configurations with any share."""
        shared: dict[str, Any] = {}
        for name in HIERARCHIES:
            own = [c.own_hierarchies[name] for c in self.configurations if name in c.own_hierarchies]
            if own and getattr(self.data, name) is None and all(source == own[0] for source in own):
                shared[name] = own[0]
        return shared

    @property
    def settings(self) -> tuple[Any, ...]:
        """The values of the varying parameter; nothing stands for the one setting where nothing varies."""
        return (None,) if self.vary is None else self.vary.values

    @property
    def inputs(self) -> tuple[Path, ...]:
        """The files and directories that the runs read."""
        named: list[Any] = [*self.data.arguments.values(), *self.data.knowledge.values(), *self.data.policies.values()]
        named += [v for c in self.configurations for v in (*c.parameters.values(), *c.knowledge.values())]
        named += [
            self.data.file,
            *self.data.options.values(),
            *(v for f in self.figures for v in f.parameters.values()),
        ]
        named += [part for value in named if isinstance(value, Mapping) for part in value.values()]
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
