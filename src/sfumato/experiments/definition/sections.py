"""The base of every table of an experiment file: fields declared with `param`, checked, written as JSON.

A table inherits from `Section`.  `read_section` reads it from a file, and each refusal names the file, the table and
the field.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from sfumato.errors import FileError, ParameterError, did_you_mean, either
from sfumato.params import Declared, Parameter, Value
from sfumato.remedies import keep_remedy

__all__ = ["Section", "SectionError", "read_section", "toml_value"]


class SectionError(ParameterError):
    """A field that cannot be used; `tables` are the names of the tables around it, outermost first."""

    def __init__(self, problem: str, *tables: str) -> None:
        super().__init__(": ".join([", ".join(tables), problem]) if tables else problem)
        self.problem, self.tables = problem, tables

    def inside(self, table: str) -> SectionError:
        return SectionError(self.problem, table, *self.tables)


class Section(Declared, Value):
    """A frozen dataclass of declared fields.

    spelled : how the file spells a field whose name Python does not allow.

    >>> from dataclasses import dataclass
    >>> from sfumato.params import param
    >>> @dataclass(frozen=True, kw_only=True)
    ... class Source(Section):
    ...     file: Path = param(help="the records")
    >>> Source.from_json({"fil": "x.csv"})
    Traceback (most recent call last):
        ...
    sfumato.experiments.definition.sections.SectionError: no field is called 'fil'; did you mean 'file'?
    >>> Source.from_json({"file": "x.csv"}).to_json()
    {'file': 'x.csv'}
    """

    spelled: ClassVar[Mapping[str, str]] = {}

    @classmethod
    def wanted(cls) -> str:
        return "a table"

    @classmethod
    def examples(cls) -> tuple[Any, ...]:
        return ()

    @classmethod
    def read(cls, value: Any) -> Self | None:
        if isinstance(value, cls):
            return value
        return cls.from_json(value) if isinstance(value, Mapping) else None

    @classmethod
    def field_names(cls) -> tuple[str, ...]:
        """The fields as a file spells them."""
        return tuple(cls.spelled.get(parameter.name, parameter.name) for parameter in cls.parameters())

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The section with these fields, each checked."""
        if not isinstance(values, Mapping):
            raise SectionError(f"wanted a table, found {toml_value(values)}")
        declared = dict(zip(cls.field_names(), cls.parameters(), strict=True))
        for name in values:
            if name not in declared:
                raise SectionError(f"no field is called {name!r}; {did_you_mean(name, declared)}")
        given = {}
        for name, parameter in declared.items():
            if name in values:
                given[parameter.name] = _checked(name, parameter, values[name])
            elif parameter.required:
                raise SectionError(f"{name} is required: {_words(parameter)}")
        return cls(**given)

    def to_json(self) -> dict[str, Any]:
        return {self.spelled.get(name, name): value for name, value in super().to_json().items()}

    def beside(self, folder: Path) -> Self:
        """The same section, with its paths taken from this folder."""
        values = {parameter.name: getattr(self, parameter.name) for parameter in self.parameters()}
        moved = {name: folder / value for name, value in values.items() if isinstance(value, Path)}
        moved |= {name: value.beside(folder) for name, value in values.items() if hasattr(value, "beside")}
        return replace(self, **moved) if moved else self  # type: ignore[type-var]  # subclasses are dataclasses

    def require_defaults(self, names: tuple[str, ...], why: str) -> None:
        """Refuse these fields where they are given."""
        defaults = {parameter.name: parameter.default for parameter in self.parameters()}
        for name in names:
            if getattr(self, name) != defaults[name]:
                raise SectionError(f"{self.spelled.get(name, name)} {why}; leave it out")


def _checked(name: str, parameter: Parameter, value: Any) -> Any:
    if value is None and parameter.optional:
        return None
    try:
        if issubclass(parameter.type, Value):
            read = parameter.type.read(value)
            if read is None:
                raise ParameterError("another type")
            return read
        if parameter.type is str and isinstance(value, str) and not value.strip():
            raise SectionError(f"{name} must be {_words(parameter)}, got an empty one")
        return parameter.check("", value)
    except SectionError as error:
        raise error.inside(name) if issubclass(parameter.type, Value) else error from None
    except ParameterError:
        raise SectionError(f"{name} must be {_words(parameter)}, got {toml_value(value)}") from None


def _words(parameter: Parameter) -> str:
    """What a file may say: a field is there with a value or left out, it is never None."""
    if parameter.choices is not None:
        return either([repr(choice) for choice in parameter.choices])
    return replace(parameter, optional=False).wanted


SectionT = TypeVar("SectionT", bound=Section)


def read_section(declared: type[SectionT], file: Path, where: str, values: Any) -> SectionT:
    """A table of an experiment file; files are looked up beside it."""
    try:
        return declared.from_json(values).beside(file.parent)
    except SectionError as error:
        place = ", ".join(filter(None, (where, *error.tables)))
        problem = keep_remedy(f"{place}: {error.problem}", error.problem) if place else error.problem
        raise FileError(file, problem) from None


def toml_value(value: Any) -> str:
    """A value as the file's author wrote it, cut short.

    >>> toml_value("x" * 100)[-5:], toml_value(True), toml_value({}), toml_value([1, "a"])
    ('xx...', 'true', 'a table', "[1, 'a']")
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "a table"
    text = repr(value) if isinstance(value, str | int | float | list) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."
