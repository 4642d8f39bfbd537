"""A table of classes by name: what the library has, what installed packages add, and classes that a user names.

A package adds a class with an entry point.  Entry points are read when somebody asks for a name that is not built in,
or for all names, so that start-up stays light.  `Registry` never looks outside installed packages unless the command
line allows it with `own_code`: then `module:Class` names a class in the current directory or on the Python path.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from traceback import walk_tb
from typing import Any

from sfumato.errors import ParameterError, did_you_mean

__all__ = ["Registry", "allow_own_code", "no_own_code", "own_code", "own_code_in", "own_code_is_allowed"]

_NAME = re.compile(r"[a-z][a-z0-9-]{0,40}")
_REFERENCE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")
_GROUPS: list[str] = []  # of all registries
_own_modules: set[str] = set()
_own_code = ContextVar("own_code", default=False)


@contextmanager
def own_code() -> Iterator[None]:
    """Allow `module:Class` inside; only the command line and its own worker processes may enter this."""
    token = _own_code.set(True)
    try:
        yield
    finally:
        _own_code.reset(token)


@contextmanager
def no_own_code() -> Iterator[None]:
    """Refuse `module:Class` inside, also where the caller may use it."""
    token = _own_code.set(False)
    try:
        yield
    finally:
        _own_code.reset(token)


def allow_own_code() -> None:
    """Allow `module:Class` as long as this process lives; for a worker process of the command line."""
    _own_code.set(True)


def own_code_is_allowed() -> bool:
    """Whether `module:Class` is read here."""
    return _own_code.get()


def own_code_in(error: BaseException) -> str | None:
    """Where a class of the user's own was at work when an error was raised, such as ``walks, line 12``; or None."""
    frames = [(frame.f_globals.get("__name__"), line) for frame, line in walk_tb(error.__traceback__)]
    places = [f"{module}, line {line}" for module, line in frames if module in _own_modules]
    return places[-1] if places else None


