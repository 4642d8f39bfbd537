"""`sfumato measures`: a list of all measures, a search, or everything about one."""

import math
from typing import Any

import click

from sfumato.catalogue import MEASURES
from sfumato.cli.shared.listing import KIND, Catalogue, facts_of, words_argument
from sfumato.cli.shared.options import json_option

__all__ = ["command"]


@click.command("measures")
@words_argument(MEASURES)
@KIND
@json_option
def command(words: tuple[str, ...], kind: str | None, as_json: bool) -> None:
    """List all measures: kinds of data, better direction, meaning.

    With a NAME, show the formula, unit, range, paper and parameters of one measure.  With other WORDS, list the
    measures whose name, sentence, data, formula or paper contains all of them.
    """
    _CATALOGUE.show(words, as_json=as_json, kinds=kind)


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
        unit_in_words=declared.unit or "none, a pure number",
        bounds=[bound if math.isfinite(bound) else None for bound in declared.bounds],
        range=declared.range_text(),
        paper=declared.paper,
        computed_from=declared.computed_from(),
    )


_CATALOGUE = Catalogue(
    MEASURES,
    _facts,
    {"data": "kinds", "better": "better", "meaning": "meaning"},
    {
        "title": "title",
        "meaning": "meaning",
        "formula": "formula",
        "unit": "unit_in_words",
        "better": "better",
        "range": "range",
        "paper": "paper",
        "data": "kinds",
        "computed from": "computed_from",
    },
    "sfumato evaluate ORIGINAL DIR --measure NAME computes a measure.\n"
    "sfumato measures NAME shows the formula, unit, range and paper of a measure; sfumato measures WORDS searches.",
)
