"""`sfumato methods`: a list of all methods, a search, or everything about one."""

import click

from sfumato.catalogue import METHODS, MODELS
from sfumato.cli.shared.listing import KIND, Catalogue, facts_of, words_argument
from sfumato.cli.shared.options import Named, json_option
from sfumato.params import JsonObject

__all__ = ["command"]


@click.command("methods")
@words_argument(METHODS)
@KIND
@click.option("--promise", type=Named(MODELS), help="Only those that keep this privacy model.")
@json_option
def command(words: tuple[str, ...], kind: str | None, promise: str | None, as_json: bool) -> None:
    """List all methods: kind of data, privacy models, what they do.

    With a NAME, show everything about one method.  With other WORDS, list the methods whose name, sentence, data,
    privacy model or paper contains all of them.
    """
    _CATALOGUE.show(words, as_json=as_json, kind=kind, possible_promises=promise)


def _facts(name: str) -> JsonObject:
    method = METHODS.load(name)
    facts = facts_of(
        METHODS,
        name,
        kind=method.kind,
        promises=list(method.promises),
        promises_if=dict(method.promises_if),
        possible_promises=list(method.possible_promises()),
    )
    needs = [" or ".join(one_of) for one_of in method.requirements()]
    return facts | {"needs": needs, "takes": list(method.takes), "paper": method.paper}


_CATALOGUE = Catalogue(
    METHODS,
    _facts,
    {"data": "kind", "promise": "promises", "what it does": "summary"},
    {
        "title": "title",
        "data": "kind",
        "promise": "promises",
        "further promises": "promises_if",
        "needs": "needs",
        "can use": "takes",
        "paper": "paper",
    },
    "sfumato anonymize NAME --help shows the options of a method.\n"
    "sfumato methods NAME shows everything about a method; sfumato methods WORDS searches.",
)
