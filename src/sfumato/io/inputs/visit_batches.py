"""Trajectories from files of regular visits, read some rows at a time, so that a file may be larger than memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from sfumato.data import Places, Taxonomy, Trajectories
from sfumato.data.frames import Source
from sfumato.data.rows.visits import RegularVisits, VisitBatch
from sfumato.errors import DataError
from sfumato.io.files import suffix_of
from sfumato.io.inputs.batches import Irregular, batches_of
from sfumato.io.inputs.column_roles import guessed_roles, note_degrees, note_far_south, note_guess, required_roles
from sfumato.io.inputs.reading import Reading, Visits

__all__ = ["read_in_batches"]

_TEXTS = ("trajectory", "location", "person")
_COORDINATES = ("lat", "lon", "x", "y")


def read_in_batches(
    path: str | Path,
    names: Sequence[str],
    columns: Mapping[str, str],
    places: Places | None,
    taxonomy: Taxonomy | None,
    reading: Reading,
) -> Trajectories | None:
    """The trajectories of a CSV or Parquet file; None where it has to be read as a whole, such as for an error.

    names : the columns of the file.  columns : those that the caller named, by role.
    """
    roles = guessed_roles("trajectories", names, columns)
    used = {role: roles.get(role, role) for role in (*_TEXTS, "time", *_COORDINATES)}
    used = {role: column for role, column in used.items() if column in names}
    if places is not None and not {"x", "y"} & set(roles) and "lat" not in used:
        used = {role: column for role, column in used.items() if role not in ("x", "y")}
    unknown = set(roles) - set(used)
    if reading.missing or reading.sheet is not None or unknown or not set(required_roles("trajectories")) <= set(used):
        return None
    first_line = None if suffix_of(path) == ".parquet" else 2
    source = Source(str(path), file=True, first_line=first_line, notes=reading.notes, columns=roles)
    visits = _added(path, used)
    if visits is None:
        return None
    positions = pl.DataFrame() if visits.positions is None else visits.positions
    frame = positions.rename({role: used[role] for role in positions.columns})
    note_guess(source, "trajectories", roles, columns)
    note_degrees(source, frame, roles, columns)
    note_far_south(source, frame, roles)
    Visits(frame, source, roles).note_swapped_coordinates(places)
    if places is None and len(positions):
        if positions["location"].n_unique() < len(positions):
            return None  # the median of a place takes all visits
        try:
            places = Places.from_visits(positions, source)
        except DataError:
            return None
    coded = visits.finish(source)
    return None if coded is None else Trajectories.from_coded(coded, places=places, taxonomy=taxonomy)


def _added(path: str | Path, used: Mapping[str, str]) -> RegularVisits | None:
    """The visits of a file; None where they are not regular."""
    visits = RegularVisits()
    types = {used[role]: pl.String for role in _TEXTS if role in used}

    def keep(rows: pl.DataFrame) -> VisitBatch | None:
        return VisitBatch.of(rows.select(pl.col(column).alias(role) for role, column in used.items()))

    try:
        for batch in batches_of(path, list(dict.fromkeys(used.values())), types, keep):
            if not visits.add(batch):
                return None
    except Irregular:
        return None
    return visits
