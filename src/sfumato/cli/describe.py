"""`sfumato describe`: what is in a file."""

from __future__ import annotations

from dataclasses import astuple
from pathlib import Path
from typing import Any

import click

from sfumato.cli.shared.options import input_options, json_option, load, with_options
from sfumato.cli.shared.render import bars, print_json, say, table

__all__ = ["command"]


@with_options(input_options())
@click.command("describe")
@click.argument("input", type=click.Path(path_type=Path))
@json_option
def command(input: Path, as_json: bool, **said: Any) -> None:
    """Show the kind, sizes and histograms of INPUT.

    INPUT is a file or a published directory.  The figures are as private as INPUT.
    """
    from sfumato.experiments.description import describe

    found = describe(input, reader=lambda path: load(path, said))
    if as_json:
        print_json(found.to_json())
        return
    table(str(input), ("figure", "value"), [(_words(name), _shown(value)) for name, value in found.figures.items()])
    for name, histogram in found.histograms.items():
        bars(_words(name), list(histogram.items()))
        say()
    if found.columns is not None:
        head = ("column", "type", "role", "distinct", "missing")
        table("columns", head, [astuple(column) for column in found.columns])


def _words(name: str) -> str:
    return name.replace("_", " ")


def _shown(value: Any) -> str:
    if value is None:
        return "unknown"
    return f"{value:,}" if isinstance(value, int) else str(value)
