"""Computing several measures of a release; a measure that fails affects neither the release nor the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sfumato.data import Dataset
from sfumato.errors import CallerError
from sfumato.params import JsonObject
from sfumato.remedies import keep_remedy
from sfumato.threads import side_by_side
from sfumato.utility.base import Measure, Score

__all__ = ["MeasureResults", "distinct_names", "misfit", "require_measures", "take_measures"]


@dataclass(frozen=True)
class MeasureResults:
    """The results of several measures.

    scores : the values by name.  failed : the reason by name, for a measure without a value.
    """

    scores: dict[str, Score]
    failed: dict[str, str]

    def to_json(self) -> JsonObject:
        """The values and, if there are any, the measures that failed, for the private report."""
        values = {"measures": {name: score.value for name, score in self.scores.items()}}
        return values | ({"unmeasured": self.failed} if self.failed else {})


def take_measures(measures: Mapping[str, Measure], original: Dataset, release: Any) -> MeasureResults:
    """The values of measures by name.  An error of a measure becomes a sentence in `failed`."""
    scores: dict[str, Score] = {}
    failed: dict[str, str] = {}

    def score_of(measure: Measure) -> Score | Exception:
        try:
            return measure(original, release)
        except Exception as error:
            return error

    for name, score in zip(measures, side_by_side(score_of, measures.values()), strict=True):
        if isinstance(score, Score):
            scores[name] = score
        elif isinstance(score, CallerError):
            failed[name] = keep_remedy(str(score), score)
        else:  # the release is finished and must not be lost
            failed[name] = f"{name}: failed with {type(score).__name__}; this is a bug in sfumato, please report it"
    return MeasureResults(scores, failed)


def distinct_names(measures: Sequence[Measure]) -> list[str]:
    """The name of each measure; where a name occurs several times, with the parameters that are not the defaults.

    >>> from sfumato.utility.queries import Are
    >>> distinct_names([Are(queries=50)]), distinct_names([Are(), Are(queries=50)])
    (['are'], ['are', 'are:queries=50'])
    """
    times = Counter(measure.name for measure in measures)
    return [measure.name if times[measure.name] == 1 else _with_parameters(measure) for measure in measures]


def _with_parameters(measure: Measure) -> str:
    values = measure.to_json()
    changed = [
        parameter.name for parameter in measure.parameters() if getattr(measure, parameter.name) != parameter.default
    ]
    return measure.name + (":" + ",".join(f"{name}={values[name]}" for name in changed) if changed else "")


def require_measures(measures: Iterable[Measure], method: Any) -> None:
    """Refuse measures that do not suit the data or the releases of a method, before anything runs."""
    for measure in measures:
        measure.require_kind(method.kind)
        measure.require_shape(method.publishes or method.kind)
        if not method.traces:
            measure.require_origin(method.name)


def misfit(measure: Measure, method: Any, original: Dataset) -> str:
    """Why a measure has no value for a method on these data, in a sentence; empty where it fits.

    >>> from sfumato import Disassociate, Transactions
    >>> from sfumato.utility.items import UtilityLoss
    >>> misfit(UtilityLoss(), Disassociate(k=2, m=2), Transactions.from_lists([["a"]]))
    'ul: wanted published transactions or mixed, found chunks'
    """
    try:
        measure.require_data(original)
        measure.require_shape(method.publishes or original.kind)
        if not method.traces:
            measure.require_origin(method.name)
    except CallerError as refusal:
        return keep_remedy(str(refusal), refusal)
    return ""
