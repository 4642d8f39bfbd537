"""Reading the private file behind a published directory, which tells some of how to read it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.data import Dataset
    from sfumato.io.published.directory import Published

__all__ = ["as_told_by", "with_quasi_identifiers_of"]


def as_told_by(release: Published, options: dict[str, Any]) -> dict[str, Any]:
    """The options that were typed and, where nothing was, the column of items or the network of the release."""
    from sfumato.io.original_options import options_from_release

    known = options_from_release(release)
    return {**options, **{name: value for name, value in known.items() if options.get(name) is None}}


def with_quasi_identifiers_of(published: Dataset | None, original: Dataset) -> Dataset:
    """The original with the quasi-identifiers of its release, so that figures speak of the same columns.

    The original as it is, where it lacks one of the columns or names it sensitive.
    """
    from sfumato.data import Mixed, Table

    if isinstance(published, Mixed) and isinstance(original, Mixed):
        return replace(original, table=with_quasi_identifiers_of(published.table, original.table))
    if not isinstance(published, Table) or not isinstance(original, Table):
        return original
    roles = published.quasi_identifiers
    if not set(roles) <= set(original.frame.columns) - set(original.sensitive):
        return original
    return replace(original, quasi_identifiers=roles)
