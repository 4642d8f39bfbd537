"""Records that carry two labels with a common member: that member would have two images (soundness rule 4)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sfumato.data.ragged import Ragged
from sfumato.kernels.verify.prefixes.supports import shares_a_member
from sfumato.params import JsonObject

__all__ = ["overlapping_labels", "overlapping_record", "shared_member"]


def overlapping_labels(data: Ragged) -> JsonObject | None:
    """Two labels of one record that share a member, if any."""
    record = overlapping_record(data)
    return None if record is None else shared_member(data, data.labels(record))


def overlapping_record(data: Ragged) -> int | None:
    """The first record with two labels that share a member, if any."""
    holders: dict[str, list[int]] = {}
    for code, label in enumerate(data.names):
        for member in data.members.get(label, (label,)):
            holders.setdefault(member, []).append(code)
    contested = {member: codes for member, codes in holders.items() if len(codes) > 1}
    if not contested:
        return None
    pairs = sorted((code, number) for number, codes in enumerate(contested.values()) for code in codes)
    labels = np.array([code for code, _ in pairs])
    starts = np.searchsorted(labels, np.arange(len(data.names) + 1)).astype(np.int64)
    numbers = np.array([number for _, number in pairs], dtype=np.int32)
    record = int(shares_a_member(data.codes, data.offsets, starts, numbers, len(contested)))
    return None if record < 0 else record


def shared_member(data: Ragged, labels: Sequence[str]) -> JsonObject:
    """Two of the labels of a record that share a member, and the first such member."""
    present = sorted(set(labels))
    members = {label: set(data.members.get(label, (label,))) for label in present}
    first, second = next((a, b) for a in present for b in present if a < b and members[a] & members[b])
    return {"labels": [first, second], "shared_member": min(members[first] & members[second])}
