"""`sfumato segment`: from positions, posts or photos to trails, stops and moves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sfumato.cli.shared.options import columns_of, declared_options, json_option, show_notes
from sfumato.cli.shared.render import print_json, say
from sfumato.errors import counted

__all__ = ["command"]

_COUNTS = {
    "ties_merged": "positions merged with an earlier one at the same instant",
    "trails_dropped": "trails left out, with a step above the highest speed",
    "objects_dropped": "moving objects left out, with a step above the highest speed",
    "positions_dropped": "positions left out with them",
    "outside_regions": "positions outside every region of the coarsest level",
    "compressed": "positions left out by compression",
}


class _Segment(click.Command):
    """Takes the declared parameters of segmentation; they are looked up when the command is used."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        from sfumato.semantics.segmentation.segmentation import Segmentation

        own = super().get_params(ctx)
        return [own[0], *declared_options(Segmentation, "segment"), *own[1:]]


@click.command("segment", cls=_Segment)
@click.argument("input", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The new directory of the movement.")
@click.option(
    "--regions",
    type=click.Path(path_type=Path),
    help="Regions on one or several levels: GeoJSON, or a CSV with region, wkt (or a box) and level.",
)
@click.option("--places", type=click.Path(path_type=Path), help="Places file, for stops at places.")
@click.option("--columns", help="Other column names: time=t,lat=Y,lon=X,tags=keywords.")
@click.option("--person", help="The column that names the person of each position.")
@json_option
def command(
    input: Path,
    out: Path,
    regions: Path | None,
    places: Path | None,
    columns: str | None,
    person: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Write the trails, stops and moves of the positions in INPUT.

    INPUT has the columns time, lat and lon (or x and y), and trajectory or person.  Posts and photos may also have
    end, tags, text, place and wkt.  The output is as private as INPUT.
    """
    from sfumato.io import read_places, read_positions
    from sfumato.io.outputs import require_fresh, require_private
    from sfumato.io.regions import read_regions
    from sfumato.semantics.segmentation.segmentation import Segmentation

    segmentation = Segmentation.from_json(options)
    require_private(out, "movement")
    require_fresh(out)
    named = columns_of(columns) | ({} if person is None else {"person": person})
    notes: list[str] = []
    known = None if places is None else read_places(places, notes=notes)
    areas = None if regions is None else read_regions(regions, notes=notes)
    positions = read_positions(input, columns=named, places=known, notes=notes).with_regions(areas)
    show_notes(notes)
    segmented = segmentation.apply(positions)
    segmented.movement.write(out)
    counts = segmented.counts
    if as_json:
        print_json({"out": str(out), **counts, "parameters": segmentation.to_json()})
        return
    parts = {"positions": "position", "objects": "moving object", "trails": "trail", "stops": "stop", "moves": "move"}
    positions_of, objects, trails, stops, moves = (counted(counts[name], word) for name, word in parts.items())
    say(f"{positions_of} of {objects} in {trails} with {stops} and {moves}, in {out}")
    for what, sentence in _COUNTS.items():
        if counts.get(what):
            say(f"    {sentence}: {counts[what]:,}")
