"""What published labels reveal about sensitive locations or items; shared by the promises that limit it."""

from __future__ import annotations

from typing import Any

import numpy as np

from sfumato.data import Dataset, Trajectories, Transactions
from sfumato.data.base import Ints
from sfumato.kernels.verify.image_associations import Holders, image_supports
from sfumato.kernels.verify.prefixes.associations import SensitiveValues
from sfumato.kernels.verify.prefixes.divided import association_supports
from sfumato.params import JsonObject
from sfumato.privacy.base import CheckedFrom, Verdict
from sfumato.privacy.checks.beyond_m import SECRETS, figures_beyond
from sfumato.privacy.checks.label_images import LabelImages
from sfumato.privacy.checks.overlapping_labels import overlapping_labels
from sfumato.privacy.checks.persons_and_records import by_both

__all__ = [
    "RATIOS",
    "Associations",
    "associations",
    "associations_beyond",
    "associations_verdict",
    "knowable_lengths",
    "mixed_label",
    "nonsensitive_images",
    "sensitive_of_labels",
    "sensitive_of_records",
    "worst_probability",
]

RATIOS = ("violating_associations", "worst_association")
"""The figures of an association verdict that follow from a ratio."""

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
        check = associations(counted_data, k, l, m)
        return Verdict(check.holds, source, {"unit": counted_data.unit, **check.measured}, check.witnesses)

    return by_both(count_once, data, ratios=RATIOS, worst=worst_probability)


def worst_probability(measured: JsonObject) -> float:
    worst = measured["worst_association"]
    return 0.0 if worst is None else float(worst["probability"])


def associations_beyond(data: FlaggedData, k: int, l: int, known: int) -> JsonObject:  # noqa: E741
    """The smallest anonymity set for so many nonsensitive labels, and the highest probability of a sensitive value."""
    images = nonsensitive_images(data)

    def measured() -> tuple[Any, ...]:
        figures = Associations(data, k, l, known, images).measured
        return figures["smallest_support"], round(worst_probability(figures), 6)

    names = ("smallest_anonymity_set", "highest_probability")
    return figures_beyond(known, knowable_lengths(data, images), names, measured, price=SECRETS)


def knowable_lengths(data: FlaggedData, images: LabelImages | None) -> Ints:
    """How much may be known of each record: its nonsensitive labels, or the profiles that they stand for."""
    hidden = np.diff(sensitive_of_labels(data)[2])[data.codes] > 0
    choices = None if images is None else images.profiles_of(data.codes[~hidden])
    return np.bincount(data.record_of_element()[~hidden], weights=choices, minlength=len(data)).astype(np.int64)


def associations(data: FlaggedData, k: int, l: int, m: int) -> Associations:  # noqa: E741
    """What up to m nonsensitive places or items reveal, over all published images of them together.

    Where no unit has two labels that share a member, the images of a sequence belong to different units, and their
    supports add up: what is true of each label sequence is true of all images together, so that labels that keep the
    promise decide.  Labels alone are counted much faster.
    """
    images = nonsensitive_images(data)
    if images is None or not images.overlap_in_units(data):
        of_labels = Associations(data, k, l, m)
        if images is None or of_labels.holds:
            return of_labels
    return Associations(data, k, l, m, images)


def nonsensitive_images(data: FlaggedData) -> LabelImages | None:
    """The places or items that are not sensitive, by the labels that stand for them; None where no labels overlap."""
    if not data.members:
        return None
    used = np.flatnonzero(np.bincount(data.codes, minlength=len(data.names)))
    open_ones = np.diff(sensitive_of_labels(data)[2])[used] == 0
    return LabelImages.of(data, used[open_ones].tolist())


