"""Usual names of columns by role: which column plays which role, and which columns to suggest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import polars as pl

from sfumato.data.base import missing

__all__ = ["ALIASES", "likely_columns", "matching_column", "with_guessed_roles"]

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
    "object": "object movingobject account accountid",
    "person_class": "personclass",
    "means": "means",
    "means_class": "meansclass",
    "end": "end endtime endtimestamp",
    "tags": "tags usertags hashtags keywords",
    "tag": "tag hashtag keyword",
    "text": "text posttext caption message tweet",
    "place": "placename poiname venuename name",
    "wkt": "wkt",
    "category": "category cat poicat venuecategory theme",
}
ALIASES: Mapping[str, tuple[str, ...]] = {role: tuple(names.split()) for role, names in _ALIASES.items()}
"""The names of a role in small letters without signs, the more usual first."""

_SEQUENCES = ("seq", "seqid", "sequenceid", "session", "sessionid", "journey", "journeyid", "walk", "walkid")
# further names that are good enough for a suggestion, not for reading without a word
_SUGGESTED = {
    "trajectory": (*_SEQUENCES, *ALIASES["person"]),
    "record": (*ALIASES["trajectory"], *_SEQUENCES, *ALIASES["person"]),
    "item": ALIASES["location"],
}
_PAIRS = (("lat", "lon"), ("x", "y"))
_PLACEHOLDER = "COLUMN"


def with_guessed_roles(
    names: Sequence[str],
    columns: Mapping[str, str],
    required: Iterable[str],
    optional: Iterable[str],
) -> dict[str, str]:
    """The named columns and, for roles without a column, the column whose name is another spelling or a usual alias.

    Half a pair of coordinates is not guessed, and neither is a second pair.

    >>> with_guessed_roles(["tid", "User ID", "POI", "lng", "latitude"], {}, ("trajectory", "location"), ("lat", "lon"))
    {'trajectory': 'tid', 'location': 'POI', 'lat': 'latitude', 'lon': 'lng'}
    """
    roles = dict(columns)
    for role in (*required, *optional):
        if role in roles or (role in names and role not in roles.values()):
            continue
        column = matching_column(role, [name for name in names if name not in roles.values()])
        if column is not None:
            roles[role] = column
    for pair, other in (_PAIRS, _PAIRS[::-1]):
        has = [sum(role in roles or role in names for role in half) for half in (pair, other)]
        is_second = all(role in columns for role in other) or (pair == _PAIRS[1] and has[1] == 2)
        if has[0] == 1 or is_second:
            for role in pair:
                if role not in columns:
                    roles.pop(role, None)
    return roles


def matching_column(role: str, names: Sequence[str], aliases: Sequence[str] | None = None) -> str | None:
    """The column with the most usual name of a role; None where two columns have it in different spellings."""
    aliases = ALIASES.get(role, ()) if aliases is None else aliases
    spellings: dict[str, list[str]] = {}
    for name in names:
        spellings.setdefault(re.sub(r"[\W_]+", "", name).lower(), []).append(name)
    if role in names:
        return role
    alias = next((alias for alias in aliases if alias in spellings), None)
    return spellings[alias][0] if alias is not None and len(spellings[alias]) == 1 else None


def likely_columns(
    frame: pl.DataFrame, required: Sequence[str], optional: Sequence[str], columns: Mapping[str, str]
) -> dict[str, str]:
    """The columns to suggest for the roles: the named ones, then those whose names fit.

    Columns of other names are suggested only where there is no choice; otherwise a placeholder stands for them.
    Nothing is suggested where too few columns are left.
    """
    roles = {role: columns.get(role, role) for role in required if columns.get(role, role) in frame.columns}
    roles |= {role: column for role, column in columns.items() if column in frame.columns}
    free = [name for name in frame.columns if name not in roles.values() and not missing(frame[name]).any()]
    for aliases in (ALIASES, _SUGGESTED):
        for role in required:
            column = None if role in roles else matching_column(role, free, aliases.get(role, ()))
            if column is not None:
                roles[role] = column
                free.remove(column)
    absent = [role for role in required if role not in roles]
    if len(free) < len(absent):
        return {}
    rest = _other_columns(frame.select(free), optional)
    # whole numbers may number records, and say too little to be taken for places or items
    is_clear = len(rest) == len(absent) and not (required[-1] in absent and _is_whole(frame[rest[-1]]))
    roles |= dict(zip(absent, rest if is_clear else [_PLACEHOLDER] * len(absent), strict=True))
    roles = with_guessed_roles(frame.columns, roles, (), optional)
    ordered = sorted(roles, key=lambda role: required.index(role) if role in required else len(required))
    return {role: roles[role] for role in ordered if role in columns or role != roles[role]}


def _other_columns(frame: pl.DataFrame, optional: Sequence[str]) -> list[str]:
    """Columns that may name records, places or items: without a role, no fractions, and no running number.

    Those that more likely name records come first: whole numbers, then values that repeat.
    """
    others = with_guessed_roles(frame.columns, {}, (), optional).values()
    is_unique = {name: frame[name].n_unique() == len(frame) for name in frame.columns}
    rest = [
        name
        for name in frame.columns
        if not (name in others or name in optional or frame[name].dtype.is_float())
        and not (len(frame) > 1 and is_unique[name] and _is_whole(frame[name]))
    ]
    return sorted(rest, key=lambda name: (not _is_whole(frame[name]), is_unique[name]))


def _is_whole(column: pl.Series) -> bool:
    """Whether all values are whole numbers."""
    return column.dtype.is_integer() or (
        column.dtype == pl.String and column.cast(pl.Int64, strict=False).null_count() == 0
    )
