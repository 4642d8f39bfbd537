"""ARE: the average relative error of counting queries."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from sfumato.data import Dataset
from sfumato.params import param
from sfumato.utility.base import Measure, Released, Score
from sfumato.utility.estimates import EstimatedCounts
from sfumato.utility.workload import Workload, require_no_rule
from sfumato.utility.workloads.drawn_queries import DrawnQueries

__all__ = ["Are"]


@dataclass(frozen=True, kw_only=True)
class Are(EstimatedCounts, DrawnQueries, Measure):
    """The average relative error of counting queries: the mean of ``|true - estimate| / max(true, 1)``.

    An estimate is the expectation over what the published labels may stand for.  The queries come from a workload file,
    or are drawn from the original by the rule of `DrawnQueries`.

    Examples
    --------
    >>> from sfumato import SeqAnon, Trajectories
    >>> walks = Trajectories.from_lists(["ab", "ab", "ac"], places={"a": (0, 0), "b": (5, 0), "c": (6, 0)})
    >>> release = SeqAnon(k=2, m=1).anonymize(walks)  # b and c become one label
    >>> Are(queries=50)(walks, release).value > 0
    True
    """

    name: ClassVar[str] = "are"
    title: ClassVar[str] = "ARE, the average relative error"
    meaning: ClassVar[str] = "average relative error of counting queries"
    formula: ClassVar[str] = "mean over queries of |true - estimate| / max(true, 1)"
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    paper: ClassVar[str] = "LeFevre et al., ICDE 2006"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories", "transactions", "table", "mixed")
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    queries: int = param(100, at_least=1, help="number of queries to draw")
    workload: str | None = param(None, help="a workload file to use instead of drawing")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.workload is not None:
            require_no_rule(self, ("queries", *(parameter.name for parameter in DrawnQueries.parameters())))

    def require_kind(self, kind: str) -> None:
        super().require_kind(kind)
        self.require_parts(kind)
        if self.workload is not None:
            Workload.load(self.workload).require_kind(kind)

    def score(self, original: Dataset, release: Released[Dataset]) -> Score:
        if self.workload is None:
            workload = Workload(self.queries_from(original, self.queries))
        else:
            workload = Workload.load(self.workload)
            workload.require(original)
        true, estimate = workload.counts(original), workload.counts(release.data, self.estimate)
        return self.of_counts(true, estimate)

    def of_counts(self, true: npt.NDArray[np.float64], estimate: npt.NDArray[np.float64]) -> Score:
        """The value, given the true and the estimated answers."""
        errors = np.abs(true - estimate) / np.maximum(true, 1)
        return Score(float(errors.mean()) if len(errors) else 0.0)
