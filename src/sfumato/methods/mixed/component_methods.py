"""Methods as parameters of a method: which one groups the rows, which one recodes the items."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from sfumato.catalogue import METHODS, method_class
from sfumato.errors import ParameterError
from sfumato.methods.base import Method
from sfumato.params import JsonObject, Value, value_pairs

__all__ = ["ItemsPart", "Part", "TablePart"]


@dataclass(frozen=True)
class Part(Value):
    """A method by its name, with those of its parameters that were given.

    Written as a name, as a name with parameters (``coat:suppression=0.4``), as an object with `method` and parameters,
    or as the method itself.  What the method around it
    decides (k and allow_keys, or for items k, m and l) is left out, or must agree.
    """

    room: ClassVar[str]
    word: ClassVar[str]
    written: ClassVar[str]
    shared: ClassVar[tuple[str, ...]]

    method: str
    options: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The methods that fit: built-in ones of a room that say which record each published one was."""
        prefix = f"sfumato.methods.{cls.room}."
        return tuple(
            name for name, where in METHODS.built_in.items() if where.startswith(prefix) and method_class(name).traces
        )

    @classmethod
    def wanted(cls) -> str:
        return (
            f"a method for {cls.word} ({', '.join(cls.names())}), by name or with parameters as in "
            f"{cls.written}, or as an object"
        )

    @classmethod
    def examples(cls) -> tuple[str, ...]:
        return cls.names()

    @classmethod
    def read(cls, value: Any) -> Self | None:
        if isinstance(value, cls):
            return value
        if isinstance(value, Method):
            value = {"method": value.name, **value.to_json()}
        if isinstance(value, str) and value.lstrip().startswith("{"):
            try:
                value = json.loads(value)
            except json.JSONDecodeError:
                return None
        if isinstance(value, str):
            value = cls._of_text(value)
        if not isinstance(value, Mapping) or value.get("method") not in cls.names():
            return None
        parameters = {name: given for name, given in value.items() if name != "method"}
        return cls(str(value["method"]), ()).checked(parameters)

    @classmethod
    def _of_text(cls, text: str) -> JsonObject:
        """The object that a text such as ``coat:suppression=0.4`` stands for."""
        name, _, given = text.partition(":")
        if name not in cls.names():
            return {"method": name}
        declared = {parameter.name: parameter for parameter in method_class(name).parameters()}
        values: JsonObject = {"method": name}
        for key, value in value_pairs(name, given or None, declared):
            values[key] = declared[key].parse(name, value)
        return values

    def checked(self, parameters: Mapping[str, Any]) -> Self:
        """With these parameters, as the method reads them."""
        declared = method_class(self.method)
        known = {parameter.name: parameter for parameter in declared.parameters()}
        least = {name: known[name].at_least for name in self.shared if name in known and known[name].required}
        complete = declared.from_json({**least, **parameters}).to_json()
        kept = {
            name: complete[name]
            for name in sorted(parameters)
            if name in self.shared or complete[name] != known[name].default
        }
        return type(self)(self.method, tuple(kept.items()))

    def build(self, owner: str, **shared: Any) -> Any:
        """The method, with what the method around it decides."""
        declared = method_class(self.method)
        known = {parameter.name for parameter in declared.parameters()}
        given = dict(self.options)
        for name, value in shared.items():
            if given.get(name, value) != value:
                raise ParameterError(
                    f"{owner}: {name} of {self.method} must be that of the whole, {value}, got {given[name]}; "
                    "leave it out"
                )
        return declared.from_json({**given, **{name: value for name, value in shared.items() if name in known}})

    def bare(self) -> Self:
        """Without what the method around it decides."""
        return type(self)(self.method, tuple(pair for pair in self.options if pair[0] not in self.shared))

    def to_json(self) -> Any:
        return {"method": self.method, **dict(self.options)} if self.options else self.method

    def __str__(self) -> str:
        return self.method


@dataclass(frozen=True)
class TablePart(Part):
    """The method that groups the rows by their quasi-identifiers."""

    room: ClassVar[str] = "relational"
    word: ClassVar[str] = "tables"
    written: ClassVar[str] = "incognito:minimize=discernibility"
    shared: ClassVar[tuple[str, ...]] = ("k", "allow_keys")


@dataclass(frozen=True)
class ItemsPart(Part):
    """The method that recodes the items of a group; it must publish every record with items of its own."""

    room: ClassVar[str] = "transactions"
    word: ClassVar[str] = "sets of items"
    written: ClassVar[str] = "coat:suppression=0.4"
    shared: ClassVar[tuple[str, ...]] = ("k", "m", "l")
