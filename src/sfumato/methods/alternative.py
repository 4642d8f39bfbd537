"""A run on the same data that loses less than one with near-total loss, and the figures of both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.catalogue import METHODS
from sfumato.data import Dataset, Mixed, Policy, Trajectories, Transactions
from sfumato.data.base import Ints, Progress
from sfumato.methods.preparation_texts import step_of_text
from sfumato.params import JsonObject
from sfumato.prepare.base import Preparation, Prepared, prepared_visits

if TYPE_CHECKING:
    from sfumato.methods.base import Method

__all__ = ["Alternative", "Figure"]


@dataclass(frozen=True)
class Figure:
    """A figure of a run with near-total loss, and the same figure of the alternative."""

    name: str
    before: float
    after: float

    def __str__(self) -> str:
        return f"{self.name} {_number(self.before)} -> {_number(self.after)}"

    def to_json(self) -> JsonObject:
        return {"name": self.name, "before": self.before, "after": self.after}


@dataclass(frozen=True)
class Alternative:
    """A run on the same data that loses less.

    method, parameters : as in a certificate; parameters with their default value are left out.
    kind : the kind that the data are read as; movements can be read as sets of places.
    privacy_policy : the rule of the privacy policy that the run needs, such as ``all:2``, or an empty text.
    utility_policy : False if the run leaves out the utility policy.
    preparation : the steps that prepare the data before the run, as texts such as ``grid:cells=20``.
    note : what is different, in words.
    tried : whether the run was tried on these data; False if that takes longer than `limit_s` seconds.
    near_total : what the tried run keeps next to nothing of; only a little suppression is named with such a loss.
    figures : what both runs lose on these data, if it was tried.
    """

    method: str
    parameters: JsonObject
    kind: str
    note: str
    privacy_policy: str = ""
    utility_policy: bool = True
    preparation: tuple[str, ...] = ()
    tried: bool = False
    near_total: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    limit_s: float = 0.0

    @property
    def improves(self) -> bool:
        """Whether the run loses less by a figure, or was not tried."""
        return not self.figures or any(figure.after < figure.before for figure in self.figures)

    @property
    def outcome(self) -> str:
        """The result of the trial in words.

        >>> Alternative("coat", {}, "transactions", "", tried=True, figures=(Figure("ul", 1.0, 0.5792),)).outcome
        'less loss: ul 1 -> 0.579'
        """
        if not self.tried:
            limit = f"; a trial takes longer than {self.limit_s:.0f} s" if self.limit_s else ""
            return f"not tried on these data{limit}"
        figures = f": {', '.join(map(str, self.figures))}" if self.figures else ""
        still = f", still near-total of {', '.join(self.near_total)}" if self.near_total else ""
        return f"{'' if self.improves else 'no '}less loss{figures}{still}"

    def to_json(self) -> JsonObject:
        return {
            "method": self.method,
            "parameters": self.parameters,
            "kind": self.kind,
            "privacy_policy": self.privacy_policy or None,
            "utility_policy": self.utility_policy,
            "preparation": list(self.preparation),
            "note": self.note,
            "tried": self.tried,
            "near_total": list(self.near_total),
            "figures": [figure.to_json() for figure in self.figures],
            "limit_s": self.limit_s,
        }

    def anonymize(self, data: Dataset, *, seed: int | None = None, progress: Progress | None = None) -> Any:
        """The release of this run on data of which another run kept next to nothing."""
        if self.preparation:
            data = self._prepared(data).data
        if self.kind == "transactions" and isinstance(data, Trajectories):
            data = _as_sets(data)
        if isinstance(data, Transactions | Mixed):
            privacy = Policy(size=int(self.privacy_policy.partition(":")[2])) if self.privacy_policy else None
            utility = data.utility_policy if self.utility_policy else None
            data = data.with_policies(privacy or data.privacy_policy, utility)
        method: Method[Dataset] = METHODS.choose(self.method).from_json(self.parameters)
        return method.anonymize(data, seed=seed, progress=progress)

    def seen(self, data: Any, release: Any) -> Any:
        """The release of this run as seen from the data before their preparation."""
        if not self.preparation:
            return release
        from sfumato.methods.prepared_release import seen_from_original

        return seen_from_original(release, data, self._prepared(data), self._steps)

    @property
    def _steps(self) -> list[Preparation]:
        return [step_of_text(text) for text in self.preparation]

    def _prepared(self, data: Any) -> Prepared:
        return prepared_visits(data, *self._steps)


def _number(value: float) -> str:
    if isinstance(value, int) or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _as_sets(data: Trajectories) -> Transactions:
    """The visited places of each record as a set of items."""
    record = data.record_of_element()
    keys = np.unique(record * max(1, len(data.names)) + data.codes)
    lengths: Ints = np.bincount(keys // max(1, len(data.names)), minlength=len(data))
    return Transactions(
        offsets=np.concatenate(([0], np.cumsum(lengths))),
        codes=(keys % max(1, len(data.names))).astype(np.int32),
        names=data.names,
        ids=data.ids,
        persons=data.persons,
    )
