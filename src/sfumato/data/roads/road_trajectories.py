"""Road trajectories: for each record the roads travelled on a network, in order and by direction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data import frames
from sfumato.data.base import Frame, Ints, Persons, frozen_array
from sfumato.data.queries import Query, require_estimate
from sfumato.data.ragged import Ragged, encode, from_sequences, id_texts, row_order
from sfumato.data.roads.intervals import ALL_DAY, in_natural_order, natural
from sfumato.data.roads.network import Network
from sfumato.data.roads.rows import directed_roads, interval_of_record, refuse_backward_times, split_at_jumps
from sfumato.data.rows.records import grouped, persons_of
from sfumato.data.rows.times import seconds
from sfumato.data.trajectories import Trajectories
from sfumato.errors import Bug, DataError, MissingKnowledge
from sfumato.kernels.items.query_probabilities import sequence_probabilities

__all__ = ["RoadTrajectories"]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class RoadTrajectories(Ragged):
    """The roads that each record drove, in order.

    The labels are directed roads: ``r1+`` is road ``r1`` from its first end to its second, ``r1-`` the other way.  Each
    record is a path: a road begins where the one before it ends.  Beside the ragged codes, private data may hold the
    time at which each road was entered (`times`, in seconds); published data hold the interval of each record
    (`intervals`, numbers into `interval_names`, which are in natural order).

    >>> town = Network.from_frames(
    ...     {"node": ["a", "b", "c"], "x": [0, 3, 3], "y": [0, 4, 0]},
    ...     {"road": ["r1", "r2"], "from": ["a", "c"], "to": ["b", "b"]},
    ... )
    >>> drives = RoadTrajectories.from_lists([["r1+", "r2-"], ["r2+"]], network=town)
    >>> drives
    <RoadTrajectories: 2 records, 3 roads, 3 distinct>
    >>> drives.to_polars().rows()
    [('1', 'r1', '+'), ('1', 'r2', '-'), ('2', 'r2', '+')]
    """

    kind: ClassVar[str] = "roads"
    element: ClassVar[str] = "road"
    attribute: ClassVar[str] = "road"
    record: ClassVar[str] = "trajectory"

    network: Network
    times: npt.NDArray[np.float64] | None = None
    intervals: Ints | None = None
    interval_names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.members:
            raise Bug("RoadTrajectories: a road stands for itself, found members")
        if self.times is not None:
            object.__setattr__(self, "times", frozen_array(self.times, np.float64))
            if len(self.times) != len(self.codes):
                raise DataError(f"RoadTrajectories: {len(self.codes)} roads, but {len(self.times)} times")
        if self.intervals is not None:
            object.__setattr__(self, "intervals", frozen_array(self.intervals, np.int32))
            self._check_intervals(self.intervals)
        jumps = self.jumps()
        if len(jumps):
            record = int(np.searchsorted(self.offsets, jumps[0], side="right"))
            raise DataError(
                f"RoadTrajectories: wanted roads that begin where the one before ends, found a jump in record {record}"
            )

    def _check_intervals(self, intervals: Ints) -> None:
        if len(intervals) != len(self):
            raise DataError(f"RoadTrajectories: {len(self)} records, but {len(intervals)} intervals")
        if len(intervals) and not 0 <= int(intervals.min()) <= int(intervals.max()) < len(self.interval_names):
            raise Bug("RoadTrajectories: an interval has no name")
        if any(natural(a) >= natural(b) for a, b in pairwise(self.interval_names)):
            raise Bug("RoadTrajectories: interval names must be distinct and in natural order")

    @classmethod
    def from_lists(
        cls,
        drives: Sequence[Sequence[str]],
        *,
        network: Network,
        intervals: Sequence[str] | None = None,
        times: Sequence[Sequence[float]] | None = None,
        persons: Sequence[Any] | None = None,
        ids: Sequence[Any] | None = None,
    ) -> Self:
        """One list of directed roads per trajectory; `intervals` gives the name of the interval of each of them."""
        offsets, codes, names = from_sequences(drives)
        numbers, interval_names = (None, ()) if intervals is None else in_natural_order(intervals)
        return cls(
            offsets=offsets,
            codes=codes,
            names=names,
            network=network,
            times=None if times is None else np.array([time for row in times for time in row], dtype=np.float64),
            intervals=numbers,
            interval_names=interval_names,
            ids=id_texts(cls.record, ids, len(drives)),
            persons=None if persons is None else Persons.of(persons),
        )

    @classmethod
    def from_frame(
        cls,
        frame: Frame,
        *,
        network: Network | None = None,
        columns: Mapping[str, str] | None = None,
        split_jumps: bool = False,
        source: frames.Source | None = None,
    ) -> Self:
        """A tidy frame, one row a road, in the order of travel: columns `trajectory`, `road`, `direction` (``+`` or
        ``-`` as the network has the road) and optionally `time`, `person`, `interval`.

        split_jumps : where a road does not begin where the one before it ends, begin a new trajectory.  The parts of
        one trajectory belong to one person: where persons are not given, each original trajectory counts as one person.
        """
        if network is None:
            raise MissingKnowledge("RoadTrajectories: needs a network, got none", remedy="give-network")
        source = source or frames.Source()
        tidy = frames.tidy(
            frame,
            required=("trajectory", "direction", "road"),
            optional=("time", "person", "interval"),
            columns=columns or {},
            source=source,
        )
        roads = directed_roads(tidy, network, source)
        times = seconds(tidy["time"], source).to_numpy() if "time" in tidy.columns else None
        record, order, offsets = grouped(tidy["trajectory"])
        if times is not None:
            times = times[order]
            refuse_backward_times(times, offsets, order, source)
        persons, intervals = None, None
        if "person" in tidy.columns:
            persons = persons_of(tidy["person"], record, "trajectory", source)
        if "interval" in tidy.columns:
            intervals = interval_of_record(tidy["interval"], record, source)
        n_given = len(offsets) - 1
        offsets, parent, ids = split_at_jumps(
            roads.jumps(order, offsets), offsets, order, tidy["trajectory"], source, split=split_jumps
        )
        if persons is None and len(parent) > n_given:
            persons = persons_of(tidy["trajectory"], record, "trajectory", source)
        codes, names = encode(roads.labels)
        numbers, interval_names = (None, ()) if intervals is None else in_natural_order(intervals.to_list())
        return cls(
            offsets=offsets,
            codes=codes[order],
            names=names,
            network=network,
            ids=ids,
            persons=None if persons is None else persons.take(parent),
            times=times,
            intervals=None if numbers is None else numbers[parent],
            interval_names=interval_names,
        )

    @cached_property
    def road(self) -> Ints:
        """The row in the network of each directed road that `names` lists."""
        return self.network.rows_of_roads([name[:-1] for name in self.names])

    @cached_property
    def forward(self) -> npt.NDArray[np.bool_]:
        """Whether each of the names is a road in the direction of the network."""
        return np.array([name.endswith("+") for name in self.names], dtype=bool)

    @cached_property
    def tails(self) -> Ints:
        """The node where each of the names begins."""
        ends = self.network.ends[self.road]
        return np.where(self.forward, ends[:, 0], ends[:, 1]).astype(np.int32)

    @cached_property
    def heads(self) -> Ints:
        """The node where each of the names ends."""
        ends = self.network.ends[self.road]
        return np.where(self.forward, ends[:, 1], ends[:, 0]).astype(np.int32)

    def jumps(self) -> Ints:
        """The positions in `codes` whose road does not begin where the one before it, of the same record, ends."""
        if any(name[-1:] not in ("+", "-") for name in self.names):
            raise DataError("RoadTrajectories: wanted roads as r1+ or r1-, found one without a direction")
        if np.any(self.road < 0):
            raise DataError("RoadTrajectories: wanted roads of the network, found an unknown road")
        broken = self.heads[self.codes[:-1]] != self.tails[self.codes[1:]]
        if len(broken):
            borders = self.offsets[1:-1]
            borders = borders[(borders > 0) & (borders < len(self.codes))]
            broken[borders - 1] = False
        return np.flatnonzero(broken) + 1

    def take(self, records: Ints) -> Self:
        times = None if self.times is None else self.times[self.elements_of(records)]
        intervals = None if self.intervals is None else self.intervals[records]
        # without times first: super() would combine the old times with the new, shorter arrays
        bare = super(RoadTrajectories, replace(self, times=None, intervals=None)).take(records)
        return replace(bare, times=times, intervals=intervals)

    def run_starts(self) -> npt.NDArray[np.bool_]:
        """Whether each record differs from the record before it, in its roads or in its interval."""
        starts = super().run_starts()
        if self.intervals is not None:
            starts[1:] |= self.intervals[1:] != self.intervals[:-1]
        return starts

    def published(self) -> tuple[Self, Ints]:
        """Records without times, sorted by interval and then by roads; only the interval of a record is published."""
        filled = np.flatnonzero(self.lengths > 0)
        nonempty = replace(self, times=None).take(filled)
        interval = np.zeros(len(nonempty), dtype=np.int32) if nonempty.intervals is None else nonempty.intervals
        used, numbers = np.unique(interval, return_inverse=True)
        order = row_order(nonempty.offsets, nonempty.codes)
        order = order[np.argsort(numbers[order], kind="stable")]
        names = (ALL_DAY,) if nonempty.intervals is None else tuple(nonempty.interval_names[index] for index in used)
        bare = replace(nonempty.take(order), ids=None, persons=None, intervals=None, interval_names=names)
        bare = replace(bare, intervals=numbers[order].astype(np.int32))
        return bare.with_used_names(), filled[order]

    def to_polars(self) -> pl.DataFrame:
        """A tidy frame, one row a road, in the column names of the input format."""
        frame = super().to_polars().drop(self.attribute)
        record = self.record_of_element()
        if self.intervals is not None:
            names = pl.Series(self.interval_names, dtype=pl.String)
            frame = frame.with_columns(names.gather(self.intervals[record]).alias("interval"))
        roads = pl.Series([name[:-1] for name in self.names], dtype=pl.String)
        signs = pl.Series([name[-1:] for name in self.names], dtype=pl.String)
        frame = frame.with_columns(roads.gather(self.codes).alias("road"), signs.gather(self.codes).alias("direction"))
        return frame if self.times is None else frame.with_columns(pl.Series("time", self.times))

    def chances(self, query: Query, estimate: str = "share") -> npt.NDArray[np.float64]:
        """A location of a query is a directed road, or a road without its sign, in either direction.

        >>> town = Network.from_frames(
        ...     {"node": ["a", "b"], "x": [0, 1], "y": [0, 0]}, {"road": ["r"], "from": ["a"], "to": ["b"]}
        ... )
        >>> drives = RoadTrajectories.from_lists([["r+", "r-"], ["r-"]], network=town)
        >>> drives.expected_count(Query(locations=("r",))), drives.expected_count(Query(locations=("r+", "r-")))
        (2.0, 1.0)
        """
        require_estimate(estimate)
        hits = np.zeros((len(query.locations), len(self.names)))
        for code, name in enumerate(self.names):
            for level, location in enumerate(query.locations):
                hits[level, code] = location in (name, name[:-1])
        chances: npt.NDArray[np.float64] = sequence_probabilities(self.codes, self.offsets, hits)
        return chances

    def as_trajectories(self, *, by_interval: bool = False) -> Trajectories:
        """The same records as visits to directed roads, for methods and attacks that do not use networks.

        by_interval : whether a label holds the interval too, as in ``r1+@8-9``.
        """
        plain = Trajectories(
            offsets=self.offsets,
            codes=self.codes,
            names=self.names,
            ids=self.ids,
            persons=self.persons,
            times=self.times,
        )
        if not by_interval or self.intervals is None:
            return plain
        label = self.codes.astype(np.int64) * len(self.interval_names) + self.intervals[self.record_of_element()]
        used, used_index = np.unique(label, return_inverse=True)
        roads, intervals = np.divmod(used, max(1, len(self.interval_names)))
        texts = [
            f"{self.names[road]}@{self.interval_names[interval]}"
            for road, interval in zip(roads, intervals, strict=True)
        ]
        codes, names = encode(pl.Series(texts, dtype=pl.String))
        return replace(plain, codes=codes[used_index], names=names)
