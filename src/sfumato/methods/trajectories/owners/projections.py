"""The projections of a dataset to the owners of places while it is being changed, and the resulting dataset.

Shared by the methods that suppress visits and split trajectories until no owner can infer a visit to another place.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.data.ragged import sequence_order
from sfumato.kernels.owners.projections import (
    CODE,
    FRAGMENTS,
    HELD,
    HIST,
    KEY,
    LENGTH,
    MARK,
    NODES,
    ORIGIN,
    PAIRS,
    PERSON,
    PLACES,
    PROBLEMS,
    START,
    State,
    count_fragments,
    count_others,
    rehash,
)
from sfumato.methods.base import Outcome
from sfumato.methods.trajectories.owners.projection_counts import Counts
from sfumato.params import exact

__all__ = ["Projections", "canonical_order", "quotas", "wider"]

_ROWS = 100_000  # of counts that are added together
_TABLES = {"trie": NODES, "pairs": PAIRS, "hist": HIST, "held": HELD}


class Projections:
    """Every fragment of every trajectory, its projections, and how many visit each place with each projection.

    Fragments are numbered in the order of their trajectories' content, so that ties never tell the private order.
    others : the counts of trajectories that are not among the data, and that unifications do not change; a person has
    trajectories among the data or among the others, not both.
    """

    def __init__(self, data: Trajectories, owner_of: Ints, threshold: float, others: Counts | None = None) -> None:
        self.data = data
        order = canonical_order(data)
        visits = data.elements_of(order)
        lengths = data.lengths[order]
        total, n = len(visits), len(data)
        longest = int(lengths.max(initial=0))
        n_owners = int(owner_of.max(initial=-1)) + 1
        fragments = np.zeros((3, n + total), dtype=np.int64)
        fragments[START, :n] = np.cumsum(lengths) - lengths
        fragments[LENGTH, :n] = lengths
        fragments[PERSON, :n] = data.units[order]
        sizes = np.zeros(9, dtype=np.int64)
        sizes[FRAGMENTS], sizes[NODES], sizes[PLACES] = n, 1, 1
        nodes = 1024 + total
        scratch = np.zeros((5, max(longest, n_owners, len(data.names))), dtype=np.int64)
        scratch[MARK] = -1
        self.state = State(
            n_persons=0 if data.persons is None else len(data.persons),
            quota=quotas(threshold, n + total + 3 + (0 if others is None else int(others.fragments.max(initial=0)))),
            owner=owner_of.astype(np.int64),
            sizes=sizes,
            visits=np.stack((data.codes[visits], visits)).astype(np.int64),
            fragments=fragments,
            nodes=np.zeros((4, nodes), dtype=np.int64),
            sides=np.zeros((2, 2 * nodes), dtype=np.int64),
            **{name: _table(4096) for name in _TABLES},
            lists=np.zeros((2, 4096), dtype=np.int64),
            scratch=scratch,
        )
        if others is not None:
            self._count(others)
        fragment = 0
        while fragment < n:
            self.reserve(int(lengths[fragment]))
            fragment = int(count_fragments(self.state, fragment, self.capacity()))
        self.first_problems = self.problems

    def _count(self, others: Counts) -> None:
        for start in range(0, len(others.places), _ROWS):
            rows = slice(start, start + _ROWS)
            offsets = others.offsets[start : start + _ROWS + 1]
            codes = others.codes[offsets[0] : offsets[-1]]
            self.reserve_entries(len(codes) + 8 * (len(offsets) - 1))
            figures = (column[rows] for column in others[2:])
            count_others(self.state, codes, offsets - offsets[0], *figures)

    @property
    def problems(self) -> int:
        """The paper's N; where persons are known, problems counted in trajectories and in persons, together."""
        return int(self.state.sizes[PROBLEMS])

    def capacity(self) -> Ints:
        """The largest allowed value of each of the state's `sizes`."""
        capacity = np.full(9, np.iinfo(np.int64).max)
        for name, which in _TABLES.items():
            capacity[which] = getattr(self.state, name).shape[1] // 2
        capacity[NODES] = min(capacity[NODES], self.state.nodes.shape[1])
        capacity[PAIRS] = min(
            capacity[PAIRS], self.state.lists.shape[1]
        )  # no list has more entries than there are pairs
        return capacity

    def reserve(self, length: int) -> None:
        """Grow the arrays that could not hold another change of a fragment of this length."""
        self.reserve_entries(8 * (length + 1) * (length + 1))

    def reserve_entries(self, need: int) -> None:
        """Grow the arrays that could not hold so many entries more."""
        state, capacity = self.state, self.capacity()
        grown: dict[str, Ints] = {}
        for name, which in _TABLES.items():
            count = int(state.sizes[which]) + need
            if count > capacity[which]:
                grown[name] = _table(4 * count)
                kept = rehash(getattr(state, name), grown[name], name in ("trie", "pairs"))
                if name != "trie":
                    state.sizes[which] = kept
        if state.sizes[PAIRS] + need > state.lists.shape[1]:
            grown["lists"] = wider(state.lists, 2 * (int(state.sizes[PAIRS]) + need))
        if state.sizes[NODES] + need > state.nodes.shape[1]:
            nodes = 2 * (int(state.sizes[NODES]) + need)
            grown |= {"nodes": wider(state.nodes, nodes), "sides": wider(state.sides, 2 * nodes)}
        if grown:
            self.state = state._replace(**grown)

    def outcome(self, counts: dict[str, int], notes: tuple[str, ...] = ()) -> Outcome[Trajectories]:
        """The fragments as trajectories, with what was lost on the way."""
        state = self.state
        n = int(state.sizes[FRAGMENTS])
        start, lengths = state.fragments[START, :n], state.fragments[LENGTH, :n]
        ends = np.cumsum(lengths)
        total = int(ends[-1]) if n else 0
        visits = np.arange(total) + np.repeat(start - (ends - lengths), lengths)
        origin = state.visits[ORIGIN, visits]
        data = replace(
            self.data,
            offsets=np.concatenate(([0], ends)),
            codes=state.visits[CODE, visits],
            ids=None,
            persons=None,
            times=None,
        )
        record_of_visit = self.data.record_of_element()[origin[(ends - lengths)[lengths > 0]]]
        fragments = np.bincount(record_of_visit, minlength=len(self.data))
        figures = {
            "suppressed_visits": len(self.data.codes) - total,
            "suppressed_records": int(np.count_nonzero(fragments == 0)),
            "split_records": int(np.count_nonzero(fragments > 1)),
            "lost_pairs": int(_pairs(self.data.lengths) - _pairs(lengths)),
            "problems_at_first": self.first_problems,
        }
        return Outcome(data, origin, figures | counts, notes)


