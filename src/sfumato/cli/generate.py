"""`sfumato generate`: synthetic data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sfumato.cli._options import declared_options
from sfumato.cli._render import print_json, say
from sfumato.errors import did_you_mean

__all__ = ["command"]

GENERATORS = ("checkins",)


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
                click.Option(["--seed"], type=int, help="Repeat a run exactly."),
                click.Option(["--json", "as_json"], is_flag=True, help="Print JSON for machines."),
            ],
        )


@click.command("generate", cls=_Generators, options_metavar="", subcommand_metavar="WHAT [OPTIONS]")
def command() -> None:
    """Write synthetic data with the shape of real ones."""


def _generator(name: str) -> Any:
    import sfumato.generate

    return getattr(sfumato.generate, name.capitalize())


def _run(name: str, *, out: Path, seed: int | None, as_json: bool, **said: Any) -> None:
    from sfumato.io import write
    from sfumato.io.files import require_parent

    generator = _generator(name).from_json(said)
    require_parent(out)
    data = generator.make(seed=seed)
    write(data, out)
    facts = {"out": str(out), "kind": data.kind, "records": len(data), f"{data.element}s": len(data.codes)}
    if as_json:
        print_json({**facts, "parameters": generator.to_json(), "seed": seed})
    else:
        say(f"{len(data):,} {data.kind} with {len(data.codes):,} {data.element}s in {out}")
