"""Shell completion of names: methods, measures, privacy models, attacks, and the values of options."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from sfumato.params import Parameter
    from sfumato.registry import Registry

__all__ = ["Complete", "complete_measures", "complete_names", "complete_values", "names_in"]

Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def complete_names(registry: Registry) -> Complete:
    """A function that completes the names of a registry."""

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
        return names_in(registry, incomplete)

    return complete


def names_in(registry: Registry, incomplete: str) -> list[CompletionItem]:
    """The names of a registry that begin with what is typed, each with its title."""
    names = [name for name in registry if name.startswith(incomplete)]
    return [CompletionItem(name, help=getattr(registry.load(name), "title", None)) for name in names]


def complete_measures(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """The names of measures and, after a colon, the parameters of the measure."""
    from sfumato.catalogue import MEASURES

    name, colon, given = incomplete.partition(":")
    if not colon or name not in MEASURES:
        return names_in(MEASURES, incomplete)
    before, comma, last = given.rpartition(",")
    return [
        CompletionItem(f"{name}:{before}{comma}{parameter.name}=", help=parameter.help)
        for parameter in MEASURES.load(name).parameters()
        if parameter.name.startswith(last)
    ]


def complete_values(parameter: Parameter, incomplete: str) -> list[CompletionItem]:
    """The values that a declared parameter can have, where they are few."""
    if parameter.type is bool:
        values: tuple[str, ...] = ("true", "false")
    else:
        values = tuple(map(str, parameter.choices or getattr(parameter.type, "examples", tuple)()))
    values += () if parameter.or_word is None else (parameter.or_word,)
    return [CompletionItem(value) for value in values if value.startswith(incomplete)]
