"""Collapsing consecutive visits to one location into one visit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.data.trajectories import Trajectories
from sfumato.errors import DataError
from sfumato.params import param
from sfumato.prepare.base import Preparation, Prepared, times_of, with_elements

__all__ = ["CollapseRepeats", "starts_of_runs"]


@dataclass(frozen=True, kw_only=True)
class CollapseRepeats(Preparation):
    """Consecutive visits to one location become the first of them.

    With a window, a visit is a repeat only if it is at most that long after the previous visit, so that coming back to
    the same place a week later still counts.  Linear time.

    Examples
    --------
    >>> days = Trajectories.from_frame(
    ...     {"trajectory": [1, 1, 1, 1], "location": ["a", "a", "a", "b"], "time": [0, 60, 7200, 7300]}
    ... )
    >>> CollapseRepeats().apply(days).data.to_lists()
    [['a', 'b']]
    >>> CollapseRepeats(window_s=3600).apply(days).data.to_lists()
    [['a', 'a', 'b']]
    """

    name: ClassVar[str] = "collapse-repeats"

    window_s: float | None = param(
        None, at_least=0, help="longest time between two visits that are merged, in seconds; if not given, no limit"
    )

    def change(self, data: Trajectories) -> Prepared:
        if not isinstance(data, Trajectories):
            raise DataError("CollapseRepeats: wanted trajectories, found positions; make trajectories first (Grid)")
        is_first = starts_of_runs(data.codes, data.offsets)
        if self.window_s is not None:
            times = times_of(data, "CollapseRepeats")
            is_first[1:] |= np.diff(times) > self.window_s
        return Prepared(with_elements(data, is_first), {"repeats": int(np.sum(~is_first))})


def starts_of_runs(codes: Ints, offsets: Ints) -> npt.NDArray[np.bool_]:
    """Whether each element differs from the one before it in its record; true for the first of a record.

    >>> starts_of_runs(np.array([7, 7, 7, 8]), np.array([0, 2, 4])).tolist()
    [True, False, True, True]
    """
    is_first = np.ones(len(codes), dtype=bool)
    is_first[1:] = codes[1:] != codes[:-1]
    is_first[offsets[:-1][offsets[:-1] < len(codes)]] = True
    return is_first
