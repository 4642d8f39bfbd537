"""Original places (or items) whose published labels overlap between records: which labels each one may have become."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.kernels.verify.image_associations import Profiles
from sfumato.kernels.verify.prefixes.supports import shares_a_member

__all__ = ["LabelImages"]


@dataclass(frozen=True, eq=False)
class LabelImages:
    """Places that the same labels stand for, as one profile each, in name order.

    names : what a profile is called: the label that stands for these places and no others, or else their first one.
    images : by profile the labels that stand for it.  rank : by code the number of the label in `profiles`, or -1.
    """

    names: tuple[str, ...]
    images: tuple[tuple[str, ...], ...]
    rank: Ints
    profiles: Profiles

    @classmethod
    def of(cls, data: Ragged, codes: Iterable[int]) -> LabelImages | None:
        """The profiles behind some labels of the data; None where no two of these labels share a member.

        >>> from dataclasses import replace
        >>> from sfumato import Trajectories
        >>> data = replace(Trajectories.from_lists([["a"], ["g1"], ["c"]]), members={"g1": ("a", "b")})
        >>> images = LabelImages.of(data, range(3))
        >>> dict(zip(images.names, images.images))
        {'a': ('a', 'g1'), 'b': ('g1',), 'c': ('c',)}
        """
        if not data.members:
            return None
        labels_of: dict[str, list[int]] = {}
        for code in codes:
            for member in set(data.members.get(data.names[code], (data.names[code],))):
                labels_of.setdefault(member, []).append(code)
        if all(len(labels) == 1 for labels in labels_of.values()):
            return None
        members: dict[tuple[int, ...], list[str]] = {}
        for member, labels in labels_of.items():
            members.setdefault(tuple(labels), []).append(member)
        shared = {label for labels in members if len(labels) > 1 for label in labels}
        called = {
            labels: min(several) if shared.intersection(labels) else data.names[labels[0]]
            for labels, several in members.items()
        }
        profiles = sorted(members, key=lambda labels: (called[labels], labels))
        images = tuple(tuple(data.names[label] for label in labels) for labels in profiles)
        return cls(tuple(called[labels] for labels in profiles), images, *_numbered(profiles, len(data.names)))

    def profiles_of(self, codes: Ints) -> Ints:
        """How many profiles each of these labels stands for."""
        counts: Ints = np.diff(self.profiles.starts)
        return counts[self.rank[codes]]

    def overlap_in_units(self, data: Ragged) -> bool:
        """Whether a person has two of these labels that share a member, in different records; no record has."""
        if data.persons is None:
            return False
        grouped, units = data.by_unit()
        ranks = self.rank[grouped.codes]
        ends = np.concatenate(([0], np.cumsum(ranks >= 0)))[grouped.offsets[units]]
        profiles = self.profiles
        return bool(shares_a_member(ranks[ranks >= 0], ends, profiles.starts, profiles.of_labels, profiles.n) >= 0)


def _numbered(profiles: list[tuple[int, ...]], n_codes: int) -> tuple[Ints, Profiles]:
    """A number for each label that is used, those in most profiles first; and the profiles of each label."""
    labels = np.array([label for profile in profiles for label in profile], dtype=np.int64)
    number = np.repeat(np.arange(len(profiles)), [len(profile) for profile in profiles])
    counts = np.bincount(labels, minlength=n_codes)
    order = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)]
    rank = np.full(n_codes, -1, dtype=np.int32)
    rank[order] = np.arange(len(order))
    by_label = np.lexsort((number, rank[labels]))
    starts = np.concatenate(([0], np.cumsum(counts[order]))).astype(np.int64)
    return rank, Profiles(starts, number[by_label].astype(np.int32), len(profiles))
