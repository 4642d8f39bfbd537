"""The commands that repeat a check or an attack, and what an original only repeats from its release."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.experiments.reports.board.facts import Repeat

__all__ = ["claimed_roles", "repeated_commands"]


def repeated_commands(release: Path, original: Path | None, report: Path | None, options: Mapping[str, Any]) -> Repeat:
    """The commands for a report; without the original, the public one, which names no file.

    options : those for reading the original, as they were given.

    >>> given = {"person": "who", "split_jumps": True, "kind": None}
    >>> repeated_commands(Path("out"), Path("my visits.csv"), None, given).verify
    "sfumato verify out --original 'my visits.csv' --person who --split-jumps"
    """
    from sfumato.experiments.reports.board.facts import Repeat

    if original is None:
        return Repeat()
    read = [word for name, value in options.items() if value for word in _words(name, value)]
    if report is not None:
        read += ["--report", str(report)]
    checks = ["sfumato", "verify", str(release), "--original", str(original), *read]
    attacks = ["sfumato", "audit", str(original), "--against", str(release), *read, "--seed", "0"]
    return Repeat(shlex.join(checks), shlex.join(attacks))


def _words(name: str, value: Any) -> tuple[str, ...]:
    flag = f"--{name.replace('_', '-')}"
    return (flag,) if value is True else (flag, str(value))


def claimed_roles(options: dict[str, Any]) -> tuple[str, ...]:
    """What the options do not say of the original, so that it comes from the release."""
    roles = {"quasi_identifiers": "quasi-identifiers", "sensitive": "sensitive", "network": "network"}
    return tuple(what for option, what in roles.items() if options.get(option) is None)