class Registry(Mapping[str, str]):
    """The classes of one kind: a mapping from the names of all installed ones to where they are defined.

    what : the kind in a sentence.  group : the group of entry points.  base : the class that each inherits from.
    required : the attributes that each class must have.
    """

    def __init__(
        self, what: str, group: str, built_in: Mapping[str, str], *, base: str, required: tuple[str, ...]
    ) -> None:
        self.what, self.group, self.built_in = what, group, dict(built_in)
        self._base, self._required = base, required
        _GROUPS.append(group)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __iter__(self) -> Iterator[str]:
        yield from self.built_in
        outside = [name for name in self._entries if name not in self.built_in]
        yield from (name for name in outside if self._installed(name)[0] is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        """Whether a class of this name is installed and can be loaded."""
        return isinstance(name, str) and (name in self.built_in or self._installed(name)[0] is not None)

    def __getitem__(self, name: str) -> str:
        if name in self.built_in:
            return self.built_in[name]
        if name in self:
            return str(self._entries[name][0].value)
        raise KeyError(name)

    def load(self, name: str) -> Any:
        """The installed class of this name; `module:Class` is never imported."""
        if name in self.built_in:
            return _imported(self.built_in[name])
        declared, problem = self._installed(name)
        if declared is None:
            raise ParameterError(problem or f"no {self.what} is called {name!r}; {did_you_mean(name, self)}")
        return declared

    def choose(self, name: str) -> Any:
        """The class that a user names: an installed one or, where `own_code` allows it, `module:Class`."""
        if ":" not in name:
            return self.load(name)
        if not own_code_is_allowed():
            raise ParameterError(
                f"{self.what} {name!r}: module:Class works only on the command line; wanted the name of an installed "
                f"{self.what}"
            )
        return self._own(name)

    def name_of(self, declared: Any) -> str:
        """What `choose` finds this class by."""
        if declared.name in self and self.load(declared.name) is declared:
            return str(declared.name)
        return f"{declared.__module__}:{declared.__qualname__}"

    def package_of(self, name: str) -> str | None:
        """The package that adds the class of this name; None for a built-in one."""
        return None if name in self.built_in else _package(self._entries[name][0])

    @property
    def problems(self) -> list[str]:
        """One sentence for each entry point that cannot be used."""
        sentences = [self._installed(name)[1] for name in self._entries if name not in self.built_in]
        taken = [entry for name in self._entries if name in self.built_in for entry in self._entries[name]]
        sentences += [
            f"{self._who(entry)} is ignored: sfumato itself has a {self.what} of this name" for entry in taken
        ]
        return sorted(problem for problem in sentences if problem)

    @property
    def _entries(self) -> dict[str, list[Any]]:
        return _entry_points().get(self.group, {})

    def _who(self, entry: Any) -> str:
        return f"package {_package(entry)}: the entry {entry.name!r} of {self.group}"

    def _installed(self, name: str) -> tuple[Any, str]:
        """The class that a package adds under this name, or None and what is wrong with the entry."""
        entries = self._entries.get(name, [])
        if not entries:
            return None, ""
        if len(entries) > 1:
            packages = " and ".join(sorted(map(_package, entries)))
            return None, f"packages {packages}: both add a {self.what} called {name!r}; uninstall one of them"
        return _loaded(self, entries[0])

    def _own(self, reference: str) -> Any:
        if not _REFERENCE.fullmatch(reference):
            raise ParameterError(f"{self.what} {reference!r}: wanted module:Class, such as walks:WellVisited")
        module, _, attribute = reference.partition(":")
        if os.getcwd() not in sys.path:
            sys.path.append(os.getcwd())
        try:
            declared = getattr(import_module(module), attribute)
            _own_modules.add(module)
        except ModuleNotFoundError as error:
            if error.name != module and not module.startswith(f"{error.name}."):
                raise ParameterError(f"{reference}: module {module!r} cannot be imported ({error})") from None
            raise ParameterError(
                f"{reference}: no module is called {module!r} in this directory or among the installed packages"
            ) from None
        except AttributeError as error:
            if attribute in vars(sys.modules.get(module, object)):
                raise ParameterError(f"{reference}: module {module!r} cannot be imported ({error})") from None
            raise ParameterError(f"{reference}: module {module!r} has no class {attribute!r}") from None
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise ParameterError(f"{reference}: module {module!r} cannot be imported ({reason})") from None
        if problem := self._problem(declared):
            raise ParameterError(f"{reference}: {problem}")
        if declared.name in self and self.load(declared.name) is not declared:
            raise ParameterError(
                f"{reference}: the name {declared.name!r} is taken by an installed {self.what}; give the class another"
            )
        return declared

    def _problem(self, declared: Any) -> str:
        """What is wrong with a class that is to be used as one of this kind; an empty text if nothing is."""
        base: Any = _imported(self._base)
        if not (isinstance(declared, type) and issubclass(declared, base)):
            return f"wanted a class that inherits from {base.__module__}.{base.__name__}, found another object"
        if not getattr(declared.__dict__.get("__dataclass_params__"), "frozen", False):
            return "wanted a class with @dataclass(frozen=True, kw_only=True), found one without"
        name = getattr(declared, "name", None)
        missing = [attribute for attribute in self._required if not hasattr(declared, attribute)]
        missing += [
            attribute for attribute in dir(declared) if _is_abstract(inspect.getattr_static(declared, attribute))
        ]
        if missing:
            return f"the class lacks {', '.join(missing)}"
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            return f"wanted a name of small letters, digits and hyphens, found {name!r}"
        if not declared.__doc__:
            return "wanted a docstring, found none"
        return ""


def _is_abstract(member: Any) -> bool:
    return bool(getattr(member, "__isabstractmethod__", False))


def _imported(where: str) -> Any:
    module, _, attribute = where.partition(":")
    return getattr(import_module(module), attribute)


def _package(entry: Any) -> str:
    return str(entry.dist.name if entry.dist is not None else entry.value.partition(":")[0])


@cache
def _entry_points() -> dict[str, dict[str, list[Any]]]:
    """Every entry point of the groups of this library, by group and name; none from the current directory.

    No package is installed there, but a published directory may hold files that look like one.
    """
    from importlib.metadata import EntryPoints, distributions

    here = os.path.realpath(os.getcwd())
    installed = distributions(path=[path for path in sys.path if os.path.realpath(path) != here])
    entries: dict[str, dict[str, list[Any]]] = {}
    every = EntryPoints(entry for package in installed for entry in package.entry_points)
    for group in _GROUPS:
        for entry in every.select(group=group):
            same = entries.setdefault(group, {}).setdefault(entry.name, [])
            if not any((_package(entry), entry.value) == (_package(other), other.value) for other in same):
                same.append(entry)
    return entries


@cache
def _loaded(registry: Registry, entry: Any) -> tuple[Any, str]:
    """The class of an entry point, or None and what is wrong with it."""
    who = registry._who(entry)
    try:
        declared = entry.load()
    except Exception as error:  # whatever another package does wrong costs only its own entry
        return None, f"{who} cannot be loaded ({type(error).__name__}: {error})"
    if problem := registry._problem(declared):
        return None, f"{who} cannot be used: {problem}"
    if declared.name != entry.name:
        return None, f"{who} cannot be used: the class is called {declared.name!r}, and both names must be the same"
    return declared, ""
