"""Take several measures of a release: one that fails costs neither the release nor the other measures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sfumato.errors import CallerError
from sfumato.utility.base import Measure, Score

__all__ = ["Taken", "require_measures", "take_measures"]


@dataclass(frozen=True)
class Taken:
    """Measures that were taken.

    scores : by name, the figures.  failed : by name, the sentence that says why there is no figure.
    """

    scores: dict[str, Score]
    failed: dict[str, str]

    def to_json(self) -> dict[str, Any]:
        """The figures and, where there are some, the measures that failed, for the private report."""
        figures = {"measures": {name: score.value for name, score in self.scores.items()}}
        return figures | ({"unmeasured": self.failed} if self.failed else {})


def take_measures(measures: Mapping[str, Measure], original: Any, release: Any) -> Taken:
    """The figures of some measures, by name.  An error of a measure is its own: it becomes a sentence."""
    scores: dict[str, Score] = {}
    failed: dict[str, str] = {}
    for name, measure in measures.items():
        try:
            scores[name] = measure(original, release)
        except CallerError as refusal:
            failed[name] = str(refusal)
        except Exception as error:  # the release is finished; its owner decides what it is worth
            failed[name] = f"{name}: ended with an error ({type(error).__name__}); this is a bug, please report it"
    return Taken(scores, failed)


def require_measures(measures: Iterable[Measure], method: Any) -> None:
    """Refuse measures that do not fit what a method takes or makes, before anything runs."""
    for measure in measures:
        measure.require_kind(method.kind)
        if not method.traces:
            measure.require_origin(method.name)
