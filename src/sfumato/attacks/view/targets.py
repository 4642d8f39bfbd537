"""Whom an attack is tried on, and what its attacker knows of them."""

from __future__ import annotations

import numpy as np

from sfumato.attacks.view.published_view import Knowledge
from sfumato.data import Dataset, Mixed, Table
from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged

__all__ = ["chosen", "drawn_seed", "elements_of", "known_elements", "known_points", "records_of_units"]


def drawn_seed(seed: int | None) -> int:
    """The seed, or a new one, so that a figure from a sample can state it."""
    return int(np.random.default_rng().integers(2**32)) if seed is None else seed


def chosen(n: int, at_most: int, rng: np.random.Generator) -> Ints:
    """All of n, or some of them at random, rising."""
    return np.arange(n) if n <= at_most else np.sort(rng.choice(n, size=at_most, replace=False))


def records_of_units(original: Dataset, units: Ints | None = None) -> tuple[Ints, Ints, Ints]:
    """The persons (or records) there are, and their records: units, where each begins, records.

    units : the unit of each record, where it is not the original's.
    """
    units = np.asarray(original.units if units is None else units)
    order = np.argsort(units, kind="stable")
    present, starts = np.unique(units[order], return_index=True)
    return present, np.append(starts, len(units)).astype(np.int64), order


def elements_of(original: Dataset, record: int) -> Ints:
    """The places or items of a record, as codes; none in a table."""
    part = original.items if isinstance(original, Mixed) else original
    if not isinstance(part, Ragged):
        return np.empty(0, dtype=np.int32)
    return part.codes[part.offsets[record] : part.offsets[record + 1]]


def known_points(
    original: Dataset,
    record: int,
    known: int,
    rng: np.random.Generator,
    *,
    ordered: bool = True,
    without: frozenset[int] = frozenset(),
) -> Knowledge | None:
    """Some random visits or items of a record, with all quasi-identifiers where it is a row; None where it has none.

    without : places or items that the attacker does not know, such as sensitive ones.
    """
    row = record if isinstance(original, Table | Mixed) else -1
    elements = known_elements(original, record, without)
    if isinstance(original, Table):
        return Knowledge(row=row)
    if len(elements) == 0:
        return Knowledge(row=row) if row >= 0 else None
    positions = np.sort(rng.choice(len(elements), size=min(known, len(elements)), replace=False))
    in_order = ordered and original.kind == "trajectories"
    points = elements[positions].tolist() if in_order else sorted(set(elements[positions].tolist()))
    return Knowledge(tuple(points), in_order, row)


def known_elements(original: Dataset, record: int, without: frozenset[int]) -> Ints:
    """The places or items of a record that an attacker may know."""
    elements = elements_of(original, record)
    return elements[~np.isin(elements, list(without))] if without else elements
