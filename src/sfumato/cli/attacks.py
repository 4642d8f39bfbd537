"""`sfumato attacks`: a list of all attacks."""

from typing import Any

import click

from sfumato.catalogue import ATTACKS
from sfumato.cli.shared.listing import facts_of, show_list
from sfumato.cli.shared.options import json_option

__all__ = ["command"]


@click.command("attacks")
@json_option
def command(as_json: bool) -> None:
    """List all attacks: kinds of data, idea."""
    hint = "sfumato audit INPUT --attack NAME tries an attack."
    show_list(ATTACKS, _facts, {"data": "kinds", "attack": "idea"}, hint, as_json=as_json)


def _facts(name: str) -> dict[str, Any]:
    declared = ATTACKS.load(name)
    return facts_of(ATTACKS, name, kinds=list(declared.kinds), idea=declared.idea, against=declared.against)
