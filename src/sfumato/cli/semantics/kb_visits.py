"""`sfumato kb visits`: linked stops of a movement as trajectories that can be anonymized."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.cli.semantics.kb_taxonomy import named_classes, sensitive_option
from sfumato.cli.shared.options import declared_options, json_option
from sfumato.cli.shared.render import print_json, say

if TYPE_CHECKING:
    from sfumato.semantics.publishing.annotated_visits import Visits

__all__ = ["command"]


class _Visits(click.Command):
    """The options of the choice of visits are declared in the library, which is loaded when the command is used."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        from sfumato.semantics.publishing.annotated_visits import AnnotatedVisits

        return [*declared_options(AnnotatedVisits, "visits"), *super().get_params(ctx)]


@click.command("visits", cls=_Visits)
@click.argument("movement", type=click.Path(path_type=Path))
@click.option("--kb", type=click.Path(path_type=Path), required=True, help="The knowledge base of the linked places.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The .csv file of visits; it is private.")
@click.option("--places-out", type=click.Path(path_type=Path), help="A .csv file of all places of the knowledge base.")
@click.option("--taxonomy-out", type=click.Path(path_type=Path), help="A .csv file of their taxonomy.")
@sensitive_option
@json_option
def command(
    movement: Path,
    kb: Path,
    out: Path,
    places_out: Path | None,
    taxonomy_out: Path | None,
    sensitive: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Write the linked stops (or positions) of MOVEMENT as visits: trajectory, person, location, time.

    A trail is a trajectory, its moving entity the person, the name of the linked place the location.  `sfumato
    anonymize` reads the files with --places and --taxonomy.  A release publishes names of places only as far as its
    method allows.
    """
    from sfumato.io.atomic_writes import write_texts
    from sfumato.io.frames import csv_text
    from sfumato.io.outputs import require_outputs
    from sfumato.io.places import marked_places
    from sfumato.io.taxonomies import taxonomy_text
    from sfumato.semantics.movement.files import read_movement
    from sfumato.semantics.publishing.annotated_visits import AnnotatedVisits
    from sfumato.semantics.publishing.knowledge_places import KnowledgePlaces

    outputs = [("file of visits", out), ("list of places", places_out), ("taxonomy", taxonomy_out)]
    require_outputs(outputs, inputs=[movement, kb])
    rule = AnnotatedVisits(**options)
    places = KnowledgePlaces.of(kb, named_classes(sensitive))
    visits = rule.apply(read_movement(movement), places)
    texts = {out: csv_text(visits.trajectories.to_polars())}
    if places_out is not None:
        texts[places_out] = csv_text(marked_places(places.places))
    if taxonomy_out is not None:
        texts[taxonomy_out] = taxonomy_text(places.taxonomy)
    write_texts(texts)
    _show(visits, out, places_out, taxonomy_out, as_json)


def _show(visits: Visits, out: Path, places_out: Path | None, taxonomy_out: Path | None, as_json: bool) -> None:
    files = {"out": out, "places_out": places_out, "taxonomy_out": taxonomy_out}
    if as_json:
        print_json({name: None if path is None else str(path) for name, path in files.items()} | visits.counts)
        return
    for sentence in visits.sentences:
        say(sentence)
    others = [str(path) for path in (places_out, taxonomy_out) if path is not None]
    places = visits.trajectories.places
    chosen = ", chosen by the box of a movement and therefore private" if places is not None and places.derived else ""
    listing = f"  {' and '.join(others)} list every place of the knowledge base{chosen}." if others else ""
    say(f"{out} is private: it names persons and where they were.{listing}")
