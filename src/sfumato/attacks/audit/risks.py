"""What m known pieces give away about each person: exactly, or from a sample of persons and patterns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sfumato.attacks.audit.known_points import Pieces
from sfumato.data.base import Ints
from sfumato.kernels.verify.risks import CHANCE, LONE, LOWEST, TOTAL, continuation_counts, subsequence_risks
from sfumato.kernels.verify.sampled_patterns import LONG, numbered_patterns, pattern_supports

__all__ = ["PATTERNS", "Risks", "exact_risks", "sampled_risks"]

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

FEWEST, MOST = 200, 10_000  # persons in a sample
PATTERNS = 100  # patterns of a person in a sample; who has no more is looked at whole


@dataclass(frozen=True, eq=False)
class Risks:
    """One row for each person (or record) that was looked at.

    units : which.  whole : whether all patterns were looked at.
    crowds : the smallest crowd that was found.
    chances : the mean of 1 / crowd over the person's patterns.  lone : the share of patterns nobody else has.
    patterns : how many distinct patterns the person has; where not all were looked at, an estimate.
    """

    known: int
    exact: bool
    units: Ints
    whole: Bools
    crowds: Ints
    chances: Floats
    lone: Floats
    patterns: Floats

    def __len__(self) -> int:
        return len(self.units)

    @property
    def settled(self) -> Bools:
        """Whether no smaller crowd exists: all were looked at, or the person is alone already."""
        return np.asarray(self.whole | (self.crowds == 1))


def exact_risks(pieces: Pieces, known: int, budget: int) -> Risks | None:
    """Every pattern of everybody; nothing where that would read more than `budget` positions."""
    after, _ = continuation_counts(pieces.codes, pieces.offsets, pieces.n_labels, known)
    rows = np.zeros((len(pieces), 4))
    rows[:, LOWEST] = len(pieces)
    read = subsequence_risks(pieces.codes, pieces.offsets, pieces.units, pieces.n_labels, known, budget, after, rows)
    if read < 0:
        return None
    return _risks(pieces, known, np.arange(len(pieces)), rows, whole=np.ones(len(pieces), dtype=bool))


def sampled_risks(pieces: Pieces, known: int, budget: int, rng: np.random.Generator) -> Risks:
    """Persons at random, and of each all patterns if they are few, otherwise some at random and the rarest pieces."""
    after, whole = continuation_counts(pieces.codes, pieces.offsets, pieces.n_labels, known)
    counts = whole[np.arange(len(pieces.units)), np.minimum(known, pieces.lengths)] * (pieces.lengths > 0)
    counts = np.add.reduceat(np.append(counts, 0.0), pieces.unit_offsets[:-1]) if len(pieces) else counts
    record_of, place_starts, places = _places(pieces)
    looks = np.minimum(counts, PATTERNS)
    cost = float(looks.mean()) * _cost_of_a_look(pieces, known, record_of, rng)
    size = int(np.clip(budget / max(1.0, cost), FEWEST, MOST))
    units = np.sort(rng.choice(len(pieces), size=min(size, len(pieces)), replace=False))

    owners = np.repeat(units, looks[units].astype(np.int64))
    in_turn = np.arange(len(owners)) - np.repeat(np.cumsum(looks[units]) - looks[units], looks[units].astype(np.int64))
    drawn = np.floor(rng.random(len(owners)) * counts[owners])
    whole_person = counts <= PATTERNS
    ranks = np.where(whole_person[owners], in_turn, drawn)
    patterns = numbered_patterns(
        owners, ranks, known, pieces.codes, pieces.offsets, pieces.unit_offsets, pieces.n_labels, after, whole
    )
    more = units[~whole_person[units]]
    patterns = np.concatenate((patterns, _rarest_pieces(pieces, more, known, np.diff(place_starts))))
    drawn_owners, owners = len(owners), np.concatenate((owners, more))
    supports, copies = pattern_supports(
        patterns, owners, pieces.codes, pieces.offsets, pieces.units, record_of, place_starts, places
    )
    # a pattern of several of its person's records was numbered as often: it weighs so much less
    weights = 1.0 / np.maximum(copies, 1)
    weights[drawn_owners:] = 0.0
    rows = np.zeros((len(pieces), 4))
    rows[:, LOWEST] = len(pieces)
    np.add.at(rows[:, TOTAL], owners, weights)
    np.add.at(rows[:, LONE], owners, weights * (supports == 1))
    np.add.at(rows[:, CHANCE], owners, weights / np.maximum(supports, 1))
    np.minimum.at(rows[:, LOWEST], owners, supports)
    found = _risks(pieces, known, units, rows[units], whole=whole_person[units])
    found.patterns[~whole_person[units]] *= counts[more] / PATTERNS
    return found


def _risks(pieces: Pieces, known: int, units: Ints, rows: Floats, whole: Bools) -> Risks:
    """Who has no visits can be known by nothing, and is one of all."""
    nothing = rows[:, TOTAL] == 0
    total = np.where(nothing, 1.0, rows[:, TOTAL])
    return Risks(
        known=known,
        exact=len(units) == len(pieces) and bool(whole.all()),
        units=units,
        crowds=rows[:, LOWEST].astype(np.int64),
        whole=whole,
        chances=np.where(nothing, 1.0 / max(1, len(pieces)), rows[:, CHANCE] / total),
        lone=np.where(nothing, float(len(pieces) == 1), rows[:, LONE] / total),
        patterns=rows[:, TOTAL].copy(),
    )


def _places(pieces: Pieces) -> tuple[Ints, Ints, Ints]:
    """The record of each position, where each label's positions begin, and the positions, rising under each label."""
    record_of = np.repeat(np.arange(len(pieces.units), dtype=np.int32), pieces.lengths)
    counts = np.bincount(pieces.codes, minlength=pieces.n_labels)
    starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return record_of, starts, np.argsort(pieces.codes, kind="stable").astype(np.int64)


def _cost_of_a_look(pieces: Pieces, known: int, record_of: Ints, rng: np.random.Generator) -> float:
    """About how many positions are read to find the support of a pattern: the records of its rarest label."""
    of_position = np.minimum(pieces.lengths[record_of], LONG).astype(np.float64)
    of_label = np.bincount(pieces.codes, weights=of_position, minlength=pieces.n_labels)
    some = np.flatnonzero(pieces.pieces_of_unit > 0)
    if len(some) == 0:
        return 0.0
    some = rng.choice(some, size=1000)
    first = pieces.offsets[pieces.unit_offsets[some]]
    at = first[:, None] + (rng.random((len(some), known)) * pieces.pieces_of_unit[some][:, None]).astype(np.int64)
    return float(of_label[pieces.codes[at]].min(axis=1).mean())


def _rarest_pieces(pieces: Pieces, units: Ints, known: int, places_of_label: Ints) -> npt.NDArray[np.int32]:
    """For each unit the rarest pieces of the record with the rarest piece: what a clever attacker would want."""
    patterns = np.full((len(units), known), -1, dtype=np.int32)
    for row, unit in enumerate(units):
        first, end = pieces.offsets[pieces.unit_offsets[unit : unit + 2]]
        rarest = first + int(np.argmin(places_of_label[pieces.codes[first:end]]))
        record = int(np.searchsorted(pieces.offsets, rarest, side="right")) - 1
        codes = pieces.codes[pieces.offsets[record] : pieces.offsets[record + 1]]
        chosen = np.sort(np.argsort(places_of_label[codes], kind="stable")[:known])
        patterns[row, : len(chosen)] = codes[chosen]
    return patterns
