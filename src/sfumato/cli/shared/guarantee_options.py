"""A promise on the command line: a model by its name, and the parameters of all models as options."""

from __future__ import annotations

from typing import Any

import click

from sfumato.catalogue import MODELS, model_class

__all__ = ["promise_names", "promise_of", "promise_options"]


def promise_options(flag: str) -> list[click.Option]:
    """The parameters of all models; a name that several share is one option.

    flag : the option that names the model.
    """
    options: dict[str, click.Option] = {}
    for name in MODELS:
        for parameter in model_class(name).parameters():
            sentence = f"{parameter.help[0].upper()}{parameter.help[1:]} ({parameter.wanted}); with {flag} {name}."
            option = f"--{parameter.name.replace('_', '-')}"
            options.setdefault(parameter.name, click.Option([option, parameter.name], help=sentence))
    return list(options.values())


def promise_names() -> set[str]:
    """What the parameters of all models are called."""
    return {parameter.name for name in MODELS for parameter in model_class(name).parameters()}


def promise_of(name: str, given: dict[str, Any]) -> Any:
    """The model with its parameters as they were typed."""
    declared = model_class(name)
    known = {parameter.name: parameter for parameter in declared.parameters()}
    values = {key: known[key].parse(name, value) if key in known else value for key, value in given.items()}
    return declared.from_json(values)
