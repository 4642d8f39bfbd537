"""Members are values: a label whose members are labels in turn would hide what it stands for."""

from __future__ import annotations

from itertools import chain

from sfumato.data.base import Members
from sfumato.errors import DataError

__all__ = ["nested_label", "require_flat"]


def nested_label(members: Members) -> str | None:
    """A label with members of its own that is listed as a member of another label; None if no label is.

    Everything that reads members, be it a verifier, an attack or a measure, reads them as values, one step deep.

    >>> nested_label({"g1": ("ale", "g2"), "g2": ("tea", "wine")})
    'g2'
    >>> nested_label({"any": ("ale", "tea", "wine"), "hot": ("tea",), "wine": ("wine",)}) is None
    True
    """
    if members.keys().isdisjoint(chain.from_iterable(members.values())):
        return None
    inner = {label for label, group in members.items() if set(group) != {label}}
    nested = {member for label, group in members.items() for member in group if member != label and member in inner}
    return min(nested, default=None)


def require_flat(members: Members, what: str) -> None:
    """Refuse members that are labels with members of their own.  what : what has these labels, such as a column."""
    label = nested_label(members)
    if label is not None:
        raise DataError(
            f"{what}: wanted members that are values, found {label!r}, a label with members of its own, as a member of "
            "another label"
        )
