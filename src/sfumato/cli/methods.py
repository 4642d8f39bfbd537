"""`sfumato methods`: a list of all methods."""

import click

from sfumato.catalogue import METHODS
from sfumato.cli.shared.listing import facts_of, show_list
from sfumato.cli.shared.options import json_option
from sfumato.params import JsonObject

__all__ = ["command"]


@click.command("methods")
@json_option
def command(as_json: bool) -> None:
    """List all methods: kind of data, privacy models, paper."""
    hint = "sfumato anonymize METHOD --help shows the options of a method."
    show_list(METHODS, _facts, {"data": "kind", "promise": "promises", "paper": "paper"}, hint, as_json=as_json)


def _facts(name: str) -> JsonObject:
    method = METHODS.load(name)
    facts = facts_of(METHODS, name, kind=method.kind, promises=list(method.promises))
    return facts | {"needs": list(method.needs), "paper": method.paper}
