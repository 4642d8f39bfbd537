"""`sfumato enrich`: positions or stops of a movement linked to the places and events of a knowledge base."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sfumato.cli.shared.options import declared_options, json_option
from sfumato.cli.shared.render import print_json, say

__all__ = ["command"]

_COUNTS = ("targets", "with_texts", "resources", "candidates", "linked", "several")


class _Enrich(click.Command):
    """Takes the declared parameters of the linker; they are looked up when the command is used."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        from sfumato.semantics.linking.linker import Linker

        own = super().get_params(ctx)
        return [*own[:2], *declared_options(Linker, "enrich"), *own[2:]]


@click.command("enrich", cls=_Enrich)
@click.argument("movement", type=click.Path(path_type=Path))
@click.option("--kb", type=click.Path(path_type=Path), required=True, help="The directory of the knowledge base.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The new directory of the movement.")
@json_option
def command(movement: Path, kb: Path, out: Path, as_json: bool, **options: Any) -> None:
    """Write the movement in the directory MOVEMENT with links to places and events.

    A link is an annotation with its distance, its similarity and the parameters that it was found with.  The output is
    as private as MOVEMENT.
    """
    from sfumato.io.outputs import require_fresh, require_private
    from sfumato.semantics.linking.linker import Linker
    from sfumato.semantics.movement.files import read_movement

    linker = Linker.from_json(options)
    require_private(out, "movement")
    require_fresh(out)
    linked = linker.link(read_movement(movement), kb)
    linked.movement.write(out)
    counts = linked.counts
    if as_json:
        print_json({"out": str(out), **counts, "parameters": linker.to_json()})
        return
    what = linker.on
    say(
        f"{counts['linked']:,} of {counts['targets']:,} {what} linked to places of {kb}, in {out}: "
        f"{counts['candidates']:,} candidates among {counts['resources']:,} places"
    )
    say(f"    {what} with texts: {counts['with_texts']:,}")
    say(f"    {what} with several places that are equally good: {counts['several']:,}")
    for name in counts:
        if name not in _COUNTS:
            say(f"    links {name}: {counts[name]:,}")
