"""What m known visits or items reveal about each person: exactly, or from a sample of persons and patterns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sfumato.attacks.audit.known_points import KnowablePoints
from sfumato.data.base import Ints, read_only
from sfumato.data.rows.sorting import stable_order
from sfumato.kernels.verify.prefixes.divided import continuation_counts, find_first_labels, subsequence_risks
from sfumato.kernels.verify.prefixes.risks import CHANCE, LONE, LOWEST, REST, TOTAL
from sfumato.kernels.verify.sampled_patterns import LONG, numbered_patterns, pattern_supports
from sfumato.threads import side_by_side, spans

__all__ = ["PATTERNS", "ExactRisks", "Risks", "sampled_risks"]

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

FEWEST, MOST = 200, 10_000  # persons in a sample
_TOGETHER = 100  # patterns that one thread counts at least
PATTERNS = 100  # patterns of a person in a sample; of a person with no more, all are counted


@dataclass(frozen=True, eq=False)
class Risks:
    """One row for each person (or record) that was examined.

    units : which.  whole : whether all patterns were counted.
    set_sizes : the size of the smallest anonymity set that was found.
    chances : the mean of 1 / set size over the person's patterns.  lone : the share of patterns no one else has.
    patterns : how many distinct patterns the person has; where not all were examined, an estimate.
    """

    known: int
    exact: bool
    units: Ints
    whole: Bools
    set_sizes: Ints
    chances: Floats
    lone: Floats
    patterns: Floats

    def __len__(self) -> int:
        return len(self.units)

    @property
    def settled(self) -> Bools:
        """Whether no smaller anonymity set exists: all were counted, or the person is unique already."""
        return np.asarray(self.whole | (self.set_sizes == 1))


class ExactRisks:
    """Every pattern of everybody, for any number of known visits or items.

    Units that begin alike are counted next to each other: their records are read one after the other, and memory is
    fastest there.
    """

    def __init__(self, points: KnowablePoints) -> None:
        self._everyone = read_only(np.arange(len(points)))
        self._order = _order_by_beginning(points)
        self._points = near = points.take(self._order)
        self._first = find_first_labels(near.codes, near.offsets, near.units, near.n_labels)

    def of(self, known: int, budget: int) -> Risks | None:
        """The risks with so many known; nothing where that would read more than `budget` positions."""
        near = self._points
        after, whole = continuation_counts(near.codes, near.offsets, near.n_labels, known)
        rows = subsequence_risks(
            near.codes, near.offsets, near.units, len(near), self._first, known, budget, after, whole
        )
        del after, whole
        if rows is None:
            return None
        risks = _risks(near, known, self._everyone, rows, whole=np.broadcast_to(np.True_, len(near)))
        del rows
        for column in (risks.set_sizes, risks.chances, risks.lone, risks.patterns):
            column[self._order] = column.copy()
        return risks


def _order_by_beginning(points: KnowablePoints) -> Ints:
    """The units in the order of the first two positions of their records."""
    if len(points.codes) == 0:
        return np.arange(len(points))
    begin = points.offsets[points.unit_offsets[:-1]]
    first, second = (points.codes[np.minimum(begin + at, len(points.codes) - 1)].astype(np.int64) for at in (0, 1))
    return stable_order(first * points.n_labels + second)


def sampled_risks(points: KnowablePoints, known: int, budget: int, rng: np.random.Generator) -> Risks:
    """Persons at random, and of each all patterns if they are few, otherwise some at random and the rarest points."""
    after, whole = continuation_counts(points.codes, points.offsets, points.n_labels, known)
    counts = whole * (points.lengths > 0)
    counts = np.add.reduceat(np.append(counts, 0.0), points.unit_offsets[:-1]) if len(points) else counts
    record_of, place_starts, places = _places(points)
    looks = np.minimum(counts, PATTERNS)
    cost = float(looks.mean()) * _cost_of_a_look(points, known, record_of, rng)
    size = int(np.clip(budget / max(1.0, cost), FEWEST, MOST))
    units = np.sort(rng.choice(len(points), size=min(size, len(points)), replace=False))

    owners = np.repeat(units, looks[units].astype(np.int64))
    in_turn = np.arange(len(owners)) - np.repeat(np.cumsum(looks[units]) - looks[units], looks[units].astype(np.int64))
    drawn = np.floor(rng.random(len(owners)) * counts[owners])
    whole_person = counts <= PATTERNS
    ranks = np.where(whole_person[owners], in_turn, drawn)
    patterns = numbered_patterns(
        owners, ranks, known, points.codes, points.offsets, points.unit_offsets, points.n_labels, after, whole
    )
    more = units[~whole_person[units]]
    patterns = np.concatenate((patterns, _rarest_points(points, more, known, np.diff(place_starts))))
    drawn_owners, owners = len(owners), np.concatenate((owners, more))
    counted = side_by_side(
        lambda span: pattern_supports(
            patterns[slice(*span)],
            owners[slice(*span)],
            points.codes,
            points.offsets,
            points.units,
            record_of,
            place_starts,
            places,
        ),
        spans(len(patterns), _TOGETHER),
    )
    supports, copies = np.concatenate([np.empty((2, 0), dtype=np.int64), *map(np.stack, counted)], axis=1)
    # a pattern of several of its person's records was numbered as often: it weighs so much less
    weights = 1.0 / np.maximum(copies, 1)
    weights[drawn_owners:] = 0.0
    rows = np.zeros((len(points), 5))
    rows[:, LOWEST] = len(points)
    np.add.at(rows[:, TOTAL], owners, weights)
    np.add.at(rows[:, LONE], owners, weights * (supports == 1))
    np.add.at(rows[:, CHANCE], owners, weights / np.maximum(supports, 1))
    np.minimum.at(rows[:, LOWEST], owners, supports)
    risks = _risks(points, known, units, rows[units], whole=whole_person[units])
    risks.patterns[~whole_person[units]] *= counts[more] / PATTERNS
    return risks


def _risks(points: KnowablePoints, known: int, units: Ints, rows: Floats, whole: Bools) -> Risks:
    """A person without visits or items: no knowledge is possible, and they match every record."""
    nothing = rows[:, TOTAL] == 0
    total = np.where(nothing, 1.0, rows[:, TOTAL])
    return Risks(
        known=known,
        exact=len(units) == len(points) and bool(whole.all()),
        units=units,
        set_sizes=rows[:, LOWEST].astype(np.int64),
        whole=whole,
        chances=np.where(nothing, 1.0 / max(1, len(points)), (rows[:, CHANCE] + rows[:, REST]) / total),
        lone=np.where(nothing, float(len(points) == 1), rows[:, LONE] / total),
        patterns=rows[:, TOTAL].copy(),
    )


def _places(points: KnowablePoints) -> tuple[Ints, Ints, Ints]:
    """The record of each position, where each label's positions begin, and the positions, rising under each label."""
    record_of = np.repeat(np.arange(len(points.units), dtype=np.int32), points.lengths)
    counts = np.bincount(points.codes, minlength=points.n_labels)
    starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return record_of, starts, stable_order(points.codes)


