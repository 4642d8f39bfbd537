"""`sfumato kb facets`: stops, trails and persons counted along the hierarchies of a knowledge base."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.cli.shared.options import json_option
from sfumato.cli.shared.render import print_json, say, table
from sfumato.errors import OutputError, counted, either

if TYPE_CHECKING:
    import polars as pl

__all__ = ["command"]

SHOWN = 30
TABLES = (".csv", ".parquet")


@click.command("facets")
@click.argument("directory", type=click.Path(path_type=Path))
@click.argument("facet", required=False)
@click.option("--under", metavar="NODE", help="Only this node and what is below it, such as dbo:Place or an IRI.")
@click.option("--relation", metavar="PROPERTY", help="Only links by this property, such as visits, or one below it.")
@click.option(
    "--zone", help="The time zone of the clock, such as America/Sao_Paulo [default: as each time is written]."
)
@click.option(
    "--hemisphere",
    type=click.Choice(["north", "south"]),
    default="north",
    show_default=True,
    help="The hemisphere, which determines the seasons.",
)
@click.option("--write-times", is_flag=True, help="Write the time facet into the knowledge base, for queries.")
@click.option("--out", type=click.Path(path_type=Path), help="The private file to write: .csv or .parquet.")
@json_option
def command(directory: Path, facet: str | None, out: Path | None, as_json: bool, **options: Any) -> None:
    """List the facets of the knowledge base DIRECTORY, or count stops, trails and persons along FACET.

    A node counts what is linked to it or to a node below it, each stop, trail and person once.  Counts are exact and
    computed from movements, so they are private.
    """
    from sfumato.io.outputs import require_output, require_private

    if options["under"] is not None and facet is None:
        raise click.UsageError("--under names a node of a facet; name the facet, such as Place")
    if out is not None:
        if out.suffix.lower() not in TABLES:
            raise OutputError(
                f"{out}: wanted a file that ends in {either(TABLES)}, found {out.suffix or 'no ending'!r}"
            )
        require_output(out, "counts", inputs=[directory])
        require_private(out, "counts")
    frame, added = _counted(directory, facet, **options)
    if out is not None:
        _write(frame, out)
    if as_json:
        rows = {} if out is not None else {"rows": frame.to_dicts()}
        print_json({"out": str(out) if out else None, "facet": facet, "triples_added": added, **rows})
        return
    if options["write_times"]:
        say(f"the time facet is in {directory}; it has {counted(added, 'triple')} more")
    if out is not None:
        say(f"{counted(frame.height, 'row')} in {out}, which is private")
    else:
        _show(frame, facet)


def _counted(
    directory: Path,
    name: str | None,
    under: str | None,
    relation: str | None,
    zone: str | None,
    hemisphere: str,
    write_times: bool,
) -> tuple[pl.DataFrame, int]:
    """The facets or the counts of one, and by how many triples the knowledge base grew."""
    from sfumato.semantics.knowledge.facets import facets_of, materialize_times
    from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
    from sfumato.semantics.ontology.names import expanded

    with KnowledgeBase.open(directory, read_only=not write_times) as base:
        added = materialize_times(base, zone=zone, hemisphere=hemisphere) if write_times else 0
        facets = facets_of(base, relation=relation, zone=zone, hemisphere=hemisphere)
    if name is None:
        return facets.frame(), added
    facet = facets[name] if under is None else facets[name].under(expanded(under))
    return facet.roll_up(), added


def _write(frame: pl.DataFrame, out: Path) -> None:
    import io

    from sfumato.io.atomic_writes import write_bytes

    buffer = io.BytesIO()
    if out.suffix.lower() == ".csv":
        frame.write_csv(buffer)
    else:
        frame.write_parquet(buffer)
    write_bytes(buffer.getvalue(), out)


def _show(frame: pl.DataFrame, facet: str | None) -> None:
    if facet is None:
        table("", frame.columns, frame.rows())
        say("sfumato kb facets DIRECTORY FACET counts along one of them")
        return
    from sfumato.semantics.ontology.names import prefixed

    linked = frame.filter(frame.select("stops", "trails", "persons").sum_horizontal() > 0)
    ordered = linked.sort("trails", "stops", "level", "node", descending=[True, True, False, False])
    rows = [
        (prefixed(row["node"]), row["label"], row["level"], row["stops"], row["trails"], row["persons"])
        for row in ordered.head(SHOWN).iter_rows(named=True)
    ]
    table("", ("node", "label", "level", "stops", "trails", "persons"), rows)
    hidden = f", {SHOWN} shown; --out FILE writes all" if linked.height > SHOWN else ""
    say(f"{counted(linked.height, 'node')} with links of {frame.height:,}{hidden}; the counts are private")
