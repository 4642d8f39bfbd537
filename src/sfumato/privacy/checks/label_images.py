"""Original places (or items) whose published labels overlap between records: which labels each one may have become."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.kernels.verify.image_associations import Profiles
from sfumato.kernels.verify.prefixes.supports import shares_a_member
from sfumato.params import JsonObject

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

    def pattern(self, profiles: Iterable[int]) -> JsonObject:
        """A pattern by name, with the labels that stand for each name if these are not just the name itself."""
        known = list(profiles)
        names, images = [self.names[profile] for profile in known], [list(self.images[profile]) for profile in known]
        if images == [[name] for name in names]:
            return {"pattern": names}
        return {"pattern": names, "images": images}

    def profiles_of(self, codes: Ints) -> Ints:
        """How many profiles each of these labels stands for."""
        counts: Ints = np.diff(self.profiles.starts)
        return counts[self.rank[codes]]

    def choices(self, labels: Ints) -> Ints:
        """How many profiles each of these labels stands for; 1 for a -1, which stands for itself."""
        counts: Ints = np.where(labels >= 0, np.diff(self.profiles.starts)[self.rank[labels]], 1)
        return counts

    def behind(self, labels: Ints) -> tuple[Ints, Ints]:
        """Every profile that each of these labels stands for: the number of the label, and the profile."""
        counts = self.choices(labels)
        ends = np.cumsum(counts)
        numbers = np.repeat(np.arange(len(labels)), counts)
        profiles = np.full(len(numbers), -1, dtype=np.int32)
        there = labels[numbers] >= 0
        starts = self.profiles.starts[self.rank[labels]] - (ends - counts)
        profiles[there] = self.profiles.of_labels[(np.arange(len(numbers)) + starts[numbers])[there]]
        return numbers, profiles

    def sequences_of(self, patterns: Ints) -> tuple[Ints, Ints]:
        """Every sequence of profiles of which a pattern is an image: the row of the pattern, and the profiles.

        patterns : int[rows, m], the labels of each, -1 behind shorter ones, as in the sequences.

        >>> from dataclasses import replace
        >>> from sfumato import Trajectories
        >>> data = replace(Trajectories.from_lists([["a"], ["g1"], ["c"]]), members={"g1": ("a", "b")})
        >>> rows, profiles = LabelImages.of(data, range(3)).sequences_of(np.array([[2, 1], [0, -1]]))
        >>> rows.tolist(), profiles.tolist()
        ([0, 0, 1], [[0, 2], [1, 2], [0, -1]])
        """
        rows, sequences = np.arange(len(patterns)), np.array(patterns, dtype=np.int32)
        for column in range(patterns.shape[1]):
            at, profiles = self.behind(sequences[:, column])
            rows, sequences = rows[at], sequences[at]
            sequences[:, column] = profiles
        return rows, sequences

    def overlapping_units(self, data: Ragged) -> npt.NDArray[np.bool_]:
        """Of each unit, by number: whether two of its labels share a member."""
        unit, n_codes = data.units[data.record_of_element()].astype(np.int64), max(1, len(data.names))
        pairs = np.unique((unit * n_codes + data.codes)[self.rank[data.codes] >= 0])
        rows, profiles = self.behind(pairs % n_codes)
        keys, counts = np.unique((pairs // n_codes)[rows] * self.profiles.n + profiles, return_counts=True)
        overlapping = np.zeros(int(data.units.max(initial=-1)) + 1, dtype=bool)
        overlapping[keys[counts > 1] // self.profiles.n] = True
        return overlapping

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
