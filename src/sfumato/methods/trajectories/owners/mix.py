"""MIX: cut trajectories, or suppress a place where that alone is enough (Terrovitis et al., 2017)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.methods.trajectories.owners.split import Splitting

__all__ = ["Mix"]


@dataclass(frozen=True, kw_only=True)
class Mix(Splitting):
    """Split trajectories, or suppress a place where that leaves one without problems.

    Notes
    -----
    Algorithm MIX of [1]_: as SPLIT, but before a trajectory is cut, the place before the cut is suppressed instead if
    the trajectory then has no problem.  In addition to the paper, the suppression must take problems away from the
    dataset as a whole.

    References
    ----------
    .. [1] M. Terrovitis, G. Poulis, N. Mamoulis, S. Skiadopoulos, "Local suppression and splitting techniques for
       privacy preserving publication of trajectories", IEEE TKDE 29(7), 2017.

    Examples
    --------
    >>> from sfumato import Places, Trajectories
    >>> places = Places.from_frame({"location": ["a1", "a2", "b1", "b2"], "owner": ["A", "A", "B", "B"]})
    >>> walks = [["a1", "a2", "b1"], ["a2"], ["a2"], ["b1"]]
    >>> release = Mix(threshold=0.5).anonymize(Trajectories.from_lists(walks, places=places))
    >>> release.holds, release.data.to_lists()  # without a1, it is one of three that passed a2
    (True, [['a2'], ['a2'], ['a2', 'b1'], ['b1']])
    """

    name: ClassVar[str] = "mix"
    title: ClassVar[str] = "MIX"
    mixed: ClassVar[bool] = True
