"""Measures as the command line names them, with parameters where the defaults are not wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.catalogue import MEASURES
from sfumato.errors import ParameterError, did_you_mean

if TYPE_CHECKING:
    from sfumato.utility.base import Measure

__all__ = ["MEASURE_HELP", "read_measure"]

MEASURE_HELP = "with parameters as in are:queries=500,largest=2; may be given several times"


def read_measure(text: str, **defaults: str) -> Measure:
    """The measure that a text names: a name, a colon, and parameters separated by commas.

    A comma inside a value belongs to it, as in ``ul:weights=flu=1,hiv=0.5``.
    defaults : values of parameters that the text does not give, for measures that have them.

    >>> read_measure("patterns-preserved:statistic=median,projections=2000").projections
    2000
    >>> read_measure("kl:sizes=2")
    Traceback (most recent call last):
        ...
    sfumato.errors.ParameterError: kl: wanted parameter=value, found 'sizes=2'; known are largest, patterns, seed
    """
    name, given = _divided(text)
    declared = MEASURES.choose(name)
    parameters = {parameter.name: parameter for parameter in declared.parameters()}
    values: dict[str, Any] = {key: value for key, value in defaults.items() if key in parameters}
    for key, value in _pairs(name, given, parameters):
        values[key] = parameters[key].parse(declared.__name__, value)
    measure: Measure = declared(**values)
    return measure


def _divided(text: str) -> tuple[str, str | None]:
    """The name, which may be `module:Class`, and the parameters; None where there are none."""
    name, colon, rest = text.rpartition(":")
    return (name, rest) if colon and ("=" in rest or name in MEASURES) else (text, None)


def _pairs(name: str, given: str | None, parameters: dict[str, Any]) -> list[tuple[str, str]]:
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
