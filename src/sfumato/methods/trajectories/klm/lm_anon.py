"""l^m-ANON: merge nearby locations of one cluster until it is (k,l)^m-anonymous (Poulis et al., 2013)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.kernels.recoding.cluster_merging import Active, Chains, DistanceRows, Labels, merge_unsafe
from sfumato.kernels.recoding.sensitive_supports import Holders, SensitiveRecords, count_associations, unsafe_patterns
from sfumato.kernels.recoding.subsequence_supports import holders_of_labels

__all__ = ["Recoded", "Visits", "lm_anon"]

Floats = npt.NDArray[np.float64]
_ROWS = 256  # at most this many labels keep a row of distances, so that 100,000 locations fit into memory


@dataclass(frozen=True, eq=False)
class Visits:
    """The nonsensitive visits of some units, record by record, and the sensitive places of each record.

    codes, offsets : the nonsensitive visits of each record.  unit_offsets : the records of each unit.
    sensitive, sensitive_starts : the distinct sensitive places of each record, as numbers.
    """

    codes: Ints
    offsets: Ints
    unit_offsets: Ints
    sensitive: Ints
    sensitive_starts: Ints

    def __len__(self) -> int:
        return len(self.unit_offsets) - 1

    def by_record(self) -> Visits:
        """The same, every record a unit of its own."""
        return replace(self, unit_offsets=np.arange(len(self.offsets), dtype=np.int64))

    def part(self, start: int, end: int) -> Visits:
        """The units from start to end, as they lie."""
        first, last = self.unit_offsets[start], self.unit_offsets[end]
        offsets, starts = self.offsets[first : last + 1], self.sensitive_starts[first : last + 1]
        return Visits(
            self.codes[offsets[0] : offsets[-1]],
            offsets - offsets[0],
            self.unit_offsets[start : end + 1] - first,
            self.sensitive[starts[0] : starts[-1]],
            starts - starts[0],
        )


@dataclass(frozen=True, eq=False)
class Recoded:
    """What became of a cluster's locations: `first` is the smallest location under the label of each.

    safe : whether the cluster is (k,l)^m-anonymous; if not, one label is left.
    """

    locations: Ints
    first: Ints
    safe: bool


def lm_anon(cluster: Visits, points: Floats, radius: float, k: int, l: int, m: int) -> Recoded:  # noqa: E741
    """Algorithm l^m-ANON of the paper, repeated until a full pass over all sizes finds no violation.

    points : of every location, by code.
    """
    locations = np.flatnonzero(np.bincount(cluster.codes, minlength=len(points)))
    code_of = np.empty(len(points), dtype=np.int32)
    code_of[locations] = np.arange(len(locations))
    merging = _Merging(cluster, code_of[cluster.codes], _columns(points[locations]), radius)
    safe, clean = True, False
    while safe and not clean:
        clean = True
        for size in range(1, min(m, merging.longest) + 1):  # step 2
            merging.count(size)
            patterns = merging.unsafe(k, l)  # steps 3 to 8
            if len(patterns):
                clean = False
                safe = merging.merge(patterns, k, l)
                if not safe:
                    break
    return Recoded(locations, locations[merging.rank[merging.current]], safe)


def _columns(points: Floats) -> Floats:
    """In Fortran order; of a single row this would not show, and kernels would be compiled once more for it."""
    rows = np.zeros((max(2, len(points)), 3), order="F")
    rows[: len(points)] = points
    return rows


class _Merging:
    """The arrays that `kernels.cluster_merging` works on."""

    def __init__(self, cluster: Visits, codes: Ints, points: Floats, radius: float) -> None:
        n = int(codes.max(initial=-1)) + 1
        self._data = SensitiveRecords(
            codes, cluster.offsets, cluster.unit_offsets, cluster.sensitive_starts, cluster.sensitive
        )
        self.longest = int(np.diff(cluster.offsets).max(initial=0))
        self.rank, self.current = np.arange(n), np.arange(n, dtype=np.int32)
        starts, units = holders_of_labels(codes, cluster.offsets, cluster.unit_offsets, n)
        following = np.arange(1, len(units) + 1)
        following[starts[1:] - 1] = -1
        self._holders = Holders(starts[:-1].copy(), following, units, np.diff(starts))
        self._chains = Chains(np.arange(n), np.full(n, -1), np.arange(n), np.ones(n))
        self._active = Active(np.arange(n), np.arange(n), points.copy(order="F"), np.array([n]))
        self._many = max(32, -(-n // _ROWS))
        n_rows = n // self._many + 1
        self._far = DistanceRows(points, np.full(n, -1), np.zeros((n_rows, n)), np.arange(n_rows), np.array([n_rows]))
        self._radius = radius
        self._tick = len(cluster.unit_offsets)
        self._size = 0  # of the patterns in the table, which merges keep up to date

    def count(self, size: int) -> None:
        """Count the supports of all patterns of a size, alone and with each sensitive place."""
        if size != self._size:
            self._table = count_associations(self._data, len(self.rank), size)
            self._size = size

    def unsafe(self, k: int, l: int) -> Ints:  # noqa: E741
        """The unsafe patterns: smaller support first, then name order."""
        patterns, supports = unsafe_patterns(self._table[0], k, l)
        return np.ascontiguousarray(patterns[np.lexsort((*self.rank[patterns].T[::-1], supports))])

    def merge(self, patterns: Ints, k: int, l: int) -> bool:  # noqa: E741
        """Steps 9 to 13 for every pattern in turn; whether that was possible."""
        done, *table, self._tick = merge_unsafe(
            patterns,
            self._data,
            self._holders,
            Labels(self.rank, self.current),
            self._chains,
            self._active,
            self._far,
            self._radius,
            self._many,
            *self._table,
            self._tick,
            k,
            l,
        )
        self._table = tuple(table)
        return bool(done)
