"""Results that attacks on several promises share: an anonymity set beside its k, and persons that are not known."""

from __future__ import annotations

from sfumato.attacks.base import Finding
from sfumato.attacks.promises.promise_result import PromiseResult
from sfumato.attacks.view.setting import AttackSetting
from sfumato.privacy import PrivacyModel
from sfumato.remedies import with_remedy

__all__ = [
    "SAMPLED",
    "TARGETS",
    "UNKNOWN_PERSONS",
    "anonymity_set_result",
    "counts_persons",
    "persons_unknown",
    "smallest_set_result",
]

TARGETS = 2000
SAMPLED = "measured on a sample: a promise that holds in it may not hold for all; its verifier checks all"
UNKNOWN_PERSONS = with_remedy("the files do not show the persons of the records", "give-report")


def anonymity_set_result(model: PrivacyModel, finding: Finding, k: int, by_person: bool) -> PromiseResult:
    """The smallest anonymity set of a re-identification beside its k."""
    note = ""
    if by_person and finding.facts["anonymity_set_unit"] == "record":
        note = "counted in records, because the files do not show the persons behind them"
    if not finding.exact:
        note = f"{note}; {SAMPLED}" if note else SAMPLED
    attack = f"{finding.title}: {finding.knows}"
    smallest = finding.facts["smallest_anonymity_set"]
    return smallest_set_result(model, attack, k, smallest, note=note, exact=finding.exact)


def smallest_set_result(
    model: PrivacyModel,
    attack: str,
    k: int,
    smallest: int | None,
    *,
    none: str = "no match",
    note: str = "",
    exact: bool = True,
) -> PromiseResult:
    """The smallest anonymity set that an attack found beside its k; `none` in words where it found none.

    exact : whether there is no smaller one; a sample may have missed it.
    """
    measured = none if smallest is None else f"{smallest}" if exact else f"at most {smallest}"
    is_beaten = smallest is not None and smallest < k
    return PromiseResult.of(model, attack, f"an anonymity set of at least {k}", measured, is_beaten, note)


def counts_persons(setting: AttackSetting) -> bool:
    return setting.release.unit == "person"


def persons_unknown(setting: AttackSetting) -> str | None:
    """Why shares cannot be measured: of records they say nothing about those of persons, be they above or below."""
    return UNKNOWN_PERSONS if counts_persons(setting) and setting.seen.unit == "record" else None
