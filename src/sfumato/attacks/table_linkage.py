"""Record linkage of tables and mixed records."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from sfumato.attacks.view.best_matches import Fits
from sfumato.attacks.view.published_view import PublishedView
from sfumato.attacks.view.row_classes import classes_of_rows
from sfumato.attacks.view.setting import AttackSetting, Exposed
from sfumato.data import Dataset, Mixed
from sfumato.data.base import Ints
from sfumato.data.tables.encoding import texts_of

__all__ = ["link_rows", "other_values"]

_PAIRS = 40_000_000  # pairs of records whose items may be compared


def link_rows(
    setting: AttackSetting,
    exposed: Exposed,
    seen: PublishedView,
    targets: Ints,
    everything: bool,
    rng: np.random.Generator,
) -> tuple[Ints, Ints, Ints]:
    """The attacked rows, how many published rows fit each best, how many of these are its person's (-1: unknown)."""
    original, data = setting.original, exposed.data
    assert seen.rows is not None
    n_classes = len(seen.rows.cells)
    private, public = other_values(original, data) if everything else (None, None)
    items = everything and isinstance(original, Mixed)
    if items:
        targets = _affordable(seen, targets, rng)
    sizes = seen.rows.sizes
    if public is not None:
        keys, counts = np.unique(public * n_classes + seen.rows.class_of, return_counts=True)
    fits = Fits(original.items, seen.labels) if items and seen.labels is not None else None
    truth = _Truth(original, exposed, seen)
    ties, own, done = np.zeros(len(targets), dtype=np.int64), np.full(len(targets), -1, dtype=np.int64), 0
    for part, starts, classes in classes_of_rows(seen.rows, targets):
        row = np.repeat(np.arange(len(part)), np.diff(starts))
        if fits is not None:
            best = _by_items(fits, part, row, classes, seen, private, public)
            here, scored = best
        else:
            weight = sizes[classes]
            if private is not None:
                wanted = private[part][row] * n_classes + classes
                place = np.minimum(np.searchsorted(keys, wanted), max(0, len(keys) - 1))
                weight = np.where(keys[place] == wanted, counts[place], 0) if len(keys) else np.zeros_like(classes)
            here = np.bincount(row, weights=weight, minlength=len(part)).astype(np.int64)
            scored = None
        ties[done : done + len(part)] = here
        if truth.known:
            own[done : done + len(part)] = truth.found(part, row, classes, private, public, fits, scored)
        elif seen.unit == "record" and fits is None and _keeps_true_row(seen, here, part):
            own[done : done + len(part)] = 1
        done += len(part)
    return targets, ties, own


def other_values(original: Any, data: Any) -> tuple[Ints, Ints]:
    """The columns that are no quasi-identifiers as one number a row, of the original and of the release."""
    tables = [dataset.table if isinstance(dataset, Mixed) else dataset for dataset in (original, data)]
    columns = [c for c in tables[1].frame.columns if c not in tables[1].quasi_identifiers]
    if not columns:
        return np.zeros(len(tables[0]), dtype=np.int64), np.zeros(len(tables[1]), dtype=np.int64)
    texts = [pl.DataFrame({c: texts_of(table[c]) for c in columns}) for table in tables]
    both = pl.concat(texts).with_columns(pl.lit(0).alias("\0one"))
    number = both.with_row_index("\0row").group_by([*columns, "\0one"], maintain_order=True).agg("\0row")
    key = np.empty(len(both), dtype=np.int64)
    key[number["\0row"].explode().to_numpy()] = np.repeat(np.arange(len(number)), number["\0row"].list.len().to_numpy())
    return key[: len(tables[0])], key[len(tables[0]) :]


def _affordable(seen: PublishedView, targets: Ints, rng: np.random.Generator) -> Ints:
    """As many of the rows as their pairs allow, at random."""
    assert seen.rows is not None
    probe = rng.choice(targets, size=min(50, len(targets)), replace=False) if len(targets) else targets
    mean = float(np.mean([seen.rows.sizes[seen.rows.classes(int(row))].sum() for row in probe])) if len(probe) else 0.0
    room = int(_PAIRS / max(1.0, mean))
    return targets if len(targets) <= room else np.sort(rng.choice(targets, size=max(200, room), replace=False))


def _by_items(
    fits: Fits, part: Ints, row: Ints, classes: Ints, seen: PublishedView, private: Ints | None, public: Ints | None
) -> tuple[Ints, Ints]:
    """How many rows of the fitting classes fit best by their items too, and the best score of each row."""
    assert seen.rows is not None
    starts, order = seen.rows._rows
    lengths = starts[classes + 1] - starts[classes]
    pair = np.repeat(row, lengths)
    within = np.arange(len(pair)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    published = order[np.repeat(starts[classes], lengths) + within]
    if private is not None and public is not None:
        same = private[part][pair] == public[published]
        pair, published = pair[same], published[same]
    scores = fits.scores(part[pair], published)
    best = np.full(len(part), -1, dtype=np.int64)
    np.maximum.at(best, pair, scores)
    ties = np.bincount(pair[(scores == best[pair]) & (scores >= 0)], minlength=len(part))
    return ties, best


def _keeps_true_row(seen: PublishedView, ties: Ints, part: Ints) -> bool:  # noqa: ARG001
    """Whether what a row became is among those that fit: nothing was suppressed, and each column has one meaning."""
    assert seen.rows is not None
    return seen.whole and bool(np.all(ties > 0))


class _Truth:
    """Which published rows are of the person behind a private one."""

    def __init__(self, original: Dataset, exposed: Exposed, seen: PublishedView) -> None:
        self.known = exposed.correspondence is not None
        self._original, self._exposed, self._seen = original, exposed, seen

    def found(
        self,
        part: Ints,
        row: Ints,
        classes: Ints,
        private: Ints | None,
        public: Ints | None,
        fits: Fits | None,
        best: Ints | None,
    ) -> Ints:
        """How many of each row's person are among the best."""
        from sfumato.attacks.linkage import own_pairs

        seen = self._seen
        assert seen.rows is not None
        assert self._exposed.correspondence is not None
        places, published = own_pairs(self._original, self._exposed.correspondence, seen, part)
        n = len(seen.rows.cells)
        inside = np.isin(places * n + seen.rows.class_of[published], row * n + classes)
        if private is not None and public is not None:
            inside &= private[part[places]] == public[published]
        if fits is not None and best is not None:
            inside &= (fits.scores(part[places], published) == best[places]) & (best[places] >= 0)
        return np.bincount(places[inside], minlength=len(part))
