"""Which column of a file plays which role: columns are matched by other spellings and by common other names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from sfumato.data.column_names import likely_columns, matching_column, with_guessed_roles
from sfumato.data.frames import Source, columns_text, with_swap
from sfumato.remedies import with_remedy

__all__ = [
    "guessed_kind",
    "guessed_roles",
    "note_degrees",
    "note_far_south",
    "note_guess",
    "note_likely_visits",
    "required_roles",
    "roles_of",
    "suggested_columns",
]

_REQUIRED = {"trajectories": ("trajectory", "location"), "transactions": ("record", "item")}
_SOUTHERNMOST = -60  # degrees
_OPTIONAL = {"trajectories": ("person", "time", "lat", "lon", "x", "y"), "transactions": ("person",)}


def required_roles(kind: str) -> tuple[str, ...]:
    """The roles that data of a kind must have; none for a table."""
    return _REQUIRED.get(kind, ())


def roles_of(kind: str) -> tuple[str, ...]:
    """The roles that columns of trajectories or transactions can have."""
    return (*_REQUIRED[kind], *_OPTIONAL[kind])


def guessed_kind(names: Sequence[str], columns: Mapping[str, str]) -> str | None:
    """The kind of data whose required roles all have a column under some name, or None."""
    free = [name for name in names if name not in columns.values()]
    for kind, roles in _REQUIRED.items():
        if all(role in columns or matching_column(role, free) is not None for role in roles):
            return kind
    return None


def guessed_roles(kind: str, names: Sequence[str], columns: Mapping[str, str]) -> dict[str, str]:
    """The columns of trajectories or transactions, the named ones and the guessed ones."""
    if kind not in _REQUIRED:
        return dict(columns)
    return with_guessed_roles(names, columns, _REQUIRED[kind], _OPTIONAL[kind])


def note_guess(source: Source, kind: str, columns: Mapping[str, str], given: Mapping[str, str]) -> None:
    """Note which columns were guessed, with the text that names them."""
    guessed = {role: column for role, column in columns.items() if role not in given}
    if guessed and kind in ("places", "positions"):
        names = columns_text(guessed)
        source.note(
            f"{source.name}: read as {kind} by the names of its columns: {names}; if that is wrong, rename them"
        )
    elif guessed and set(required_roles(kind)) & set(given):
        names = columns_text(guessed)
        source.note(f"{source.name}: further columns are read by their names: {names}; if that is wrong, rename them")
    elif guessed:
        sentence = f"{source.name}: read as {kind} by the names of its columns: {columns_text(guessed)}"
        source.note(with_remedy(sentence, "name-other-columns", columns=columns_text(columns)))


def note_degrees(source: Source, frame: pl.DataFrame, columns: Mapping[str, str], given: Mapping[str, str]) -> None:
    """Note guessed x and y that could as well be degrees."""
    pair = [columns.get(role) for role in ("x", "y") if role not in given]
    if len(pair) < 2 or None in pair:
        return
    limits = zip(pair, (180, 90), strict=True)
    numbers = [(frame[str(name)].cast(pl.Float64, strict=False).abs().max(), limit) for name, limit in limits]
    if all(isinstance(largest, float) and largest <= limit for largest, limit in numbers):
        others = {role: column for role, column in columns.items() if role not in ("x", "y")}
        named = columns_text({**others, "lon": str(pair[0]), "lat": str(pair[1])})
        problem = f"{source.name}: {pair[0]} and {pair[1]} are read as positions on a plane"
        source.note(with_remedy(problem, "name-degrees", columns=named))


def note_far_south(source: Source, frame: pl.DataFrame, columns: Mapping[str, str], *, places: bool = False) -> None:
    """Note degrees that all lie beyond 60 degrees south, where no people live, and that may be exchanged.

    places : whether the file is one of places, whose columns cannot be named.
    """
    names = [columns.get(role, role) for role in ("lat", "lon")]
    if not set(names) <= set(frame.columns):
        return
    lat, lon = (frame[name].cast(pl.Float64, strict=False).drop_nulls() for name in names)
    if not len(lat) or not len(lon) or not (lat < _SOUTHERNMOST).all() or not (lon.abs() <= -_SOUTHERNMOST).all():
        return
    problem = f"{source.name}: all latitudes lie beyond {-_SOUTHERNMOST} degrees south, where no people live"
    if places:
        source.note(f"{problem}; if lat and lon are swapped, exchange the two columns of this file")
    else:
        source.note(with_swap(problem, replace(source, columns=columns)))


def suggested_columns(frame: pl.DataFrame, kind: str, columns: Mapping[str, str] | None = None) -> str:
    """The columns to suggest for trajectories or transactions, as one text; empty where too few columns are left."""
    required, optional = _REQUIRED.get(kind, ()), _OPTIONAL.get(kind, ())
    return columns_text(likely_columns(frame, required, optional, columns or {})) if required else ""


def note_likely_visits(source: Source, frame: pl.DataFrame) -> None:
    """Note a table that may hold visits: it has a column of places, one of persons or trips, and times or positions."""
    required, optional = _REQUIRED["trajectories"], _OPTIONAL["trajectories"]
    if matching_column("location", frame.columns) is None:
        return
    roles = likely_columns(frame, required, optional, {})
    fits = "trajectory" in roles and roles["trajectory"] in frame.columns
    if fits and any(role in roles or role in frame.columns for role in ("time", "lat", "x")):
        source.note(with_remedy(f"{source.name}: read as a table", "name-visits", columns=columns_text(roles)))
