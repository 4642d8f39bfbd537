"""Measures as a text names them, with parameters where the defaults are not wanted: ``are:queries=500,largest=2``."""

from __future__ import annotations

from typing import Any

from sfumato.catalogue import MEASURES
from sfumato.params import value_pairs

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
    pairs = value_pairs(name, given, parameters)
    return name, {key: parameters[key].parse(declared.__name__, value) for key, value in pairs}


def _divided(text: str) -> tuple[str, str | None]:
    """The name, which may be `module:Class`, and the parameters; None where there are none."""
    name, colon, rest = text.rpartition(":")
    return (name, rest) if colon and ("=" in rest or name in MEASURES) else (text, None)
