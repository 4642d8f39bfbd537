"""`sfumato measures`: a list of all measures, or everything about one."""

import math
from typing import Any

import click

from sfumato.catalogue import MEASURES
from sfumato.cli.shared.listing import facts_of, show_list
from sfumato.cli.shared.options import json_option
from sfumato.cli.shared.render import print_json, say, table

__all__ = ["command"]

HINT = "sfumato evaluate ORIGINAL DIR --measure NAME computes a measure."


@click.command("measures")
@click.argument("name", required=False)
@json_option
def command(name: str | None, as_json: bool) -> None:
    """List all measures: kinds of data, better direction, meaning.

    With NAME, show the formula, unit, range, paper and parameters of one measure.
    """
    if name is not None:
        _show_measure(name, as_json=as_json)
        return
    columns = {"data": "kinds", "better": "better", "meaning": "meaning"}
    hint = f"{HINT}\nsfumato measures NAME shows the formula, unit, range and paper of a measure."
    show_list(MEASURES, _facts, columns, hint, as_json=as_json)


def _show_measure(name: str, *, as_json: bool) -> None:
    """Print the facts of one measure, and its parameters."""
    facts = _facts(name)
    if as_json:
        print_json(facts)
        return
    measure = MEASURES.load(name)
    say(f"{name}: {facts['summary'].replace('`', '').removeprefix(f'{name}: ')}")
    rows = [
        ("title", measure.title),
        ("meaning", measure.meaning),
        ("formula", measure.formula),
        ("unit", measure.unit or "none, a pure number"),
        ("better", measure.better),
        ("range", measure.range_text()),
        ("paper", measure.paper),
        ("data", ", ".join(measure.kinds)),
        ("computed from", measure.computed_from()),
    ]
    table("", ("fact", "value"), rows)
    parameters = [(one["name"], one["wanted"], str(one["default"]), one["help"]) for one in facts["parameters"]]
    if parameters:
        table("parameters", ("parameter", "accepts", "default", "meaning"), parameters)
    say(HINT)


def _facts(name: str) -> dict[str, Any]:
    declared = MEASURES.load(name)
    return facts_of(
        MEASURES,
        name,
        kinds=list(declared.kinds),
        better=declared.better,
        meaning=declared.meaning,
        formula=declared.formula,
        unit=declared.unit,
        bounds=[bound if math.isfinite(bound) else None for bound in declared.bounds],
        paper=declared.paper,
    )
