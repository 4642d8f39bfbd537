"""Side knowledge of an experiment's data, as its file declares it: a file, or a table to build it by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from sfumato.experiments.definition.field_types import Texts
from sfumato.experiments.definition.sections import Section
from sfumato.params import Value, param

__all__ = [
    "BalancedTree",
    "ConsecutiveParts",
    "ConstraintsSource",
    "Known",
    "RandomFlags",
    "Sensitive",
    "TaxonomySource",
]


@dataclass(frozen=True, kw_only=True)
class BalancedTree(Section):
    """A balanced taxonomy over the locations."""

    fanout: int = param(at_least=2, help="the most children of a node")
    shuffled: int | None = param(None, at_least=0, help="the seed of a random order; in name order without it")


@dataclass(frozen=True, kw_only=True)
class ConsecutiveParts(Section):
    """Constraints that cut the locations into consecutive parts."""

    parts: int = param(at_least=1, help="how many parts of nearly equal size")


@dataclass(frozen=True, kw_only=True)
class RandomFlags(Section):
    """Locations that are flagged as sensitive at random."""

    random: int = param(at_least=1, help="how many locations")
    seed: int = param(0, at_least=0, help="the seed that draws them")


@dataclass(frozen=True)
class _Source(Value):
    """A file, or the table to build it by."""

    build: ClassVar[type[Section]]
    file: Path | None = None
    table: Section | None = None

    @classmethod
    def wanted(cls) -> str:
        return f"a file or {{ {cls.build.field_names()[0]} = ... }}"

    @classmethod
    def examples(cls) -> tuple[Any, ...]:
        return ()

    @classmethod
    def read(cls, value: Any) -> Self | None:
        if isinstance(value, cls):
            return value
        if isinstance(value, str | Path) and str(value).strip():
            return cls(file=Path(value))
        return cls(table=cls.build.from_json(value)) if isinstance(value, Mapping) else None

    def to_json(self) -> Any:
        return str(self.file) if self.table is None else _fields_of(self.table)

    def beside(self, folder: Path) -> Self:
        return self if self.file is None else replace(self, file=folder / self.file)

    @property
    def meaning(self) -> Path | dict[str, Any]:
        """The file, or the fields of the table that are given."""
        return self.file if self.file is not None else _fields_of(self.table)


class TaxonomySource(_Source):
    """A taxonomy."""

    build = BalancedTree


class ConstraintsSource(_Source):
    """Utility constraints."""

    build = ConsecutiveParts


@dataclass(frozen=True)
class Sensitive(Value):
    """What is sensitive: columns or items by name, or locations at random."""

    names: Texts = Texts()
    drawn: RandomFlags | None = None

    @classmethod
    def wanted(cls) -> str:
        return "a list of texts or { random = ... }"

    @classmethod
    def examples(cls) -> tuple[Any, ...]:
        return ()

    @classmethod
    def read(cls, value: Any) -> Self | None:
        if isinstance(value, cls):
            return value
        if isinstance(value, Mapping):
            return cls(drawn=RandomFlags.from_json(value))
        names = Texts.read(value)
        return None if names is None else cls(names)

    def to_json(self) -> Any:
        return self.names.to_json() if self.drawn is None else self.drawn.to_json()


@dataclass(frozen=True, kw_only=True)
class Known(Section):
    """What is known of the locations beside the records."""

    taxonomy: TaxonomySource | None = param(None, help="the taxonomy of locations or items")
    constraints: ConstraintsSource | None = param(None, help="which locations may share a label")

    @property
    def knowledge(self) -> dict[str, Any]:
        """The taxonomy and the constraints by name: each a path, or the fields to build it by."""
        sources = {"taxonomy": self.taxonomy, "constraints": self.constraints}
        return {name: source.meaning for name, source in sources.items() if source is not None}


def _fields_of(table: Section | None) -> dict[str, Any]:
    fields = {} if table is None else table.to_json()
    return {name: value for name, value in fields.items() if value is not None}
