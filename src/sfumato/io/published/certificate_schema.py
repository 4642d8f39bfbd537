"""The schema of a certificate: which fields it has, and what each of them may hold.

The schema is closed: a field that is not declared here is refused, at every level.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sfumato.errors import FileError
from sfumato.io.published.strict_json import parse_json, shown

__all__ = ["CERTIFICATE_BYTES", "FIELDS", "KINDS", "OPTIONAL_FIELDS", "POLICY_FIELDS", "RECORDS", "parse_fields"]

CERTIFICATE_BYTES = 4 << 20
FIELDS = (
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
)
OPTIONAL_FIELDS = ("override", "policy")
POLICY_FIELDS = ("privacy_policy", "utility_policy", "taxonomy", "hierarchies", "places")
KINDS = ("trajectories", "roads", "transactions", "chunks", "table", "mixed")
SOURCES = ("files", "original", "ledger")  # what a verdict was checked from
RECORDS = ("published", "suppressed", "added", "split")

_VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+-]{0,39}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_FILE = re.compile(r"(context/)?[0-9A-Za-z_][0-9A-Za-z_-]{0,79}\.csv|[a-z]{1,20}\.parquet|data/part-[0-9]{5}\.parquet")

Check = Callable[[Any], bool]


def parse_fields(raw: bytes, path: str | Path) -> dict[str, Any]:
    """The fields of a certificate, by name; anything that departs from the schema is refused with one sentence.

    >>> parse_fields(b'{"kind": "table", "seed": 7}', "certificate.json")
    Traceback (most recent call last):
    sfumato.errors.FileError: certificate.json: wanted only fields of a certificate, found 'seed'
    """
    if len(raw) > CERTIFICATE_BYTES:
        raise FileError(path, f"wanted a certificate of at most {CERTIFICATE_BYTES >> 20} MB, found a larger one")
    fields = parse_json(raw, path)
    if not isinstance(fields, dict):
        raise FileError(path, "wanted an object with the fields of a certificate, found something else")
    reader = _Reader(path)
    reader.closed(fields, "a certificate", FIELDS, OPTIONAL_FIELDS)
    reader.certificate(fields)
    return fields


class _Reader:
    """Refuses what the schema does not allow, and names the field."""

    def __init__(self, path: str | Path) -> None:
        self._path = path

    def certificate(self, fields: dict[str, Any]) -> None:
        self.field(fields, "sfumato", _matches(_VERSION), "a version")
        self.field(fields, "kind", _among(KINDS), f"one of {', '.join(KINDS)}")
        self.field(fields, "unit", _among(("record", "person")), "record or person")
        self.field(fields, "method", _is(str), "a name")
        self.field(fields, "parameters", _is(dict), "an object")
        self.field(fields, "seeded", _is(bool), "true or false")
        self.field(fields, "guarantees", _is(list), "a list")
        for number, guarantee in enumerate(fields["guarantees"], start=1):
            self._guarantee(guarantee, f"guarantee {number}")
        self.field(fields, "records", _is(dict), "an object")
        self.closed(fields["records"], "'records'", (), RECORDS)
        for what in fields["records"]:
            self.field(fields["records"], what, _is_count, "a whole number of at least 0", "records")
        self.field(fields, "not_covered", _is(list), "a list")
        if not all(isinstance(limit, str) or _is_sentence(limit) for limit in fields["not_covered"]):
            self._refuse("wanted texts, or objects of a key and a text, in 'not_covered', found something else")
        self.field(fields, "files", _is(dict), "an object")
        self._files(fields["files"])
        if "override" in fields:
            self.field(fields, "override", lambda value: value is True, "true or no field")
        if "policy" in fields:
            self.field(fields, "policy", _is(dict), "an object")
            self._policy(fields["policy"])

    def closed(self, value: Any, what: str, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> None:
        """Refuse an object that has other fields than these."""
        if not isinstance(value, dict):
            self._refuse(f"wanted {what} as an object, found something else")
        other = next((name for name in value if name not in required and name not in optional), None)
        if other is not None:
            self._refuse(f"wanted only fields of {what}, found {shown(other)}")
        missing = [name for name in required if name not in value]
        if missing:
            self._refuse(f"wanted the fields {', '.join(required)} of {what}, found no {', '.join(missing)}")

    def field(self, fields: Mapping[str, Any], name: str, fits: Check, wanted: str, inside: str = "") -> None:
        if not fits(fields[name]):
            self._refuse(f"wanted {wanted} in '{inside}{'.' * bool(inside)}{name}', found something else")

    def _guarantee(self, guarantee: Any, what: str) -> None:
        self.closed(guarantee, what, ("model", "parameters", "verdict"), ("beyond",))
        self.field(guarantee, "model", _is(str), "a name", what)
        self.field(guarantee, "parameters", _is(dict), "an object", what)
        if "beyond" in guarantee:
            self.field(guarantee, "beyond", _is(dict), "an object", what)
        verdict = guarantee["verdict"]
        self.closed(verdict, f"the verdict of {what}", ("holds", "checked_from", "measured", "witnesses"), ("reason",))
        inside = f"{what}.verdict"
        self.field(verdict, "holds", _holds, 'true, false or "not checkable"', inside)
        self.field(verdict, "checked_from", _among(SOURCES), f"one of {', '.join(SOURCES)}", inside)
        self.field(verdict, "measured", _is(dict), "an object", inside)
        self.field(verdict, "witnesses", _are_objects, "a list of objects", inside)
        if "reason" in verdict:
            self.field(verdict, "reason", _is(str), "a text", inside)

    def _files(self, fields: dict[str, Any]) -> None:
        strange = next((name for name in fields if not _FILE.fullmatch(name)), None)
        if strange is not None:
            self._refuse(
                f"wanted names of published files (x.csv, x.parquet, context/x.csv) in 'files', found {shown(strange)}"
            )
        for name in fields:
            self.field(fields, name, _matches(_DIGEST), "a SHA-256 digest in lower case", "files")

    def _policy(self, fields: dict[str, Any]) -> None:
        self.closed(fields, "'policy'", (), POLICY_FIELDS)
        for name in fields:
            fits = _are_texts if name == "hierarchies" else _is(str)
            self.field(fields, name, fits, "the text of a rule", "policy")

    def _refuse(self, problem: str) -> None:
        raise FileError(self._path, problem)


def _is(shape: type) -> Check:
    return lambda value: isinstance(value, shape)


def _among(words: tuple[str, ...]) -> Check:
    return lambda value: isinstance(value, str) and value in words


def _matches(pattern: re.Pattern[str]) -> Check:
    return lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _holds(value: Any) -> bool:
    return isinstance(value, bool) or value == "not checkable"


def _are_objects(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(part, dict) for part in value)


def _are_texts(value: Any) -> bool:
    """A text, or texts by the name of a column."""
    return isinstance(value, str) or (isinstance(value, dict) and all(isinstance(text, str) for text in value.values()))


def _is_sentence(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {"key", "text"} and all(map(_is(str), value.values()))
