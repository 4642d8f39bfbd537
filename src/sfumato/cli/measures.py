"""`sfumato measures`: a list of all measures."""

from typing import Any

import click

from sfumato.catalogue import MEASURES
from sfumato.cli.shared.listing import facts_of, show_list
from sfumato.cli.shared.options import json_option

__all__ = ["command"]


@click.command("measures")
@json_option
def command(as_json: bool) -> None:
    """List all measures: kinds of data, better direction, meaning."""
    hint = "sfumato evaluate ORIGINAL DIR --measure NAME computes a measure."
    show_list(MEASURES, _facts, {"data": "kinds", "better": "better", "meaning": "meaning"}, hint, as_json=as_json)


def _facts(name: str) -> dict[str, Any]:
    declared = MEASURES.load(name)
    return facts_of(MEASURES, name, kinds=list(declared.kinds), better=declared.better, meaning=declared.meaning)
