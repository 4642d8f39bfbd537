"""Forms made from declared parameters: what each field looks like, and the values that a browser sent for them.

`{% include "interface/fields.html" with fields=fields %}` shows what `fields_of` returns; `values_of` reads what was
sent.  A bound gives a slider with a number, `choices` a select, `or_word` a radio, a method in a method a fieldset.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from sfumato.errors import ParameterError
from sfumato.methods.mixed.component_methods import Part
from sfumato.params import Declared, Parameter, Value
from sfumato.web.interface.form_fields import Choice, Field, Nested, shown
from sfumato.web.interface.library_words import translated

__all__ = ["Field", "FormErrors", "Offered", "fields_of", "parsed", "shown", "values_of"]

Offered = Mapping[str, Sequence[tuple[str, str]]]
"""By parameter: the values to choose from and what the page calls them, such as the workloads of a project."""

_FILES = ("workload", "network")  # texts that name a file: never typed, only offered
_USUAL = 50  # the end of the slider of k
_STEPS = 100  # of a slider between two decimal numbers


class FormErrors(Exception):
    """What is wrong with the values that were sent: a sentence by field."""

    def __init__(self, errors: dict[str, str]) -> None:
        super().__init__("; ".join(errors.values()))
        self.errors = errors


def fields_of(
    declared: type[Declared],
    values: Mapping[str, Any] | None = None,
    *,
    prefix: str = "",
    errors: Mapping[str, str] | None = None,
    without: Collection[str] = (),
    offered: Offered | None = None,
) -> list[Field]:
    """The fields of a form for the parameters of a class.

    values : by parameter, as JSON; or what the browser sent (`request.POST`), to show it again.
    prefix : before the name of each field.  errors : of `FormErrors`.  without : parameters that have no field.
    offered : by parameter, the values to choose from in place of a text.
    """
    offered = offered or {}
    return [
        _field(parameter, values, prefix, errors or {}, offered.get(parameter.name))
        for parameter in _shown_parameters(declared, without, offered)
    ]


def values_of(
    declared: type[Declared],
    post: Mapping[str, Any],
    prefix: str = "",
    *,
    without: Collection[str] = (),
    offered: Offered | None = None,
) -> dict[str, Any]:
    """The JSON values that a browser sent, each checked; an empty field is left out, so that its default counts.

    Raises `FormErrors` with a sentence for each field that is wrong.
    """
    offered = offered or {}
    values: dict[str, Any] = {}
    errors: dict[str, str] = {}
    for parameter in _shown_parameters(declared, without, offered):
        try:
            sent = _sent(declared.__name__, parameter, post, prefix, offered.get(parameter.name))
        except ParameterError as error:
            errors[parameter.name] = _without_owner(str(error), declared.__name__)
        except FormErrors as nested:
            errors |= {f"{parameter.name}-{name}": sentence for name, sentence in nested.errors.items()}
        else:
            values |= sent
    if errors:
        raise FormErrors(errors)
    return values


def parsed(owner: str, parameter: Parameter, text: str) -> Any:
    """The JSON value that a text stands for, checked."""
    value = parameter.parse(owner, text.strip())
    return value.to_json() if isinstance(value, Value) else value


def _shown_parameters(declared: type[Declared], without: Collection[str], offered: Offered) -> list[Parameter]:
    return [
        parameter
        for parameter in declared.parameters()
        if parameter.name not in without and (parameter.name not in _FILES or parameter.name in offered)
    ]


def _field(
    parameter: Parameter,
    values: Mapping[str, Any] | None,
    prefix: str,
    errors: Mapping[str, str],
    offered: Sequence[tuple[str, str]] | None,
) -> Field:
    name = f"{prefix}{parameter.name}"
    facts: dict[str, Any] = {
        "parameter": parameter.name,
        "name": name,
        "label": translated(parameter.name.replace("_", " ")),
        "hint": _sentence(parameter.help),
        "required": parameter.required,
        "error": errors.get(parameter.name, ""),
    }
    sent = isinstance(values, MultiValueDict) and _was_shown(name, values)
    value: Any = _start(parameter)
    if sent and values is not None:
        value = values.get(name, "")
    elif values is not None and not isinstance(values, MultiValueDict) and parameter.name in values:
        value = values[parameter.name]
    if issubclass(parameter.type, Part):
        return _method_field(parameter, value, values if sent else None, name, errors, facts)
    if offered is not None or parameter.choices is not None or (parameter.type is bool and parameter.optional):
        return Field(kind="select", value=shown(value), choices=_choices(parameter, shown(value), offered), **facts)
    if parameter.type is bool:
        return Field(kind="checkbox", checked=value in (True, "on", "true"), **facts)
    if parameter.type in (int, float):
        return _number_field(parameter, value, values if sent else None, name, facts)
    return Field(kind="text", value=shown(value), **facts)


def _was_shown(name: str, post: Mapping[str, Any]) -> bool:
    """Whether the form that was sent had a field of this name; a browser does not send an empty checkbox."""
    return any(key in post for key in (name, f"{name}-shown", f"{name}-is"))


def _start(parameter: Parameter) -> Any:
    """What a field holds at first: the default, or for a required number a value that `advise` tries, or the least."""
    if not parameter.required:
        return parameter.default
    if parameter.grid:
        return parameter.grid[len(parameter.grid) // 2]
    return parameter.at_least if parameter.type is int else None


def _number_field(
    parameter: Parameter, value: Any, post: Mapping[str, Any] | None, name: str, facts: dict[str, Any]
) -> Field:
    low = parameter.at_least if parameter.at_least is not None else parameter.above
    high = parameter.at_most if parameter.at_most is not None else parameter.below
    whole = parameter.type is int
    facts |= {"low": shown(low), "high": shown(high), "step": "1" if whole else "any"}
    facts["ticks"] = [shown(tick) for tick in parameter.grid if isinstance(tick, int | float)]
    if parameter.or_word is not None:
        is_word = value == parameter.or_word if post is None else post.get(f"{name}-is") == "word"
        text = "" if value == parameter.or_word else shown(value)
        return Field(kind="word", value=text, word=parameter.or_word, word_chosen=is_word, **facts)
    end = high
    if whole and low is not None and high is None:
        end = _usual_end(parameter, low)
    if low is None or end is None:
        return Field(kind="number", value=shown(value), **facts)
    step = 1 if whole else (end - low) / _STEPS
    ends: dict[str, Any] = {
        "slider_low": shown(low if parameter.at_least is not None else low + step),
        "slider_high": shown(end),
    }
    return Field(kind="slider", value=shown(value), slider_step=shown(step), **ends, **facts)


def _usual_end(parameter: Parameter, low: Any) -> Any:
    """Where the slider of a whole number without an upper bound ends; the number beside it may be larger."""
    known = [value for value in (*parameter.grid, parameter.default) if type(value) is int]
    return max(_USUAL if low > 1 else _USUAL // 5, *(2 * value for value in known), low)


def _choices(parameter: Parameter, value: str, offered: Sequence[tuple[str, str]] | None) -> list[Choice]:
    if offered is not None:
        options = list(offered)
    elif parameter.type is bool:
        options = [("true", _("yes")), ("false", _("no"))]
    else:
        options = [(shown(choice), shown(choice)) for choice in parameter.choices or ()]
    if parameter.optional or (offered is not None and not parameter.required):
        options = [("", _("none")), *options]
    return [Choice(option, label, option == value) for option, label in options]


def _method_field(
    parameter: Parameter,
    value: Any,
    post: Mapping[str, Any] | None,
    name: str,
    errors: Mapping[str, str],
    facts: dict[str, Any],
) -> Field:
    from sfumato.catalogue import method_class

    kind: Any = parameter.type
    part = kind.read(value)
    chosen = str(value) if part is None else part.method
    parts = []
    for option in kind.names():
        start = f"{parameter.name}-{option}-"
        inner = {key.removeprefix(start): text for key, text in errors.items() if key.startswith(start)}
        given: Any = dict(part.options) if part is not None and option == chosen else None
        fields = fields_of(
            method_class(option),
            post if post is not None else given,
            prefix=f"{name}-{option}-",
            errors=inner,
            without=kind.shared,
        )
        parts.append(Nested(option, translated(method_class(option).title), option == chosen, fields))
    choices = [Choice(nested.value, f"{nested.value}: {nested.title}", nested.chosen) for nested in parts]
    return Field(kind="method", value=chosen, choices=choices, parts=parts, **facts)


def _sent(
    owner: str,
    parameter: Parameter,
    post: Mapping[str, Any],
    prefix: str,
    offered: Sequence[tuple[str, str]] | None,
) -> dict[str, Any]:
    """The value of a parameter by its name, or nothing where its field is empty."""
    name = f"{prefix}{parameter.name}"
    text = str(post.get(name, "")).strip()
    if issubclass(parameter.type, Part):
        return {parameter.name: _method_sent(owner, parameter, text, post, f"{name}-{text}-")} if text else {}
    if parameter.type is bool and not parameter.optional and offered is None:
        return {parameter.name: text in ("on", "true")} if _was_shown(name, post) else {}
    if parameter.or_word is not None and post.get(f"{name}-is") == "word":
        return {parameter.name: parameter.or_word}
    if not text:
        if parameter.required or (parameter.or_word is not None and post.get(f"{name}-is") == "number"):
            raise ParameterError(f"{owner}: {parameter.name} is required: {parameter.wanted}")
        return {parameter.name: None} if parameter.optional and parameter.default is not None else {}
    if offered is not None and text not in [value for value, _label in offered]:
        raise ParameterError(f"{owner}: {parameter.name} must be one of those offered, got another")
    return {parameter.name: parsed(owner, parameter, text)}


def _method_sent(owner: str, parameter: Parameter, text: str, post: Mapping[str, Any], prefix: str) -> Any:
    """A method with the parameters that differ from its defaults."""
    from sfumato.catalogue import method_class

    kind: Any = parameter.type
    if text not in kind.names():
        raise ParameterError(f"{owner}: {parameter.name} must be one of {', '.join(kind.names())}, got another")
    if not any(name.startswith(prefix) for name in post):  # its fieldset was not part of the form
        return text
    try:
        inner = values_of(method_class(text), post, prefix, without=kind.shared)
    except FormErrors as nested:
        raise FormErrors({f"{text}-{name}": sentence for name, sentence in nested.errors.items()}) from None
    return parameter.check(owner, {"method": text, **inner}).to_json()


def _sentence(text: str) -> str:
    sentence = translated(text)
    return sentence[:1].upper() + sentence[1:] + "."


def _without_owner(sentence: str, owner: str) -> str:
    """The sentence of a field without the name of the class, which the page shows already."""
    return sentence.removeprefix(f"{owner}: ")
