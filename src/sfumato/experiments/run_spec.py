"""What one run is: a dataset, a method or miner with its parameters, a seed, measures and limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

from sfumato.catalogue import GENERATORS, MEASURES
from sfumato.errors import ParameterError
from sfumato.experiments.definition.data_sources import digest
from sfumato.experiments.definition.field_types import Fields, Items, Texts
from sfumato.experiments.definition.file_tables import Data, MeasureTable
from sfumato.experiments.definition.knowledge_sources import Known
from sfumato.experiments.definition.sections import Section, SectionError
from sfumato.experiments.miners import subject_class
from sfumato.methods.preparation_texts import step_of_text
from sfumato.methods.promise_texts import promise_of_text
from sfumato.params import param

__all__ = ["Measures", "RunSpec"]


class Measures(Items):
    """A list of measures with their parameters."""

    words = "a list of measures"

    @classmethod
    def read(cls, value: Any) -> Self | None:
        if not isinstance(value, list | tuple):
            return None
        tables = [MeasureTable.read(item) for item in value]
        return None if None in tables else cls(tables)

    def to_json(self) -> list[Any]:
        return [table.to_json() for table in self]


@dataclass(frozen=True, kw_only=True)
class RunSpec(Section):
    """One run, in JSON values: compare, advise and every other caller hand it to a process of its own.

    Examples
    --------
    >>> spec = RunSpec(dataset="walks", method="seqanon", arguments={"k": 2, "m": 1}, limit_s=60)
    >>> RunSpec.from_json(spec.to_json()) == spec
    True
    >>> RunSpec(dataset="walks", method="seqanon", arguments={"k": 1, "m": 1})
    Traceback (most recent call last):
        ...
    sfumato.errors.ParameterError: SeqAnon: k must be a whole number of at least 2, got 1
    """

    spelled: ClassVar[Mapping[str, str]] = {"arguments": "parameters"}

    data: Data | None = param(None, help="where the records come from")
    dataset: str | None = param(None, help="the name of a dataset in memory that the runner is given, in place of data")
    sample: int | None = param(None, at_least=1, help="how many of the records are drawn at random by the seed")
    method: str = param(help="the name of a method or of a miner")
    arguments: Fields = param(Fields(), help="the parameters of the method")
    knowledge: Known = param(Known(), help="side knowledge of this run: a taxonomy, hierarchies, constraints, policies")
    measured_with: Known | None = param(
        None, help="the hierarchies that measures read in place of this run's own, so that runs can be compared"
    )
    preparation: Texts = param(
        Texts(), help="what is done to the records before the method runs, such as grid:cells=20"
    )
    seed: int = param(0, at_least=0, help="the seed of the method and of the sample")
    promises: Texts = param(Texts(), help="further promises that the release must keep, such as l-diversity:l=3")
    measures: Measures = param(Measures(), help="the measures that are taken of the release")
    release: Path | None = param(None, help="the directory in which the release is kept")
    limit_s: float | None = param(None, at_least=0, help="the seconds after which the run is stopped")
    limit_mb: float | None = param(None, above=0, help="the megabytes of memory above which the run is stopped")

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.data is None) == (self.dataset is None):
            both = "both" if self.data is not None else "neither"
            raise SectionError(f"RunSpec: wanted one of data and dataset, found {both}")
        if self.data is not None and self.data.sample is not None:
            raise SectionError("RunSpec: sample belongs to the run; leave it out of data")
        if self.data is not None and self.data.generate is not None:
            GENERATORS.choose(self.data.generate).from_json(self.data.arguments)
        subject_class(self.method).from_json(self.arguments)
        for promise in self.promises:
            promise_of_text(promise)
        for step in self.preparation:
            step_of_text(step)
        names = [measure.label for measure in self.measures]
        if len(set(names)) < len(names):
            raise ParameterError("RunSpec: measures must have different names, found one twice")
        for measure in self.measures:
            MEASURES.choose(measure.measure).from_json(measure.arguments)

    @property
    def is_private(self) -> bool:
        """Whether the records are somebody's, and not generated."""
        return self.data is None or self.data.file is not None

    @property
    def source(self) -> str:
        """A name of the records before sampling; runs on the same records share it."""
        return self.dataset or digest(None if self.data is None else self.data.to_json())
