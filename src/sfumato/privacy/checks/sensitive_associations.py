"""What published labels reveal about sensitive locations or items; shared by the promises that limit it."""

from __future__ import annotations

from typing import Any

import numpy as np

from sfumato.data import Dataset, Trajectories, Transactions
from sfumato.data.base import Ints
from sfumato.kernels.verify.associations import SensitiveValues, association_supports
from sfumato.params import JsonObject
from sfumato.privacy.base import CheckedFrom, Verdict
from sfumato.privacy.checks.beyond_m import SECRETS, figures_beyond
from sfumato.privacy.checks.overlapping_labels import overlapping_labels
from sfumato.privacy.checks.persons_and_records import by_both

__all__ = ["Associations", "associations_beyond", "associations_verdict", "mixed_label"]

_WITNESSES = 5
FlaggedData = Trajectories | Transactions


def associations_verdict(data: FlaggedData, k: int, l: int, m: int) -> Verdict:  # noqa: E741
    """Whether up to m nonsensitive labels lead to at least k, at most one in l of them with the same sensitive value.

    The ratio must hold in records and, where persons are known, in persons; k counts persons.
    """
    source: CheckedFrom = "files" if data.persons is None else "original"
    mixed = mixed_label(data)
    broken = {"mixed_label": mixed} if mixed is not None else overlapping_labels(data)
    if broken is not None:
        return Verdict(False, source, {"unit": data.unit}, (broken,))

    def count_once(counted_data: FlaggedData) -> Verdict:
        check = Associations(counted_data, k, l, m)
        return Verdict(check.holds, source, {"unit": counted_data.unit, **check.measured}, check.witnesses)

    return by_both(count_once, data, ratios=("violating_associations", "worst_association"), worst=_worst_probability)


def _worst_probability(measured: JsonObject) -> float:
    worst = measured["worst_association"]
    return 0.0 if worst is None else float(worst["probability"])


def associations_beyond(data: FlaggedData, k: int, l: int, known: int) -> JsonObject:  # noqa: E741
    """The smallest anonymity set for so many nonsensitive labels, and the highest probability of a sensitive value."""

    def measured() -> tuple[Any, ...]:
        figures = Associations(data, k, l, known).measured
        return figures["smallest_support"], round(_worst_probability(figures), 6)

    hidden = np.diff(_sensitive_of_labels(data)[2])[data.codes] > 0
    lengths = np.bincount(data.record_of_element()[~hidden], minlength=len(data))
    return figures_beyond(known, lengths, ("smallest_anonymity_set", "highest_probability"), measured, price=SECRETS)


class Associations:
    """What up to m labels that are not sensitive reveal: the kernel's result, in words."""

    def __init__(self, data: FlaggedData, k: int, l: int, m: int) -> None:  # noqa: E741
        grouped, _ = data.by_unit()
        self._names = data.names
        self._sensitive_names, secret_codes, secret_starts = _sensitive_of_labels(data)
        hidden = np.diff(secret_starts)[grouped.codes] > 0
        record = grouped.record_of_element()
        lengths = np.bincount(record[~hidden], minlength=len(grouped))
        longest = max(1, min(m, int(lengths.max(initial=0))))
        sensitive_codes, starts = _sensitive_of_records(
            record[hidden], grouped.codes[hidden], secret_codes, secret_starts, grouped
        )
        witnesses = np.full((_WITNESSES + 1, longest), -1, dtype=np.int32)
        figures = np.zeros((_WITNESSES + 1, 3), dtype=np.int64)
        supports = association_supports(
            grouped.codes[~hidden],
            np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
            grouped.units,
            len(data.names),
            SensitiveValues(starts, sensitive_codes, len(self._sensitive_names)),
            longest,
            k,
            l,
            figures,
            witnesses,
        )
        patterns, rare, disclosing, smallest, n_witnesses = (int(x) for x in supports)
        self.holds = rare == 0 and disclosing == 0
        worst = self._association(figures[-1].tolist(), witnesses[-1].tolist()) if figures[-1, 1] else None
        self.measured: JsonObject = {
            "patterns": patterns,
            "smallest_support": smallest if patterns else None,
            "violating_patterns": rare,
            "violating_associations": disclosing,
            "worst_association": worst,
        }
        rows = list(zip(figures[:n_witnesses].tolist(), witnesses[:n_witnesses].tolist(), strict=True))
        rows.sort(key=lambda row: _witness_order(row, k))
        self.witnesses = tuple(
            {"pattern": self._pattern(labels), "support": numbers[0]}
            if numbers[0] < k
            else self._association(numbers, labels)
            for numbers, labels in rows
        )

    def _pattern(self, labels: list[int]) -> list[str]:
        return [self._names[label] for label in labels if label >= 0]

    def _association(self, numbers: list[int], labels: list[int]) -> JsonObject:
        support, together, sensitive = numbers
        return {
            "pattern": self._pattern(labels),
            "sensitive": self._sensitive_names[sensitive],
            "support": support,
            "together": together,
            "probability": together / support,
        }


def _witness_order(row: tuple[list[int], list[int]], k: int) -> tuple[Any, ...]:
    """The sort key of witnesses: the rarest patterns first, then the most probable associations."""
    (support, together, _), labels = row
    return (False, support, 0, labels) if support < k else (True, -together / support, support, labels)


def _members(data: FlaggedData, label: str) -> tuple[str, ...]:
    return data.members.get(label, (label,))


def mixed_label(data: FlaggedData) -> str | None:
    """A label that stands for sensitive and other locations or items together, if any."""
    for label in data.members:
        members = frozenset(data.members[label])
        if label in data.names and data.sensitive_among(members) not in (frozenset(), members):
            return label
    return None


def _sensitive_of_labels(data: FlaggedData) -> tuple[list[str], Ints, Ints]:
    """The sensitive locations or items, and for each label the numbers of those it stands for, as codes and starts."""
    everything = {member for label in data.names for member in _members(data, label)}
    names = sorted(data.sensitive_among(everything))
    number = {name: index for index, name in enumerate(names)}
    groups = [[number[member] for member in _members(data, label) if member in number] for label in data.names]
    starts = np.concatenate(([0], np.cumsum([len(group) for group in groups]))).astype(np.int64)
    return names, np.array([member for group in groups for member in group], dtype=np.int64), starts


def _sensitive_of_records(
    record: Ints, codes: Ints, secret_codes: Ints, starts: Ints, data: Dataset
) -> tuple[Ints, Ints]:
    """What each record holds that is sensitive, as numbers and starts."""
    sizes = np.diff(starts)[codes]
    ends = np.cumsum(sizes)
    positions = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts[:-1][codes] - (ends - sizes), sizes)
    n = max(1, int(secret_codes.max(initial=0)) + 1)
    keys = np.unique(np.repeat(record, sizes) * n + secret_codes[positions])
    counts = np.bincount(keys // n, minlength=len(data))
    return (keys % n).astype(np.int32), np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
