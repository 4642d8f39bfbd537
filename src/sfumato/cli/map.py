"""`sfumato map`: a map of the traffic on a road network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sfumato.cli.shared.options import input_options, load, side_paths, with_options
from sfumato.cli.shared.render import say
from sfumato.errors import DataError

__all__ = ["command"]


@with_options(input_options(("network", "split_jumps"), kinds=False))
@click.command("map")
@click.argument("inputs", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The .png, .svg or .pdf picture to write.")
def command(inputs: tuple[Path, ...], out: Path, **options: Any) -> None:
    """Draw the number of vehicles on each road.

    There is one map for each of INPUTS, on one scale.  INPUTS are files of road trajectories or published
    directories, such as an original and its release.  A map of private data is private.
    """
    from sfumato.experiments.reports.road_map import require_map_file, write_map
    from sfumato.io.outputs import require_output
    from sfumato.io.published import directory as published

    require_map_file(out)
    require_output(out, "map", inputs=[*inputs, *side_paths(options)])
    maps: dict[str, Any] = {}
    for path in inputs:
        if (path / published.CERTIFICATE).is_file():
            data = published.read(path).require_data()
        else:
            data = load(path, dict(options), kind="roads")
        if data.kind != "roads":
            raise DataError(f"{path}: wanted road trajectories, found {data.kind}")
        maps[str(path)] = data
    write_map(maps, out)
    say(f"{len(maps)} {'map' if len(maps) == 1 else 'maps'} in {out}")
