"""What a certificate says beside what it should: fields, figures, a seed, blanks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from sfumato.attacks.leak import Leak
from sfumato.catalogue import METHODS, MODELS, method_class, model_class
from sfumato.io.published import CERTIFICATE

__all__ = ["certificate_leaks"]

_FIELDS = {
    "sfumato",
    "kind",
    "unit",
    "method",
    "parameters",
    "seeded",
    "guarantees",
    "records",
    "not_covered",
    "files",
    "override",
}
_RECORDS = {"published", "suppressed", "added", "split"}
_GUARANTEE = {"model", "parameters", "verdict", "beyond"}
_VERDICT = {"holds", "checked_from", "measured", "witnesses", "reason"}


def certificate_leaks(certificate: dict[str, Any], text: str) -> Iterator[Leak]:
    """Everything that is not declared.

    >>> [leak.what for leak in certificate_leaks({"seed": 7}, '{\\n  "seed": 7\\n}\\n')]
    ["a field 'seed' that a certificate does not have", "a seed ('seed')"]
    """
    for name in certificate.keys() - _FIELDS:
        yield Leak("certificate", CERTIFICATE, f"a field {name!r} that a certificate does not have")
    for name in _seeds(certificate):
        yield Leak("certificate", CERTIFICATE, f"a seed ({name!r})")
    records = certificate.get("records", {})
    allowed = set(_RECORDS)
    if any(not _model(one).exact_counts for one in _guarantees(certificate) if _model(one) is not None):
        allowed = {"published"}
    for name in sorted(set(records) - allowed):
        what = "an exact count" if name in _RECORDS else "a count that a certificate does not have"
        yield Leak("certificate", CERTIFICATE, f"{what} ('records.{name}')")
    yield from _parameters(certificate)
    for one in _guarantees(certificate):
        yield from _guarantee(one)
    plain = json.dumps(certificate, indent=2, ensure_ascii=False) + "\n"
    if text != plain:
        yield Leak("form", CERTIFICATE, "blanks, digits or an order of fields that no certificate is written with")


def _guarantees(certificate: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for one in certificate.get("guarantees", ()) if isinstance(one, dict)]


def _model(guarantee: dict[str, Any]) -> Any:
    return model_class(guarantee["model"]) if guarantee.get("model") in MODELS else None


def _seeds(value: Any, path: str = "") -> Iterator[str]:
    """Every field that is called a seed; `seeded` says only whether there was one."""
    if isinstance(value, dict):
        for name, inner in value.items():
            where = f"{path}.{name}" if path else str(name)
            is_flag = name == "seeded" and isinstance(inner, bool)
            if "seed" in str(name).lower() and not is_flag and path != "files":
                yield where
            yield from _seeds(inner, where)
    elif isinstance(value, list):
        for inner in value:
            yield from _seeds(inner, path)


def _parameters(certificate: dict[str, Any]) -> Iterator[Leak]:
    method, said = certificate.get("method"), certificate.get("parameters", {})
    if method not in METHODS or not isinstance(said, dict):
        return
    declared = {parameter.name for parameter in method_class(method).parameters()}
    for name in sorted(set(said) - declared):
        yield Leak("certificate", CERTIFICATE, f"a parameter {name!r} that {method} does not have")


def _guarantee(guarantee: dict[str, Any]) -> Iterator[Leak]:
    for name in sorted(guarantee.keys() - _GUARANTEE):
        yield Leak("certificate", CERTIFICATE, f"a field {name!r} that a guarantee does not have")
    model, said = _model(guarantee), guarantee.get("parameters", {})
    if model is not None and isinstance(said, dict):
        declared = {parameter.name for parameter in model.parameters()}
        for name in sorted(set(said) - declared):
            yield Leak("certificate", CERTIFICATE, f"a parameter {name!r} that {guarantee['model']} does not have")
    verdict = guarantee.get("verdict", {})
    if not isinstance(verdict, dict):
        return
    for name in sorted(verdict.keys() - _VERDICT):
        yield Leak("certificate", CERTIFICATE, f"a field {name!r} that a verdict does not have")
    private = verdict.get("checked_from") != "files" and (verdict.get("measured") or verdict.get("witnesses"))
    if private:
        yield Leak("certificate", CERTIFICATE, "figures that took the original to compute")
