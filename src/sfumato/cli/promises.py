"""`sfumato promises`: a list of all privacy models."""

from typing import Any

import click

from sfumato.catalogue import MODELS
from sfumato.cli.shared.listing import facts_of, show_list
from sfumato.cli.shared.options import json_option

__all__ = ["command"]


@click.command("promises")
@json_option
def command(as_json: bool) -> None:
    """List all privacy models: kinds of data, meaning."""
    hint = "sfumato verify FILE --model NAME checks a privacy model."
    show_list(MODELS, _facts, {"data": "kinds", "promise": "summary"}, hint, as_json=as_json)


def _facts(name: str) -> dict[str, Any]:
    declared = MODELS.load(name)
    return facts_of(
        MODELS, name, kinds=list(declared.kinds), not_covered=[limit.to_json() for limit in declared.not_covered]
    )
