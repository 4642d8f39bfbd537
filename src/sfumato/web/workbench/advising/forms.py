"""The form of an advice: the promises that methods keep on such data, and the measures that fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.translation import gettext as _

from sfumato.catalogue import MEASURES, METHODS, MODELS, measure_class, method_class, model_class
from sfumato.data import original_kind
from sfumato.errors import CallerError
from sfumato.web.interface.parameter_forms import Field, FormErrors, fields_of, values_of

__all__ = ["FEWEST_S", "LONGEST_S", "Offer", "measures_for", "offers_for", "promises_sent", "seconds_sent"]

FEWEST_S, USUAL_S, LONGEST_S = 5, 60, 3600
_FIRST = {"table": "k-anonymity", "mixed": "kkm", "roads": "strict-k"}
_OTHERS = "km"
_STARTS: Mapping[str, Any] = {"k": 5, "m": 2}
"""What fields hold at first where a promise has no default."""


@dataclass(frozen=True)
class Offer:
    """A promise that can be asked for, with the fields of its parameters."""

    name: str
    title: str
    about: str
    chosen: bool
    fields: list[Field]


@cache
def _names_for(kind: str) -> tuple[str, ...]:
    """The privacy models that a release of such data can keep; those that a method promises come first."""
    methods = [method for method in map(method_class, METHODS) if method.kind == kind]
    kept = {name for method in methods for name in method.possible_promises()}
    fitting = [name for name in MODELS if kind in {original_kind(other) for other in model_class(name).kinds}]
    possible = [name for name in fitting if name in kept or model_class(name).exact_counts]  # noise is not verified
    return tuple(sorted(possible, key=lambda name: name not in kept))


def offers_for(kind: str, post: Any = None, errors: Mapping[str, str] | None = None) -> list[Offer]:
    """The promises for data of this kind; what the browser sent is shown again."""
    chosen = post.getlist("promise") if post is not None else [_FIRST.get(kind, _OTHERS)]
    offers = []
    for name in _names_for(kind):
        model = model_class(name)
        values = _STARTS if post is None else post
        own = {parameter.name: (errors or {}).get(f"{name}-{parameter.name}", "") for parameter in model.parameters()}
        fields = fields_of(model, values, prefix=f"{name}-", errors=own)
        about = (model.__doc__ or "").strip().partition("\n\n")[0]
        offers.append(Offer(name, model.title, " ".join(about.split()), name in chosen, fields))
    return offers


def promises_sent(kind: str, post: Any) -> list[dict[str, Any]]:
    """The promises that a browser sent; raises `FormErrors`, with ``km-k`` for the field k of the promise km."""
    chosen = [name for name in _names_for(kind) if name in post.getlist("promise")]
    if not chosen:
        raise FormErrors({"promise": _("Choose what a release must promise.")})
    promises = []
    errors: dict[str, str] = {}
    for name in chosen:
        try:
            parameters = values_of(model_class(name), post, f"{name}-")
            model_class(name).from_json(parameters)
        except FormErrors as wrong:
            errors |= {f"{name}-{parameter}": sentence for parameter, sentence in wrong.errors.items()}
        except CallerError as wrong:
            errors["promise"] = str(wrong)
        else:
            promises.append({"model": name, "parameters": parameters})
    if errors:
        raise FormErrors(errors)
    return promises


def measures_for(kind: str, chosen: list[str] | None = None) -> list[tuple[str, str, str, bool]]:
    """The measures for this kind of data: name, title, meaning, and whether it is chosen."""
    fitting = [measure_class(name) for name in MEASURES if kind in measure_class(name).kinds]
    first = ["are"] if chosen is None else chosen
    rows = [(measure.name, measure.title, measure.meaning, measure.name in first) for measure in fitting]
    return sorted(rows, key=lambda row: row[0] != "are")


def seconds_sent(post: Mapping[str, Any]) -> float:
    """The time budget that a browser sent."""
    try:
        seconds = float(post.get("seconds", USUAL_S))
    except ValueError:
        seconds = -1.0
    if not FEWEST_S <= seconds <= LONGEST_S:
        raise FormErrors(
            {"seconds": _("Give a number of seconds from %(low)s to %(high)s.") % {"low": FEWEST_S, "high": LONGEST_S}}
        )
    return seconds
