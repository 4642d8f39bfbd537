"""The script that shows charts in a browser, without the modules that draw them."""

from __future__ import annotations

from typing import Any

__all__ = ["javascript"]


def javascript() -> str:
    """The JavaScript with which a page shows charts without the internet."""
    import vl_convert

    bundle: Any = vl_convert.javascript_bundle  # its stub asks for arguments that have defaults
    return str(bundle())
