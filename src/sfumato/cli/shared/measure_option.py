"""The option --measure: a measure by its name, with parameters behind it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from sfumato.catalogue import MEASURES
from sfumato.errors import ParameterError, did_you_mean

if TYPE_CHECKING:
    from sfumato.utility.base import Measure

__all__ = ["MEASURE_HELP", "measures_named"]

MEASURE_HELP = "with parameters as in are,items=2,draw=uniform; may be given several times"


def measures_named(texts: Iterable[str], **defaults: Any) -> dict[str, Measure]:
    """The measures by their names; a text is a name, or a name and parameters: ``are,items=2,draw=uniform``.

    defaults : values of parameters for the measures that have them and whose text does not give them.

    >>> measures_named(["are,items=2,draw=uniform", "re"], estimate="subsets")["are"].to_json()["items"]
    2
    """
    measures: dict[str, Measure] = {}
    for text in texts:
        measure = _measure(text, defaults)
        if measures.setdefault(measure.name, measure) != measure:
            raise ParameterError(
                f"{measure.name}: wanted each measure once, found it with different parameters; an experiment file "
                "takes several under names of their own"
            )
    return measures


def _measure(text: str, defaults: dict[str, Any]) -> Measure:
    name, *pairs = text.split(",")
    declared = MEASURES.choose(name)
    parameters = {parameter.name: parameter for parameter in declared.parameters()}
    values = {name: value for name, value in defaults.items() if name in parameters}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if key not in parameters or not equals:
            hint = did_you_mean(key, parameters) if parameters else "it has none"
            raise ParameterError(f"{name}: wanted parameters as NAME=VALUE, found {pair!r}; {hint}")
        values[key] = parameters[key].parse(declared.__name__, value)
    measure: Measure = declared.from_json(values)
    return measure
