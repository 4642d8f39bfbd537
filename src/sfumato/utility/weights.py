"""Weights of columns or items, written as ``age=1,town=0.5``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from sfumato.errors import DataError, ParameterError, did_you_mean

__all__ = ["label_weights", "read_weights", "shares"]


def read_weights(owner: str, text: str) -> dict[str, float]:
    """Parse weights by name.

    >>> read_weights("ncp", "age=1, town=0.5")
    {'age': 1.0, 'town': 0.5}
    """
    weights: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, number = part.rpartition("=")
        try:
            weight = float(number)
        except ValueError:
            weight = -1.0
        if not (name and equals and 0 <= weight <= 1):
            raise ParameterError(
                f"{owner}: wanted weights as name=number, from 0 to 1 and separated by commas, found {part!r}"
            )
        weights[name.strip()] = weight
    return weights


def shares(owner: str, weights: Mapping[str, float], columns: Iterable[str]) -> npt.NDArray[np.float64]:
    """The weight of each column, 1 by default, as a share of the sum.

    >>> shares("ncp", {"town": 0.5}, ["age", "town"]).round(3).tolist()
    [0.667, 0.333]
    """
    columns = list(columns)
    for name in weights:
        if name not in columns:
            raise DataError(
                f"{owner}: wanted weights of quasi-identifiers, found {name!r}; {did_you_mean(name, columns)}"
            )
    values = np.array([weights.get(column, 1.0) for column in columns])
    if len(columns) and values.sum() == 0:
        raise DataError(f"{owner}: wanted a weight above 0 for some column, found none")
    return values / values.sum() if len(columns) else values


def label_weights(weights: Mapping[str, float], groups: Iterable[Iterable[str]]) -> npt.NDArray[np.float64]:
    """The weight of each label: the mean weight of its items, 1 by default."""
    return np.array([float(np.mean([weights.get(item, 1.0) for item in group])) for group in groups])
