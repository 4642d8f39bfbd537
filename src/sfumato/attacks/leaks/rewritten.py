"""A published directory written again from the data that were read from it, as only the library writes it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import polars as pl

import sfumato
from sfumato.attacks.leaks.foreign import foreign_guarantee, is_foreign, is_plain, names_foreign
from sfumato.attacks.leaks.wordings import as_worded, beyond_as_named, is_current, states_override
from sfumato.catalogue import METHODS, MODELS, method_class, model_class
from sfumato.data import Chunks, Dataset, Mixed, Table, Trajectories, Transactions
from sfumato.data.ragged import Ragged
from sfumato.data.tree_rules import TREE_RULE
from sfumato.errors import CallerError
from sfumato.io.inputs.numbers import with_numbers
from sfumato.io.published.certificate import Certificate, Guarantee
from sfumato.io.published.contents import file_contents
from sfumato.io.published.directory import Published
from sfumato.io.published.row_files import Rows, digest_of_content, is_part, read_rows, read_schema
from sfumato.privacy.base import with_promises
from sfumato.privacy.checks.beyond_m import UNMEASURED
from sfumato.privacy.not_covered import OVERRIDDEN, limits_of

__all__ = ["declared", "has_rebuilt_rows", "other_words", "rebuilt_certificate", "rebuilt_digests"]

_VERSION = re.compile(r"\d{1,3}\.\d{1,3}\.\d{1,3}((a|b|rc|\.dev)\d{1,2})?")


def rebuilt_digests(published: Published) -> dict[str, str] | None:
    """The digests of the files that the data which were read are written to; None where no release has such data.

    Rows of a table were read as texts and keep their order.
    """
    files = _rebuilt_files(published)
    return None if files is None else {name: digest_of_content(content, name) for name, content in files.items()}


def has_rebuilt_rows(published: Published, name: str) -> bool:
    """Whether a file of rows holds, in any form, the rows that the data which were read are written to."""
    rebuilt = (_rebuilt_files(published) or {}).get(name)
    rows = Rows.of(read_rows(published.folder / name)[0])
    return rebuilt is not None and digest_of_content(rebuilt, ".csv") == digest_of_content(rows, ".csv")


def _rebuilt_files(published: Published) -> dict[str, Rows | str] | None:
    data = published.data
    if data is None:
        return None
    is_sorted = isinstance(data, Trajectories) and data.in_content_order
    ordered = data.published()[0] if isinstance(data, Ragged | Chunks) and not is_sorted else data
    context = {fact for model in _promises(published.certificate, data) for fact in model.context}
    if names_foreign(published.certificate):
        context |= _context_of(data)
    if isinstance(data, Trajectories) and data.places is not None and data.places.located:
        context.add("geometry")  # published on request; `contradictions` says where it must not be
    try:
        files = file_contents(ordered, context, published.format, published.part_records)
        return {name: _typed(content, name, published) for name, content in files.items()}
    except (CallerError, TypeError):  # such as a nameless item among the sensitive ones
        return None


def _typed(content: Rows | str, name: str, published: Published) -> Rows | str:
    """Rows of a table, which were read as texts, with the numbers of a Parquet file."""
    is_data = name == "data.parquet" or is_part(name)
    if not is_data or isinstance(content, str) or published.certificate.kind not in ("table", "mixed"):
        return content
    schema = read_schema(published.folder / name)
    typed = [pl.col(column).cast(dtype, strict=False) for column, dtype in schema.items() if column in content.schema]
    return Rows(schema, lambda: (batch.with_columns(typed) for batch in content.batches()))


def rebuilt_certificate(published: Published) -> Certificate:
    """The certificate as far as the method, its parameters and the files determine it.

    What they do not determine is taken over if it has the form of an honest one: the counts of records that are not
    there any more, whether there was a seed, and whether a promise held that took the original to check.
    """
    certificate, data = published.certificate, published.data
    unit, seeded = certificate.unit, certificate.seeded
    method = declared(METHODS, method_class, certificate.method, certificate.parameters)
    name, parameters = _named_method(certificate, method)
    promises = _promises(certificate, data)
    claimed = (*certificate.guarantees, *[None] * len(promises))
    guarantees = tuple(
        _guarantee(model, guarantee, certificate, data) for model, guarantee in zip(promises, claimed, strict=False)
    )
    if method is None:
        rebuilt = [_as_claimed(guarantee, certificate, data) for guarantee in certificate.guarantees]
        guarantees = tuple(guarantee for guarantee in rebuilt if guarantee is not None)
    composed = _composed(certificate)
    limits = as_worded(certificate, promises, method, unit, seeded=seeded, overridden=composed)
    return Certificate(
        version=certificate.version if _VERSION.fullmatch(certificate.version) else sfumato.__version__,
        kind=certificate.kind,
        unit=unit,
        method=name,
        parameters=parameters,
        policy=_rules(certificate, data, promises) or None,
        seeded=seeded,
        guarantees=guarantees,
        records=_records(certificate, data, method, promises),
        not_covered=tuple(limits),
        override=composed or not all(guarantee.verdict["holds"] is True for guarantee in guarantees),
        files={name: published.files.digests.get(name, "") for name in sorted(published.files.contents)},
    )


def other_words(certificate: Certificate) -> bool:
    """Whether another package states other limits here than the certificate does."""
    if not names_foreign(certificate):
        return False
    method = declared(METHODS, method_class, certificate.method, certificate.parameters)
    limits = limits_of(
        _promises(certificate, None),
        unit=certificate.unit,
        seeded=certificate.seeded,
        of_method=() if method is None else method.limits(),
    )
    limits += [OVERRIDDEN] if _composed(certificate) else []
    return list(certificate.not_covered) != [limit.to_json() for limit in limits]


def declared(table: Mapping[str, Any], load: Any, name: str, parameters: dict[str, Any]) -> Any:
    """The method or model of this name with these parameters, or nothing."""
    if name not in table:
        return None
    try:
        return load(name).from_json(parameters)
    except (CallerError, TypeError, ValueError, AttributeError):
        return None


def _as_claimed(claimed: Guarantee, certificate: Certificate, data: Dataset | None) -> Guarantee | None:
    """A guarantee of a method that is not installed here; None where no release has such a guarantee."""
    model = declared(MODELS, model_class, claimed.model, claimed.parameters)
    return foreign_guarantee(claimed) if model is None else _guarantee(model, claimed, certificate, data)


def _context_of(data: Dataset) -> set[str]:
    """The side knowledge that was read with the data, for models that cannot be asked which they need."""
    items = data.items if isinstance(data, Mixed) else data
    names = {name for name in ("taxonomy", "privacy_policy", "utility_policy") if getattr(items, name, None)}
    places = getattr(items, "places", None)
    names |= set() if places is None else {"owner", "sensitive"} & set(places.frame.columns)
    return names | ({"sensitive"} if isinstance(items, Transactions) and items.sensitive else set())


def _named_method(certificate: Certificate, method: Any) -> tuple[str, dict[str, Any]]:
    """The method and its parameters; an older version may not have had all of them.

    A method that is not installed cannot be asked for its parameters: they are taken over if they are plain values.
    """
    name, stated = certificate.method, certificate.parameters
    if method is None:
        plain = all(is_plain(value) for value in stated.values())
        return (name, stated) if is_foreign(METHODS, name) and plain else ("", {})
    parameters = method.to_json()
    if not is_current(certificate) or is_foreign(METHODS, name):
        parameters = {key: value for key, value in parameters.items() if key in stated}
    return method.name, parameters


def _promises(certificate: Certificate, data: Dataset | None) -> list[Any]:
    """What the method promises, then what else was promised; of a method that cannot be read, what is claimed."""
    method = declared(METHODS, method_class, certificate.method, certificate.parameters)
    models = [
        declared(MODELS, model_class, guarantee.model, guarantee.parameters) for guarantee in certificate.guarantees
    ]
    claimed = [model for model in models if model is not None]
    if method is None:
        return claimed
    # an older version stated only what the method promises on any data
    own = method.guarantees_on(data) if data is not None and is_current(certificate) else method.guarantees
    more = [model for model in claimed[len(own) :] if certificate.kind in model.kinds]
    return list(with_promises(own, more))


def _guarantee(model: Any, claimed: Guarantee | None, certificate: Certificate, data: Dataset | None) -> Guarantee:
    verdict = _verdict(model, {} if claimed is None else claimed.verdict, data, certificate.unit)
    beyond = None if claimed is None else claimed.beyond  # of data that cannot be read nothing is known
    if data is not None:
        ways = (
            [beyond_as_named(certificate, _result_or_none(model.beyond, reading)) for reading in _readings(data)]
            if verdict["holds"] is not False
            else [None]
        )
        beyond = next((way for way in ways if _as_json(way) == beyond), _as_far_as_stated(ways[0], beyond))
    return Guarantee.of(model, verdict, beyond)


def _as_far_as_stated(figures: Any, stated: Any) -> Any:
    """The figures, "not measured" where that is stated: a certificate with less than the files show reveals nothing."""
    if not isinstance(figures, dict) or not isinstance(stated, dict):
        return figures
    return {name: UNMEASURED if stated.get(name) == UNMEASURED else value for name, value in figures.items()}


def _verdict(model: Any, stated: dict[str, Any], data: Dataset | None, unit: str) -> dict[str, Any]:
    """Checked again where files suffice; of a verdict from the original or the privacy budget, only `holds` is kept."""
    by_files = stated.get("checked_from") == "files"
    # a certificate with less than the files show reveals nothing
    silent = stated.get("checked_from") == "original" and not stated.get("measured") and not stated.get("witnesses")
    if data is not None and (by_files or unit == "record") and not silent:
        verdicts = [_result_or_none(model.check, candidate) for candidate in _readings(data)]
        ways = [
            candidate.to_published_json()
            for candidate in verdicts
            if candidate is not None and candidate.checked_from == "files"
        ]
        if ways:
            ways = [{**way, "measured": _as_far_as_stated(way["measured"], stated.get("measured"))} for way in ways]
            return dict(next((way for way in ways if _as_json(way) == stated), ways[0]))
    holds = stated.get("holds")
    known = isinstance(holds, bool) or holds == "not checkable"
    source = "original" if model.exact_counts else "ledger"
    return {"holds": holds if known else True, "checked_from": source, "measured": {}, "witnesses": []}


def _readings(data: Dataset | None) -> Iterator[Any]:
    """The data, and those of a table with numbers for texts: a file does not say what a column was."""
    yield data
    if isinstance(data, Table):
        yield replace(data, frame=with_numbers(data.frame))
    elif isinstance(data, Mixed):
        yield replace(data, table=replace(data.table, frame=with_numbers(data.table.frame)))


def _as_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


def _result_or_none(work: Any, data: Dataset | None) -> Any:
    try:
        return work(data)
    except CallerError:
        return None


def _records(certificate: Certificate, data: Dataset | None, method: Any, promises: list[Any]) -> dict[str, int]:
    """The counts of records, as far as the method can have changed them; of an unknown method, all of them."""
    counts, changes = certificate.records, ("suppressed", "added", "split")
    possible = changes if method is None else method.record_changes
    records = {"published": counts.get("published", 0) if data is None else len(data)}
    exact = all(model.exact_counts for model in promises)
    if exact and not (names_foreign(certificate) and not set(changes) & set(counts)):
        records |= {what: counts.get(what, 0) if what in possible else 0 for what in changes}
    return records


def _composed(certificate: Certificate) -> bool:
    """Whether a release was written although an earlier release and this one together broke a promise."""
    return certificate.override and states_override(certificate)


def _rules(certificate: Certificate, data: Dataset | None, promises: list[Any]) -> dict[str, str]:
    """The rules of side knowledge that was computed from private data, as far as they have the form of honest ones."""
    context = {fact for model in promises for fact in model.context}
    table = data.table if isinstance(data, Mixed) else data
    columns: list[str] = []
    if isinstance(table, Table):
        columns = [column for column in table.frame.columns if column in table.quasi_identifiers]
    if names_foreign(certificate):
        context |= {"privacy_policy", "taxonomy", "owner", "sensitive"}
    forms = {
        "privacy_policy": r"(rare|frequent):[1-9]\d{0,8}:[1-9]\d{0,8}" if "privacy_policy" in context else None,
        "taxonomy": TREE_RULE if "taxonomy" in context or isinstance(data, Transactions | Mixed) else None,
        "places": "visits" if context & {"owner", "sensitive"} else None,
    }
    rules: dict[str, str] = {}
    for name, rule in (certificate.policy or {}).items():
        if name == "hierarchies":
            if isinstance(rule, str) and rule.startswith("derived: ") and _lists(rule[len("derived: ") :], columns):
                rules[name] = rule
        elif forms.get(name) and isinstance(rule, str) and re.fullmatch(str(forms[name]), rule):
            rules[name] = rule
    return rules


def _lists(text: str, columns: list[str]) -> bool:
    """Whether a text lists some of these columns in their order, separated by commas; names may hold commas too.

    The rule of a column's hierarchy may follow its name.

    >>> _lists("age, town", ["age", "sex", "town"]), _lists("town, age", ["age", "town"]), _lists("a, b", ["a, b"])
    (True, False, True)
    >>> _lists("age by quantiles:16:4, town", ["age", "town"]), _lists("age by hand", ["age"])
    (True, False)
    """
    ends = {0}  # how much of the text the columns so far can be
    for column in columns:
        listed = re.compile(rf"{re.escape(column)}( by {TREE_RULE})?, ")
        matches = [listed.match(f"{text}, ", end) for end in ends]
        ends |= {match.end() for match in matches if match is not None}
    return len(text) + 2 in ends
