"""Where compiled kernels are kept, and what is called before one is compiled.  Numba, slow to import, is not needed."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

__all__ = ["BEFORE_COMPILING", "folder_of_user"]

BEFORE_COMPILING: list[Callable[[], None]] = []

_PACKAGE = __name__.partition(".")[0]


@lru_cache(1)
def folder_of_user() -> Path | None:
    """Where compiled kernels are kept: in NUMBA_CACHE_DIR or the user's folder for caches; None if not writable."""
    with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: a user without a home
        folder = _chosen_folder() / "kernels"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if os.access(folder, os.W_OK):
            return folder
    return None


def _chosen_folder() -> Path:
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(named) / _PACKAGE
    if sys.platform == "win32" and "LOCALAPPDATA" in os.environ:
        return Path(os.environ["LOCALAPPDATA"]) / _PACKAGE / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / _PACKAGE
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / _PACKAGE
