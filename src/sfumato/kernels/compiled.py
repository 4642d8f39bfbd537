"""`njit` for kernels: Numba's, with machine code that is kept by the content of the source.

Numba keeps code beside each file and looks at that file only: a changed kernel leaves stale code in its callers, a new
checkout compiles everything again, and two processes may overwrite each other's entries.  Here the name of an entry is
a digest of the sources (the kernel's module and all that it imports from this package), the versions, the processor and
the argument types.  Checkouts, workers and installations of one user share entries, and none is ever overwritten by
another.  A wheel may bring entries for the generic processor of its platform, in `machine_code/` beside this file.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import importlib.util
import math
import os
import pickle
import re
import sys
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core import event
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from sfumato.errors import Bug
from sfumato.kernels.compiling import BEFORE_COMPILING, folder_of_user

__all__ = ["SHIPPED", "njit"]

SHIPPED = Path(__file__).parent / "machine_code"

_PACKAGE = __name__.partition(".")[0]
_IMPORT = re.compile(rf"^\s*(?:from|import)\s+({_PACKAGE}(?:\.\w+)+)", re.MULTILINE)
_PLAIN = re.compile(r"llvm\.|NRT_|Py|_Py|numba_")
_VERSIONS = f"{sys.implementation.cache_tag} numba-{numba.__version__} llvmlite-{llvmlite.__version__}"


def njit(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Numba's decorator for kernels, which let other threads run; `cache=True` keeps the code as this module says."""
    kept = options.pop("cache", False)
    options.setdefault("no_cfunc_wrapper", True)  # nobody calls kernels from C
    options.setdefault("nogil", True)  # other threads run meanwhile

    def decorate(function: Callable[..., Any]) -> Any:
        own = function.__module__.startswith(f"{_PACKAGE}.")
        dispatcher = numba.njit(cache=kept and not own, **options)(function)
        if kept and own and dispatcher is not function:  # Numba returns the function itself when it is switched off
            dispatcher._cache = _Entries(function)
        return dispatcher

    return decorate


class _Entries:
    """The compiled code of one kernel, a file for each tuple of argument types; what a dispatcher of Numba asks for."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._module = function.__module__
        self._name = f"{function.__name__}-{function.__code__.co_firstlineno}"
        self.cache_path = ""

    def load_overload(self, signature: Any, target: Any) -> CompileResult | None:
        triple, processor, features = target.codegen().magic_tuple()
        candidates = [(SHIPPED, (triple, "generic", ""))]
        if (own := folder_of_user()) is not None:
            candidates.append((own, (triple, processor, features)))
        for folder, machine in candidates:
            with contextlib.suppress(Exception):  # no entry, or one that cannot be read: compiled again
                plain, code = pickle.loads(self._file(folder, signature, machine).read_bytes())
                rtsys.initialize(target) if plain else target.refresh()
                return CompileResult._rebuild(target, *code)
        for tell in BEFORE_COMPILING:
            tell()
        return None

    def save_overload(self, signature: Any, result: CompileResult) -> None:
        if result.library.has_dynamic_globals or (folder := folder_of_user()) is None:
            return
        file = self._file(folder, signature, result.codegen.magic_tuple())
        with contextlib.suppress(OSError):  # a disk that is full or cannot be written: compiled again next time
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as written:
                written.write(dumps((_is_plain(result), result._reduce())))
            os.replace(written.name, file)

    def _file(self, folder: Path, signature: Any, machine: tuple[str, ...]) -> Path:
        digest = hashlib.sha256(repr((signature, machine)).encode()).hexdigest()
        return folder / f"{self._module}-{_key(self._module)}" / f"{self._name}-{digest[:16]}"

    def enable(self) -> None:
        """Nothing to do: entries are always kept."""

    disable = flush = enable


def _is_plain(result: CompileResult) -> bool:
    """Whether code calls only Python, Numba's runtime and the mathematical library.

    Then it runs without the declarations of everything that could be compiled, which take Numba 0.3 s to load.
    """
    outside = [function.name for function in result.library._final_module.functions if function.is_declaration]
    return all(_PLAIN.match(name) or hasattr(math, name) for name in outside)


class _WithoutCollections(event.Listener):  # type: ignore[misc]
    """No garbage is collected while the compiler builds its large trees: a twelfth of the time."""

    def __init__(self) -> None:
        self._depth = 0
        self._collects = False

    def on_start(self, event: event.Event) -> None:  # noqa: ARG002
        if self._depth == 0:
            self._collects = gc.isenabled()
            gc.disable()
        self._depth += 1

    def on_end(self, event: event.Event) -> None:  # noqa: ARG002
        self._depth -= 1
        if self._depth == 0 and self._collects:
            gc.enable()


event.register("numba:compile", _WithoutCollections())


@lru_cache(None)
def _key(module: str) -> str:
    """A digest of the versions, the source of a module and all sources of this package that it imports."""
    sources: dict[str, bytes] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in sources:
            sources[name] = _source(name)
            waiting += _IMPORT.findall(sources[name].decode())
    parts = [_VERSIONS.encode(), *(name.encode() + b"\0" + sources[name] for name in sorted(sources))]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]


@lru_cache(None)
def _source(module: str) -> bytes:
    specification = importlib.util.find_spec(module)
    if specification is None or specification.origin is None:
        raise Bug(f"kernels import {module}, which has no source")
    return Path(specification.origin).read_bytes()
