"""Checking published files again: digests and leaks first, then every guarantee, with what is available."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import polars as pl

from sfumato.attacks.leaks.foreign import is_foreign
from sfumato.attacks.leaks.parquet_form import other_writers
from sfumato.attacks.leaks.rewritten import declared, other_words
from sfumato.attacks.leaks.search import find_leaks
from sfumato.attacks.leaks.wordings import is_known
from sfumato.catalogue import METHODS, MODELS, method_class, model_class
from sfumato.data import Dataset, Mixed, Persons, Table
from sfumato.data.base import Tabular
from sfumato.data.ragged import Ragged
from sfumato.errors import CallerError, counted
from sfumato.io.published.certificate import Certificate, Guarantee
from sfumato.io.published.directory import Published, as_published
from sfumato.params import JsonObject
from sfumato.privacy.base import PrivacyModel, Verdict
from sfumato.privacy.checks.correspondence import counted_in_records, persons_behind
from sfumato.remedies import keep_remedy, with_remedy
from sfumato.threads import side_by_side
from sfumato.verification.knowledge import Counted, Knowledge, claimed_knowledge, knowledge_of_original
from sfumato.verification.report import records_by_report
from sfumato.verification.rows import persons_behind_rows

__all__ = ["Check", "as_far_as_files_show", "installed_models", "stated_problems", "unknown_names", "verify"]

LeaksT = TypeVar("LeaksT")
VerdictsT = TypeVar("VerdictsT")

_PERSONS = "counted in records, the promise holds; counting persons needs the original"
_PERSONS_BY_ORIGINAL = with_remedy(_PERSONS, "give-original-and-report")
_NAMELESS = with_remedy(
    "counted in records, the promise holds; it counts persons, and this original does not say who they are",
    "name-person-column",
)
_PIECES = (
    "counted in published records, the promise holds; to count all pieces of an original record once takes the "
    "original and the private report of the run"
)
_UNKNOWN_MODEL = "the model {!r} is not installed here, so its promise cannot be checked"
_UNKNOWN_VERSION = "another version wrote the certificate, so the words of its limits cannot be checked"
_OTHER_WORDS = "the limits that the certificate names are not those of the packages here, so they cannot be checked"
_OTHER_WRITER = "another version of polars wrote {}, so only its rows and columns can be checked, not its bytes"
_UNKNOWN_METHOD = "the method {!r} is not installed here, so its parameters cannot be checked"


@dataclass(frozen=True)
class Check(Tabular):
    """The result of `verify` for a published directory.

    problems : what is wrong: digests, files, leaks, differences from the original, an override.
    verdicts : each guarantee with the verdict of its verifier now.
    counted : what counted as quasi-identifier, sensitive, owner, unit, and by whose word.
    unchecked : what is claimed and could not be checked, besides the verdicts that are not checkable.
    """

    problems: tuple[str, ...]
    verdicts: tuple[tuple[PrivacyModel, Verdict], ...]
    certificate: Certificate | None
    counted: tuple[Counted, ...] = ()
    unchecked: tuple[str, ...] = ()

    @property
    def code(self) -> int:
        """The exit code: 1 where something is wrong, 3 where not all that is claimed could be checked, else 0."""
        if self.problems or any(verdict.holds is False for _, verdict in self.verdicts):
            return 1
        open_claims = self.unchecked or any(fact.source == "claimed" for fact in self.counted)
        return 3 if open_claims or any(verdict.holds is not True for _, verdict in self.verdicts) else 0

    @property
    def holds(self) -> bool:
        """Everything that is claimed was checked and holds."""
        return self.code == 0

    def __repr__(self) -> str:
        answer = {0: "everything that is claimed holds", 1: "SOMETHING DOES NOT HOLD"}.get(
            self.code, "not all was checked"
        )
        return f"<Check: {counted(len(self.verdicts), 'promise')}, {answer}>"

    def _remarks(self) -> list[str]:
        return [*self.problems, *self.unchecked, *(result.sentence for result in self.counted)]

    def to_polars(self) -> pl.DataFrame:
        """A row a promise: promise, holds (True, False or None where it cannot be checked), checked_from, reason."""
        rows = [
            (
                model.label,
                verdict.holds if isinstance(verdict.holds, bool) else None,
                verdict.checked_from,
                verdict.reason,
            )
            for model, verdict in self.verdicts
        ]
        schema = {"promise": pl.String, "holds": pl.Boolean, "checked_from": pl.String, "reason": pl.String}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def to_json(self) -> JsonObject:
        return {
            "holds": self.holds,
            "code": self.code,
            "problems": list(self.problems),
            "unchecked": list(self.unchecked),
            "counted": [fact.to_json() for fact in self.counted],
            "guarantees": [
                {"model": model.name, "parameters": model.to_json(), "verdict": verdict.to_json()}
                for model, verdict in self.verdicts
            ],
        }


def verify(
    release: str | Path | Published,
    *,
    original: Dataset | None = None,
    report: str | Path | None = None,
    claimed: Collection[str] = (),
) -> Check:
    """Check a published directory without trusting its publisher.

    release : the directory, or what `sfumato.io.published.directory.read` returned for it.
    original : the private dataset.  Roles, sensitive flags, owners, taxonomy, policies and persons then come from it.
    report : the private report of the run, whose correspondence is used after it was checked.
    claimed : what the original only repeats from the release: "quasi-identifiers", "sensitive", "network".
    """
    if report is not None and original is None:
        raise CallerError("the private report needs the original; give both")
    published = as_published(release)
    certificate = published.certificate
    if original is not None and original.kind != certificate.original_kind:
        raise CallerError(f"the original holds {original.kind}, the release {certificate.kind}")
    problems, unchecked = [*published.problems, *stated_problems(certificate)], unknown_names(certificate)
    models = installed_models(published)
    if published.data is None:
        return Check(tuple(problems), (), certificate, (), tuple(unchecked))
    context = {fact for model in models for fact in model.context}

    def look() -> list[str]:
        return [] if published.problems else [leak.sentence for leak in find_leaks(published, original)]

    def check() -> tuple[Knowledge, list[tuple[PrivacyModel, Verdict]]]:
        if original is None:
            known = claimed_knowledge(published.data, context, certificate.unit)
            verdicts = side_by_side(
                lambda model: as_far_as_files_show(model, _checked(model, published.data, None), certificate), models
            )
            return known, list(zip(models, verdicts, strict=True))
        shares = any(getattr(model, "l", 1) > 1 for model in models)
        known = knowledge_of_original(published.data, original, context, claimed, shares=shares)
        return known, _by_original(models, known, original, report, certificate)

    leaks, (known, verdicts) = _both(look, check)
    problems += [*leaks, *known.differences]
    if not published.problems:
        unchecked += [_OTHER_WRITER.format(name) for name in other_writers(published)]
    return Check(tuple(problems), tuple(verdicts), certificate, tuple(known.counted), tuple(unchecked))


def _both(look: Callable[[], LeaksT], check: Callable[[], VerdictsT]) -> tuple[LeaksT, VerdictsT]:
    """What two independent checks return; they run side by side."""
    works: list[Callable[[], Any]] = [look, check]
    leaks, verdicts = side_by_side(lambda work: work(), works)
    return leaks, verdicts


def stated_problems(certificate: Certificate) -> list[str]:
    """What is wrong with a release by the word of its own certificate."""
    problems = []
    if not certificate.guarantees:
        problems.append("the certificate states no guarantee")
    if certificate.override:
        problems.append("the release was written although its promise did not hold")
    return problems


def as_far_as_files_show(model: PrivacyModel, verdict: Verdict, certificate: Certificate) -> Verdict:
    """The verdict from files alone, which is not checkable where the promise counts persons or original records."""
    if verdict.checked_from != "files" or verdict.holds is not True:
        return verdict
    if certificate.unit == "person":
        return replace(verdict, holds="not checkable", reason=_persons_reason(model))
    return replace(verdict, holds="not checkable", reason=_PIECES) if _counts_originals(certificate) else verdict


def _by_original(
    models: tuple[PrivacyModel, ...],
    known: Knowledge,
    original: Dataset,
    report: str | Path | None,
    certificate: Certificate,
) -> list[tuple[PrivacyModel, Verdict]]:
    """Every promise with the original; persons are counted wherever it names them."""
    persons = _persons(known.data, original, report, certificate)
    data = known.data if persons is None else known.data.with_persons(persons)
    known.counted.insert(0, Counted("unit", original.unit, "original"))
    verdicts = []
    checked = side_by_side(lambda model: _checked(model, data, original), models)
    for model, verdict in zip(models, checked, strict=True):
        if certificate.unit == "person" and original.persons is None and verdict.holds is True:
            verdict = replace(verdict, holds="not checkable", reason=_NAMELESS)
        elif original.persons is not None and verdict.checked_from == "files" and verdict.holds is True:
            verdict = replace(verdict, holds="not checkable", reason=_persons_reason(model))
        elif persons is None and _counts_originals(certificate) and verdict.holds is True:
            verdict = replace(verdict, holds="not checkable", reason=_PIECES)
        elif persons is not None and original.persons is None:
            verdict = counted_in_records(verdict)
        verdicts.append((model, verdict))
    return verdicts


def _persons(data: Any, original: Any, report: str | Path | None, certificate: Certificate) -> Persons | None:
    """The persons of the published records, as far as the report or the labels show them."""
    if report is not None and not _untruthful(certificate):
        records = records_by_report(report, certificate, data, original)
        if records is not None and original.persons is None and _counts_originals(certificate):
            return Persons.of(range(len(original))).take(records)
        if records is not None and original.persons is not None:
            persons: Persons = original.persons.take(records)
            return persons
    if original.persons is None:
        return None
    if isinstance(data, Table | Mixed):
        return persons_behind_rows(data, original)
    return persons_behind(data, original) if isinstance(data, Ragged) else None


def _untruthful(certificate: Certificate) -> bool:
    """Whether the published records are not the persons' own, so that they cannot be read from the original."""
    name = certificate.method
    return name in METHODS and bool(method_class(name).untruthful)


