"""`sfumato match`: positions on a road network as the roads that were driven."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sfumato.cli.shared.options import columns_of, declared_options, json_option, network_files
from sfumato.cli.shared.render import print_json, say

__all__ = ["command"]

_COUNTS = {
    "together": "positions taken together with the ones before them",
    "off_road": "positions with no road near them, left out",
    "broken": "times that no way led on, so that a new trajectory began",
    "single": "positions left alone between such breaks, left out",
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
@click.option("--person", help="The column that says who is behind a trajectory.")
@json_option
def command(
    input: Path, network: Path, out: Path, columns: str | None, person: str | None, as_json: bool, **said: Any
) -> None:
    """Write the roads that were most likely driven, given the positions in INPUT.

    INPUT has the columns time, lat and lon (or x and y), and trajectory or person.  What is written is as private as
    the positions are.
    """
    from sfumato.errors import FileError
    from sfumato.io import read_network, read_positions, write
    from sfumato.io.files import suffix_of
    from sfumato.io.outputs import require_output
    from sfumato.prepare import MapMatching

    matching = MapMatching.from_json(said)
    if suffix_of(out) not in (".csv", ".parquet"):
        raise FileError(out, f"roads cannot be written to a file that ends in {suffix_of(out) or 'nothing'!r}")
    require_output(out, "file of roads", inputs=[input, *network_files(network)])
    named = columns_of(columns) | ({} if person is None else {"person": person})
    positions = read_positions(input, columns=named, network=read_network(network))
    found = matching.apply(positions)
    write(found.data, out)
    if as_json:
        print_json({"out": str(out), "records": len(found.data), "roads": len(found.data.codes), **found.counts})
        return
    say(f"{len(found.data):,} road trajectories with {len(found.data.codes):,} roads in {out}")
    for what, count in found.counts.items():
        if count:
            say(f"    {_COUNTS[what]}: {count:,}")
