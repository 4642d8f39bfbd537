"""`sfumato promises`: a list of all privacy models, a search, everything about one, or questions that lead to one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from sfumato.catalogue import METHODS, MODELS
from sfumato.cli.shared.listing import KIND, Catalogue, facts_of, words_argument
from sfumato.cli.shared.options import json_option
from sfumato.cli.shared.render import print_json, say

if TYPE_CHECKING:
    from sfumato.methods.choosing import Question

__all__ = ["command"]


@click.command("promises")
@words_argument(MODELS)
@KIND
@click.option("--choose", is_flag=True, help="Show which promise fits which attacker, as questions and answers.")
@json_option
def command(words: tuple[str, ...], kind: str | None, choose: bool, as_json: bool) -> None:
    """List all privacy models: kinds of data, meaning.

    With a NAME, show everything about one privacy model.  With other WORDS, list the models whose name, sentence,
    data or methods contain all of them.
    """
    if not choose:
        _CATALOGUE.show(words, as_json=as_json, kinds=kind)
        return
    if words or kind:
        raise click.UsageError("--choose shows all questions: give neither words nor --kind")
    from sfumato.methods.choosing import WHICH_PROMISE

    if as_json:
        print_json(WHICH_PROMISE.to_json())
        return
    say("\n".join([WHICH_PROMISE.text, *_answers(WHICH_PROMISE)]))
    say("sfumato promises NAME shows everything about a privacy model.")


def _answers(question: Question, indent: str = "  ") -> Iterator[str]:
    from sfumato.methods.choosing import Question

    for answer, then in question.answers.items():
        if isinstance(then, Question):
            yield f"{indent}{answer}. {then.text}"
            yield from _answers(then, f"{indent}  ")
        else:
            yield f"{indent}{answer}: {then.model}"


def _facts(name: str) -> dict[str, Any]:
    declared = MODELS.load(name)
    keepers = {method: METHODS.load(method) for method in METHODS}
    conditions = {method: keeper.promises_if.get(name) for method, keeper in keepers.items()}
    return facts_of(
        MODELS,
        name,
        kinds=list(declared.kinds),
        methods=[method for method, keeper in keepers.items() if name in keeper.possible_promises()],
        methods_if={method: condition for method, condition in conditions.items() if condition is not None},
        not_covered=[limit.to_json() for limit in declared.not_covered],
    )


_CATALOGUE = Catalogue(
    MODELS,
    _facts,
    {"data": "kinds", "promise": "summary"},
    {
        "title": "title",
        "data": "kinds",
        "kept by": "methods",
        "kept only if": "methods_if",
        "not covered": "not_covered",
    },
    "sfumato verify FILE --model NAME checks a privacy model.\n"
    "sfumato promises NAME shows everything about a privacy model; sfumato promises WORDS searches.\n"
    "sfumato promises --choose asks what an attacker knows, and names the privacy model that fits.",
)
