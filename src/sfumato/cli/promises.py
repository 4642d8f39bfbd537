"""`sfumato promises`: a list of all privacy models, a search, or everything about one."""

from typing import Any

import click

from sfumato.catalogue import METHODS, MODELS
from sfumato.cli.shared.listing import KIND, Catalogue, facts_of, words_argument
from sfumato.cli.shared.options import json_option

__all__ = ["command"]


@click.command("promises")
@words_argument(MODELS)
@KIND
@json_option
def command(words: tuple[str, ...], kind: str | None, as_json: bool) -> None:
    """List all privacy models: kinds of data, meaning.

    With a NAME, show everything about one privacy model.  With other WORDS, list the models whose name, sentence,
    data or methods contain all of them.
    """
    _CATALOGUE.show(words, as_json=as_json, kinds=kind)


def _facts(name: str) -> dict[str, Any]:
    declared = MODELS.load(name)
    return facts_of(
        MODELS,
        name,
        kinds=list(declared.kinds),
        methods=[method for method in METHODS if name in METHODS.load(method).promises],
        not_covered=[limit.to_json() for limit in declared.not_covered],
    )


_CATALOGUE = Catalogue(
    MODELS,
    _facts,
    {"data": "kinds", "promise": "summary"},
    {"title": "title", "data": "kinds", "kept by": "methods", "not covered": "not_covered"},
    "sfumato verify FILE --model NAME checks a privacy model.\n"
    "sfumato promises NAME shows everything about a privacy model; sfumato promises WORDS searches.",
)
