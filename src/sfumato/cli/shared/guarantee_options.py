"""A guarantee on the command line: a privacy model by its name, and the parameters of all models as options."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise
from typing import Any

import click

from sfumato.catalogue import MODELS, model_class
from sfumato.errors import ParameterError

__all__ = ["Promising", "promise_names", "promise_of"]

_MODEL = "sfumato.model"  # the model of a user's own that the command line names


class Promising(click.Command):
    """A command whose options are also the parameters of all models, and of a model of the user's own."""

    flag = "--model"  # the option that names the model
    position = -1  # where the options of the models stand among its own

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_MODEL] = _own_model(self.flag, args)
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        own = super().get_params(ctx)
        options = _promise_options(self.flag, ctx.meta.get(_MODEL))
        return [*own[: self.position], *options, *own[self.position :]]


def _own_model(flag: str, args: list[str]) -> str | None:
    """The `module:Class` that the arguments give as the model."""
    given = [two for one, two in pairwise(args) if one == flag]
    given += [arg.partition("=")[2] for arg in args if arg.startswith(f"{flag}=")]
    return next((name for name in given if ":" in name), None)


def _models(own: str | None) -> dict[str, Any]:
    """All models by name; one of the user's own that cannot be loaded is refused where its option is read."""
    found = {name: model_class(name) for name in MODELS}
    if own is not None:
        with suppress(ParameterError):
            found[own] = MODELS.choose(own)
    return found


def _promise_options(flag: str, own: str | None) -> list[click.Option]:
    """The parameters of all models; a name that several share is one option."""
    options: dict[str, click.Option] = {}
    for name, model in _models(own).items():
        for parameter in model.parameters():
            sentence = f"{parameter.help[0].upper()}{parameter.help[1:]} ({parameter.wanted}); with {flag} {name}."
            option = f"--{parameter.name.replace('_', '-')}"
            options.setdefault(parameter.name, click.Option([option, parameter.name], help=sentence))
    return list(options.values())


def promise_names() -> set[str]:
    """The names of the parameters of all models, and of the user's own model that the current command names."""
    own = click.get_current_context().meta.get(_MODEL)
    return {parameter.name for model in _models(own).values() for parameter in model.parameters()}


def promise_of(name: str, given: dict[str, Any]) -> Any:
    """The model with the parameters that were typed."""
    declared = MODELS.choose(name)
    known = {parameter.name: parameter for parameter in declared.parameters()}
    values = {key: known[key].parse(declared.name, value) if key in known else value for key, value in given.items()}
    return declared.from_json(values)
