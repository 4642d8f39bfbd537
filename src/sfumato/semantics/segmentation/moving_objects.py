"""Moving objects among positions: accounts or devices, persons or trajectories, with their classes and means."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from sfumato.data.base import Ints, numbered
from sfumato.data.positions import Positions
from sfumato.data.rows.posts import OBJECT_DETAILS
from sfumato.errors import DataError

__all__ = ["moving_objects"]

_FACTS = OBJECT_DETAILS[1:]  # of an object: the class of its person, its means and the class of that


def moving_objects(positions: Positions, by: str) -> tuple[Ints, pl.DataFrame]:
    """The number of the moving object of each position, and the objects, in the order of their first position.

    by : ``object`` for the details `object`, or person and means where there are no objects, or persons alone;
        ``person`` or ``trajectory`` for these.  Without persons, a trajectory is its own person.
    """
    track = positions.record_of_element()
    tracks = pl.Series(np.arange(1, len(positions) + 1)) if positions.ids is None else positions.ids
    person, persons = track, tracks
    if positions.persons is not None:
        person, persons = positions.persons.codes[track], positions.persons.names
    key, names = (track, tracks) if by == "trajectory" else (person, persons)
    labels = names.cast(pl.String)
    code, first = _numbered(key)
    named = labels.gather(key[first])
    details = pl.DataFrame() if positions.details is None else positions.details
    if by == "object" and {"object", "means"} & set(details.columns):
        text = _texts(details, labels, key)
        code, named = numbered(text)
        first = _first_rows(code, len(named))
    people = persons.cast(pl.String).gather(person[first])
    if np.any(person != person[first][code]):
        raise DataError("segment: wanted one person for each moving object, found two")
    objects = pl.DataFrame({"object": named.alias("object"), "person": people.alias("person")})
    return code, objects.with_columns(
        _fact(details[name], code, first, by) for name in _FACTS if name in details.columns
    )


def _texts(details: pl.DataFrame, labels: pl.Series, key: Ints) -> pl.Series:
    """The name of the object of each position; without a name, the person and the means."""
    owner = labels.gather(key)
    if "means" in details.columns:
        owner = (owner + "/" + details["means"]).fill_null(owner)
    return details["object"].fill_null(owner) if "object" in details.columns else owner


def _numbered(key: Ints) -> tuple[Ints, Ints]:
    """Numbers by first appearance, and the first row of each."""
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))
    return rank[inverse], np.sort(first)


def _first_rows(code: Ints, number: int) -> Ints:
    first = np.empty(number, dtype=np.int64)
    first[code[::-1]] = np.arange(len(code))[::-1]  # the earliest row is written last
    return first


def _fact(column: pl.Series, code: Ints, first: Ints, by: str) -> pl.Series:
    """The value of each object; null where an object of several accounts has several."""
    value = column.gather(first)
    differs: Any = column.ne_missing(value.gather(code)).to_numpy()
    if by == "object" and differs.any():
        raise DataError(f"segment: wanted one {column.name} for each moving object, found two")
    several = np.zeros(len(first), dtype=bool)
    several[code[differs]] = True
    return value.set(pl.Series(several), None)
