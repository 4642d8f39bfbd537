"""Which column of a file plays which role: columns are matched by other spellings and by common other names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import polars as pl

from sfumato.data.frames import Source, columns_text
from sfumato.remedies import with_remedy

__all__ = ["guessed_kind", "guessed_roles", "note_degrees", "note_guess", "required_roles", "with_guessed_roles"]

_ALIASES = {
    "trajectory": "trajectory traj trajectoryid trajid tid trip tripid track trackid",
    "location": "location loc locationid place placeid poi poiid venue venueid site siteid station stationid",
    "person": "person personid user userid uid tracker trackerid patient patientid customer customerid",
    "time": "time timestamp datetime t starttime visittime checkintime datetaken",
    "lat": "lat latitude poilat venuelatitude",
    "lon": "lon lng long longitude poilon poilng venuelongitude",
    "x": "x xcoord easting",
    "y": "y ycoord northing",
    "record": "record recordid transaction transactionid basket basketid order orderid invoice invoiceid receipt",
    "item": "item itemid product productid sku article articleid itemcode productcode",
    "category": "category cat poicat venuecategory theme",
}
ALIASES: Mapping[str, tuple[str, ...]] = {role: tuple(names.split()) for role, names in _ALIASES.items()}
"""The names of a role in small letters without signs, the more usual first."""

_REQUIRED = {"trajectories": ("trajectory", "location"), "transactions": ("record", "item")}
_OPTIONAL = {"trajectories": ("person", "time", "lat", "lon", "x", "y"), "transactions": ("person",)}
_PAIRS = (("lat", "lon"), ("x", "y"))


def required_roles(kind: str) -> tuple[str, ...]:
    """The roles that data of a kind must have; none for a table."""
    return _REQUIRED.get(kind, ())


def guessed_kind(names: Sequence[str], columns: Mapping[str, str]) -> str | None:
    """The kind of data whose required roles all have a column under some name, or None."""
    free = [name for name in names if name not in columns.values()]
    for kind, roles in _REQUIRED.items():
        if all(role in columns or _match(role, free) is not None for role in roles):
            return kind
    return None


def with_guessed_roles(
    names: Sequence[str],
    columns: Mapping[str, str],
    required: Iterable[str],
    optional: Iterable[str],
) -> dict[str, str]:
    """The named columns and, for roles without a column, the column whose name is another spelling or a usual alias.

    Optional roles are guessed only where no required role was named: a caller who names columns names them all.

    >>> with_guessed_roles(["tid", "User ID", "POI", "lng", "latitude"], {}, ("trajectory", "location"), ("lat", "lon"))
    {'trajectory': 'tid', 'location': 'POI', 'lat': 'latitude', 'lon': 'lng'}
    """
    roles = dict(columns)
    required = tuple(required)
    for role in (*required, *(() if set(required) & set(columns) else optional)):
        if role in roles or role in names:
            continue
        column = _match(role, [name for name in names if name not in roles.values()])
        if column is not None:
            roles[role] = column
    for pair in _PAIRS:  # half a pair says nothing
        if sum(role in roles or role in names for role in pair) == 1:
            for role in pair:
                if role not in columns:
                    roles.pop(role, None)
    if all(role in roles or role in names for role in _PAIRS[0]):
        for role in _PAIRS[1]:
            if role not in columns:
                roles.pop(role, None)
    return roles


def guessed_roles(kind: str, names: Sequence[str], columns: Mapping[str, str]) -> dict[str, str]:
    """The columns of trajectories or transactions, the named ones and the guessed ones."""
    if kind not in _REQUIRED:
        return dict(columns)
    return with_guessed_roles(names, columns, _REQUIRED[kind], _OPTIONAL[kind])


def _match(role: str, names: Sequence[str]) -> str | None:
    """The column with the most usual name of a role; None where two columns have it in different spellings."""
    spellings: dict[str, list[str]] = {}
    for name in names:
        spellings.setdefault(re.sub(r"[\W_]+", "", name).lower(), []).append(name)
    if role in names:
        return role
    alias = next((alias for alias in ALIASES[role] if alias in spellings), None)
    return spellings[alias][0] if alias is not None and len(spellings[alias]) == 1 else None


def note_guess(source: Source, kind: str, columns: Mapping[str, str], given: Mapping[str, str]) -> None:
    """Note which columns were guessed, with the text that names them."""
    guessed = {role: column for role, column in columns.items() if role not in given}
    if guessed:
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
