"""Checks of the fields of a description: each refuses a value with one sentence that names class and field."""

from __future__ import annotations

import math
from typing import Any

from sfumato.errors import ParameterError, did_you_mean, either
from sfumato.semantics.queries.terms import is_iri

__all__ = [
    "require_choice",
    "require_choices",
    "require_iri",
    "require_number",
    "require_order",
    "require_text",
    "require_tuple",
]


def require_iri(owner: object, name: str, value: Any) -> None:
    if value is not None and not (isinstance(value, str) and is_iri(value)):
        raise ParameterError(f"{type(owner).__name__}: {name} must be an IRI")


def require_text(owner: object, name: str, value: Any) -> None:
    if value is not None and not (isinstance(value, str) and value):
        raise ParameterError(f"{type(owner).__name__}: {name} must be a text that is not empty")


def require_number(owner: object, name: str, value: Any, most: float = math.inf) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most or math.isinf(value):
        limit = "" if most == math.inf else f" and at most {most:g}"
        raise ParameterError(f"{type(owner).__name__}: {name} must be a number of at least 0{limit}")


def require_order(owner: object, low: str, high: str) -> None:
    least, most = getattr(owner, low), getattr(owner, high)
    if least is not None and most is not None and least > most:
        raise ParameterError(f"{type(owner).__name__}: {low} must be at most {high}")


def require_choice(owner: object, name: str, value: Any, choices: tuple[str, ...]) -> None:
    if value is not None and value not in choices:
        words = did_you_mean(str(value), choices) if isinstance(value, str) else either(list(choices))
        raise ParameterError(f"{type(owner).__name__}: {name} must be one of {', '.join(choices)}; {words}")


def require_choices(owner: object, name: str, choices: tuple[str, ...]) -> None:
    values = getattr(owner, name)
    if not isinstance(values, tuple):
        raise ParameterError(f"{type(owner).__name__}: {name} must be a tuple of texts")
    for value in values:
        require_choice(owner, name, value, choices)


def require_tuple(owner: object, name: str, kind: type) -> None:
    values = getattr(owner, name)
    if not isinstance(values, tuple) or not all(isinstance(value, kind) for value in values):
        raise ParameterError(f"{type(owner).__name__}: {name} must be a tuple of {kind.__name__}")
