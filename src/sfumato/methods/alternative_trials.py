"""Trials of alternatives on the data themselves, within a limit of time: what each of them loses."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.catalogue import measure_class
from sfumato.data import Dataset, Mixed, Table, Trajectories
from sfumato.data.ragged import Ragged
from sfumato.errors import Cancelled, SfumatoError
from sfumato.methods.alternative import Alternative, Figure
from sfumato.methods.prepared_release import heavy_losses_of_prepared
from sfumato.methods.time_estimates import extrapolated
from sfumato.utility.base import PublishedOnly, Released
from sfumato.utility.heavy_losses import HeavyLoss, losses

__all__ = ["SECONDS", "TrialResult", "Trials"]

SECONDS = 10.0
"""Of processor time, for all trials together; after a run of more than half of it, twice as long as the run."""

_SMALL = 10_000  # values of data on which a trial is begun without an estimate of its time
_LARGE = 500_000  # values of data on which no trial is begun without an estimate
_SAMPLES = (500, 1_500)  # records of runs that estimate the time
_MEASURES = {
    "table": ("ncp",),
    "mixed": ("ul", "ncp"),
    "transactions": ("are",),
    "trajectories": ("displacement",),
}


@dataclass(frozen=True)
class TrialResult:
    """What an alternative loses: the subjects of near-total losses, and its figures; None if it failed."""

    near_total: frozenset[str] | None
    figures: tuple[Figure, ...] = ()


class Trials:
    """Runs of alternatives on some data, each at most once.

    release : the release with the near-total losses `lost`, which the alternatives are compared with.
    seconds : the limit of processor time for all trials, as far as the methods report progress.
    """

    def __init__(
        self, data: Dataset, release: Released[Dataset] | Dataset, lost: Iterable[HeavyLoss], seconds: float
    ) -> None:
        self.seconds = seconds
        self._data: Any = data
        self._left = seconds
        self._release: Any = PublishedOnly(release) if isinstance(release, Dataset) else release
        self._lost = frozenset(loss.subject for loss in lost)
        self._before: dict[str, float] | None = None
        self._results: dict[str, TrialResult | None] = {}

    def result(self, alternative: Alternative) -> TrialResult | None:
        """What the alternative loses; None where the time is not enough for its trial."""
        key = json.dumps(alternative.to_json(), sort_keys=True)
        if key not in self._results:
            begun = time.process_time()
            try:
                self._results[key] = self._tried(alternative) if self._fits(alternative) else None
            except Cancelled:
                self._results[key] = None
            self._left -= time.process_time() - begun
        return self._results[key]

    def avoids(self, alternative: Alternative, loss: HeavyLoss) -> bool | None:
        """Whether the alternative avoids this loss and causes no other; None where it was not tried."""
        result = self.result(alternative)
        if result is None or result.near_total is None:
            return None if result is None else False
        return loss.subject not in result.near_total and result.near_total <= self._lost

    def _fits(self, alternative: Alternative) -> bool:
        """Whether the time that is left is enough, estimated by runs on samples where the data are not small."""
        if self._left <= 0 or _values(self._data) <= _SMALL or len(self._data) <= _SAMPLES[-1]:
            return self._left > 0
        known = []
        end = time.process_time() + self._left
        for size in (_SAMPLES[0], *_SAMPLES):  # the first run compiles
            rows = np.sort(np.random.default_rng(size).choice(len(self._data), size, replace=False))
            begun = time.process_time()
            try:
                alternative.anonymize(self._data.take(rows), seed=1, progress=_limit(end))
            except Cancelled:
                return False
            except SfumatoError:  # a sample may be too small for what the whole allows
                return _values(self._data) <= _LARGE
            known.append((size, max(1e-3, time.process_time() - begun)))
        return extrapolated(known[1:], len(self._data)) <= end - time.process_time()

    def _tried(self, alternative: Alternative) -> TrialResult:
        try:
            release = alternative.anonymize(self._data, seed=1, progress=_limit(time.process_time() + self._left))
            if not release.holds:
                return TrialResult(None)
            seen = alternative.seen(self._data, release)
            subjects = frozenset(loss.subject for loss in heavy_losses_of_prepared(self._data, seen, release))
        except Cancelled:
            raise
        except SfumatoError:
            return TrialResult(None)
        if self._before is None:
            self._before = _measured(self._data, self._release)
        after = _measured(self._data, seen)
        figures = [Figure(name, self._before[name], after[name]) for name in self._before if name in after]
        return TrialResult(subjects, tuple(figure for figure in figures if figure.before or figure.after))


def _limit(end: float) -> Any:
    """A progress function that cancels the run when the time is over."""

    def advance(phase: str, done: int, total: int) -> None:  # noqa: ARG001
        if time.process_time() > end:
            raise Cancelled("a trial takes too long")

    return advance


def _measured(data: Dataset, release: Any) -> dict[str, float]:
    """The figures by which releases of such data are compared, as far as they can be computed for this one."""
    figures: dict[str, float] = {}
    for name in _MEASURES.get(data.kind, ()):
        try:
            figures[name] = float(measure_class(name)()(data, release).value)
        except SfumatoError:
            continue
    if isinstance(data, Mixed):
        figures["label cover"] = sum(loss.value for loss in losses(data, release) if loss.measure == "cover")
    if isinstance(data, Table) and isinstance(release.data, Table):
        figures["suppressed rows"] = len(data) - len(release.data)
    if isinstance(data, Trajectories) and getattr(release, "origin", None) is not None:
        figures["lost visits"] = len(data.codes) - len(np.unique(release.origin[release.origin >= 0]))
    return figures


def _values(data: Dataset) -> int:
    """The number of visits, items or cells of quasi-identifiers."""
    if isinstance(data, Mixed):
        return _values(data.table) + _values(data.items)
    if isinstance(data, Table):
        return len(data) * len(data.quasi_identifiers)
    return len(data.codes) if isinstance(data, Ragged) else len(data)
