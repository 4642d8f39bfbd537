"""What items reveal beside a known class: the equivalence class of a mixed record, or the chunk of a subrecord."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from sfumato.attacks.audit.known_points import KnowablePoints
from sfumato.attacks.audit.risks import ExactRisks, Risks, sampled_risks
from sfumato.data.base import Ints, Progress, frozen_array
from sfumato.params import JsonObject

__all__ = ["KnownItems", "risks_in_classes"]


@dataclass(frozen=True)
class KnownItems:
    """The anonymity sets for a class and so many known items, the worst choice for each unit.

    unique : how many of the examined units are unique.  above : how many have a risk above the threshold.
    smallest, mean_risk : of the anonymity sets.  exact : whether all units and all choices were examined; otherwise
    the figures are of a sample, in which a worse choice may have been missed: they are at least so high.
    """

    known: int
    examined: int
    unique: int
    above: int
    smallest: int | None
    mean_risk: float
    exact: bool

    @classmethod
    def of(cls, known: int, set_sizes: Ints, largest_at_risk: int, *, exact: bool) -> KnownItems:
        """largest_at_risk : the largest anonymity set whose risk is above the threshold."""
        return cls(
            known,
            len(set_sizes),
            int((set_sizes == 1).sum()),
            int((set_sizes <= largest_at_risk).sum()),
            int(set_sizes.min()) if len(set_sizes) else None,
            float((1 / set_sizes).mean()) if len(set_sizes) else 0.0,
            exact,
        )

    def to_json(self) -> JsonObject:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def risks_in_classes(
    classes: Ints,
    codes: Ints,
    offsets: Ints,
    units: Ints,
    class_set_sizes: Ints,
    *,
    known: int,
    largest_at_risk: int,
    budget: int,
    seed: int | None = None,
    progress: Progress | None = None,
) -> list[KnownItems]:
    """The anonymity sets of an attacker who knows the class of a record and 0 to `known` of its items.

    classes : int[records].  codes, offsets : the items of each record.  units : int[records], without gaps.
    class_set_sizes : int[units], of each unit the size of its smallest class.  An item of one class matches no record
    of another one, so items are numbered by class, and items alone decide.
    """
    points = _points(classes, codes, offsets, units, len(class_set_sizes))
    curve = [KnownItems.of(0, class_set_sizes, largest_at_risk, exact=True)]
    streams = np.random.SeedSequence(seed).spawn(known)
    exact: ExactRisks | None = ExactRisks(points)
    for count in range(1, known + 1):
        if progress is not None:
            progress("known items", count - 1, known)
        if count > max(1, points.longest):  # every record is known completely already
            curve.append(replace(curve[-1], known=count))
            continue
        risks: Risks | None = None if exact is None else exact.of(count, budget)
        if risks is None:
            exact = None  # with more known it takes longer
            risks = sampled_risks(points, count, budget, np.random.default_rng(streams[count - 1]))
        # a record without items is known by its class
        set_sizes = np.minimum(risks.set_sizes, class_set_sizes[risks.units])
        curve.append(KnownItems.of(count, set_sizes, largest_at_risk, exact=risks.exact))
    return curve


def _points(classes: Ints, codes: Ints, offsets: Ints, units: Ints, n_units: int) -> KnowablePoints:
    """The items, numbered by class, in the order of their units."""
    order = np.argsort(units, kind="stable")
    lengths = np.diff(offsets)
    record = np.repeat(np.arange(len(order)), lengths[order])
    starts = np.concatenate(([0], np.cumsum(lengths[order])))
    position = offsets[:-1][order][record] + np.arange(len(record)) - starts[:-1][record]
    n_items = int(codes.max(initial=0)) + 1
    labels, numbered = np.unique(
        classes[order][record].astype(np.int64) * n_items + codes[position], return_inverse=True
    )
    counts = np.bincount(units, minlength=n_units)
    return KnowablePoints(
        codes=frozen_array(numbered, np.int32),
        offsets=frozen_array(starts, np.int64),
        units=frozen_array(units[order], np.int32),
        unit_offsets=frozen_array(np.concatenate(([0], np.cumsum(counts))), np.int64),
        n_labels=len(labels),
        names=pl.Series(np.arange(n_units)),
    )
