"""What a certificate says of methods and models of other packages: accepted if its form is that of an honest one."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from typing import Any

from sfumato.catalogue import METHODS, MODELS, method_class, model_class
from sfumato.io.published.certificate import Certificate, Guarantee
from sfumato.registry import Registry

__all__ = ["foreign_guarantee", "foreign_limits", "is_foreign", "is_plain", "known_sentences", "names_foreign"]

_SLUG = re.compile(r"[a-z][a-z0-9-]{0,60}")
_VERDICT = ("holds", "checked_from", "measured", "witnesses", "reason")
_LONGEST = 600  # characters of a sentence
_LARGEST = 20  # fields or entries


def is_foreign(table: Registry, name: Any) -> bool:
    """Whether another package has to say what this name is."""
    return isinstance(name, str) and name not in table.built_in and _SLUG.fullmatch(name) is not None


def names_foreign(certificate: Certificate) -> bool:
    """Whether the method or a model of the certificate is of another package."""
    return is_foreign(METHODS, certificate.method) or any(
        is_foreign(MODELS, guarantee.model) for guarantee in certificate.guarantees
    )


def is_plain(value: Any) -> bool:
    """Whether a value is a parameter that reveals no person: a number, a word or nothing."""
    return value is None or isinstance(value, bool | int | float) or (isinstance(value, str) and len(value) <= 40)


def foreign_guarantee(claimed: Guarantee) -> Guarantee | None:
    """A guarantee of a model that is not here, if it has the form of an honest one; otherwise None."""
    verdict, beyond = claimed.verdict, claimed.beyond
    if not is_foreign(MODELS, claimed.model) or not _is_small(claimed.parameters):
        return None
    witnesses = verdict["witnesses"]
    listed = len(witnesses) <= _LARGEST and all(map(_is_small, witnesses))
    if not (listed and _is_small(verdict["measured"]) and _is_sentence(verdict.get("reason", ""))):
        return None
    if beyond is not None and not _is_small(beyond):
        return None
    ordered = {name: verdict[name] for name in _VERDICT if name in verdict}
    return Guarantee(claimed.model, claimed.parameters, ordered, beyond or None)


def foreign_limits(stated: Any, limits: Collection[Any], *, words: bool) -> bool:
    """Whether `not_covered` holds the limits that are known here, and beside them only sentences.

    words : whether the known limits must also have the words that they have here.
    """
    if not isinstance(stated, list) or not all(_is_limit(entry) for entry in stated):
        return False
    keys = [entry["key"] for entry in stated]
    texts = {entry["key"]: entry for entry in stated}
    return len(set(keys)) == len(keys) and all(
        limit.key in texts and (not words or texts[limit.key] == limit.to_json()) for limit in limits
    )


@cache
def known_sentences() -> frozenset[str]:
    """Every sentence that a certificate of built-in methods and models can have under `not_covered`."""
    models = [model_class(name) for name in MODELS.built_in]
    limits = [limit for model in models for limit in (*model.not_covered, model.by_record, model.seeded)]
    limits += [limit for name in METHODS.built_in for limit in method_class(name).limits()]
    return frozenset(str(limit) for limit in limits if limit is not None)


def _is_limit(limit: Any) -> bool:
    return (
        isinstance(limit, dict)
        and list(limit) == ["key", "text"]
        and isinstance(limit["key"], str)
        and _SLUG.fullmatch(limit["key"]) is not None
        and _is_sentence(limit["text"])
    )


def _is_sentence(text: Any) -> bool:
    return isinstance(text, str) and len(text) <= _LONGEST and text.isprintable()


def _is_small(value: Any) -> bool:
    """Whether a value is an object of a few plain values."""
    return isinstance(value, dict) and len(value) <= _LARGEST and all(is_plain(part) for part in value.values())
