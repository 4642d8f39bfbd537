"""A table of an experiment file: known fields, of known types; everything else is refused with the file's name."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sfumato.errors import FileError, did_you_mean, either

__all__ = ["REQUIRED", "Section", "toml_value"]

REQUIRED: Any = object()
_WORDS: dict[Any, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}


class Section:
    """One table, with its fields checked when they are asked for.

    >>> section = Section(Path("a.toml"), "[data]", {"fil": "x.csv"}, known=("file", "sample"))
    Traceback (most recent call last):
        ...
    sfumato.errors.FileError: a.toml: [data]: no field is called 'fil'; did you mean 'file'?
    """

    def __init__(self, file: Path, where: str, values: Any, known: Iterable[str]) -> None:
        self.file, self.where = file, where
        if not isinstance(values, Mapping):
            raise self.error(f"wanted a table, found {toml_value(values)}")
        self._values = values
        known = tuple(known)
        for name in values:
            if name not in known:
                raise self.error(f"no field is called {name!r}; {did_you_mean(name, known)}")

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def error(self, problem: str) -> FileError:
        return FileError(self.file, f"{self.where}: {problem}" if self.where else problem)

    def get(self, name: str, kind: type, default: Any = REQUIRED) -> Any:
        """The field, which must be of this type; a whole number is a number too."""
        if name not in self._values:
            if default is REQUIRED:
                raise self.error(f"{name} is required: {_WORDS[kind]}")
            return default
        value: Any = self._values[name]
        wanted: Any = (int, float) if kind is float else kind
        if not isinstance(value, wanted) or (isinstance(value, bool) and kind is not bool):
            raise self.error(f"{name} must be {_WORDS[kind]}, got {toml_value(value)}")
        if kind is float and not math.isfinite(value):
            raise self.error(f"{name} must be a number, got {value}")
        if kind is str and not value.strip():
            raise self.error(f"{name} must be a text, got an empty one")
        return value

    def value(self, name: str) -> Any:
        """The field as it is, where several types will do."""
        return self._values[name]

    def whole(self, name: str, default: Any = REQUIRED, at_least: int = 0) -> Any:
        """A whole number from here upwards."""
        value = self.get(name, int, default)
        if name in self._values and value < at_least:
            raise self.error(f"{name} must be a whole number of at least {at_least}, got {value}")
        return value

    def choice(self, name: str, choices: tuple[Any, ...], default: Any = REQUIRED) -> Any:
        """One of several words."""
        value = self.get(name, str, default)
        if name in self._values and value not in choices:
            raise self.error(f"{name} must be {either([repr(one) for one in choices])}, got {value!r}")
        return value

    def texts(self, name: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """A list of texts."""
        values = self.get(name, list, list(default))
        for value in values:
            if not isinstance(value, str):
                raise self.error(f"{name} must be a list of texts, found {toml_value(value)} in it")
        return tuple(values)

    def tables(self, name: str) -> list[Any]:
        """A list of tables; one table alone will do."""
        values = self._values.get(name, [])
        return [values] if isinstance(values, Mapping) else list(self.get(name, list, []))


def toml_value(value: Any) -> str:
    """A value as the file's author wrote it, cut short.

    >>> toml_value("x" * 100)[-5:], toml_value(True), toml_value({})
    ('xx...', 'true', 'a table')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping | list):
        return "a table" if isinstance(value, Mapping) else "a list"
    text = repr(value) if isinstance(value, str | int | float) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."
