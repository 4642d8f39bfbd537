"""The certificate of a release in words: promises, verdicts, limits, files."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from sfumato.catalogue import METHODS, MODELS, method_class, model_class
from sfumato.errors import CallerError
from sfumato.experiments.reports.board.attacks import beyond_sentence
from sfumato.experiments.reports.board.promise_sentences import promise_sentence

__all__ = ["File", "Promise", "files_of", "limits_of", "preview_of", "promises_of", "title_of_method"]

_ROWS = 15


class Promise(NamedTuple):
    """A guarantee of a certificate: its name, a plain sentence, its verdict, from what, and what was measured.

    beyond : what an attacker achieves who knows more than the promise covers, where the certificate says so.
    """

    label: str
    sentence: str
    holds: Any
    checked_from: str
    measured: dict[str, Any]
    beyond: str


class File(NamedTuple):
    """A file of a published directory."""

    name: str
    size: int
    sha256: str


def promises_of(certificate: Mapping[str, Any]) -> list[Promise]:
    """The guarantees of a certificate."""
    promises = []
    for guarantee in certificate.get("guarantees", ()):
        verdict = guarantee["verdict"]
        label = sentence = str(guarantee["model"])
        if guarantee["model"] in MODELS:
            with suppress(CallerError):  # another version wrote it: its name alone is shown
                model = model_class(guarantee["model"]).from_json(guarantee["parameters"])
                label = model.label
                sentence = promise_sentence(model, unit=certificate["unit"], kind=certificate["kind"])
        checked_from, measured = str(verdict.get("checked_from") or ""), dict(verdict.get("measured") or {})
        beyond = beyond_sentence(guarantee.get("beyond") or {})
        promises.append(Promise(label, sentence, verdict.get("holds"), checked_from, measured, beyond))
    return promises


def limits_of(certificate: Mapping[str, Any]) -> list[str]:
    """What the promises do not cover."""
    limits = [limit if isinstance(limit, str) else limit["text"] for limit in certificate.get("not_covered", ())]
    return [f"{limit[0].upper()}{limit[1:].rstrip('.')}." for limit in limits if limit]


def title_of_method(name: str) -> str:
    """The title of a method, or its name where it is not installed."""
    return str(method_class(name).title) if name in METHODS else name


def files_of(folder: Path, certificate: Mapping[str, Any]) -> list[File]:
    """The files that the certificate lists, with their sizes and digests."""
    listed = dict(certificate.get("files") or {})
    return [
        File(name, (folder / name).stat().st_size, digest)
        for name, digest in sorted(listed.items())
        if (folder / name).is_file()
    ]


def preview_of(folder: Path, name: str) -> list[list[str]]:
    """The first lines of a published table; its first row is the head."""
    with (folder / name).open(encoding="utf-8", newline="") as file:
        return list(islice(csv.reader(file), _ROWS + 1))
