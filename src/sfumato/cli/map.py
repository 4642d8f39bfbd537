"""`sfumato map`: movements of one or several datasets, before and after, as a page or a picture."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import click

from sfumato.cli.shared.options import declared_options, input_options, json_option, load, side_paths, with_options
from sfumato.cli.shared.render import print_json, say
from sfumato.errors import FileError

__all__ = ["command"]


class _MapCommand(click.Command):
    """The command with the options of the declared style of a map."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*self.params, *_style_options(), *super().get_params(ctx)[len(self.params) :]]


@cache
def _style_options() -> list[click.Option]:
    from sfumato.experiments.reports.maps.style import MapStyle

    return declared_options(MapStyle, "map")


@with_options(input_options(("places", "network", "split_jumps"), kinds=False))
@click.command("map", cls=_MapCommand)
@click.argument("inputs", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="The .html page or .png, .svg or .pdf picture to write.",
)
@click.option(
    "--basemap", type=click.Path(path_type=Path), help="Lines to draw beneath: a GeoJSON file, or a road network."
)
@click.option(
    "--kb", type=click.Path(path_type=Path), help="The knowledge base with the places to which a movement is linked."
)
@json_option
def command(
    inputs: tuple[Path, ...], out: Path, basemap: Path | None, kb: Path | None, as_json: bool, **options: Any
) -> None:
    """Draw visits, flows and generalized areas, the traffic on roads, or the trails and stops of a movement.

    There is one panel for each of INPUTS, on one scale.  INPUTS are files of trajectories or road trajectories,
    published directories, or directories of movements, such as an original and its release.  A page (.html) zooms and
    needs no connection.  A map of private data is private.
    """
    from sfumato.api.drawing import draw_map
    from sfumato.experiments.reports.maps.drawn_map import require_map_file
    from sfumato.experiments.reports.maps.style import MapStyle

    style = MapStyle.from_json({p.name: options.pop(p.name) for p in MapStyle.parameters()})
    _ = style.shown
    others = [path for path in (basemap, kb) if path is not None]
    require_map_file(out, inputs=(*inputs, *side_paths(options), *others))
    drawn = draw_map(
        *_sources(inputs, options),
        titles=_titles(inputs),
        places=options["places"],
        layers=style.layers,
        top_flows=style.top_flows,
        basemap=basemap,
        kb=kb,
    )
    drawn.write(out)
    if as_json:
        print_json({"out": str(out), **drawn.to_json()})
        return
    say(f"{len(inputs)} {'map' if len(inputs) == 1 else 'maps'} in {out}{' (private)' if drawn.private else ''}")
    for note in drawn.notes:
        say(f"    {note}")


def _sources(inputs: tuple[Path, ...], options: dict[str, Any]) -> list[Any]:
    """Directories as they are read, and files read by the options; a release tells the kind and network."""
    from sfumato.cli.shared.original_input import as_told_by
    from sfumato.io.published import directory as published
    from sfumato.semantics.movement.files import is_movement, read_movement

    kind: str | None
    for path in inputs:
        if path.is_dir() and not (is_movement(path) or (path / published.CERTIFICATE).is_file()):
            raise FileError(path, "wanted a file, a published directory or the directory of a movement, found another")
    movements: dict[Path, Any] = {path: read_movement(path) for path in inputs if is_movement(path)}
    releases = {path: published.read(path) for path in inputs if (path / published.CERTIFICATE).is_file()}
    if releases:
        first = next(iter(releases.values()))
        kind, known = first.certificate.original_kind, as_told_by(first, options)
    else:
        # lines of text could be sets of items, and columns with other names a table
        named = options.get("columns") or any(path.name.endswith((".txt", ".txt.gz")) for path in inputs)
        kind, known = "roads" if options.get("network") else "trajectories" if named else None, options
    fits = ("trajectories", "roads")
    opened = {**movements, **releases}
    return [opened[path] if path in opened else load(path, dict(known), kind=kind, fits=fits) for path in inputs]


def _titles(inputs: tuple[Path, ...]) -> list[str]:
    """The name of each file or directory; the whole path where two have the same name."""
    names = [path.name or str(path) for path in inputs]
    return names if len(set(names)) == len(names) else [str(path) for path in inputs]
