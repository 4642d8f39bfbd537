"""One declaration of a parameter: its check, command-line option, JSON value and documentation.

A class of parameters inherits from `Declared` and declares each one with `param`:

>>> @dataclass(frozen=True, kw_only=True)
... class Blur(Declared):
...     '''Soften an outline.'''
...     radius_m: float = param(250.0, above=0, help="how far the brush reaches, in metres")
>>> Blur(radius_m=0)
Traceback (most recent call last):
    ...
sfumato.errors.ParameterError: Blur: radius_m must be a number above 0, got 0
>>> Blur().to_json()
{'radius_m': 250.0}
>>> print(Blur.__doc__)
Soften an outline.
<BLANKLINE>
Parameters
----------
radius_m : a number above 0, default 250.0
    How far the brush reaches, in metres.
<BLANKLINE>
"""

import dataclasses
import functools
import inspect
import math
import numbers
import types
import typing
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, Self, TypeAlias

from sfumato.errors import ParameterError, did_you_mean

__all__ = ["Declared", "JsonObject", "Parameter", "Value", "exact", "param", "value_pairs"]

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object: texts, numbers, truths, None, lists and objects by name."""

_LARGEST = 2**63 - 1
_KEY = "sfumato"
_TYPE_WORDS = {int: "a whole number", float: "a number", bool: "true or false", str: "a text", Path: "a path"}


def exact(number: float) -> Fraction:
    """The fraction that a decimal parameter stands for: its digits as they are written, in every comparison.

    A certificate states these digits, so they are the promise: 0.3 is three tenths, and 0.3333333333333333 (what
    Python makes of 1/3) is a little less than a third.

    >>> exact(0.3), exact(0.05), exact(2)
    (Fraction(3, 10), Fraction(1, 20), Fraction(2, 1))
    >>> exact(1 / 3) < Fraction(1, 3)
    True
    """
    return Fraction(repr(float(number)))


class Value(ABC):
    """A parameter that is more than a number or a text, such as a method; its class says how it is written."""

    @classmethod
    @abstractmethod
    def wanted(cls) -> str:
        """What is accepted, in words."""

    @classmethod
    @abstractmethod
    def read(cls, value: Any) -> Self | None:
        """The value that a text or JSON value stands for; None if it is not one."""

    @classmethod
    @abstractmethod
    def examples(cls) -> tuple[Any, ...]:
        """Examples of accepted values."""

    @abstractmethod
    def to_json(self) -> Any:
        """The JSON value that `read` accepts."""


def param(
    default: Any = MISSING,
    *,
    help: str,
    at_least: float | None = None,
    at_most: float | None = None,
    above: float | None = None,
    below: float | None = None,
    choices: tuple[Any, ...] | None = None,
    or_word: str | None = None,
    grid: tuple[Any, ...] = (),
    stronger: Literal["higher", "lower"] | None = None,
) -> Any:
    """Declare a parameter of a `Declared` class; without a default it is required.

    or_word : a word that may stand in place of a number, such as ``auto``.
    grid : the values that `advise` tries.
    stronger : of a privacy model: whether a higher or a lower value is the stronger guarantee, which implies the other.
    """
    rules = {
        "help": help,
        "at_least": at_least,
        "at_most": at_most,
        "above": above,
        "below": below,
        "choices": choices,
        "or_word": or_word,
        "grid": grid,
        "stronger": stronger,
    }
    return field(default=default, metadata={_KEY: rules})


@dataclass(frozen=True)
class Parameter:
    """A declared parameter, for checks, options, forms and docs."""

    name: str
    type: type
    optional: bool
    default: Any
    help: str
    at_least: float | None
    at_most: float | None
    above: float | None
    below: float | None
    choices: tuple[Any, ...] | None
    or_word: str | None
    grid: tuple[Any, ...] = ()
    stronger: Literal["higher", "lower"] | None = None

    @property
    def required(self) -> bool:
        return self.default is MISSING

    @property
    def wanted(self) -> str:
        """The values that are accepted, in words."""
        if issubclass(self.type, Value):
            words = self.type.wanted()
        elif self.choices is not None:
            words = "one of " + ", ".join(repr(choice) for choice in self.choices)
        else:
            bounds = (
                ("of at least", self.at_least),
                ("above", self.above),
                ("and at most" if self._bounded_below else "of at most", self.at_most),
                ("and below" if self._bounded_below else "below", self.below),
            )
            words = " ".join(
                [_TYPE_WORDS[self.type], *(f"{word} {bound}" for word, bound in bounds if bound is not None)]
            )
        if self.or_word is not None:
            words += f", or {self.or_word!r}"
        return f"{words}, or None" if self.optional else words

    @property
    def _bounded_below(self) -> bool:
        return self.at_least is not None or self.above is not None

    def check(self, owner: str, value: Any) -> Any:
        """The value in its declared type, or a `ParameterError`."""
        if value is None and self.optional:
            return None
        if self.or_word is not None and value == self.or_word:
            return value
        try:
            converted = self._convert(value)
        except ParameterError as error:  # about a parameter of the value
            raise ParameterError(f"{owner}: {self.name}: {error}") from None
        if converted is None or not self._allowed(converted):
            raise ParameterError(f"{owner}: {self.name} must be {self.wanted}, got {_shown(value)}")
        if isinstance(converted, int) and abs(converted) > _LARGEST:
            raise ParameterError(
                f"{owner}: {self.name} must be {self.wanted} that fits into 64 bits, got {_shown(value)}"
            )
        return converted

    def parse(self, owner: str, text: str) -> Any:
        """The value that a text stands for, checked."""
        value: Any = text
        if self.type is bool and text.lower() in ("true", "false"):
            value = text.lower() == "true"
        elif self.type in (int, float):
            try:
                value = self.type(text)
            except ValueError:
                value = text
        return self.check(owner, value)

    def _convert(self, value: Any) -> Any:
        if issubclass(self.type, Value):
            return self.type.read(value)
        if self.type is bool:
            return value if isinstance(value, bool) else None
        if self.type is str:
            return value if isinstance(value, str) else None
        if self.type is Path:
            return Path(value) if isinstance(value, str | Path) and str(value).strip() else None
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            return None
        if self.type is int and isinstance(value, numbers.Integral):
            return int(value)  # not by way of float, which ends at 53 bits
        try:
            number = float(value)
        except OverflowError:
            return None
        if self.type is int:
            return int(number) if number.is_integer() else None
        return number if math.isfinite(number) else None

    def _allowed(self, value: Any) -> bool:
        if self.choices is not None:
            return value in self.choices
        return (
            (self.at_least is None or value >= self.at_least)
            and (self.at_most is None or value <= self.at_most)
            and (self.above is None or value > self.above)
            and (self.below is None or value < self.below)
        )


def value_pairs(name: str, given: str | None, parameters: Mapping[str, Parameter]) -> list[tuple[str, str]]:
    """The names of parameters and their values, as texts, from a text such as ``queries=500,largest=2``.

    A comma inside a value belongs to it, as in ``weights=flu=1,hiv=0.5``.
    """
    pairs: list[tuple[str, str]] = []
    for part in [] if given is None else given.split(","):
        key, equals, value = part.partition("=")
        key = key.strip().replace("-", "_")
        if equals and key in dict(pairs):
            raise ParameterError(f"{name}: wanted {key} once, found it twice")
        if equals and key in parameters:
            pairs.append((key, value))
        elif pairs and parameters[pairs[-1][0]].type is str and parameters[pairs[-1][0]].choices is None:
            pairs[-1] = (pairs[-1][0], f"{pairs[-1][1]},{part}")
        else:
            hint = did_you_mean(key, parameters) if parameters else "it has no parameters"
            hint = f"give {key} a value" if key in parameters else hint
            raise ParameterError(f"{name}: wanted parameter=value, found {part!r}; {hint}")
    return pairs


def _shown(value: Any) -> str:
    """A value in a sentence, shortened."""
    if isinstance(value, int) and abs(value) > _LARGEST:
        return "a larger one"
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:60]}..."


class Declared:
    """A frozen dataclass whose fields are declared with `param`."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        _document(cls)

    def __post_init__(self) -> None:
        for parameter in self.parameters():
            value = parameter.check(type(self).__name__, getattr(self, parameter.name))
            object.__setattr__(self, parameter.name, value)

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """The declared parameters, in order."""
        return _parameters(cls)  # type: ignore[arg-type]  # a class is hashable

    def to_json(self) -> JsonObject:
        """The parameters as JSON values."""
        values = {parameter.name: getattr(self, parameter.name) for parameter in self.parameters()}
        return {name: _json_value(value) for name, value in values.items()}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The same parameters again, checked."""
        known = {parameter.name: parameter for parameter in cls.parameters()}
        for name in values:
            if name not in known:
                hint = did_you_mean(name, known) if known else "it has none"
                raise ParameterError(f"{cls.__name__}: no parameter is called {name!r}; {hint}")
        for name, parameter in known.items():
            if parameter.required and name not in values:
                raise ParameterError(f"{cls.__name__}: {name} is required: {parameter.wanted}")
        return cls(**values)


def _json_value(value: Any) -> Any:
    if isinstance(value, Value):
        return value.to_json()
    return str(value) if isinstance(value, Path) else value


@functools.cache
def _parameters(cls: type) -> tuple[Parameter, ...]:
    hints = typing.get_type_hints(cls)  # slow: annotations are texts, and each is compiled
    return tuple(_parameter(name, hints[name], declared) for name, declared in _declarations(cls).items())


def _declarations(cls: type) -> dict[str, dataclasses.Field[Any]]:
    """Every field made by `param`, base classes first; works before @dataclass has run."""
    fields: dict[str, dataclasses.Field[Any]] = {}
    for klass in reversed(cls.__mro__):
        own = klass.__dict__.get("__dataclass_fields__", {})
        for name in inspect.get_annotations(klass):
            declared = own.get(name, klass.__dict__.get(name))
            if isinstance(declared, dataclasses.Field) and _KEY in declared.metadata:
                fields[name] = declared
    return fields


def _parameter(name: str, hint: Any, declared: dataclasses.Field[Any]) -> Parameter:
    optional = False
    if isinstance(hint, types.UnionType):
        optional = type(None) in typing.get_args(hint)
        hint = next(part for part in typing.get_args(hint) if part is not type(None))
    return Parameter(name=name, type=hint, optional=optional, default=declared.default, **declared.metadata[_KEY])


def _document(cls: type[Declared]) -> None:
    """Put the Parameters section into the docstring, after its summary and description."""
    declared = cls.parameters() if _declarations(cls) else ()
    if not declared or cls.__doc__ is None:
        return
    text = inspect.cleandoc(cls.__doc__)
    lines = ["Parameters", "----------"]
    for parameter in declared:
        default = "" if parameter.required else f", default {parameter.default}"
        sentence = parameter.help[0].upper() + parameter.help[1:]
        lines += [f"{parameter.name} : {parameter.wanted}{default}", f"    {sentence}."]
    before, heading, after = text, "", ""
    for section in ("Notes", "References", "Examples"):
        title = f"\n\n{section}\n{'-' * len(section)}\n"
        if title in text:
            before, heading, after = text.partition(title)
            break
    cls.__doc__ = before + "\n\n" + "\n".join(lines) + "\n" + heading.removeprefix("\n") + after
