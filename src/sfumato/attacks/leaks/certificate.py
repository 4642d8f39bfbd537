"""What a certificate says beside what it should: fields, figures, a seed, blanks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from sfumato.attacks.leaks.leak import Leak
from sfumato.catalogue import METHODS, MODELS, method_class, model_class
from sfumato.io.published.certificate import CERTIFICATE, FIELDS, OPTIONAL_FIELDS

__all__ = ["certificate_leaks"]

_FIELDS = {*FIELDS, *OPTIONAL_FIELDS}
_RECORDS = {"published", "suppressed", "added", "split"}
_GUARANTEE = {"model", "parameters", "verdict", "beyond"}
_VERDICT = {"holds", "checked_from", "measured", "witnesses", "reason"}
_OTHERWISE = {
    "sfumato": "a version that no release of the library has",
    "method": "a method with parameters that the library does not have",
    "parameters": "parameters that the method is not given in this way",
    "policy": "rules under 'policy' that no release of these data has",
    "records": "counts of records that the files do not give or that cannot be",
    "not_covered": "sentences under 'not_covered' that the promises do not give",
    "files": "files or digests that are not those of the directory",
    "guarantees.parameters": "parameters of a guarantee that the method does not give",
    "guarantees.verdict": "figures, witnesses or reasons of a verdict that the files do not give",
    "guarantees.beyond": "figures beyond the promise that the files do not give",
}


def certificate_leaks(certificate: dict[str, Any], raw: bytes, again: dict[str, Any]) -> Iterator[Leak]:
    """Everything that is not declared, and everything that is not as in `again`, the certificate that was rebuilt.

    >>> [leak.what for leak in certificate_leaks({"seed": 7}, b'{\\n  "seed": 7\\n}\\n', {})]
    ["a field 'seed' that a certificate does not have", "a seed ('seed')"]
    """
    yield from _undeclared(certificate)
    yield from _departures(certificate, again)
    plain = json.dumps(certificate, indent=2, ensure_ascii=False) + "\n"
    if raw != plain.encode("utf-8", "surrogatepass"):
        yield Leak("form", CERTIFICATE, "blanks, digits or an order of fields that no certificate is written with")


def _undeclared(certificate: dict[str, Any]) -> Iterator[Leak]:
    for name in certificate.keys() - _FIELDS:
        yield Leak("certificate", CERTIFICATE, f"a field {name!r} that a certificate does not have")
    for name in _seeds(certificate):
        yield Leak("certificate", CERTIFICATE, f"a seed ({name!r})")
    records = certificate.get("records")
    records = records if isinstance(records, dict) else {}
    allowed = set(_RECORDS)
    if any(not _model(one).exact_counts for one in _guarantees(certificate) if _model(one) is not None):
        allowed = {"published"}
    for name in sorted(set(records) - allowed):
        what = "an exact count" if name in _RECORDS else "a count that a certificate does not have"
        yield Leak("certificate", CERTIFICATE, f"{what} ('records.{name}')")
    yield from _parameters(certificate)
    for one in _guarantees(certificate):
        yield from _guarantee(one)


def _departures(certificate: dict[str, Any], again: dict[str, Any]) -> Iterator[Leak]:
    """What is said otherwise than the method, its parameters and the files have it, each field once."""
    for name, value in again.items():
        if name not in certificate:
            yield Leak("certificate", CERTIFICATE, f"no field {name!r}, which every such certificate has")
        elif name == "guarantees":
            yield from _promised(certificate[name], value)
        elif not _same(certificate[name], value):
            yield Leak("certificate", CERTIFICATE, _OTHERWISE.get(name, f"another {name!r} than there can be"))
    if again and "policy" in certificate and "policy" not in again:
        yield Leak("certificate", CERTIFICATE, _OTHERWISE["policy"])
    if again and "override" in certificate and "override" not in again:
        yield Leak("certificate", CERTIFICATE, "an 'override' although every promise holds")
    order = [name for name in certificate if name in again]
    if order != [name for name in again if name in certificate]:
        yield Leak("form", CERTIFICATE, "fields in an order in which no certificate is written")


def _promised(said: Any, again: list[dict[str, Any]]) -> Iterator[Leak]:
    names = [one.get("model") if isinstance(one, dict) else None for one in said] if isinstance(said, list) else None
    if names != [one["model"] for one in again]:
        yield Leak("certificate", CERTIFICATE, "other guarantees than the method gives")
        return
    for mine, one in zip(said, again, strict=True):
        for name in ("parameters", "verdict", "beyond"):
            if not _same(mine.get(name), one.get(name)):
                yield Leak("certificate", CERTIFICATE, _OTHERWISE[f"guarantees.{name}"])
        if set(mine) == set(one) and list(mine) != list(one):
            yield Leak("form", CERTIFICATE, "fields in an order in which no certificate is written")


def _same(said: Any, again: Any) -> bool:
    """Equal to the last digit and in the same order."""
    return json.dumps(said) == json.dumps(again)


def _guarantees(certificate: dict[str, Any]) -> list[dict[str, Any]]:
    listed = certificate.get("guarantees")
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def _model(guarantee: dict[str, Any]) -> Any:
    name = guarantee.get("model")
    return model_class(name) if isinstance(name, str) and name in MODELS else None


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
    if not isinstance(method, str) or method not in METHODS or not isinstance(said, dict):
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