def canonical_order(data: Trajectories) -> Ints:
    """The records in the order of their content; equal ones by what else their persons did.

    Persons who did the same are interchangeable, and so are equal records of one person: whichever comes first, the
    published data are the same.
    """
    order = sequence_order(data)
    if data.persons is None:
        return order
    sorted_data = data.take(order)
    rows = [sorted_data.codes[begin:end].tobytes() for begin, end in pairwise(sorted_data.offsets)]
    content = np.zeros(len(data), dtype=np.int64)
    content[1:] = np.cumsum([row != following for row, following in pairwise(rows)])
    assert sorted_data.persons is not None
    persons = sorted_data.persons.codes
    profiles: dict[int, list[int]] = {}
    for person, what in zip(persons.tolist(), content.tolist(), strict=True):
        profiles.setdefault(person, []).append(what)
    rank = np.zeros(len(data.persons), dtype=np.int64)
    rank[sorted(profiles, key=lambda person: profiles[person])] = np.arange(len(profiles))
    return np.asarray(order[np.lexsort((rank[persons], content))])


def quotas(threshold: float, sizes: int) -> Ints:
    """How many of an anonymity set may visit the same place, for every size of the set below the given one.

    >>> quotas(0.3, 12).tolist()
    [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3]
    """
    share = exact(threshold)
    if share.denominator * sizes < 1 << 62:
        return np.arange(sizes, dtype=np.int64) * share.numerator // share.denominator
    return np.array([size * share.numerator // share.denominator for size in range(sizes)], dtype=np.int64)


def _pairs(lengths: Ints) -> int:
    return int(np.sum(lengths * (lengths - 1) // 2))


def _table(slots: int) -> Ints:
    table = np.zeros((2, 1 << max(12, int(slots - 1).bit_length())), dtype=np.int64)
    table[KEY] = -1
    return table


def wider(array: Ints, width: int, fill: int = 0) -> Ints:
    """The array with more columns."""
    grown = np.full((*array.shape[:-1], width), fill, dtype=array.dtype)
    grown[..., : array.shape[-1]] = array
    return grown
