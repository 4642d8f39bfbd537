"""Trials of alternatives on the data themselves: an alternative is offered only if it avoids the near-total loss."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sfumato.data import Dataset, Mixed, Table
from sfumato.data.ragged import Ragged
from sfumato.errors import Cancelled, SfumatoError
from sfumato.utility.heavy_losses import HeavyLoss, heavy_losses

if TYPE_CHECKING:
    from sfumato.methods.alternatives import Alternative

__all__ = ["Trials"]

_LARGEST = 10_000  # values of data on which alternatives are tried
_SECONDS = 2.0  # for one trial, as far as its method reports progress


class Trials:
    """What alternatives lose on some data; each is run at most once.

    lost : the near-total losses that the alternatives must avoid.
    """

    def __init__(self, data: Dataset, lost: Iterable[HeavyLoss]) -> None:
        self._data = data
        self._lost = {loss.subject for loss in lost}
        self._subjects: dict[str, frozenset[str] | None] = {}
        self.possible = _values(data) <= _LARGEST

    def helps(self, alternative: Alternative, loss: HeavyLoss) -> bool | None:
        """Whether the alternative avoids this loss and causes no other; None where a trial would take too long."""
        if not self.possible:
            return None
        key = json.dumps(alternative.to_json(), sort_keys=True)
        if key not in self._subjects:
            try:
                self._subjects[key] = self._heavy_subjects(alternative)
            except Cancelled:
                self._subjects[key] = None
        subjects = self._subjects[key]
        return None if subjects is None else loss.subject not in subjects and subjects <= self._lost

    def _heavy_subjects(self, alternative: Alternative) -> frozenset[str]:
        """What the alternative loses nearly everything of; all that was lost before if it fails."""
        end = time.monotonic() + _SECONDS

        def limit(phase: str, done: int, total: int) -> None:  # noqa: ARG001
            if time.monotonic() > end:
                raise Cancelled("a trial takes too long")

        try:
            release = alternative.anonymize(self._data, seed=1, progress=limit)
            kept = release.holds
            return frozenset(loss.subject for loss in heavy_losses(self._data, release)) if kept else self._all
        except Cancelled:
            raise
        except SfumatoError:
            return self._all

    @property
    def _all(self) -> frozenset[str]:
        return frozenset(self._lost)


def _values(data: Dataset) -> int:
    """The number of visits, items or cells of quasi-identifiers."""
    if isinstance(data, Mixed):
        return _values(data.table) + _values(data.items)
    if isinstance(data, Table):
        return len(data) * len(data.quasi_identifiers)
    return len(data.codes) if isinstance(data, Ragged) else len(data)
