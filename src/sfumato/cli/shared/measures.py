"""Measures as the command line names them, with parameters where the defaults are not wanted."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from sfumato.catalogue import MEASURES
from sfumato.errors import ParameterError, did_you_mean

if TYPE_CHECKING:
    from sfumato.utility.base import Measure

__all__ = ["MEASURE_HELP", "read_measure"]

MEASURE_HELP = 'with parameters in quotes: "NAME parameter=value ..."; may be given several times'


def read_measure(text: str, **defaults: str) -> Measure:
    """The measure that a text names: a name, then its parameters, separated by blanks.

    defaults : values of parameters that the text does not give, for measures that have them.

    >>> read_measure("patterns-preserved statistic=median projections=2000").projections
    2000
    >>> read_measure("kl sizes=2")
    Traceback (most recent call last):
        ...
    sfumato.errors.ParameterError: kl: wanted parameter=value, found 'sizes=2'; known are largest, patterns, seed
    """
    try:
        name, *given = shlex.split(text)
    except ValueError:
        raise ParameterError(
            f"measure: wanted a name, then parameter=value separated by blanks, found {text!r}"
        ) from None
    declared = MEASURES.choose(name)
    parameters = {parameter.name: parameter for parameter in declared.parameters()}
    values: dict[str, Any] = {key: value for key, value in defaults.items() if key in parameters}
    for part in given:
        key, equals, value = part.partition("=")
        key = key.replace("-", "_")
        if not equals or key not in parameters:
            hint = did_you_mean(key, parameters) if parameters else "it has no parameters"
            hint = f"give {key} a value" if key in parameters else hint
            raise ParameterError(f"{name}: wanted parameter=value, found {part!r}; {hint}")
        values[key] = parameters[key].parse(declared.__name__, value)
    measure: Measure = declared(**values)
    return measure
