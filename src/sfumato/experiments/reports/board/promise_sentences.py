"""The promise of a release in one plain sentence for each privacy model, with its parameters."""

from __future__ import annotations

from collections.abc import Callable
from math import exp
from typing import Any

from sfumato.privacy import PrivacyModel

__all__ = ["SENTENCES", "promise_sentence"]


def promise_sentence(model: PrivacyModel, *, unit: str, kind: str) -> str:
    """What the model promises with these parameters, for a reader who is not a statistician.

    unit : whether persons or records are counted.  kind : of the published data.

    >>> from sfumato.privacy import KmAnonymity
    >>> promise_sentence(KmAnonymity(k=5, m=2), unit="person", kind="transactions")
    'An attacker who knows up to 2 items of a person finds at least 5 persons that match, never fewer.'
    """
    words = SENTENCES.get(model.name)
    if words is None:
        first = (type(model).__doc__ or "").strip().partition("\n\n")[0]
        return " ".join(f"{model.label}: {first}".split())
    return words(model, f"{unit}s", "items" if kind in ("transactions", "chunks", "mixed") else "visits")


def _km(model: Any, who: str, known: str) -> str:
    return (
        f"An attacker who knows up to {_some(model.m, known)} of a person finds at least {model.k} {who} that match, "
        "never fewer."
    )


def _klm(model: Any, who: str, _known: str) -> str:
    return (
        f"An attacker who knows up to {_some(model.m, 'visits')} of a person to places that are not sensitive finds at "
        f"least {model.k} {who} that match, and at most one in {model.l} of them visited the same sensitive place."
    )


def _projection(model: Any, _who: str, _known: str) -> str:
    together = f" (owners who combine what they see: {model.collude})" if model.collude else ""
    return (
        "An owner of places who sees every visit to its own places can infer that a person visited a place of another "
        f"owner with a probability of at most {_percent(model.threshold)}{together}."
    )


def _c_safety(model: Any, _who: str, _known: str) -> str:
    return (
        "From any other places of a person, a sensitive place of that person can be inferred with a probability of at "
        f"most {_percent(model.c)}."
    )


def _sequence_k(model: Any, who: str, _known: str) -> str:
    return (
        "Every sequence of visits in the release, however long, occurs in the original data of at least "
        f"{model.k} {who}."
    )


def _strict_k(model: Any, who: str, _known: str) -> str:
    return f"Every published drive occurs, as a whole, for at least {model.k} {who} in its time interval."


def _inference_route(model: Any, _who: str, _known: str) -> str:
    return (
        f"Where {model.k} or more vehicles reach an intersection by the same road in the same time interval, it never "
        f"happens that only a few of them (fewer than {model.k}) leave by another road than the rest, so those few "
        "cannot be followed."
    )


def _k_anonymity(model: Any, who: str, _known: str) -> str:
    return (
        "An attacker who knows all quasi-identifiers of a person (the columns that can identify people together) finds "
        f"at least {model.k} {who} that match, never fewer."
    )


def _l_diversity(model: Any, who: str, _known: str) -> str:
    represented = "" if model.variant == "distinct" else " (well represented, measured by entropy)"
    return (
        f"Among the {who} with the same quasi-identifiers, every sensitive column has at least {model.l} different "
        f"values{represented}."
    )


def _t_closeness(model: Any, who: str, _known: str) -> str:
    by_rank = ", weighed by the distance of the values" if model.distance == "ordered" else ""
    return (
        f"Among the {who} with the same quasi-identifiers, sensitive values are as frequent as in the whole table, "
        f"with a difference of at most {model.t:g} on a scale from 0 to 1{by_rank}."
    )


def _lm(model: Any, who: str, _known: str) -> str:
    smallest = f" There are at least {model.k} such {who}." if model.k > 1 else ""
    return (
        f"Of the {who} who share up to {_some(model.m, 'items')} that are not sensitive, at most one in {model.l} has "
        f"the same sensitive item.{smallest}"
    )


def _reconstruction(model: Any, _who: str, _known: str) -> str:
    share = f" At most one in {model.l} of them has the same sensitive item." if model.l > 1 else ""
    return (
        f"For an attacker who knows up to {_some(model.m, 'items')} of a person, it stays possible that at least "
        f"{model.k} records contain them: the release never shows that there are fewer.{share}"
    )


def _kkm(model: Any, who: str, _known: str) -> str:
    return (
        "An attacker who knows all quasi-identifiers of a person (the columns that can identify people together) and "
        f"up to {_some(model.m, 'items')} of that person finds at least {model.k} {who} that match, never fewer."
    )


def _klm_diversity(model: Any, who: str, _known: str) -> str:
    return (
        f"An attacker who knows all quasi-identifiers of a person and up to {_some(model.m, 'items')} that are not "
        f"sensitive finds at least {model.k} {who} that match, and at most one in {model.l} of them has the same "
        "sensitive item."
    )


def _policy(model: Any, who: str, _known: str) -> str:
    cost = f" At most {_percent(model.suppression)} of the items are removed entirely." if model.suppression < 1 else ""
    return (
        "Every set of items that the privacy policy protects occurs in the published data for at least "
        f"{model.k} {who}, or not at all.{cost}"
    )


def _k_policy(model: Any, who: str, _known: str) -> str:
    return (
        f"An attacker who knows the quasi-identifiers of a person matches at least {model.k} {who}, and so does one "
        f"who also knows a set of items that the privacy policy protects: among them, it occurs for at least {model.k} "
        f"{who}, or not at all."
    )


def _epsilon(model: Any, _who: str, _known: str) -> str:
    weak = " An epsilon above 2 is a weak promise." if model.epsilon > 2 else ""
    return (
        f"Any result is at most {exp(model.epsilon):,.3g} times as probable with the data of one person as without "
        f"them, and the reverse (e to the power of epsilon, with epsilon = {model.epsilon:g}).{weak}"
    )


def _some(number: int, many: str) -> str:
    return f"1 {many.removesuffix('s')}" if number == 1 else f"{number} {many}"


def _percent(share: float) -> str:
    return f"{100 * share:g} %"


Words = Callable[[Any, str, str], str]
SENTENCES: dict[str, Words] = {
    "km": _km,
    "klm": _klm,
    "projection": _projection,
    "c-safety": _c_safety,
    "sequence-k": _sequence_k,
    "strict-k": _strict_k,
    "inference-route": _inference_route,
    "k-anonymity": _k_anonymity,
    "l-diversity": _l_diversity,
    "t-closeness": _t_closeness,
    "lm": _lm,
    "reconstruction": _reconstruction,
    "kkm": _kkm,
    "klm-diversity": _klm_diversity,
    "policy": _policy,
    "k-policy": _k_policy,
    "epsilon": _epsilon,
}
