"""The certificate of a release: what the published directory claims, as one object.

It is built by a release, parsed from a directory (`certificate_schema` says what is refused), and written here alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from sfumato import __version__
from sfumato.data import original_kind
from sfumato.io.atomic_writes import json_text
from sfumato.io.published.certificate_schema import parse_fields

__all__ = ["CERTIFICATE", "SIGNATURE", "Certificate", "Guarantee"]

CERTIFICATE = "certificate.json"
SIGNATURE = "certificate.json.sig"  # the one file that no certificate lists


@dataclass(frozen=True)
class Guarantee:
    """A privacy model with its parameters and the verdict of its verifier, as JSON values.

    beyond : what one more known visit or item than the promise allows reveals; None where nothing is measured.
    """

    model: str
    parameters: dict[str, Any]
    verdict: dict[str, Any]
    beyond: dict[str, Any] | None = None

    @classmethod
    def of(cls, model: Any, verdict: dict[str, Any], beyond: dict[str, Any] | None = None) -> Self:
        """The guarantee of a privacy model, with the JSON values of its verdict."""
        return cls(model.name, model.to_json(), verdict, beyond or None)

    def to_json(self) -> dict[str, Any]:
        fields = {"model": self.model, "parameters": self.parameters, "verdict": self.verdict}
        return fields if self.beyond is None else {**fields, "beyond": self.beyond}


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """What a published directory claims.

    version : of the library that wrote it.  unit : whether the guarantees count records or persons.
    records : how many are published and, where that may be stated, how many were suppressed, added or split.
    not_covered : what the guarantees do not cover, objects of a key and a text; version 0.1 wrote texts.
    files : the SHA-256 digest of each published file; None before they are written.
    override : whether the release was written although a guarantee does not hold.
    policy : the rules by which side knowledge was computed from the private data; None where none exists.

    >>> claimed = Certificate(
    ...     kind="chunks", unit="record", method="disassociate", parameters={"k": 2}, seeded=False,
    ...     guarantees=(), records={"published": 3}, not_covered=(), files={},
    ... )
    >>> claimed.original_kind
    'transactions'
    >>> Certificate.parse(claimed.to_bytes(), "certificate.json") == claimed
    True
    """

    version: str = __version__
    kind: str
    unit: str
    method: str
    parameters: dict[str, Any]
    seeded: bool
    guarantees: tuple[Guarantee, ...]
    records: dict[str, int]
    not_covered: tuple[str | dict[str, str], ...]
    files: dict[str, str] | None = None
    override: bool = False
    policy: dict[str, Any] | None = None

    @classmethod
    def parse(cls, raw: bytes, path: str | Path) -> Self:
        """The certificate in these bytes; anything that departs from the schema is refused with one sentence."""
        fields = parse_fields(raw, path)
        return cls(
            version=fields.pop("sfumato"),
            guarantees=tuple(Guarantee(**guarantee) for guarantee in fields.pop("guarantees")),
            not_covered=tuple(fields.pop("not_covered")),
            **fields,
        )

    @property
    def original_kind(self) -> str:
        """The kind of the private data behind the release."""
        return original_kind(self.kind)

    def to_json(self) -> dict[str, Any]:
        """The fields in the order in which they are written."""
        return {
            "sfumato": self.version,
            "kind": self.kind,
            "unit": self.unit,
            "method": self.method,
            "parameters": self.parameters,
            **({} if self.policy is None else {"policy": self.policy}),
            "seeded": self.seeded,
            "guarantees": [guarantee.to_json() for guarantee in self.guarantees],
            "records": self.records,
            "not_covered": list(self.not_covered),
            **({"override": True} if self.override else {}),
            **({} if self.files is None else {"files": self.files}),
        }

    def to_bytes(self) -> bytes:
        """The content of certificate.json."""
        return json_text(self.to_json()).encode("utf-8")
