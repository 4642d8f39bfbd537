"""The sentences of `not_covered` and the names in `beyond` in the words of the version that wrote them.

A certificate of this version is compared with the sentences of this version.  Of older versions `wordings.json` keeps
a digest of each sentence and the older names, so that their releases still verify after the words have changed.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import Any

import sfumato
from sfumato.attacks.leaks.foreign import foreign_limits, known_sentences, names_foreign
from sfumato.io.published.certificate import Certificate
from sfumato.params import JsonObject
from sfumato.privacy.not_covered import OVERRIDDEN, limits_of

__all__ = ["as_worded", "beyond_as_named", "is_current", "is_known", "states_override"]


def is_current(certificate: Certificate) -> bool:
    """Whether this version wrote the certificate."""
    return certificate.version == sfumato.__version__


def is_known(certificate: Certificate) -> bool:
    """Whether the words of the version that wrote the certificate are known here."""
    return is_current(certificate) or certificate.version in _older()


def as_worded(
    certificate: Certificate, promises: list[Any], method: Any, unit: str, *, seeded: bool, overridden: bool
) -> list[Any]:
    """The `not_covered` that a certificate should have; unchanged where it has the words of the version that wrote it.

    Of a version whose words are not known, the keys have to be those of this version.
    """
    of_method = () if method is None else method.limits()
    limits = limits_of(promises, unit=unit, seeded=seeded, of_method=of_method)
    limits += [OVERRIDDEN] if overridden else []
    stated = list(certificate.not_covered)
    if names_foreign(certificate):
        known = [limit for limit in limits if str(limit) in known_sentences()]
        if foreign_limits(stated, known, words=is_current(certificate)):
            return stated
    if not is_current(certificate):
        words = _older().get(certificate.version)
        if words is not None and [_digest(limit) for limit in stated] == _digests(
            words, promises, method, unit, seeded=seeded, overridden=overridden
        ):
            return stated
        keys = [limit.get("key") if isinstance(limit, dict) else None for limit in stated]
        if words is None and keys == [limit.key for limit in limits]:
            return stated
    return [limit.to_json() for limit in limits]


def states_override(certificate: Certificate) -> bool:
    """Whether `not_covered` has the limit of a release that was written although a composition attack succeeded."""
    words = _older().get(certificate.version, {})
    return any(
        _digest(limit) == words.get("overridden") if isinstance(limit, str) else limit["key"] == OVERRIDDEN.key
        for limit in certificate.not_covered
    )


def beyond_as_named(certificate: Certificate, figures: JsonObject | None) -> JsonObject | None:
    """The figures of `beyond` by the names of the version that wrote the certificate."""
    names = _older().get(certificate.version, {}).get("beyond", {})
    return figures and {names.get(name, name): value for name, value in figures.items()}


@cache
def _older() -> dict[str, Any]:
    """The digests of `wordings.json`, by version."""
    versions: dict[str, Any] = json.loads(files("sfumato.attacks.leaks").joinpath("wordings.json").read_text("utf-8"))
    return versions


def _digest(sentence: Any) -> str:
    text = sentence.get("text") if isinstance(sentence, dict) else sentence
    return hashlib.sha256(str(text).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _digests(
    words: dict[str, Any], promises: list[Any], method: Any, unit: str, *, seeded: bool, overridden: bool
) -> list[str]:
    models = [
        words["models"].get(model.name, {"not_covered": ["?"], "by_record": "?", "seeded": "?"}) for model in promises
    ]
    digests = [digest for model in models for digest in model["not_covered"]]
    digests += [model["by_record"] for model in models] if unit == "record" else []
    digests += [model["seeded"] for model in models if model["seeded"]] if seeded else []
    digests += [words["methods"][method.name]] if method is not None and method.name in words["methods"] else []
    digests += [words["overridden"]] if overridden else []
    return list(dict.fromkeys(digests))
