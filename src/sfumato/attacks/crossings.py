"""Seen at an intersection: the attacker of the inference-route problem (Gurung et al., 2014)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from sfumato.attacks.base import Attack, Finding
from sfumato.attacks.view.background import own_units
from sfumato.attacks.view.setting import AttackSetting
from sfumato.data import RoadTrajectories
from sfumato.data.base import Ints, Progress

__all__ = ["Crossings", "smallest_difference"]

_NOWHERE = -1  # the road of a person who is not seen to drive on
_STRETCH = re.compile(r"(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)")


@dataclass(frozen=True, kw_only=True)
class Crossings(Attack):
    """Identify a person who was seen at one intersection: by which road they came, and by which they left.

    Notes
    -----
    In the interval of the observation, the anonymity set is all who are published with that turn.  If it is empty, the
    attacker assumes that the turn was suppressed, and the set is all who come by the same road and are not
    seen to drive on: the inference route of Figure 1 of the paper.  A dummy counts, because it looks like a
    person.  Every person is tried at each of their intersections, and the smallest set counts; where it is not known in
    which interval a road was travelled, that of any interval.  As a representative is
    no single person's, success is an upper bound: the person need not be among those who match.

    Examples
    --------
    Three drive from a over b to c; a fourth turns off at b, on a road that is not published (the paper's Figure 1):

    >>> from sfumato import Network
    >>> town = Network.from_frames(
    ...     {"node": ["a", "b", "c", "d"], "x": [0, 1, 2, 1], "y": [0, 0, 0, 1]},
    ...     {"road": ["ab", "bc", "bd"], "from": ["a", "b", "b"], "to": ["b", "c", "d"]},
    ... )
    >>> drives = RoadTrajectories.from_lists([*[["ab+", "bc+"]] * 3, ["ab+", "bd+"]], network=town)
    >>> published = RoadTrajectories.from_lists([*[["ab+", "bc+"]] * 3, ["ab+"]], network=town)
    >>> found = Crossings().run(AttackSetting.of(drives, published))
    >>> found.worst, found.facts["smallest_anonymity_set"]
    (1.0, 1)
    """

    name: ClassVar[str] = "crossings"
    title: ClassVar[str] = "re-identification at an intersection"
    kinds: ClassVar[tuple[str, ...]] = ("roads",)
    idea: ClassVar[str] = "identifies a person who came to an intersection by one road and left by another"

    def run(self, setting: AttackSetting, *, seed: int | None = None, progress: Progress | None = None) -> Finding:  # noqa: ARG002
        """Every person (or record, where those of the release are not known) is tried, so the seed does not matter."""
        seen, original = setting.seen, setting.original
        code_of = {name: code for code, name in enumerate(original.names)}
        names = np.array([code_of.get(name, _NOWHERE) for name in seen.data.names], dtype=np.int64)
        published = _turns(seen.data, _published_intervals(seen.data), names)
        every = np.arange(len(original.names))
        real = [_turns(original, intervals, every) for intervals in _private_intervals(original, seen.data)]
        units = own_units(original, seen)
        of_target = np.unique(units, return_inverse=True)[1].reshape(-1)
        n_targets = int(of_target.max(initial=-1)) + 1
        successes, control = np.zeros(n_targets), np.zeros(n_targets)
        for turns in real:
            successes = np.maximum(successes, _successes(turns, published, seen.units, of_target, n_targets))
            control = np.maximum(control, _successes(turns, turns, units, of_target, n_targets))
        return Finding(
            self.name,
            self.title,
            "one intersection that a person passed, by which road they came and by which they left, if they drove on",
            "the probability of identifying the person among all who match, at the worst intersection",
            successes,
            of=n_targets,
            unit=seen.unit,
            baseline=1 / max(1, seen.set_size(np.arange(len(seen)))),
            control=float(control.mean()) if n_targets else 0.0,
            at_most=True,
            facts={
                "smallest_anonymity_set": round(1 / successes.max()) if successes.any() else None,
                "anonymity_set_unit": seen.unit,
                "found": float(np.mean(successes > 0)) if n_targets else 0.0,
            },
        )


class _Turns(NamedTuple):
    """One observation for each road that is travelled: interval, road before, road after, record."""

    interval: Ints
    came: Ints
    left: Ints
    record: Ints

    @property
    def keys(self) -> Ints:
        return np.column_stack((self.interval, self.came, self.left))


def _turns(data: RoadTrajectories, intervals: Ints, names: Ints) -> _Turns:
    """`intervals` of each road that is travelled; the next road counts only if it is travelled in the same one."""
    record = data.record_of_element()
    came = names[data.codes]
    left = np.full(len(came), _NOWHERE, dtype=np.int64)
    on = np.flatnonzero((record[:-1] == record[1:]) & (intervals[:-1] == intervals[1:]))
    left[on] = came[on + 1]
    return _Turns(intervals, came, left, record)


def _published_intervals(data: RoadTrajectories) -> Ints:
    if data.intervals is None:
        return np.zeros(len(data.codes), dtype=np.int64)
    return data.intervals[data.record_of_element()].astype(np.int64)


def _private_intervals(original: RoadTrajectories, published: RoadTrajectories) -> list[Ints]:
    """The published interval of each road that was travelled, -1 for none; several where it is not known which."""
    size = len(original.codes)
    if published.intervals is None:
        return [np.zeros(size, dtype=np.int64)]
    number = {name: index for index, name in enumerate(published.interval_names)}
    if original.intervals is not None:
        known = np.array([number.get(name, -1) for name in original.interval_names], dtype=np.int64)
        return [known[original.intervals][original.record_of_element()]]
    stretches = [_STRETCH.fullmatch(name) for name in published.interval_names]
    if original.times is None or not all(stretches):
        return [np.full(size, index, dtype=np.int64) for index in range(len(number))]
    intervals = np.full(size, -1, dtype=np.int64)
    for index, stretch in enumerate(stretches):
        assert stretch is not None
        begin, end = float(stretch[1]), float(stretch[2])
        intervals[(original.times >= begin) & (original.times < end)] = index
    return [intervals]


def _successes(
    real: _Turns, published: _Turns, units: Ints, of_target: Ints, n_targets: int
) -> npt.NDArray[np.float64]:
    """For each target the largest 1 / set size at any of their intersections; 0 where no record matches."""
    set_sizes = _turn_counts(published, units)
    ended = np.column_stack((real.interval, real.came, np.full(len(real.came), _NOWHERE)))
    set_size = _counts_of_turns(set_sizes, real.keys)
    set_size = np.where(set_size > 0, set_size, _counts_of_turns(set_sizes, ended))
    successes = np.zeros(n_targets)
    matched = set_size > 0
    np.maximum.at(successes, of_target[real.record[matched]], 1.0 / set_size[matched])
    return successes


def _turn_counts(turns: _Turns, units: Ints) -> dict[tuple[int, ...], int]:
    """How many units make each turn."""
    rows = np.unique(np.column_stack((turns.keys, units[turns.record])), axis=0)
    kinds, sizes = np.unique(rows[:, :3], axis=0, return_counts=True)
    return {tuple(kind): size for kind, size in zip(kinds.tolist(), sizes.tolist(), strict=True)}


def _counts_of_turns(set_sizes: dict[tuple[int, ...], int], keys: Ints) -> Ints:
    kinds, place = np.unique(keys, axis=0, return_inverse=True)
    sizes = np.array([set_sizes.get(tuple(kind), 0) for kind in kinds.tolist()], dtype=np.int64)
    return sizes[place.reshape(-1)]


def smallest_difference(setting: AttackSetting, k: int) -> int | None:
    """The size of the smallest set of those who come by a road and do not leave by another, or the reverse.

    Of busy roads that meet, each travelled by at least k in an interval: an attacker knows that a person took the
    one and not the other.  None where there is no such set.
    """
    data: Any = setting.seen.data
    units = setting.seen.units.tolist()
    travellers: dict[tuple[int, int], set[int]] = {}
    for interval, code, record in zip(
        _published_intervals(data).tolist(), data.codes.tolist(), data.record_of_element().tolist(), strict=True
    ):
        travellers.setdefault((interval, code), set()).add(record)
    busy = {key: them for key, them in travellers.items() if len({units[record] for record in them}) >= k}
    leaving: dict[tuple[int, int], list[int]] = {}
    for interval, code in busy:
        leaving.setdefault((interval, int(data.tails[code])), []).append(code)
    smallest = None
    for (interval, code), coming in busy.items():
        for other in leaving.get((interval, int(data.heads[code])), ()):
            for apart in (coming - busy[interval, other], busy[interval, other] - coming):
                size = len({units[record] for record in apart})
                if size and (smallest is None or size < smallest):
                    smallest = size
    return smallest