def _cost_of_a_look(points: KnowablePoints, known: int, record_of: Ints, rng: np.random.Generator) -> float:
    """About how many positions are read to find the support of a pattern: the records of its rarest label."""
    of_position = np.minimum(points.lengths[record_of], LONG).astype(np.float64)
    of_label = np.bincount(points.codes, weights=of_position, minlength=points.n_labels)
    units = np.flatnonzero(points.points_of_unit > 0)
    if len(units) == 0:
        return 0.0
    units = rng.choice(units, size=1000)
    first = points.offsets[points.unit_offsets[units]]
    positions = first[:, None] + (rng.random((len(units), known)) * points.points_of_unit[units][:, None]).astype(
        np.int64
    )
    return float(of_label[points.codes[positions]].min(axis=1).mean())


def _rarest_points(points: KnowablePoints, units: Ints, known: int, places_of_label: Ints) -> npt.NDArray[np.int32]:
    """For each unit the rarest points of the record with the rarest point, which an informed attacker would choose."""
    patterns = np.full((len(units), known), -1, dtype=np.int32)
    for row, unit in enumerate(units):
        first, end = points.offsets[points.unit_offsets[unit : unit + 2]]
        rarest = first + int(np.argmin(places_of_label[points.codes[first:end]]))
        record = int(np.searchsorted(points.offsets, rarest, side="right")) - 1
        codes = points.codes[points.offsets[record] : points.offsets[record + 1]]
        chosen = np.sort(np.argsort(places_of_label[codes], kind="stable")[:known])
        patterns[row, : len(chosen)] = codes[chosen]
    return patterns
