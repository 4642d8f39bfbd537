"""How a file or a frame is read: its sheet, missing-value markers, dates, guessed columns, and the notes about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import polars as pl

from sfumato.data import Places, Taxonomy
from sfumato.data.base import missing
from sfumato.data.frames import Source
from sfumato.data.tables.dates import HIERARCHIES
from sfumato.errors import DataError, did_you_mean
from sfumato.io.frames import read_frame
from sfumato.io.inputs.column_roles import guessed_roles, note_degrees, note_far_south, note_guess, required_roles
from sfumato.io.inputs.date_texts import DATE_WORDS, with_dates
from sfumato.io.inputs.missing_markers import with_named_missing, with_usual_missing
from sfumato.io.inputs.numbers import note_almost_numbers, with_numbers

__all__ = ["Reading", "Visits"]

_TEXTS = ("trajectory", "record", "person", "location", "item")
_NUMBERS = ("time", "lat", "lon", "x", "y")
_SAMPLE = 1_000
_FAR_DEGREES = 1.0


@dataclass(frozen=True)
class Reading:
    """What a caller says about how to read, and where notes go.

    missing : texts that stand for a missing value; None for the usual ones, in tables only.
    hierarchy : of dates in tables.  order : of day and month, if it was said.  texts : whether dates stay texts.
    complete : whether values that a hierarchy lacks are refused.
    """

    missing: tuple[str, ...] | None = None
    hierarchy: str = "month"
    order: str | None = None
    texts: bool = False
    sheet: str | None = None
    notes: list[str] | None = field(default=None, compare=False)
    complete: bool = True

    @classmethod
    def of(cls, missing: Sequence[str] | None, dates: str, sheet: str | None, notes: list[str] | None) -> Self:
        """Refuses a word about dates that means nothing."""
        if isinstance(missing, str):
            raise DataError("missing: wanted a list of texts, found one text")
        words = [word.strip() for word in dates.split(",") if word.strip()]
        unknown = next((word for word in words if word not in DATE_WORDS), None)
        if unknown is not None:
            raise DataError(f"dates: wanted a known word, found {unknown!r}; {did_you_mean(unknown, DATE_WORDS)}")
        hierarchy = next((word for word in words if word in HIERARCHIES), "month")
        order = next((word for word in words if word.endswith("-first")), None)
        return cls(None if missing is None else tuple(missing), hierarchy, order, "text" in words, sheet, notes)

    def frame(self, path: str | Path, **options: Any) -> tuple[pl.DataFrame, Source]:
        """The rows of a file, before types are recognised."""
        return read_frame(path, sheet=self.sheet, notes=self.notes, **options)

    def visits(
        self,
        path: str | Path,
        names: Sequence[str],
        kind: str,
        columns: Mapping[str, str],
        given: pl.DataFrame | None,
    ) -> Visits:
        """The rows of trajectories or transactions, with the columns of their roles."""
        roles = guessed_roles(kind, names, columns)
        used = tuple(roles.get(role, role) for role in (*_TEXTS, *_NUMBERS))
        is_complete = all(roles.get(role, role) in names for role in required_roles(kind))
        if given is None:  # the error about a missing column names one of the others
            frame, source = self.frame(path, texts=used[: len(_TEXTS)], only=used if is_complete else None)
        else:
            frame, source = given, Source(notes=self.notes)
        if is_complete:
            note_guess(source, kind, roles, columns)
            note_degrees(source, frame, roles, columns)
            note_far_south(source, frame, roles)
        else:  # what is suggested may use a guessed optional column for a required role
            roles = {role: roles[role] for role in roles if role in columns or role in required_roles(kind)}
        if self.missing:
            frame = with_named_missing(frame, self.missing)
        return Visits(frame, replace(source, columns=roles), roles)

    def typed(
        self, frame: pl.DataFrame, source: Source, *, texts: tuple[str, ...], roles: Mapping[str, Any], is_file: bool
    ) -> pl.DataFrame:
        """The columns of a table with their types; those in `texts` stay texts.

        is_file : whether the columns of texts may hold numbers and dates; the types of a frame are the caller's.
        """
        if self.missing:
            frame = with_named_missing(frame, self.missing)
        if not is_file:
            return frame
        if self.missing is None:
            frame = with_usual_missing(frame, source, hierarchies=roles["hierarchies"], texts=texts)
        frame = with_numbers(frame, texts=texts)
        trees = roles["hierarchies"]
        own = (*texts, *(name for name in trees if name in frame.columns and _are_leaves(frame[name], trees[name])))
        note_almost_numbers(frame, source, texts=own)
        if self.texts:
            return frame
        known = roles["quasi_identifiers"] or [name for name in frame.columns if name not in roles["sensitive"]]
        return with_dates(frame, source, order=self.order, texts=own, required=tuple(known))


def _are_leaves(column: pl.Series, tree: Taxonomy) -> bool:
    """Whether the values are compared with a hierarchy as they stand, and not as the dates from which it was derived.

    A hierarchy that was given lists the texts of the file; one that was derived has the texts of dates that were read.
    """
    if not tree.rule:
        return True
    values = column.filter(~missing(column)).cast(pl.String)
    return bool(values.is_in(list(tree.leaves)).all())


@dataclass(frozen=True, eq=False)
class Visits:
    """Rows of visits or items, and the column of each role."""

    frame: pl.DataFrame
    source: Source
    columns: dict[str, str]

    def note_swapped_coordinates(self, places: Places | None) -> None:
        """Note places whose latitude is the longitude of the visits there, and the other way round."""
        names = [self.columns.get(role, role) for role in ("location", "lat", "lon")]
        if places is None or not places.geographic or not set(names) <= set(self.frame.columns):
            return
        some = self.frame.select(names).gather_every(max(1, len(self.frame) // _SAMPLE)).drop_nulls()
        rows = places.rows(some.to_series(0).cast(pl.String).to_list())
        known = rows >= 0
        seen = some.select(pl.col(names[1:]).cast(pl.Float64, strict=False)).to_numpy()[known]
        listed = places.frame.select("lat", "lon").to_numpy()[rows[known]]
        if not len(seen) or not np.isfinite(seen).all():
            return
        same, swapped = (float(np.median(np.abs(seen - other).max(axis=1))) for other in (listed, listed[:, ::-1]))
        if swapped < _FAR_DEGREES < same / 10:
            self.source.note(
                f"{self.source.name}: lat and lon of the visits are lon and lat of {places.source.name}; "
                "one of the two files has them exchanged"
            )
