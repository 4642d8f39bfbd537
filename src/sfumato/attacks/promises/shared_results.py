"""Results that attacks on several promises share: an anonymity set beside its k, and persons that are not known."""

from __future__ import annotations

from sfumato.attacks.base import Finding
from sfumato.attacks.promises.promise_result import PromiseResult
from sfumato.attacks.view.setting import AttackSetting
from sfumato.privacy import PrivacyModel
from sfumato.remedies import with_remedy

__all__ = [
    "TARGETS",
    "UNKNOWN_PERSONS",
    "anonymity_set_result",
    "counts_persons",
    "persons_unknown",
    "smallest_set_result",
]

TARGETS = 2000
UNKNOWN_PERSONS = with_remedy("the files do not show the persons of the records", "give-report")


def anonymity_set_result(model: PrivacyModel, finding: Finding, k: int, by_person: bool) -> PromiseResult:
    """The smallest anonymity set of a re-identification beside its k."""
    note = ""
    if by_person and finding.facts["anonymity_set_unit"] == "record":
        note = "counted in records, because the files do not show the persons behind them"
    attack = f"{finding.title}: {finding.knows}"
    return smallest_set_result(model, attack, k, finding.facts["smallest_anonymity_set"], note=note)


def smallest_set_result(
    model: PrivacyModel, attack: str, k: int, smallest: int | None, *, none: str = "no match", note: str = ""
) -> PromiseResult:
    """The smallest anonymity set that an attack found beside its k; `none` in words where it found none."""
    measured = none if smallest is None else f"{smallest}"
    is_beaten = smallest is not None and smallest < k
    return PromiseResult.of(model, attack, f"an anonymity set of at least {k}", measured, is_beaten, note)


def counts_persons(setting: AttackSetting) -> bool:
    return setting.release.unit == "person"


def persons_unknown(setting: AttackSetting) -> str | None:
    """Why shares cannot be measured: of records they say nothing about those of persons, be they above or below."""
    return UNKNOWN_PERSONS if counts_persons(setting) and setting.seen.unit == "record" else None
