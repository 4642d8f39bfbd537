"""`sfumato kb taxonomy`: a taxonomy of places from the classes of a knowledge base."""

from __future__ import annotations

from pathlib import Path

import click

from sfumato.cli.shared.options import json_option, names_of
from sfumato.cli.shared.render import print_json, say
from sfumato.errors import counted

__all__ = ["command", "named_classes", "sensitive_option"]

sensitive_option = click.option(
    "--sensitive",
    help="Classes of sensitive places by label or IRI, separated by commas; none for no class [default: clinics, "
    "places of worship, parties, unions and the like].",
)


def named_classes(text: str | None) -> tuple[str, ...] | None:
    """The classes of an option; None where it was not given."""
    return None if text is None else () if text.strip().lower() == "none" else tuple(names_of(text))


@click.command("taxonomy")
@click.argument("kb", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The .csv file: node,parent,sensitive.")
@click.option("--places-out", type=click.Path(path_type=Path), help="Also write the places to a .csv file.")
@sensitive_option
@json_option
def command(kb: Path, out: Path, places_out: Path | None, sensitive: str | None, as_json: bool) -> None:
    """Write the places of the knowledge base KB, under their classes, as a taxonomy.

    A class with several superclasses counts under the one with the fewest places, and a place with several classes
    likewise.  A place is sensitive if any of its classes is, or lies below a sensitive class.  The file does not
    depend on movements in the knowledge base; it lists all places, and is marked as private if they were loaded with
    --around.
    """
    from sfumato.io.atomic_writes import write_texts
    from sfumato.io.frames import csv_text
    from sfumato.io.outputs import require_outputs
    from sfumato.io.places import marked_places
    from sfumato.io.taxonomies import taxonomy_text
    from sfumato.semantics.publishing.knowledge_places import KnowledgePlaces

    require_outputs([("taxonomy", out), ("list of places", places_out)], inputs=[kb])
    places = KnowledgePlaces.of(kb, named_classes(sensitive))
    texts = {out: taxonomy_text(places.taxonomy)}
    if places_out is not None:
        texts[places_out] = csv_text(marked_places(places.places))
    write_texts(texts)
    tree = places.taxonomy
    flagged = sorted(tree.sensitive - set(tree.leaves))
    if as_json:
        facts = {"places": len(tree.leaves), "nodes": len(tree), "height": tree.height, "sensitive_classes": flagged}
        files = {"out": str(out), "places_out": None if places_out is None else str(places_out)}
        print_json({"kb": str(kb), **files, **facts, "sensitive_places": len(tree.sensitive & set(tree.leaves))})
        return
    say(f"{counted(len(tree.leaves), 'place')} under {counted(len(tree) - len(tree.leaves), 'node')} in {out}.")
    sensitive_places = counted(len(tree.sensitive & set(tree.leaves)), "place")
    say(f"Sensitive: {sensitive_places}; classes: {', '.join(flagged) or 'no class'}.")
    if tree.rule:
        say(f"{out} is private: the box of a movement chose the places.")