def _counts_originals(certificate: Certificate) -> bool:
    """Whether published records of one original record count as one."""
    name = certificate.method
    return name in METHODS and bool(method_class(name).counts_originals)


def _checked(model: PrivacyModel, data: Any, original: Any) -> Verdict:
    try:
        return model.check(data, original)
    except CallerError as error:  # side knowledge is missing, or is not what these data can be read by
        return Verdict("not checkable", "files", reason=keep_remedy(str(error), error))


def _persons_reason(model: PrivacyModel) -> str:
    return _PERSONS_BY_ORIGINAL if model.persons_from_original else _PERSONS


def installed_models(published: Published) -> tuple[PrivacyModel, ...]:
    """The models of the guarantees, without those that are not installed here."""
    installed = tuple(guarantee for guarantee in published.certificate.guarantees if _installed(guarantee))
    return replace(published, certificate=replace(published.certificate, guarantees=installed)).models


def _installed(guarantee: Guarantee) -> bool:
    """Whether the model of a guarantee is here; another version of another package may not know its parameters."""
    if not is_foreign(MODELS, guarantee.model):
        return guarantee.model in MODELS
    return declared(MODELS, model_class, guarantee.model, guarantee.parameters) is not None


def unknown_names(certificate: Certificate) -> list[str]:
    """What the certificate names that is not installed here."""
    names = [guarantee.model for guarantee in certificate.guarantees if not _installed(guarantee)]
    unknown = [_UNKNOWN_MODEL.format(name) for name in names]
    if not is_known(certificate):
        unknown.append(_UNKNOWN_VERSION)
    method = certificate.method
    readable = declared(METHODS, method_class, method, certificate.parameters) is not None
    if method not in METHODS or (is_foreign(METHODS, method) and not readable):
        unknown.append(_UNKNOWN_METHOD.format(method))
    return unknown or ([_OTHER_WORDS] if other_words(certificate) else [])
