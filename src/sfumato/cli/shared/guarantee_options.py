"""A guarantee on the command line: a privacy model by its name, and the parameters of all models as options."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

import click

from sfumato.catalogue import MODELS, model_class
from sfumato.cli.shared.options import Named
from sfumato.errors import ParameterError

__all__ = ["PROMISE_HELP", "Promised", "Promising", "promise_names", "promise_of", "promises_of"]

PROMISE_HELP = "with parameters as options or as in km:k=5,m=2"

_MODEL = "sfumato.model"  # the model of a user's own that the command line names


class Promised(Named):
    """The name of a privacy model, with or without its parameters."""

    def __init__(self) -> None:
        super().__init__(MODELS)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        super().convert(_split(value)[0], param, ctx)
        return value


class Promising(click.Command):
    """A command whose options are also the parameters of all models, and of a model of the user's own."""

    flag = "--model"  # the option that names the model
    several = False  # whether the option may be given several times, each with options of its own
    position = -1  # where the options of the models stand among its own

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_MODEL] = _own_model(self.flag, args)
        return super().parse_args(ctx, with_own_options(self.flag, args) if self.several else args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        own = super().get_params(ctx)
        options = _promise_options(self.flag, ctx.meta.get(_MODEL))
        return [*own[: self.position], *options, *own[self.position :]]


def _own_model(flag: str, args: list[str]) -> str | None:
    """The `module:Class` that the arguments give as the model."""
    given = [value for word, value in pairwise(args) if word == flag]
    given += [arg.partition("=")[2] for arg in args if arg.startswith(f"{flag}=")]
    return next((name for name in (_split(word)[0] for word in given) if ":" in name), None)


def with_own_options(flag: str, args: list[str]) -> list[str]:
    """The arguments with the options after each of several models written as its parameters.

    >>> with_own_options("--promise", ["--promise", "km", "--k", "5", "--promise", "lm", "--k=3", "--seed", "1"])
    ['--promise', 'km:k=5', '--promise', 'lm:k=3', '--seed', '1']
    """
    words = [part for arg in args for part in (arg.split("=", 1) if arg.startswith(f"{flag}=") else [arg])]
    if words.count(flag) < 2:
        return args
    written: list[str] = []
    model = -1  # where the model stands that options belong to
    rest = iter(words)
    for word in rest:
        option, equals, value = word.partition("=")
        name = option.removeprefix("--").replace("-", "_")
        if word == flag:
            written += [word, next(rest, "")]
            model = len(written) - 1
        elif model >= 0 and option.startswith("--") and name in _parameters_of(written[model]):
            separator = "," if _split(written[model])[1] else ":"
            written[model] += f"{separator}{name}={value if equals else next(rest, '')}"
        else:
            written.append(word)
    return written


def _split(text: str) -> tuple[str, str]:
    """The name of a model and its parameters."""
    from sfumato.methods.promise_texts import split_promise

    return split_promise(text)


def _parameters_of(text: str) -> set[str]:
    try:
        return {parameter.name for parameter in MODELS.choose(_split(text)[0]).parameters()}
    except ParameterError:  # it is refused where its option is read
        return set()


def _models(own: str | None) -> dict[str, Any]:
    """All models by name; one of the user's own that cannot be loaded is refused where its option is read."""
    models = {name: model_class(name) for name in MODELS}
    if own is not None:
        with suppress(ParameterError):
            models[own] = MODELS.choose(own)
    return models


def _promise_options(flag: str, own: str | None) -> list[click.Option]:
    """The parameters of all models; a name that several share is one option."""
    declared: dict[str, list[tuple[str, Any]]] = {}
    for name, model in _models(own).items():
        for parameter in model.parameters():
            declared.setdefault(parameter.name, []).append((name, parameter))
    options = []
    for key, uses in declared.items():
        parameter, names = uses[0][1], ", ".join(name for name, _ in uses)
        sentence = f"{parameter.help[0].upper()}{parameter.help[1:]} ({parameter.wanted}); with {flag} {names}."
        options.append(click.Option([f"--{key.replace('_', '-')}", key], help=sentence))
    return options


def promise_names() -> set[str]:
    """The names of the parameters of all models, and of the user's own model that the current command names."""
    own = click.get_current_context().meta.get(_MODEL)
    return {parameter.name for model in _models(own).values() for parameter in model.parameters()}


def promise_of(name: str, given: dict[str, Any]) -> Any:
    """The model with the parameters that were typed."""
    from sfumato.methods.promise_texts import promise_of_text

    model = _split(name)[0]
    for parameter in MODELS.choose(model).parameters():
        if parameter.required and parameter.name not in {*given, *_given_in(name)}:
            option = f"--{parameter.name.replace('_', '-')}"
            raise ParameterError(f"{model}: {option} is required: {parameter.wanted}")
    return promise_of_text(name, given)


def promises_of(texts: Sequence[str], given: dict[str, Any]) -> list[Any]:
    """Several models; an option that stands before all of them belongs to every model that has such a parameter."""
    if len(texts) == 1:
        return [promise_of(texts[0], given)]
    own = [_parameters_of(text) - set(_given_in(text)) for text in texts]
    for name in sorted(set(given) - set().union(*own)):
        raise click.UsageError(f"--{name.replace('_', '-')}: none of the promises needs such a parameter")
    return [
        promise_of(text, {name: value for name, value in given.items() if name in names})
        for text, names in zip(texts, own, strict=True)
    ]


def _given_in(text: str) -> list[str]:
    """The names of the parameters that a text such as km:k=5 gives."""
    return [part.partition("=")[0].strip().replace("-", "_") for part in _split(text)[1].split(",") if part]
