"""Measures as the command line names them, with parameters where the defaults are not wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.catalogue import MEASURES

if TYPE_CHECKING:
    from sfumato.utility.base import Measure

__all__ = ["MEASURE_HELP", "read_measure"]

MEASURE_HELP = "with parameters as in are:queries=500,largest=2; may be given several times"


def read_measure(text: str, **defaults: str) -> Measure:
    """The measure that a text names, as `sfumato.utility.measure_texts` reads it.

    defaults : values of parameters that the text does not give, for measures that have them.

    >>> read_measure("patterns-preserved:statistic=median,projections=2000").projections
    2000
    >>> read_measure("kl:sizes=2")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    sfumato.errors.ParameterError: kl: wanted parameter=value, found 'sizes=2'; known are largest, ...
    """
    from sfumato.utility.measure_texts import measure_values

    name, values = measure_values(text)
    declared = MEASURES.choose(name)
    known = {parameter.name for parameter in declared.parameters()}
    measure: Measure = declared(**{key: value for key, value in defaults.items() if key in known} | values)
    return measure
