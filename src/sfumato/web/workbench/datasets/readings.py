"""How a version is read, after edits of its columns, and the role of each column.  Without Django."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sfumato.errors import DataError, shortened
from sfumato.io.inputs.column_roles import required_roles, roles_of

__all__ = ["after", "role_choices", "role_of", "with_role"]

_TABLE_ROLES = ("quasi-identifier", "sensitive", "person", "items", "other")
_ROAD_ROLES = ("trajectory", "road", "direction", "person", "interval", "time")


def role_choices(kind: str) -> tuple[str, ...]:
    """The roles that a column of this kind of data can have."""
    if kind in ("table", "mixed"):
        return tuple(role for role in _TABLE_ROLES if kind == "mixed" or role != "items")
    return (*(_ROAD_ROLES if kind == "roads" else roles_of(kind)), "other")


def role_of(reading: Mapping[str, Any], column: str) -> str:
    """The role of a column."""
    for role, name in reading.get("columns", {}).items():
        if name == column:
            return str(role)
    if reading["kind"] in ("table", "mixed"):
        if reading["kind"] == "mixed" and reading.get("items", "items") == column:
            return "items"
        for role, name in (("quasi-identifier", "quasi_identifiers"), ("sensitive", "sensitive")):
            if column in reading.get(name, ()):
                return role
        return "other"
    return column if column in role_choices(reading["kind"]) and column not in reading.get("columns", {}) else "other"


def with_role(reading: Mapping[str, Any], column: str, role: str) -> dict[str, Any]:
    """The reading with another role of a column; the column that had a role of which there is one loses it."""
    kind = reading["kind"]
    if role not in role_choices(kind):
        raise DataError(f"wanted a role of {kind}, found {role!r}")
    changed = _without(reading, column)
    columns = dict(changed.get("columns", {}))
    if kind in ("table", "mixed"):
        if role == "person":
            columns["person"] = column
        elif role == "items":
            changed["items"] = column
        elif role != "other":
            name = "sensitive" if role == "sensitive" else "quasi_identifiers"
            changed[name] = [*changed.get(name, ()), column]
    elif role != "other":
        columns[role] = column
    changed["columns"] = columns
    return changed


def _without(reading: Mapping[str, Any], column: str) -> dict[str, Any]:
    """The reading in which a column has no role."""
    changed = dict(reading)
    changed["columns"] = {role: name for role, name in reading.get("columns", {}).items() if name != column}
    for name in ("quasi_identifiers", "sensitive"):
        if name in changed:
            changed[name] = [other for other in changed[name] if other != column]
    return changed


def after(reading: Mapping[str, Any], operations: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The reading after edits: columns are renamed and deleted, and roles change."""
    changed = dict(reading)
    for operation in operations:
        column = operation.get("column", "")
        if operation["do"] == "rename":
            changed = _renamed(changed, column, operation["to"])
        elif operation["do"] == "delete-column":
            _refuse_required(changed, column)
            changed = _without(changed, column)
        elif operation["do"] == "role":
            changed = with_role(changed, column, operation["role"])
    return changed


def _renamed(reading: Mapping[str, Any], column: str, name: str) -> dict[str, Any]:
    role = role_of(reading, column)
    changed = dict(reading)
    if role == column and reading["kind"] not in ("table", "mixed"):  # its name was its role
        changed["columns"] = {**reading.get("columns", {}), role: name}
        return changed
    changed["columns"] = {own: name if other == column else other for own, other in reading.get("columns", {}).items()}
    for key in ("quasi_identifiers", "sensitive"):
        if key in changed:
            changed[key] = [name if other == column else other for other in changed[key]]
    if role == "items":
        changed["items"] = name
    return changed


def _refuse_required(reading: Mapping[str, Any], column: str) -> None:
    kind, role = reading["kind"], role_of(reading, column)
    needed = ("trajectory", "road", "direction") if kind == "roads" else required_roles(kind)
    if role in needed or (kind == "mixed" and role == "items"):
        raise DataError(f"wanted the column {shortened(column)!r} to stay: {kind} need a column for {role}")
