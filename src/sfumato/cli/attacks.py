"""`sfumato attacks`: a list of all attacks, a search, or everything about one."""

from typing import Any

import click

from sfumato.catalogue import ATTACKS
from sfumato.cli.shared.listing import KIND, Catalogue, facts_of, words_argument
from sfumato.cli.shared.options import json_option

__all__ = ["command"]


@click.command("attacks")
@words_argument(ATTACKS)
@KIND
@json_option
def command(words: tuple[str, ...], kind: str | None, as_json: bool) -> None:
    """List all attacks: kinds of data, idea.

    With a NAME, show everything about one attack.  With other WORDS, list the attacks whose name, sentence or data
    contain all of them.
    """
    _CATALOGUE.show(words, as_json=as_json, kinds=kind)


def _facts(name: str) -> dict[str, Any]:
    declared = ATTACKS.load(name)
    on = "a release" if declared.against else "an unchanged file, or a release"
    return facts_of(ATTACKS, name, kinds=list(declared.kinds), idea=declared.idea, against=declared.against, on=on)


def _usage(name: str) -> str:
    """How to try one attack."""
    against = "--against DIR " if ATTACKS.load(name).against else ""
    return f"sfumato audit INPUT {against}--attack {name} tries an attack."


_CATALOGUE = Catalogue(
    ATTACKS,
    _facts,
    {"data": "kinds", "the attacker": "idea"},
    {"title": "title", "the attacker": "idea", "data": "kinds", "on": "on"},
    "sfumato audit INPUT --attack NAME tries an attack; one on a release needs --against DIR.\n"
    "sfumato attacks NAME shows everything about an attack; sfumato attacks WORDS searches.",
    _usage,
)
