"""Side knowledge of an experiment's data, as its file declares it: a file, or a table to build it by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from sfumato.errors import ParameterError
from sfumato.experiments.definition.field_types import Texts
from sfumato.experiments.definition.sections import Section, SectionError
from sfumato.params import Value, param
from sfumato.prepare.policies import RULES, Which, is_rule, require_rule

__all__ = [
    "HIERARCHIES",
    "POLICIES",
    "SOURCES",
    "BalancedTree",
    "ConsecutiveParts",
    "ConstraintsSource",
    "HierarchiesSource",
    "Known",
    "PrivacySource",
    "RandomFlags",
    "Sensitive",
    "TaxonomySource",
    "UtilitySource",
    "source_name",
]

POLICIES = ("privacy_policy", "utility_policy")
HIERARCHIES = ("taxonomy", "hierarchies")
SOURCES = (*POLICIES, *HIERARCHIES, "constraints")


def source_name(source: Any, folder: Path) -> str:
    """Side knowledge as an experiment file in this folder spells it.

    >>> source_name(Path("study/tree.csv"), Path("study")), source_name({"fanout": 5, "shuffled": 1}, Path())
    ('tree.csv', 'fanout=5, shuffled=1')
    """
    if isinstance(source, Mapping):
        return ", ".join(f"{name}={source_name(value, folder)}" for name, value in source.items())
    if isinstance(source, Path) and source.is_relative_to(folder):
        return source.relative_to(folder).as_posix()
    return str(source)


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
class HierarchiesSource(Value):
    """The folder of the hierarchies, or the file of each column's hierarchy."""

    meaning: Path | dict[str, Path]

    @classmethod
    def wanted(cls) -> str:
        return "a folder or a table of files by column"

    @classmethod
    def examples(cls) -> tuple[Any, ...]:
        return ()

    @classmethod
    def read(cls, value: Any) -> Self | None:
        if isinstance(value, cls):
            return value
        if isinstance(value, str | Path) and str(value).strip():
            return cls(Path(value))
        if not isinstance(value, Mapping) or not value:
            return None
        if not all(isinstance(file, str | Path) and str(file).strip() for file in value.values()):
            return None
        return cls({str(column): Path(file) for column, file in value.items()})

    def to_json(self) -> Any:
        if isinstance(self.meaning, Path):
            return str(self.meaning)
        return {column: str(file) for column, file in self.meaning.items()}

    def beside(self, folder: Path) -> Self:
        if isinstance(self.meaning, Path):
            return replace(self, meaning=folder / self.meaning)
        return replace(self, meaning={column: folder / file for column, file in self.meaning.items()})

    def __hash__(self) -> int:
        return hash(str(self.to_json()))


@dataclass(frozen=True)
class _PolicySource(Value):
    """A file, or a rule that makes the policy from the data or from their hierarchy."""

    which: ClassVar[Which]
    meaning: Path | str

    @classmethod
    def wanted(cls) -> str:
        rules = (":".join((name, *numbers)) for name, numbers in RULES[cls.which].items())
        return f"a file, or a rule ({', '.join(rules)})"

    @classmethod
    def examples(cls) -> tuple[Any, ...]:
        return ()

    @classmethod
    def read(cls, value: Any) -> Self | None:
        if isinstance(value, cls):
            return value
        if not isinstance(value, str | Path) or not str(value).strip():
            return None
        if isinstance(value, Path) or not is_rule(cls.which, value):
            return cls(Path(value))
        try:
            require_rule(cls.which, value)
        except ParameterError as error:
            raise SectionError(str(error)) from None
        return cls(value)

    def to_json(self) -> Any:
        return str(self.meaning)

    def beside(self, folder: Path) -> Self:
        return self if isinstance(self.meaning, str) else replace(self, meaning=folder / self.meaning)


class PrivacySource(_PolicySource):
    """A privacy policy."""

    which = "privacy"


class UtilitySource(_PolicySource):
    """A utility policy."""

    which = "utility"


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
    """What is known beside the records."""

    taxonomy: TaxonomySource | None = param(None, help="the taxonomy of locations or items")
    hierarchies: HierarchiesSource | None = param(
        None, help="the folder of the hierarchies, or the file of each column as { age = 'age.csv' }"
    )
    constraints: ConstraintsSource | None = param(None, help="which locations may share a label")
    privacy_policy: PrivacySource | None = param(None, help="the sets of items to protect, as a file or a rule")
    utility_policy: UtilitySource | None = param(None, help="the items that may share a label, as a file or a rule")

    @property
    def knowledge(self) -> dict[str, Any]:
        """What is given, by name: each a path, a rule, or the fields to build it by; policies come last."""
        sources: dict[str, _Source | _PolicySource | None] = {
            "taxonomy": self.taxonomy,
            "constraints": self.constraints,
            "privacy_policy": self.privacy_policy,
            "utility_policy": self.utility_policy,
        }
        given = {name: source.meaning for name, source in sources.items() if source is not None}
        return given if self.hierarchies is None else {"hierarchies": self.hierarchies.meaning, **given}


def _fields_of(table: Section | None) -> dict[str, Any]:
    fields = {} if table is None else table.to_json()
    return {name: value for name, value in fields.items() if value is not None}
