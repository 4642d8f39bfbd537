"""Privacy models with their parameters as texts, such as ``l-diversity:l=3``."""

from __future__ import annotations

from typing import Any

from sfumato.catalogue import MODELS
from sfumato.errors import ParameterError, did_you_mean
from sfumato.params import Parameter
from sfumato.privacy import PrivacyModel

__all__ = ["promise_of_text", "split_promise", "text_of_promise"]


def promise_of_text(text: str, given: dict[str, str] | None = None) -> PrivacyModel:
    """The privacy model that a text names: a name, a colon, and parameters separated by commas.

    given : values of parameters, as texts, that the text itself does not give.

    >>> promise_of_text("km:k=5,m=2")
    KmAnonymity(k=5, m=2)
    >>> promise_of_text("l-diversity:l=3,j=2")
    Traceback (most recent call last):
        ...
    sfumato.errors.ParameterError: l-diversity: wanted parameter=value, found 'j=2'; known are l, variant
    """
    name, parameters = split_promise(text)
    declared = MODELS.choose(name)
    known = {parameter.name: parameter for parameter in declared.parameters()}
    values: dict[str, Any] = {
        key: known[key].parse(declared.name, value) if key in known else value for key, value in (given or {}).items()
    }
    for key, value in _pairs(name, parameters, known):
        if key in values:
            raise ParameterError(f"{name}: wanted {key} once, found it twice")
        values[key] = known[key].parse(declared.name, value)
    model: PrivacyModel = declared.from_json(values)
    return model


def split_promise(text: str) -> tuple[str, str]:
    """The name, which may be `module:Class`, and the parameters; no text where there are none.

    >>> split_promise("km:k=5,m=2"), split_promise("own:Model")
    (('km', 'k=5,m=2'), ('own:Model', ''))
    """
    name, colon, rest = text.rpartition(":")
    return (name, rest) if colon and ("=" in rest or name in MODELS) else (text, "")


def text_of_promise(model: PrivacyModel) -> str:
    """The text that `promise_of_text` reads as this model.

    >>> from sfumato.privacy import TCloseness
    >>> text_of_promise(TCloseness(t=0.2))
    't-closeness:t=0.2'
    """
    words = [
        f"{parameter.name}={_plain(getattr(model, parameter.name))}"
        for parameter in model.parameters()
        if parameter.required or getattr(model, parameter.name) != parameter.default
    ]
    return ":".join(filter(None, (MODELS.name_of(type(model)), ",".join(words))))


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value) if isinstance(value, float) else str(value)


def _pairs(name: str, text: str, known: dict[str, Parameter]) -> list[tuple[str, str]]:
    pairs: dict[str, str] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        key = key.strip().replace("-", "_")
        if not equals or key not in known:
            raise ParameterError(f"{name}: wanted parameter=value, found {part!r}; {did_you_mean(key, known)}")
        if key in pairs:
            raise ParameterError(f"{name}: wanted {key} once, found it twice")
        pairs[key] = value
    return list(pairs.items())
