"""Visits to sensitive places beside pieces of other visits, as far as they cannot be inferred with more than 1/l."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations, product

import numpy as np

from sfumato.data.base import Ints
from sfumato.methods.trajectories.sparse.pieces import Pieces
from sfumato.methods.trajectories.sparse.unit_visits import UnitVisits

__all__ = ["with_sensitive_visits"]

Sequence = tuple[int, ...]
"""Numbers of kinds of places, in the order in which they are visited."""


def with_sensitive_visits(
    visits: UnitVisits,
    labels: Ints,
    piece: Ints,
    hidden: UnitVisits,
    n_labels: int,
    k: int,
    l: int,  # noqa: E741
    m: int,
    *,
    separate: bool,
) -> tuple[Ints, Ints, Ints, Ints]:
    """The published visits, sensitive ones included: origin, label, record and piece of each.

    hidden : the visits to sensitive places, in the same records.  Each joins the piece of its record with the most
    visits.  Where it could be inferred there, it becomes a piece of its own (`separate`) or is suppressed.  A sensitive
    place is labelled by its number plus `n_labels`.
    """
    pieces = Pieces.of(visits, labels, piece)
    home = _longest_pieces(pieces, len(visits.offsets) - 1)[hidden.records]
    secrets: list[set[int]] = [set() for _ in range(len(pieces))]
    for target, place in zip(home.tolist(), hidden.places.tolist(), strict=True):
        if target >= 0:
            secrets[target].add(place)
    rows = [tuple(part.tolist()) for part in np.split(pieces.labels, pieces.offsets[1:-1])] if len(pieces) else []
    places = _places_of_labels(pieces.labels, visits.places[pieces.visits], n_labels)
    lost = set(_inferable(rows, pieces.units, secrets, places, k, l, m))
    alone = home < 0
    for index, (target, place) in enumerate(zip(home.tolist(), hidden.places.tolist(), strict=True)):
        alone[index] |= (target, place) in lost
    published = ~alone if not separate else np.ones(len(home), dtype=bool)
    published |= home < 0  # nothing else of the record is published with it
    number_in_record = piece[pieces.visits[pieces.offsets[:-1]]]
    own = int(piece.max(initial=0)) + 1 + (np.arange(len(home)) if separate else np.zeros(len(home), dtype=np.int64))
    joined = np.where(alone, own, number_in_record[home] if len(pieces) else 0)
    placed = piece >= 0
    return (
        np.concatenate((visits.origin[placed], hidden.origin[published])),
        np.concatenate((labels[placed].astype(np.int64), n_labels + hidden.places[published].astype(np.int64))),
        np.concatenate((visits.records[placed], hidden.records[published])),
        np.concatenate((piece[placed], joined[published])),
    )


def _longest_pieces(pieces: Pieces, n_records: int) -> Ints:
    """The piece of each record with the most visits, the first of equal ones; -1 for a record without pieces."""
    longest = np.full(n_records, -1, dtype=np.int64)
    order = np.lexsort((-np.arange(len(pieces)), np.diff(pieces.offsets)))  # the longest and first come last
    longest[pieces.record[order]] = order
    return longest


def _places_of_labels(labels: Ints, places: Ints, n_labels: int) -> list[Ints]:
    """The places that are visited under each label."""
    pairs = np.unique(np.column_stack((labels, places)), axis=0).reshape(-1, 2)
    return np.split(pairs[:, 1], np.searchsorted(pairs[:, 0], np.arange(1, n_labels)))


def _inferable(
    pieces: list[tuple[int, ...]],
    units: Ints,
    secrets: list[set[int]],
    places: list[Ints],
    k: int,
    l: int,  # noqa: E741
    m: int,
) -> list[tuple[int, int]]:
    """The (piece, sensitive place) pairs to give up, so that (k,l)^m-anonymity holds.

    For every sequence of up to m places, the pieces that may hold it count together, whichever of several labels they
    publish a place under.  Of the units behind them, and of the pieces themselves, at most one in l may hold the same
    sensitive place.  Where more do, it is given up for the units that have it in the fewest of these pieces first, ties
    by the content of their pieces.  Giving up never makes another sequence more telling, so that this ends.

    pieces : the labels of each piece, in order, without sensitive places.  units : of each piece.
    secrets : the sensitive places of each piece, changed in place.  places : the places that each label stands for.
    """
    search = _Search(pieces, units, secrets, places, k, l, m)
    lost: list[tuple[int, int]] = []
    while given_up := search.give_up():
        lost += given_up
    return lost


class _Search:
    """Places that are published under the same labels cannot be distinguished, and are one kind."""

    def __init__(
        self,
        pieces: list[Sequence],
        units: Ints,
        secrets: list[set[int]],
        places: list[Ints],
        k: int,
        l: int,  # noqa: E741
        m: int,
    ) -> None:
        self._pieces, self._units, self._secrets = pieces, units.tolist(), secrets
        self._k, self._l, self._m = k, l, m
        labels_of_place: dict[int, list[int]] = defaultdict(list)
        for label, members in enumerate(places):
            for place in members.tolist():
                labels_of_place[place].append(label)
        self._labels_of_kind = sorted({tuple(labels) for labels in labels_of_place.values()})
        self._kinds_of_label: list[list[int]] = [[] for _ in places]
        for kind, labels in enumerate(self._labels_of_kind):
            for label in labels:
                self._kinds_of_label[label].append(kind)
        self._pieces_of_label: dict[int, list[int]] = defaultdict(list)
        for piece, labels in enumerate(pieces):
            for label in set(labels):
                self._pieces_of_label[label].append(piece)

    def give_up(self) -> list[tuple[int, int]]:
        """One pass over everything that can be inferred; what was given up in it."""
        lost = []
        for secret, sequence in self._suspicious():
            matching = self._matching(sequence)
            for piece in self._too_many(matching, secret):
                self._secrets[piece].discard(secret)
                lost.append((piece, secret))
        return lost

    def _suspicious(self) -> Iterator[tuple[int, Sequence]]:
        """Sequences that more units or pieces hold together with a sensitive place than k anonymous ones allow."""
        holders: dict[int, list[int]] = defaultdict(list)
        for piece, secrets in enumerate(self._secrets):
            for secret in secrets:
                holders[secret].append(piece)
        for secret in sorted(holders):
            counts: dict[Sequence, int] = defaultdict(int)
            for piece in holders[secret]:
                for sequence in self._sequences(piece):
                    counts[sequence] += 1
            yield from ((secret, sequence) for sequence in sorted(counts) if self._l * counts[sequence] > self._k)

    def _sequences(self, piece: int) -> set[Sequence]:
        """The sequences of up to m kinds that a piece may hold."""
        labels = self._pieces[piece]
        held: set[Sequence] = set()
        for size in range(1, min(self._m, len(labels)) + 1):
            for chosen in set(combinations(labels, size)):
                held.update(product(*(self._kinds_of_label[label] for label in chosen)))
        return held

    def _matching(self, sequence: Sequence) -> list[int]:
        """The pieces that may hold a sequence."""
        sets = [
            {piece for label in self._labels_of_kind[kind] for piece in self._pieces_of_label[label]}
            for kind in set(sequence)
        ]
        return [piece for piece in sorted(set.intersection(*sets)) if self._holds(piece, sequence)]

    def _holds(self, piece: int, sequence: Sequence) -> bool:
        labels = iter(self._pieces[piece])
        return all(any(label in self._labels_of_kind[kind] for label in labels) for kind in sequence)

    def _too_many(self, matching: list[int], secret: int) -> list[int]:
        """The matching pieces that must give up a sensitive place, so that one in l units and pieces hold it."""
        holding: dict[int, list[int]] = defaultdict(list)
        for piece in matching:
            if secret in self._secrets[piece]:
                holding[self._units[piece]].append(piece)
        most_units = len({self._units[piece] for piece in matching}) // self._l
        most_pieces = len(matching) // self._l
        by_cost = sorted(
            holding.values(), key=lambda held: (len(held), sorted(self._pieces[piece] for piece in held)), reverse=True
        )
        lost: list[int] = []
        while len(by_cost) > most_units or sum(map(len, by_cost)) > most_pieces:
            lost += by_cost.pop()
        return lost
