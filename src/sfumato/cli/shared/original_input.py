"""Reading the private file behind a published directory, which tells some of how to read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.io.published.directory import Published

__all__ = ["as_told_by"]


def as_told_by(release: Published, said: dict[str, Any]) -> dict[str, Any]:
    """The options that were typed and, where nothing was, the column of items or the network of the release."""
    from sfumato.io.original_options import options_from_release

    told = options_from_release(release)
    return {**said, **{name: value for name, value in told.items() if said.get(name) is None}}
