"""Leaks of a certificate: fields, figures, seeds and blanks that it should not have."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from sfumato.attacks.leaks.leak import Leak
from sfumato.catalogue import METHODS, MODELS, method_class, model_class
from sfumato.io.published.certificate import CERTIFICATE, Certificate, Guarantee
from sfumato.io.published.certificate_schema import RECORDS
from sfumato.io.published.directory import Published

__all__ = ["certificate_leaks"]

_OTHERWISE = {
    "sfumato": "a version number that the library does not have",
    "method": "a method with parameters that the library does not have",
    "parameters": "parameters in a form that the method does not write",
    "policy": "rules under 'policy' that do not apply to these data",
    "records": "counts of records that contradict the files or are impossible",
    "not_covered": "sentences under 'not_covered' that are not the limits of the promises",
    "files": "files or digests that are not those of the directory",
    "guarantees.parameters": "parameters of a guarantee that are not the method's",
    "guarantees.verdict": "figures, witnesses or reasons of a verdict that a check of the files does not give",
    "guarantees.beyond": "figures under 'beyond' that the files do not give",
}


def certificate_leaks(published: Published, again: Certificate) -> Iterator[Leak]:
    """Everything that is not declared, and everything that is not as in `again`, the certificate that was rebuilt."""
    yield from _undeclared(published.certificate)
    yield from _departures(published.certificate, again)
    if published.raw != published.certificate.to_bytes():
        yield Leak("form", CERTIFICATE, "blanks, digits or an order of fields that the library never writes")


def _undeclared(certificate: Certificate) -> Iterator[Leak]:
    for name in _seeds(certificate.to_json()):
        yield Leak("certificate", CERTIFICATE, f"a seed ({name!r})")
    models = [model_class(guarantee.model) for guarantee in certificate.guarantees if guarantee.model in MODELS]
    allowed = RECORDS if all(model.exact_counts for model in models) else ("published",)
    for name in sorted(set(certificate.records) - set(allowed)):
        yield Leak("certificate", CERTIFICATE, f"an exact count ('records.{name}')")
    yield from _parameters(certificate)
    for guarantee in certificate.guarantees:
        yield from _guarantee(guarantee)


def _departures(certificate: Certificate, again: Certificate) -> Iterator[Leak]:
    """The fields whose values differ from those that the method, its parameters and the files give, each once."""
    claimed, rebuilt = certificate.to_json(), again.to_json()
    for name, value in rebuilt.items():
        if name not in claimed:
            yield Leak("certificate", CERTIFICATE, f"a missing field {name!r}, which such a certificate must have")
        elif name == "guarantees":
            yield from _promised(certificate.guarantees, again.guarantees)
        elif not _same(claimed[name], value):
            yield Leak("certificate", CERTIFICATE, _OTHERWISE.get(name, f"an impossible value of {name!r}"))
    if certificate.policy is not None and again.policy is None:
        yield Leak("certificate", CERTIFICATE, _OTHERWISE["policy"])
    if certificate.override and not again.override:
        yield Leak("certificate", CERTIFICATE, "an 'override' although every promise holds")


def _promised(claimed: tuple[Guarantee, ...], rebuilt: tuple[Guarantee, ...]) -> Iterator[Leak]:
    if [guarantee.model for guarantee in claimed] != [guarantee.model for guarantee in rebuilt]:
        yield Leak("certificate", CERTIFICATE, "guarantees that are not the method's")
        return
    for mine, guarantee in zip(claimed, rebuilt, strict=True):
        for name in ("parameters", "verdict", "beyond"):
            if not _same(getattr(mine, name), getattr(guarantee, name)):
                yield Leak("certificate", CERTIFICATE, _OTHERWISE[f"guarantees.{name}"])


def _same(stated: Any, rebuilt: Any) -> bool:
    """Equal to the last digit and in the same order."""
    return json.dumps(stated) == json.dumps(rebuilt)


def _seeds(value: Any, path: str = "") -> Iterator[str]:
    """Every field that is called a seed; `seeded` is only whether there was one."""
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


def _parameters(certificate: Certificate) -> Iterator[Leak]:
    method = certificate.method
    if method not in METHODS.built_in:
        return
    declared = {parameter.name for parameter in method_class(method).parameters()}
    for name in sorted(set(certificate.parameters) - declared):
        yield Leak("certificate", CERTIFICATE, f"a parameter {name!r} that {method} does not have")


def _guarantee(guarantee: Guarantee) -> Iterator[Leak]:
    if guarantee.model in MODELS.built_in:
        declared = {parameter.name for parameter in model_class(guarantee.model).parameters()}
        for name in sorted(set(guarantee.parameters) - declared):
            yield Leak("certificate", CERTIFICATE, f"a parameter {name!r} that {guarantee.model} does not have")
    verdict = guarantee.verdict
    if verdict["checked_from"] != "files" and (verdict["measured"] or verdict["witnesses"]):
        yield Leak("certificate", CERTIFICATE, "figures that took the original to compute")
