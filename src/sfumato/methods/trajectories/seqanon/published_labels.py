"""The labels that are published for locations, and the records under them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from sfumato.data import Trajectories
from sfumato.data.base import Members, read_only
from sfumato.methods.base import Outcome

__all__ = ["PublishedLabels"]


@dataclass(frozen=True, eq=False)
class PublishedLabels:
    """The label of each location.

    names : the labels in name order.  members : of the merged ones.
    code_of : int32[locations], the position of the label of each location; -1 where its visits are suppressed.
    visits_allowed : how many visits of a record are published; None for all.
    counts : what was lost besides visits and records, as in an `Outcome`.
    """

    names: tuple[str, ...]
    members: Members
    code_of: npt.NDArray[np.int32]
    visits_allowed: int | None = None
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def merged_locations(self) -> int:
        """How many locations are published together with others."""
        return sum(len(group) for group in self.members.values())

    def side_of(self, side: Trajectories) -> Trajectories:
        """A dataset without records, under these labels; what is known of private records is left out."""
        return replace(
            side,
            offsets=np.zeros(1, dtype=np.int64),
            codes=np.empty(0, dtype=np.int32),
            names=self.names,
            members=self.members,
            ids=None,
            persons=None,
            times=None,
            taxonomy=None,
            constraints=None,
        )

    def outcome(self, data: Trajectories) -> Outcome[Trajectories]:
        """The records under these labels; visits that are suppressed are counted."""
        codes, lengths, origin = self.code_of[data.codes], data.lengths, np.arange(len(data.codes))
        keep = codes >= 0
        if not keep.all():
            lengths = np.diff(np.concatenate(([0], np.cumsum(keep)))[data.offsets])
            codes, origin = codes[keep], origin[keep]
        if self.visits_allowed is not None:
            place = np.arange(len(codes)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
            keep = place < self.visits_allowed
            lengths, codes, origin = np.minimum(lengths, self.visits_allowed), codes[keep], origin[keep]
        counts = {
            "suppressed_visits": len(data.codes) - len(codes),
            "suppressed_records": int(np.count_nonzero(lengths == 0)),
            "merged_locations": self.merged_locations,
            **self.counts,
        }
        offsets = read_only(np.concatenate(([0], np.cumsum(lengths))))
        return Outcome(replace(self.side_of(data), offsets=offsets, codes=read_only(codes)), origin, counts)
