"""`sfumato generate`: synthetic data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sfumato.cli._options import declared_options
from sfumato.cli._render import print_json, say
from sfumato.errors import FileError, ParameterError, did_you_mean

__all__ = ["command"]

GENERATORS = ("city", "checkins", "semantic", "baskets", "mixed")


class _Generators(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(GENERATORS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in GENERATORS:
            ctx.fail(f"no generator is called {name!r}; {did_you_mean(name, GENERATORS)}")
        generator = _generator(name)
        return click.Command(
            name,
            callback=lambda **said: _run(name, **said),
            help=generator.__doc__.partition("\n")[0],
            params=[
                *declared_options(generator, name),
                click.Option(["--out"], type=click.Path(path_type=Path), required=True, help="The file to write."),
                *_taxonomy_option(name),
                *_places_option(name),
                click.Option(["--seed"], type=click.IntRange(min=0), help="Repeat a run exactly."),
                click.Option(["--json", "as_json"], is_flag=True, help="Print JSON for machines."),
            ],
        )


@click.command("generate", cls=_Generators, options_metavar="", subcommand_metavar="WHAT [OPTIONS]")
def command() -> None:
    """Write synthetic data with the shape of real ones."""


def _generator(name: str) -> Any:
    import sfumato.generate

    return getattr(sfumato.generate, name.capitalize())


def _taxonomy_option(name: str) -> list[click.Option]:
    """Where the places have a taxonomy, a file for it."""
    kind = click.Path(path_type=Path)
    sentence = "Also write the taxonomy of the places: node,parent,sensitive."
    return [click.Option(["--taxonomy"], type=kind, help=sentence)] if name == "semantic" else []


def _places_option(name: str) -> list[click.Option]:
    """Where the places can have owners, a file for them."""
    kind = click.Path(path_type=Path)
    sentence = "Also write the places: location, x, y, owner."
    return [click.Option(["--places", "places_file"], type=kind, help=sentence)] if name in ("city", "checkins") else []


def _run(
    name: str,
    *,
    out: Path,
    seed: int | None,
    as_json: bool,
    taxonomy: Path | None = None,
    places_file: Path | None = None,
    **said: Any,
) -> None:
    from sfumato.data.positions import Positions
    from sfumato.io import write, write_places, write_taxonomy
    from sfumato.io.files import require_parent, suffix_of
    from sfumato.io.positions import write_positions

    generator = _generator(name).from_json(said)
    require_parent(out)
    if taxonomy is not None:
        require_parent(taxonomy)
    if places_file is not None:
        require_parent(places_file)
    elif said.get("owners") is not None:
        raise ParameterError(f"generate {name}: owners are written to a file of places; say which (--places FILE)")
    data = generator.make(seed=seed)
    if places_file is not None and isinstance(data, Positions):
        raise ParameterError(f"generate {name}: positions have no places; leave --places out, or --output positions")
    if isinstance(data, Positions):
        if suffix_of(out) not in (".csv", ".parquet"):
            raise FileError(out, f"positions cannot be written to a file that ends in {suffix_of(out) or 'nothing'!r}")
        write_positions(data, out)
    else:
        write(data, out)
    if taxonomy is not None:
        write_taxonomy(data.taxonomy, taxonomy)
    if places_file is not None:
        write_places(data.places, places_file)
    kind, elements, count = _contents(data)
    if as_json:
        facts = {"out": str(out), "kind": kind, "records": len(data), elements: count}
        print_json({**facts, "parameters": generator.to_json(), "seed": seed})
    else:
        say(f"{len(data):,} {_RECORDS.get(kind, kind)} with {count:,} {elements} in {out}")


_RECORDS = {"mixed": "mixed records", "positions": "tracks"}


def _contents(data: Any) -> tuple[str, str, int]:
    """The kind of data, what its records are made of, and how many of these there are."""
    from sfumato.data import Mixed
    from sfumato.data.positions import Positions

    if isinstance(data, Positions):
        return "positions", "positions", len(data.times)
    sets = data.items if isinstance(data, Mixed) else data
    return data.kind, f"{sets.element}s", len(sets.codes)
