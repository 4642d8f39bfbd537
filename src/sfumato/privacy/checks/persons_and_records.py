"""Promises that are ratios, counted in persons and in records: both must hold where persons are known.

Either alone can deceive.  Many records of one person are not many persons; and what one person does in most records is
what an attacker who cannot tell persons apart believes of each of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from sfumato.data import Dataset
from sfumato.params import JsonObject
from sfumato.privacy.base import Verdict
from sfumato.privacy.checks.correspondence import ROW_PERSONS_UNKNOWN, lacks_row_persons

__all__ = ["by_both", "checked_by_rows", "worse_of"]

_WITNESSES = 5
Figures = JsonObject


def by_both(
    check: Callable[[Any], Verdict], data: Dataset, *, ratios: tuple[str, ...], worst: Callable[[Figures], float]
) -> Verdict:
    """The verdict of a check that must hold in records and, where persons are known, in persons.

    ratios : the measured figures that follow from the ratio; they are those of the worse counting, which
    ``worst_unit`` names.  All other figures count persons, and so do witnesses that do not say otherwise.
    worst : how bad the ratio is, by what was measured; higher is worse.
    """
    by_person = check(data)
    if data.persons is None or np.bincount(data.persons.codes).max(initial=0) <= 1:
        return by_person
    return worse_of(by_person, check(data.with_persons(None)), ratios=ratios, worst=worst)


def worse_of(
    by_person: Verdict, by_record: Verdict, *, ratios: tuple[str, ...], worst: Callable[[Figures], float]
) -> Verdict:
    """The verdict of `by_both` from the verdicts that count persons and records."""
    shown, other = by_person, by_record
    if _severity(by_record, worst) > _severity(by_person, worst):
        shown, other = by_record, by_person
    figures = {name: shown.measured[name] for name in ratios if name in shown.measured}
    rest = {name: value for name, value in by_person.measured.items() if name not in ratios}
    only = [witness for witness in by_record.witnesses if witness not in by_person.witnesses]
    records = tuple({**witness, "unit": "record"} for witness in only)
    witnesses = (*by_person.witnesses, *records) if shown is by_person else (*records, *by_person.witnesses)
    return replace(
        shown,
        holds=_weaker(by_person, by_record),
        checked_from=by_person.checked_from,
        measured=rest | figures | {"worst_unit": "person" if shown is by_person else "record"},
        witnesses=witnesses[:_WITNESSES],
        reason=shown.reason or other.reason,
    )


def checked_by_rows(verdict: Verdict, published: Dataset, original: Dataset | None) -> Verdict:
    """The verdict on the rows of a table; not checkable where rows keep the promise and their persons are not known."""
    if verdict.holds is False or not lacks_row_persons(published, original):
        return verdict
    return replace(verdict, holds="not checkable", checked_from="original", reason=ROW_PERSONS_UNKNOWN)


def _severity(verdict: Verdict, worst: Callable[[Figures], float]) -> tuple[int, float]:
    """A verdict that fails is worse than one that cannot be given, and that is worse than one that holds."""
    return {True: 0, "not checkable": 1, False: 2}[verdict.holds], worst(verdict.measured)


def _weaker(first: Verdict, second: Verdict) -> Any:
    if first.holds is False or second.holds is False:
        return False
    return first.holds if second.holds is True else second.holds
