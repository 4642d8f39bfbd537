"""Public names of a package that are imported when they are first used, so that commands start fast."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

__all__ = ["loaded_on_use"]


def loaded_on_use(package: str, names_of: Mapping[str, Sequence[str]]) -> Callable[[str], object]:
    """The ``__getattr__`` of a package whose modules hold these names."""
    module_of = {name: module for module, names in names_of.items() for name in names}

    def __getattr__(name: str) -> object:  # noqa: N807
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{module_of[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return __getattr__
