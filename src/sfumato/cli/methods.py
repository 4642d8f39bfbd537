"""`sfumato methods`: what there is."""

import click

from sfumato.catalogue import METHODS, method_class
from sfumato.cli.shared.options import json_option
from sfumato.cli.shared.render import print_json, say, table
from sfumato.params import JsonObject

__all__ = ["command"]


@click.command("methods")
@json_option
def command(as_json: bool) -> None:
    """List every method: data kind, promise, paper."""
    found = [_facts(name) for name in METHODS]
    if as_json:
        print_json(found)
        return
    rows = [(one["name"], one["kind"], ", ".join(one["promises"]), one["paper"]) for one in found]
    table("", ("method", "data", "promise", "paper"), rows)
    say("sfumato anonymize METHOD --help shows a method's options.")


def _facts(name: str) -> JsonObject:
    method = method_class(name)
    return {
        "name": name,
        "kind": method.kind,
        "summary": method.__doc__.partition("\n")[0],
        "promises": list(method.promises),
        "needs": list(method.needs),
        "paper": method.paper,
        "parameters": [
            {
                "name": parameter.name,
                "wanted": parameter.wanted,
                "default": None if parameter.required else parameter.default,
                "required": parameter.required,
                "help": parameter.help,
            }
            for parameter in method.parameters()
        ],
    }
