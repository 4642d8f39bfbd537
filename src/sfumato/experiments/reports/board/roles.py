"""The roles of an original's columns, where only its release states them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from sfumato.data import Dataset, Mixed, Table

__all__ = ["with_claimed_roles"]


def with_claimed_roles(original: Dataset, published: Dataset | None, claimed: Collection[str]) -> Dataset:
    """The original with the roles of columns that the release claims; roles that the caller gave stay.

    claimed : the roles that the caller did not give, "quasi-identifiers" and "sensitive".

    >>> private, released = Table({"age": [1, 2], "job": ["a", "b"]}), Table({"age": ["*"], "job": ["a"]}, ("age",))
    >>> with_claimed_roles(private, released, ("quasi-identifiers", "sensitive")).quasi_identifiers
    ('age',)
    """
    if isinstance(original, Mixed) and isinstance(published, Mixed):
        return replace(original, table=_with_roles(original.table, published.table, claimed))
    if isinstance(original, Table) and isinstance(published, Table):
        return _with_roles(original, published, claimed)
    return original


def _with_roles(original: Table, published: Table, claimed: Collection[str]) -> Table:
    known, sensitive = original.quasi_identifiers, original.sensitive
    columns = set(original.frame.columns)
    if "sensitive" in claimed:
        given = () if "quasi-identifiers" in claimed else known
        sensitive = tuple(column for column in published.sensitive if column in columns.difference(given))
    if "quasi-identifiers" in claimed:
        known = tuple(column for column in published.quasi_identifiers if column in columns.difference(sensitive))
    return replace(original, quasi_identifiers=known, sensitive=sensitive)
