"""`sfumato ledger FILE`: the releases in a ledger, with their guarantees and the number of their persons."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sfumato.cli.shared.options import json_option
from sfumato.cli.shared.render import mark_of, print_json, say, table

if TYPE_CHECKING:
    from sfumato.io.published.ledger import Entry

__all__ = ["command"]


@click.command("ledger")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--moved",
    nargs=2,
    metavar="NUMBER DIR",
    help="Record the new directory of a release that was moved; its files must be unchanged.",
)
@click.option(
    "--close",
    metavar="NUMBER",
    help="Record that a release was never published: its run was killed, and its directory is missing.",
)
@json_option
def command(file: Path, moved: tuple[str, str] | None, close: str | None, as_json: bool) -> None:
    """Show FILE, a ledger of releases.

    `sfumato anonymize --ledger` writes it.  The ledger is private: it records which persons were in which release.
    It stores names as keyed hashes and the key beside them, so that the holder of the file can search for any name.

    The state *intended* marks a release whose run was killed and whose directory is missing.  The directory may
    have been moved, so the release counts as published until --moved names its directory or --close states that it
    was never published.
    """
    from sfumato.io.published.ledger import INTENDED, ReleaseLedger

    if moved is not None and not moved[0].isdecimal():
        raise click.UsageError(f"--moved: wanted the number of a release and its directory, found {moved[0]!r}")
    if close is not None and not close.isdecimal():
        raise click.UsageError(f"--close: wanted the number of a release, found {close!r}")
    if moved is not None or close is not None:
        if not file.exists():
            raise click.UsageError(f"{file}: no such file")
        with ReleaseLedger.writing(file) as book:
            if moved is not None:
                book.move(int(moved[0]), moved[1])
            if close is not None:
                book.close(int(close))
    with ReleaseLedger.reading(file) as book:
        entries = book.entries(closed=True)
    if as_json:
        print_json({"private": True, "ledger": str(file), "releases": [entry.to_json() for entry in entries]})
        return
    if not entries:
        say(f"{file}: no releases yet.")
        return
    head = ("", "written", "method", "promise", "persons", "directory", "state", "files")
    table(
        f"{file} is private: it records which persons were in which release.", head, [_row(entry) for entry in entries]
    )
    for entry in entries:
        if entry.state == INTENDED:
            say(
                f"- {entry.number}: its run was killed and its directory is missing, so it counts as published; "
                f"--moved {entry.number} DIR names it, --close {entry.number} states that it is not published"
            )
        for attack in entry.attacked:
            if attack["shared"] != 0:
                say(f"{mark_of(attack)} {entry.number}: {attack['sentence']}")


def _row(entry: Entry) -> tuple[object, ...]:
    promise = "; ".join(
        f"{guarantee['model']} {', '.join(f'{key}={value}' for key, value in guarantee['parameters'].items())}"
        for guarantee in entry.guarantees
    )
    persons = "unknown" if entry.people is None else f"{entry.people:,}"
    return (entry.number, entry.written, entry.method, promise, persons, str(entry.directory), entry.state, entry.files)
