"""`sfumato match`: map matching, from positions to road trajectories."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sfumato.cli.shared.options import columns_of, declared_options, json_option, network_files, show_notes
from sfumato.cli.shared.render import print_json, say

__all__ = ["command"]

_COUNTS = {
    "together": "positions merged with the previous position",
    "off_road": "positions left out, with no road near them",
    "broken": "breaks: no path connects two positions, so a new trajectory starts",
    "single": "single positions between two breaks, left out",
}


class _Match(click.Command):
    """Takes the declared parameters of map matching; they are looked up when the command is used."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        from sfumato.prepare import MapMatching

        own = super().get_params(ctx)
        return [own[0], *declared_options(MapMatching, "match"), *own[1:]]


@click.command("match", cls=_Match)
@click.argument("input", type=click.Path(path_type=Path))
@click.option(
    "--network",
    type=click.Path(path_type=Path),
    required=True,
    help="Roads: a folder with nodes.csv and roads.csv, a GraphML file, or a CSV of ways.",
)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The file of road trajectories to write.")
@click.option("--columns", help="Other column names: time=t,lat=Y,lon=X.")
@click.option("--person", help="The column that names the person of each trajectory.")
@json_option
def command(
    input: Path, network: Path, out: Path, columns: str | None, person: str | None, as_json: bool, **options: Any
) -> None:
    """Write the most probable roads for the positions in INPUT.

    INPUT has the columns time, lat and lon (or x and y), and trajectory or person.  The output is as private as
    INPUT.
    """
    from sfumato.errors import FileError
    from sfumato.io import read_network, read_positions, write
    from sfumato.io.files import suffix_of
    from sfumato.io.outputs import require_output
    from sfumato.prepare import MapMatching

    matching = MapMatching.from_json(options)
    if suffix_of(out) not in (".csv", ".parquet"):
        raise FileError(
            out, f"wanted a file that ends in .csv or .parquet for roads, found {suffix_of(out) or 'no ending'!r}"
        )
    require_output(out, "file of roads", inputs=[input, *network_files(network)])
    named = columns_of(columns) | ({} if person is None else {"person": person})
    notes: list[str] = []
    positions = read_positions(input, columns=named, network=read_network(network), notes=notes)
    show_notes(notes)
    matched = matching.apply(positions)
    write(matched.data, out)
    if as_json:
        print_json({"out": str(out), "records": len(matched.data), "roads": len(matched.data.codes), **matched.counts})
        return
    say(f"{len(matched.data):,} road trajectories with {len(matched.data.codes):,} roads in {out}")
    for what, count in matched.counts.items():
        if count:
            say(f"    {_COUNTS[what]}: {count:,}")