class Associations:
    """What up to m labels that are not sensitive reveal: the kernel's result, in words.

    With images, patterns are of original places or items, each over all its labels together.
    """

    def __init__(
        self,
        data: FlaggedData,
        k: int,
        l: int,  # noqa: E741
        m: int,
        images: LabelImages | None = None,
    ) -> None:
        grouped, _ = data.by_unit()
        self._sensitive_names, secret_codes, secret_starts = sensitive_of_labels(data)
        hidden = np.diff(secret_starts)[grouped.codes] > 0
        record, codes = grouped.record_of_element(), grouped.codes[~hidden]
        lengths = np.bincount(record[~hidden], minlength=len(grouped))
        offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
        values, starts = sensitive_of_records(
            record[hidden], grouped.codes[hidden], secret_codes, secret_starts, grouped
        )
        sensitive = SensitiveValues(starts, values, len(self._sensitive_names))
        self._images, self._names = images, data.names if images is None else images.names
        longest = max(1, min(m, int(lengths.max(initial=0))))
        if images is not None and data.kind == "transactions":
            longest = max(1, min(m, len(self._names)))  # one label may stand for several known items
        witnesses = np.full((_WITNESSES + 1, longest), -1, dtype=np.int32)
        figures = np.zeros((_WITNESSES + 1, 3), dtype=np.int64)
        if images is None:
            supports = association_supports(
                codes, offsets, grouped.units, len(data.names), sensitive, longest, k, l, figures, witnesses
            )
        else:
            supports = image_supports(
                images.rank[codes],
                offsets,
                _holders(grouped.units, sensitive),
                images.profiles,
                sensitive,
                data.kind == "trajectories",
                longest,
                k,
                l,
                figures,
                witnesses,
            )
        patterns, rare, disclosing, smallest, n_witnesses = (int(x) for x in supports)
        self.holds = n_witnesses == 0
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
            {**self._pattern(labels), "support": numbers[0]} if numbers[0] < k else self._association(numbers, labels)
            for numbers, labels in rows
        )

    def _pattern(self, labels: list[int]) -> JsonObject:
        """A pattern by name."""
        known = [label for label in labels if label >= 0]
        return {"pattern": [self._names[x] for x in known]} if self._images is None else self._images.pattern(known)

    def _association(self, numbers: list[int], labels: list[int]) -> JsonObject:
        support, together, sensitive = numbers
        return {
            **self._pattern(labels),
            "sensitive": self._sensitive_names[sensitive],
            "support": support,
            "together": together,
            "probability": together / support,
        }


def _witness_order(row: tuple[list[int], list[int]], k: int) -> tuple[Any, ...]:
    """The sort key of witnesses: the rarest patterns first, then the most probable associations."""
    (support, together, _), labels = row
    return (False, support, 0, labels) if support < k else (True, -together / support, support, labels)


def _holders(units: Ints, sensitive: SensitiveValues) -> Holders:
    """The units of records, and a number for each pair of a unit and a sensitive value that it holds."""
    n_units, n_values = int(units.max(initial=-1)) + 1, max(1, sensitive.n)
    keys = np.repeat(units.astype(np.int64), np.diff(sensitive.starts)) * n_values + sensitive.values
    pairs, numbers = np.unique(keys, return_inverse=True)
    return Holders(units, numbers.reshape(-1).astype(np.int64), n_units, len(pairs))


def _members(data: FlaggedData, label: str) -> tuple[str, ...]:
    return data.members.get(label, (label,))


def mixed_label(data: FlaggedData) -> str | None:
    """A label that stands for sensitive and other locations or items together, if any."""
    for label in data.members:
        members = frozenset(data.members[label])
        if label in data.names and data.sensitive_among(members) not in (frozenset(), members):
            return label
    return None


def sensitive_of_labels(data: FlaggedData) -> tuple[list[str], Ints, Ints]:
    """The sensitive locations or items, and for each label the numbers of those it stands for, as codes and starts."""
    everything = {member for label in data.names for member in _members(data, label)}
    names = sorted(data.sensitive_among(everything))
    number = {name: index for index, name in enumerate(names)}
    groups = [[number[member] for member in _members(data, label) if member in number] for label in data.names]
    starts = np.concatenate(([0], np.cumsum([len(group) for group in groups]))).astype(np.int64)
    return names, np.array([member for group in groups for member in group], dtype=np.int64), starts


def sensitive_of_records(
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
