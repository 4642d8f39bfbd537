"""Reading the private file behind a published directory, which tells some of how to read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.io.published.directory import Published

__all__ = ["as_told_by"]


def as_told_by(release: Published, options: dict[str, Any]) -> dict[str, Any]:
    """The options that were typed and, where nothing was, the column of items or the network of the release."""
    from sfumato.io.original_options import options_from_release

    known = options_from_release(release)
    return {**options, **{name: value for name, value in known.items() if options.get(name) is None}}
