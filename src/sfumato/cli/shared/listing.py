"""Catalogues: one row per class with a plain sentence, found by words; everything about one class by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from sfumato.cli.shared.escapes import escaped_line
from sfumato.cli.shared.render import print_json, say, table
from sfumato.errors import ParameterError, did_you_mean
from sfumato.registry import Registry

__all__ = ["KIND", "Catalogue", "facts_of", "words_argument"]

KIND = click.option(
    "--kind",
    type=click.Choice(["trajectories", "roads", "transactions", "table", "mixed", "chunks"]),
    help="Only those for this kind of data.",
)
_NOT_SEARCHED = ("parameters", "not_covered", "bounds", "package")


def words_argument(registry: Registry) -> Callable[[Any], Any]:
    """The argument of a catalogue: a name, or words to search for."""
    from sfumato.cli.shared.completion import complete_names

    return click.argument("words", nargs=-1, shell_complete=complete_names(registry))


def facts_of(registry: Registry, name: str, **facts: Any) -> dict[str, Any]:
    """The facts of a class that every list has, and those of its own kind."""
    declared = registry.load(name)
    return {
        "name": name,
        "title": declared.title,
        "package": registry.package_of(name),
        "summary": " ".join(declared.__doc__.partition("\n\n")[0].split()),
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


@dataclass(frozen=True)
class Catalogue:
    """The classes of a registry on the command line.

    facts : everything about a class, as JSON values.
    columns : the headings of the list, each with the fact that stands below it.
    details : the headings of a single class, each with the fact beside it.
    hint : how to use a class; NAME stands for its name.
    usage : how to use the class of a name, where the first line of the hint does not fit every class.
    """

    registry: Registry
    facts: Callable[[str], dict[str, Any]]
    columns: Mapping[str, str]
    details: Mapping[str, str]
    hint: str
    usage: Callable[[str], str] | None = None

    def show(self, words: Sequence[str], *, as_json: bool, **wanted: str | None) -> None:
        """Print one class if its name is given, and otherwise all that contain every word.

        wanted : facts that a class must have, such as its kind; None for any.
        """
        for sentence in self.registry.problems:
            click.echo(f"sfumato: warning: {escaped_line(sentence)}", err=True)
        if len(words) == 1 and words[0] in self.registry:
            self._show_one(words[0], as_json=as_json)
            return
        rows = [facts for name in self.registry if _fits(facts := self.facts(name), words, wanted)]
        if words and not rows:
            text = " ".join(words)
            hint = did_you_mean(text, self.registry)
            raise ParameterError(f"no {self.registry.what} is called {text!r}, and none mentions it; {hint}")
        if as_json:
            print_json(rows)
            return
        columns = dict(self.columns)
        if any(facts["package"] for facts in rows):
            columns["package"] = "package"
        head = (self.registry.what, *columns)
        table("", head, [(facts["name"], *(_text(facts[fact]) for fact in columns.values())) for facts in rows])
        say(self.hint)

    def _show_one(self, name: str, *, as_json: bool) -> None:
        facts = self.facts(name)
        if as_json:
            print_json(facts)
            return
        say(f"{name}: {_text(facts['summary']).removeprefix(f'{name}: ')}")
        table("", ("fact", "value"), [(head, _text(facts[fact])) for head, fact in self.details.items()])
        parameters = [
            (
                parameter["name"],
                parameter["wanted"],
                "required" if parameter["required"] else str(parameter["default"]),
                parameter["help"],
            )
            for parameter in facts["parameters"]
        ]
        if parameters:
            table("parameters", ("parameter", "accepts", "default", "meaning"), parameters)
        say(self.usage(name) if self.usage else self.hint.replace("NAME", name).partition("\n")[0])


def _fits(facts: Mapping[str, Any], words: Sequence[str], wanted: Mapping[str, str | None]) -> bool:
    text = " ".join(_text(value) for fact, value in facts.items() if fact not in _NOT_SEARCHED).lower()
    if not all(word.lower() in text for word in words):
        return False
    return all(value is None or value in _values(facts[fact]) for fact, value in wanted.items())


def _values(fact: Any) -> Sequence[Any]:
    return fact if isinstance(fact, list) else [fact]


def _text(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "\n".join(f"- {part['text']}" for part in value)
    if isinstance(value, dict):
        value = [f"{name} ({condition})" for name, condition in value.items()]
    if isinstance(value, list):
        return ", ".join(map(_text, value)) or "none"
    return str(value or "").replace("`", "")
