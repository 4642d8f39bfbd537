"""Questions in TOML files: movement segment and pattern categories as tables.

answer = "segment"              # or "object", "person"

[prefixes]                      # beside bq, dbo, dbr, dbp, geo, lgdo, schema and others
city = "http://example.org/porto-claro/"

[segment]                       # the fields of SegmentCategory
type = "STOP"
person = "bq:European"

[[segment.annotation]]          # the fields of AnnotationCondition, with [[segment.annotation.having]]
property = "bq:visits"
value = "bq:Market"

[[segment.event]]               # the fields of EventCondition
value = "bq:MusicFestival"

[[segment.relative]]            # a relation, and the fields of SegmentCategory again
relation = "followed-by"
type = "STOP"

[[companion]]                   # the fields of Companion, with [companion.segment]
at_most_m = 100
least_shared_minutes = 15
segment = { type = "STOP" }
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from sfumato.errors import FileError, ParameterError, did_you_mean
from sfumato.io.files import read_text
from sfumato.semantics.queries.pattern_category import Companion, PatternCategory
from sfumato.semantics.queries.segment_category import (
    AnnotationCondition,
    EventCondition,
    Relative,
    SegmentCategory,
    ThingCondition,
)
from sfumato.semantics.queries.terms import full_iri, is_iri
from sfumato.semantics.vocabulary import SEGMENT_CLASSES

__all__ = ["question_of", "read_question"]

_TOP = ("answer", "prefixes", "segment", "companion")
_IRIS = ("property", "value", "person", "means")
_LISTS = {"annotation": "annotations", "event": "events", "relative": "relatives", "having": "having"}


def read_question(path: str | Path) -> PatternCategory:
    """The question in a TOML file."""
    path = Path(path)
    try:
        return question_of(tomllib.loads(read_text(path)))
    except tomllib.TOMLDecodeError as error:
        raise FileError(path, f"wanted TOML: {str(error).partition(' (at ')[0]}", line=_line(str(error))) from None
    except ParameterError as error:
        raise FileError(path, str(error)) from None


def _line(message: str) -> int | None:
    digits = message.partition("(at line ")[2].partition(",")[0]
    return int(digits) if digits.isdigit() else None


def question_of(table: Mapping[str, Any]) -> PatternCategory:
    """The question that a table stands for, as it is read from TOML."""
    _require_keys("question", table, _TOP)
    prefixes = _prefixes(table.get("prefixes", {}))
    if "segment" not in table:
        raise ParameterError("question: wanted a table [segment], found none")
    companions = tuple(_companion(entry, prefixes) for entry in _tables("companion", table.get("companion", [])))
    segment = _segment(_table("segment", table["segment"]), prefixes)
    return PatternCategory(segment=segment, companions=companions, answer=table.get("answer", "segment"))


def _prefixes(table: Any) -> dict[str, str]:
    prefixes: dict[str, str] = {}
    for name, namespace in _table("prefixes", table).items():
        if not isinstance(namespace, str) or not is_iri(namespace):
            raise ParameterError(f"prefixes: {name} must be an IRI")
        prefixes[name] = namespace
    return prefixes


def _segment(table: Mapping[str, Any], prefixes: Mapping[str, str]) -> SegmentCategory:
    readers = {"annotation": _annotation, "event": _event, "relative": _relative}
    values = _values("segment", table, SegmentCategory, prefixes, readers)
    kind = values.get("type")
    if isinstance(kind, str) and kind not in SEGMENT_CLASSES and ":" in kind:
        values["type"] = full_iri(kind, prefixes)
    if isinstance(values.get("weekdays"), list):
        values["weekdays"] = tuple(values["weekdays"])
    return SegmentCategory(**values)


def _annotation(table: Mapping[str, Any], prefixes: Mapping[str, str]) -> AnnotationCondition:
    return AnnotationCondition(**_values("annotation", table, AnnotationCondition, prefixes, {"having": _thing}))


def _thing(table: Mapping[str, Any], prefixes: Mapping[str, str]) -> ThingCondition:
    values = _values("having", table, ThingCondition, prefixes, {})
    if "property" not in values:
        raise ParameterError("having: wanted a property, found none")
    return ThingCondition(**values)


def _event(table: Mapping[str, Any], prefixes: Mapping[str, str]) -> EventCondition:
    return EventCondition(**_values("event", table, EventCondition, prefixes, {}))


def _relative(table: Mapping[str, Any], prefixes: Mapping[str, str]) -> Relative:
    own = {key: table[key] for key in ("relation", "absent") if key in table}
    if "relation" not in own:
        raise ParameterError("relative: wanted a relation, found none")
    segment = {key: value for key, value in table.items() if key not in own}
    if not isinstance(own.get("absent", False), bool):
        raise ParameterError("relative: absent must be true or false")
    return Relative(segment=_segment(segment, prefixes), **own)


def _companion(table: Mapping[str, Any], prefixes: Mapping[str, str]) -> Companion:
    known = [field.name for field in fields(Companion)]
    _require_keys("companion", table, known)
    values = dict(table)
    values["segment"] = _segment(_table("companion.segment", table.get("segment", {})), prefixes)
    if not isinstance(values.get("once", False), bool):
        raise ParameterError("companion: once must be true or false")
    return Companion(**values)


_Reader = Callable[[Mapping[str, Any], Mapping[str, str]], Any]


def _values(
    what: str,
    table: Mapping[str, Any],
    kind: type,
    prefixes: Mapping[str, str],
    readers: Mapping[str, _Reader],
) -> dict[str, Any]:
    """The fields of a dataclass from a table; IRIs are written out and inner tables are read."""
    plural = {_LISTS[name] for name in readers}
    known = [field.name for field in fields(kind) if field.name not in plural]
    _require_keys(what, table, [*known, *readers])
    values = {key: value for key, value in table.items() if key not in readers}
    for name in _IRIS:
        if isinstance(values.get(name), str):
            values[name] = full_iri(values[name], prefixes)
    for name, reader in readers.items():
        values[_LISTS[name]] = tuple(reader(entry, prefixes) for entry in _tables(name, table.get(name, [])))
    return values


def _table(name: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ParameterError(f"{name}: wanted a table, found another value")
    return value


def _tables(name: str, value: Any) -> list[Mapping[str, Any]]:
    """A list of tables; one table alone is a list of one."""
    entries = [value] if isinstance(value, Mapping) else value
    if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
        raise ParameterError(f"{name}: wanted tables, found another value")
    return entries


def _require_keys(what: str, table: Mapping[str, Any], known: Any) -> None:
    for key in table:
        if key not in known:
            raise ParameterError(f"{what}: no key is called {key!r}; {did_you_mean(key, known)}")
