"""Measures as a text names them, with parameters where the defaults are not wanted: ``are:queries=500,largest=2``."""

from __future__ import annotations

from typing import Any

from sfumato.catalogue import MEASURES
from sfumato.errors import ParameterError, did_you_mean
from sfumato.params import Parameter

__all__ = ["measure_values"]


def measure_values(text: str) -> tuple[str, dict[str, Any]]:
    """The name of a measure and its parameters: a name, a colon, and parameters separated by commas.

    A comma inside a value belongs to it, as in ``ul:weights=flu=1,hiv=0.5``.

    >>> measure_values("patterns-preserved:statistic=median,projections=2000")
    ('patterns-preserved', {'statistic': 'median', 'projections': 2000})
    """
    name, given = _divided(text)
    declared = MEASURES.choose(name)
    parameters = {parameter.name: parameter for parameter in declared.parameters()}
    pairs = _pairs(name, given, parameters)
    return name, {key: parameters[key].parse(declared.__name__, value) for key, value in pairs}


def _divided(text: str) -> tuple[str, str | None]:
    """The name, which may be `module:Class`, and the parameters; None where there are none."""
    name, colon, rest = text.rpartition(":")
    return (name, rest) if colon and ("=" in rest or name in MEASURES) else (text, None)


def _pairs(name: str, given: str | None, parameters: dict[str, Parameter]) -> list[tuple[str, str]]:
    """The names of parameters and their values, as texts."""
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
