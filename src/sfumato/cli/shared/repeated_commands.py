"""The commands that repeat a check or an attack, and what an original only repeats from its release."""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.cli.shared.alternatives import TypedRun

if TYPE_CHECKING:
    from sfumato.experiments.reports.board.facts import Repeat
    from sfumato.io.published.directory import Published

__all__ = ["claimed_roles", "repeated_commands"]


_CONFIRMED = {  # by what counts
    "roads of the network": "--network DIR",
    "coordinates of places": "--places FILE",
    "sensitive places": "--places FILE",
    "owners of places": "--places FILE",
    "taxonomy": "--taxonomy FILE",
    "sensitive items": "--sensitive NAMES",
    "privacy policy": "--privacy-policy FILE",
    "utility policy": "--utility-policy FILE",
}


def repeated_commands(
    release: Path,
    original: Path | None,
    report: Path | None,
    options: Mapping[str, Any],
    published: Published | None = None,
) -> Repeat:
    """The commands for a report; without the original, the public one, which names no file.

    options : those for reading the original, as they were given.
    published : the release, whose roles of columns the attacks count with where the options give none.

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
    roles = {} if published is None else _claimed_columns(published, options)
    columns = [word for name, value in roles.items() for word in _words(name, value)]
    attacks = ["sfumato", "audit", str(original), "--against", str(release), *read, *columns, "--seed", "0"]
    instead = None
    if published is not None:
        kind = published.certificate.original_kind
        instead = TypedRun(original, {**options, **roles}, release, kind).command
    named = {_COUNTED[name]: shlex.join(_words(name, value)) for name, value in roles.items()}
    return Repeat(shlex.join(checks), shlex.join(attacks), _CONFIRMED | named, instead)


_COUNTED = {"quasi_identifiers": "quasi-identifiers", "sensitive": "sensitive columns"}


def _claimed_columns(release: Published, options: Mapping[str, Any]) -> dict[str, str]:
    """The roles of columns that the release states and the options do not, as values of these options."""
    from sfumato.data import Mixed, Table

    table = release.data.table if isinstance(release.data, Mixed) else release.data
    if not isinstance(table, Table):
        return {}
    stated = {"quasi_identifiers": table.quasi_identifiers, "sensitive": table.sensitive}
    return {name: _listed(columns) for name, columns in stated.items() if columns and options.get(name) is None}


def _listed(names: tuple[str, ...]) -> str:
    """Names separated by commas, as the options take them."""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(names)
    return text.getvalue()


def _words(name: str, value: Any) -> tuple[str, ...]:
    flag = f"--{name.replace('_', '-')}"
    return (flag,) if value is True else (flag, str(value))


def claimed_roles(options: dict[str, Any]) -> tuple[str, ...]:
    """What the options do not say of the original, so that it comes from the release."""
    roles = {"quasi_identifiers": "quasi-identifiers", "sensitive": "sensitive", "network": "network"}
    return tuple(what for option, what in roles.items() if options.get(option) is None)
