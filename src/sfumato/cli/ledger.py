"""`sfumato ledger FILE`: which releases there were, of whom, under which promise."""

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
    help="Say where a release lies now; its files must be the same.",
)
@click.option(
    "--close",
    metavar="NUMBER",
    help="Say that a release whose run was killed, and whose directory is not found, was never published.",
)
@json_option
def command(file: Path, moved: tuple[str, str] | None, close: str | None, as_json: bool) -> None:
    """Show the ledger of releases FILE, which `sfumato anonymize --ledger` keeps.

    The ledger is private: it says who was in which release.  Names are kept as keyed hashes, and the key lies in the
    ledger, so that whoever holds it can look for anybody they can name.

    A release that is intended is one whose run was killed, and whose directory is not found.  It may have been moved,
    so it counts as published until --moved says where it lies or --close says that it was never published.
    """
    from sfumato.io.published.ledger import INTENDED, ReleaseLedger

    if moved is not None and not moved[0].isdecimal():
        raise click.UsageError(f"--moved wants the number of a release and its directory, got {moved[0]!r}")
    if close is not None and not close.isdecimal():
        raise click.UsageError(f"--close wants the number of a release, got {close!r}")
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
        say(f"{file}: no release was entered yet.")
        return
    head = ("", "written", "method", "promise", "of", "directory", "state", "files")
    table(f"{file} is private: it says who was in which release.", head, [_row(entry) for entry in entries])
    for entry in entries:
        if entry.state == INTENDED:
            say(
                f"- {entry.number}: its run was killed and its directory is not found, so it counts as published; "
                f"--moved {entry.number} DIR says where it lies, --close {entry.number} that it was never published"
            )
        for one in entry.attacked:
            if one["shared"] != 0:
                say(f"{mark_of(one)} {entry.number}: {one['sentence']}")


def _row(entry: Entry) -> tuple[object, ...]:
    promise = "; ".join(
        f"{one['model']} {', '.join(f'{key}={value}' for key, value in one['parameters'].items())}"
        for one in entry.guarantees
    )
    people = "unknown people" if entry.people is None else f"{entry.people:,} people"
    return (entry.number, entry.written, entry.method, promise, people, str(entry.directory), entry.state, entry.files)
