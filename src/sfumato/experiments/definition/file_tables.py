"""The tables of an experiment file: each field is declared once, for its check, the documentation and forms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, ClassVar

from sfumato.experiments.definition.field_types import Fields, Items, Tables, TextFields, Texts, Values, WholeNumbers
from sfumato.experiments.definition.knowledge_sources import POLICIES, Known, Sensitive
from sfumato.experiments.definition.sections import Section, SectionError
from sfumato.params import param

__all__ = ["ConfigurationTable", "Data", "ExperimentTable", "MeasureTable", "VaryTable"]

_MOST_VALUES = 1_000
_PATHS = ("places", "network", "nodes", "workplaces")
_READING = ("missing", "dates", "sheet")
_TRUTHS = ("split_jumps", "typed")  # an option only where it is true
_OF_FILE = (
    *("kind", "columns", "person", "items", "quasi_identifiers", "hierarchies", "directed"),
    *(*_READING, *_PATHS, *_TRUTHS),
)
_ARGUMENTS = {"arguments": "parameters"}  # Declared.parameters() are the declarations


@dataclass(frozen=True, kw_only=True)
class ExperimentTable(Section):
    """The top of the file."""

    title: str = param(help="the heading of the report")
    about: str = param("", help="a paragraph under the heading")
    data: Fields = param(help="where the records come from")
    configuration: Tables = param(Tables(), help="what is compared")
    vary: Fields | None = param(None, help="the varying parameter")
    repetitions: int | None = param(None, at_least=1, help="how often each run is repeated; 3 times without it")
    seed: int | None = param(None, at_least=0, help="the seed of the first repetition; 1 without it")
    seeds: WholeNumbers | None = param(None, help="the seeds of the repetitions, one by one")
    measures: Items = param(Items(), help="measures by name, or as tables")
    chart: Tables | None = param(None, help="what is drawn; every measure and the seconds without it")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.seeds is not None:
            self.require_defaults(("seed", "repetitions"), "cannot stand beside seeds")
            if len(set(self.seeds)) < len(self.seeds):
                raise SectionError("seeds must differ from each other, found one twice")

    @property
    def all_seeds(self) -> tuple[int, ...]:
        """One seed for each repetition."""
        first = 1 if self.seed is None else self.seed
        return tuple(self.seeds or range(first, first + (self.repetitions or 3)))


@dataclass(frozen=True, kw_only=True)
class Data(Known):
    """Where the records come from: a file with its options, or a generator with its parameters."""

    spelled: ClassVar[Mapping[str, str]] = _ARGUMENTS

    file: Path | None = param(None, help="the file of the records")
    kind: str | None = param(None, help="the kind of the data, where the file could be of several")
    columns: TextFields = param(TextFields(), help="the column of each role")
    person: str | None = param(None, help="the column of the person")
    places: Path | None = param(None, help="the file of the places")
    items: str | None = param(None, help="the column of the items")
    quasi_identifiers: Texts = param(Texts(), help="the columns that are quasi-identifiers")
    sensitive: Sensitive = param(Sensitive(), help="sensitive columns or items, or random locations")
    missing: Texts | None = param(None, help="texts that stand for a missing value; the usual ones without it")
    dates: str | None = param(None, help="how dates are read: month, week, day-first, month-first or text")
    sheet: str | None = param(None, help="the sheet of a workbook; the first one without it")
    typed: bool = param(False, help="whether the columns of a Parquet file keep their types, and texts stay texts")
    network: Path | None = param(None, help="the folder of the road network")
    split_jumps: bool = param(False, help="whether a trajectory is split where a road does not continue the one before")
    workplaces: Path | None = param(None, help="the file of the workplaces, the places of each employee's owner")
    nodes: Path | None = param(None, help="the file of a graph's nodes")
    directed: bool = param(False, help="whether a graph has directions")
    generate: str | None = param(None, help="the name of a generator")
    arguments: Fields = param(Fields(), help="the parameters of the generator")
    seed: int | None = param(None, at_least=0, help="the generator's seed; each repetition has its own without it")
    sample: int | None = param(None, at_least=1, help="how many records are drawn at random by the repetition's seed")

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.file is None) == (self.generate is None):
            both = "both" if self.file is not None else "neither"
            raise SectionError(f"wanted one of file and generate, found {both}")
        if self.file is not None:
            self.require_defaults(("arguments", "seed"), "belongs to generate, not to a file")
            if self.typed and self.file.suffix.lower() != ".parquet":
                raise SectionError("typed belongs to a Parquet file; leave it out")
            return
        self.require_defaults(_OF_FILE, "belongs to a file, not to generate")
        if self.sensitive.drawn is None:
            self.require_defaults(("sensitive",), "belongs to a file, not to generate")

    @property
    def about(self) -> str:
        return self.file.name if self.file is not None else f"generated: {self.generate}"

    @property
    def options(self) -> dict[str, Any]:
        """How the file is read."""
        if self.file is None:
            return {}
        paths = {name: getattr(self, name) for name in _PATHS if getattr(self, name) is not None}
        reading = {name: getattr(self, name) for name in _READING if getattr(self, name) is not None}
        truths = {name: True for name in _TRUTHS if getattr(self, name)}
        hierarchies = {} if self.hierarchies is None else {"hierarchies": self.hierarchies.meaning}
        return {
            "kind": self.kind,
            "columns": {**self.columns, **({} if self.person is None else {"person": self.person})},
            "items": self.items,
            "quasi_identifiers": tuple(self.quasi_identifiers),
            "sensitive": tuple(self.sensitive.names),
            "directed": self.directed,
            **truths,
            **hierarchies,
            **paths,
            **{name: tuple(value) if name == "missing" else value for name, value in reading.items()},
            **{name: source for name, source in self._lasting.items() if isinstance(source, Path)},
        }

    @property
    def policies(self) -> dict[str, Any]:
        """The policies by name; they belong to the records that are sampled, as a rule may count them."""
        return {name: source for name, source in super().knowledge.items() if name in POLICIES}

    @property
    def _lasting(self) -> dict[str, Any]:
        """What every sample shares."""
        return {name: source for name, source in super().knowledge.items() if name not in POLICIES}

    @property
    def knowledge(self) -> dict[str, Any]:
        """What is added to the records after they are read or generated."""
        added = {name: source for name, source in self._lasting.items() if name not in self.options}
        return added if self.sensitive.drawn is None else {**added, "sensitive": self.sensitive.drawn.to_json()}

    def generated(self, arguments: Mapping[str, Any], seed: int | None) -> Data:
        """The same source with these parameters and this seed of the generator; a file stays as it is."""
        if self.generate is None:
            return self
        return replace(self, arguments=Fields({**self.arguments, **arguments}), seed=seed)


@dataclass(frozen=True, kw_only=True)
class ConfigurationTable(Known):
    """A method or a miner with its parameters."""

    spelled: ClassVar[Mapping[str, str]] = _ARGUMENTS

    name: str | None = param(None, help="the name in results and charts; the method's without it")
    method: str | None = param(None, help="the name of a method")
    miner: str | None = param(None, help="the name of a miner of graphs")
    arguments: Fields = param(Fields(), help="its parameters")
    promises: Texts = param(Texts(), help="further promises that its releases must keep, such as l-diversity:l=3")
    constant: bool = param(False, help="whether it lacks the varying parameter and is drawn as a horizontal line")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.method is not None and self.miner is not None:
            raise SectionError("wanted one of method and miner, found both")
        if self.method is None and self.miner is None:
            raise SectionError("method is required: a text")


@dataclass(frozen=True, kw_only=True)
class MeasureTable(Section):
    """A measure with its parameters."""

    spelled: ClassVar[Mapping[str, str]] = _ARGUMENTS

    measure: str = param(help="the name of a measure")
    name: str | None = param(None, help="the name in results and charts; the measure's without it")
    arguments: Fields = param(Fields(), help="its parameters")
    hierarchy: str = param(
        "experiment",
        choices=("experiment", "configuration"),
        help="whose hierarchy it is computed with: that of the experiment, or each configuration's own",
    )
    seeded_by: str = param(
        "parameters",
        choices=("parameters", "repetition"),
        help="where its seed comes from: its parameters, or the seed of each repetition",
    )

    @property
    def label(self) -> str:
        """Its name in results and charts."""
        return self.name or self.measure


@dataclass(frozen=True, kw_only=True)
class VaryTable(Section):
    """The varying parameter: its values, or the range in which they lie."""

    parameter: str = param(help="a parameter of every configuration, or of the data, such as data.sample")
    values: Values | None = param(None, help="its values, one by one")
    start: float | None = param(None, help="the first value")
    end: float | None = param(None, help="the value that is not exceeded")
    step: float | None = param(None, help="the distance between two values")
    label: str | None = param(None, help="its name in charts")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.values is not None:
            self.require_defaults(("start", "end", "step"), "cannot stand beside values")
        if len(set(self.all_values)) < len(self.all_values):
            raise SectionError("values must differ from each other, found one twice")

    @property
    def all_values(self) -> tuple[Any, ...]:
        """Every value; whole numbers become decimal ones where one value is decimal."""
        values = self._range() if self.values is None else list(self.values)
        return tuple(map(float, values) if {type(value) for value in values} == {int, float} else values)

    def _range(self) -> list[Any]:
        for name in ("start", "end", "step"):
            if getattr(self, name) is None:
                raise SectionError(f"{name} is required: a number")
        start, end, step = (Decimal(str(number)) for number in (self.start, self.end, self.step))
        if step == 0 or (end - start) / step < 0:
            raise SectionError(f"step must lead from start to end, got {self.step:g}")
        if (end - start) / step > _MOST_VALUES:
            raise SectionError(f"wanted at most {_MOST_VALUES:,} values, found more; choose a larger step")
        values = [start + step * index for index in range(int((end - start) / step) + 1)]
        return [int(value) if value == int(value) else float(value) for value in values]
