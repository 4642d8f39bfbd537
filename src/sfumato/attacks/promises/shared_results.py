"""Results that attacks on several promises share: an anonymity set beside its k, and persons that are not known."""

from __future__ import annotations

from sfumato.attacks.base import Finding
from sfumato.attacks.promises.promise_result import PromiseResult
from sfumato.attacks.view.setting import AttackSetting
from sfumato.privacy import PrivacyModel
from sfumato.remedies import with_remedy

__all__ = ["TARGETS", "UNKNOWN_PERSONS", "anonymity_set_result", "counts_persons", "persons_unknown"]

TARGETS = 2000
UNKNOWN_PERSONS = with_remedy("the files do not show the persons of the records", "give-report")


def anonymity_set_result(model: PrivacyModel, finding: Finding, k: int, by_person: bool) -> PromiseResult:
    smallest = finding.facts["smallest_anonymity_set"]
    note = ""
    if by_person and finding.facts["anonymity_set_unit"] == "record":
        note = "counted in records, because the files do not show the persons behind them"
    return PromiseResult.of(
        model,
        f"{finding.title}: {finding.knows}",
        f"an anonymity set of at least {k}",
        "no match" if smallest is None else f"{smallest}",
        smallest is not None and smallest < k,
        note,
    )


def counts_persons(setting: AttackSetting) -> bool:
    return setting.release.unit == "person"


def persons_unknown(setting: AttackSetting) -> str | None:
    """Why shares cannot be measured: of records they say nothing about those of persons, be they above or below."""
    return UNKNOWN_PERSONS if counts_persons(setting) and setting.seen.unit == "record" else None
