"""`sfumato glossary`: what the terms of messages, certificates and reports mean."""

from __future__ import annotations

import re
import textwrap
from importlib.resources import files

import click

from sfumato.cli.shared.options import json_option
from sfumato.cli.shared.render import print_json, say
from sfumato.errors import ParameterError, did_you_mean

__all__ = ["command", "terms"]


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    return [term for term in terms() if term.lower().startswith(incomplete.lower())]


@click.command("glossary")
@click.argument("term", nargs=-1, shell_complete=_complete)
@json_option
def command(term: tuple[str, ...], as_json: bool) -> None:
    """Explain a term of messages, certificates and reports.

    Without TERM, list all terms.
    """
    definitions = terms()
    if not term:
        if as_json:
            print_json(definitions)
        else:
            say(textwrap.fill(", ".join(definitions), 100))
            say("\nsfumato glossary TERM explains a term.")
        return
    wanted = " ".join(term)
    name = next((name for name in definitions if name.lower() == wanted.lower()), None)
    if name is None:
        lower = {known.lower(): known for known in definitions}
        raise ParameterError(f"no term is called {wanted!r}; {did_you_mean(wanted.lower(), lower)}")
    if as_json:
        print_json({name: definitions[name]})
    else:
        say(f"{name}: {definitions[name]}")


def terms() -> dict[str, str]:
    """The definition of each term, in one paragraph."""
    text = files("sfumato").joinpath("glossary.md").read_text("utf-8").partition("(words-we-do-not-use)=")[0]
    return {term: definition.replace("*", "") for term, definition in re.findall(r"(?m)^### (.+)\n\n(.+)$", text)}
