"""`sfumato ledger FILE`: which releases there were, of whom, under which promise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sfumato.cli._options import json_option
from sfumato.cli._render import mark_of, print_json, say, table

__all__ = ["command"]


@click.command("ledger")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--moved",
    nargs=2,
    metavar="NUMBER DIR",
    help="Say where a release lies now; its files must be the same.",
)
@json_option
def command(file: Path, moved: tuple[str, str] | None, as_json: bool) -> None:
    """Show the ledger of releases FILE, which `sfumato anonymize --ledger` keeps.

    The ledger is private: it says who was in which release.  Names are kept as keyed hashes, and the key lies in the
    ledger, so that whoever holds it can look for anybody they can name.
    """
    from sfumato.io.ledger import ReleaseLedger

    if moved is not None:
        number, directory = moved
        if not number.isdigit():
            raise click.UsageError(f"--moved wants the number of a release and its directory, got {number!r}")
        if not file.exists():
            raise click.UsageError(f"{file}: no such file")
        with ReleaseLedger.writing(file) as book:
            book.move(int(number), directory)
    with ReleaseLedger.reading(file) as book:
        entries = book.entries()
    if as_json:
        print_json({"private": True, "ledger": str(file), "releases": [entry.to_json() for entry in entries]})
        return
    if not entries:
        say(f"{file}: no release was entered yet.")
        return
    head = ("", "written", "method", "promise", "of", "directory", "state")
    table(f"{file} is private: it says who was in which release.", head, [_row(entry) for entry in entries])
    for entry in entries:
        for one in entry.attacked:
            if one["shared"] != 0:
                say(f"{mark_of(one)} {entry.number}: {one['sentence']}")


def _row(entry: Any) -> tuple[object, ...]:
    promise = "; ".join(
        f"{one['model']} {', '.join(f'{key}={value}' for key, value in one['parameters'].items())}"
        for one in entry.guarantees
    )
    people = "unknown people" if entry.people is None else f"{entry.people:,} people"
    return (entry.number, entry.written, entry.method, promise, people, str(entry.directory), entry.state)
