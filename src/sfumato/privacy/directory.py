"""Checking published files again: digests first, then every guarantee as far as files allow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sfumato.catalogue import model_class
from sfumato.data import ORIGINAL_KIND
from sfumato.errors import CallerError, FileError, MissingKnowledge
from sfumato.io import published as directory
from sfumato.privacy.base import PrivacyModel, Verdict

__all__ = ["Check", "verify"]

_PERSONS = "the promise counts persons, and persons are never published: records suffice as far as the files show"
_REMEDY = "; give the original (--original) to check it whole"
_NAMELESS = (
    "the promise counts persons, and this original does not say who they are: records suffice; give the original with "
    "its persons (--person) to check it whole"
)


@dataclass(frozen=True)
class Check:
    """What `verify` found in a published directory.

    problems : what does not fit the certificate (digests, missing or added files, unreadable data).
    verdicts : each guarantee with what its verifier says now.
    """

    problems: tuple[str, ...]
    verdicts: tuple[tuple[PrivacyModel, Verdict], ...]
    certificate: dict[str, Any]

    @property
    def holds(self) -> bool:
        """Nothing is wrong as far as could be checked."""
        return not self.problems and all(verdict.holds is not False for _, verdict in self.verdicts)


def verify(folder: str | Path, *, original: Any = None) -> Check:
    """Check a published directory without trusting whoever made it.

    original : the private dataset, where the promise counts persons or speaks of the original.
    """
    found = directory.read(folder)
    problems = list(found.problems)
    kind = found.certificate["kind"]
    if original is not None and original.kind != ORIGINAL_KIND.get(kind, kind):
        raise CallerError(f"the original holds {original.kind}, the release {kind}")
    models = [_model(guarantee, folder) for guarantee in found.certificate["guarantees"]]
    if not models:
        problems.append("the certificate states no guarantee")
    if found.certificate.get("override"):
        problems.append("the release was written although its promise did not hold")
    if found.data is None:
        return Check(tuple(problems), (), found.certificate)
    by_person: bool = found.certificate["unit"] == "person"
    verdicts = []
    for model in models:
        try:
            verdict = model.check(found.data, original if by_person or model.needs_original else None)
        except MissingKnowledge as error:  # a file of context/ is gone, which the digests tell
            verdict = Verdict("not checkable", "files", reason=str(error))
        if by_person and verdict.checked_from == "files" and verdict.holds is True:
            verdict = replace(verdict, holds="not checkable", reason=_PERSONS + _REMEDY * model.told_by_original)
        elif by_person and verdict.holds is True and original is not None and original.persons is None:
            verdict = replace(verdict, holds="not checkable", reason=_NAMELESS)
        verdicts.append((model, verdict))
    if not problems and all(verdict.holds is not False for _, verdict in verdicts):
        problems += _overstated(found.data, models, found.certificate["guarantees"])
    return Check(tuple(problems), tuple(verdicts), found.certificate)


def _overstated(data: Any, models: list[PrivacyModel], guarantees: list[Any]) -> list[str]:
    """Where the certificate says something else of what lies beyond a promise than the files do."""
    problems = []
    for model, guarantee in zip(models, guarantees, strict=True):
        try:
            found = model.beyond(data) if "beyond" in guarantee else None
        except CallerError:  # a file of context/ is gone, which the digests tell
            continue
        if found is not None and found != guarantee["beyond"]:
            problems.append(f"what lies beyond {model.name} is not what the certificate says: {found}")
    return problems


def _model(guarantee: Any, folder: str | Path) -> PrivacyModel:
    try:
        model: PrivacyModel = model_class(guarantee["model"]).from_json(guarantee["parameters"])
    except (KeyError, TypeError, AttributeError):
        raise FileError(
            Path(folder) / directory.CERTIFICATE,
            "wanted a model and its parameters in each guarantee, found otherwise",
        ) from None
    except CallerError as error:
        raise FileError(Path(folder) / directory.CERTIFICATE, str(error)) from None
    return model
