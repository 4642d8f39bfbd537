"""`sfumato kb export`: the movement in a knowledge base as tables, in Parquet or DuckDB files."""

from __future__ import annotations

from pathlib import Path

import click

from sfumato.cli.shared.options import json_option
from sfumato.cli.shared.render import print_json, say
from sfumato.errors import OutputError, counted

__all__ = ["command"]

_FILES = (".csv", ".json", ".nt", ".parquet", ".sqlite", ".ttl", ".xls", ".xlsx", ".zip")  # no names of directories
_BASE = "http://example.org/movement/"


@click.command("export")
@click.argument("directory", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="The directory to write, with a Parquet file for each table; or a file that ends in .duckdb.",
)
@click.option(
    "--base-iri",
    default=_BASE,
    show_default=True,
    help="The prefix that is removed from IRIs to get names; an IRI without it is kept whole.",
)
@json_option
def command(directory: Path, out: Path, base_iri: str, as_json: bool) -> None:
    """Write the movement in the knowledge base DIRECTORY to tables, with every segment and annotation.

    `sfumato kb load` and `read_movement` read them back.  The constraints of segments are checked, and the first that
    does not hold is named.  The tables are private.
    """
    from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
    from sfumato.semantics.movement.files import require_new_movement
    from sfumato.semantics.movement.movement import Movement

    if out.suffix.lower() in _FILES:
        raise OutputError(f"{out}: wanted a directory or a file that ends in .duckdb, found {out.suffix!r}")
    require_new_movement(out)
    with KnowledgeBase.open(directory) as base:
        movement = Movement.from_knowledge_base(base, base_iri)
    movement.write(out)
    rows = {name: len(frame) for name, frame in movement.frames().items()}
    if as_json:
        print_json({"out": str(out), "rows": rows})
        return
    tables = ", ".join(counted(number, name.removesuffix("s")) for name, number in rows.items() if number)
    say(f"{tables or 'no movement'} in {out}")
    say(f"{out} is private: do not publish it.")
