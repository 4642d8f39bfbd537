"""Lists of what is installed: one row per class, with the package of each class that is not built in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from sfumato.cli.shared.escapes import escaped_line
from sfumato.cli.shared.render import print_json, say, table
from sfumato.registry import Registry

__all__ = ["facts_of", "show_list"]


def facts_of(registry: Registry, name: str, **facts: Any) -> dict[str, Any]:
    """The facts of a class that every list has, and those of its own kind."""
    declared = registry.load(name)
    return {
        "name": name,
        "package": registry.package_of(name),
        "summary": declared.__doc__.partition("\n")[0],
        **facts,
        "parameters": [
            {
                "name": parameter.name,
                "wanted": parameter.wanted,
                "default": None if parameter.required else parameter.default,
                "required": parameter.required,
                "help": parameter.help,
            }
            for parameter in declared.parameters()
        ],
    }


def show_list(
    registry: Registry, facts: Callable[[str], dict[str, Any]], columns: dict[str, str], hint: str, *, as_json: bool
) -> None:
    """Print all classes as JSON, or some facts of them as a table; entry points that cannot be used are named.

    columns : the headings, each with the fact that stands below it.
    """
    found = [facts(name) for name in registry]
    for sentence in registry.problems:
        click.echo(f"sfumato: warning: {escaped_line(sentence)}", err=True)
    if as_json:
        print_json(found)
        return
    if any(one["package"] for one in found):
        columns = {**columns, "package": "package"}
    head = (registry.what, *columns)
    table("", head, [(one["name"], *(_text(one[fact]) for fact in columns.values())) for one in found])
    say(hint)


def _text(value: Any) -> str:
    return ", ".join(value) if isinstance(value, list) else value or ""
