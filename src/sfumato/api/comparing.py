"""`sfumato.compare`: several methods or releases beside each other, or an experiment file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, overload

import polars as pl

from sfumato.api.evaluating import evaluate
from sfumato.api.inputs import Source, dataset_of, opened, original_of
from sfumato.data import Dataset
from sfumato.data.base import Tabular
from sfumato.errors import CallerError, Infeasible
from sfumato.experiments.comparison import Comparison
from sfumato.experiments.comparison import compare as compare_experiment
from sfumato.experiments.evaluation import Evaluation
from sfumato.methods.base import Method
from sfumato.methods.release import Release
from sfumato.params import JsonObject
from sfumato.utility.base import Measure

if TYPE_CHECKING:
    import altair as alt

__all__ = ["ReleaseComparison", "compare"]

Candidate = Method[Dataset] | Source
"""Something to compare: a method that is run, a release, a published directory, or published data."""


@dataclass(frozen=True, eq=False)
class ReleaseComparison(Tabular):
    """Releases of the same data beside each other; private, as it is computed from the original.

    evaluations : by the name of a candidate, what it has kept.  infeasible : methods that cannot keep their promise on
    these data, in sentences.  releases : by name, the releases that were made here.
    """

    evaluations: Mapping[str, Evaluation]
    infeasible: tuple[str, ...]
    releases: Mapping[str, Release[Dataset]]

    def __repr__(self) -> str:
        return f"<ReleaseComparison of {', '.join(self.evaluations) or 'nothing'}>"

    def _remarks(self) -> list[str]:
        missing = {sentence for evaluation in self.evaluations.values() for sentence in evaluation.unmeasured.values()}
        return [*self.infeasible, *sorted(missing)]

    def to_polars(self) -> pl.DataFrame:
        """A row a candidate and measure: candidate, measure, value, unit, better."""
        rows = [
            (name, measure.name, score.value, score.unit, measure.better)
            for name, evaluation in self.evaluations.items()
            for measure, score in evaluation.scores
        ]
        schema = dict.fromkeys(("candidate", "measure", "value", "unit", "better"), pl.String)
        return pl.DataFrame(rows, schema={**schema, "value": pl.Float64}, orient="row")

    def chart(self) -> alt.TopLevelMixin:
        """One panel a measure, one bar a candidate."""
        from sfumato.experiments.reports.charts import require_charts

        require_charts()
        import altair as alt

        frame = self.to_polars()
        panels = [
            alt.Chart(alt.Data(values=rows.to_dicts()))
            .mark_bar()
            .encode(
                x=alt.X("value:Q", title=f"{measure}: {rows['better'][0]} is better"),
                y=alt.Y("candidate:N", title=None, sort=list(self.evaluations)),
                tooltip=["candidate:N", "value:Q"],
            )
            .properties(width=240)
            for (measure,), rows in frame.group_by("measure", maintain_order=True)
        ]
        return alt.concat(*panels, columns=3)

    def to_json(self) -> JsonObject:
        """All figures, as JSON values."""
        return {
            "private": True,
            "candidates": {name: evaluation.to_json() for name, evaluation in self.evaluations.items()},
            "infeasible": list(self.infeasible),
        }


@overload
def compare(
    experiment: str | Path, /, *, out: str | Path, jobs: int | None = None, keep_releases: bool = False
) -> Comparison: ...
@overload
def compare(
    original: Source,
    candidates: Mapping[str, Candidate] | Sequence[Candidate],
    /,
    measures: str | Measure | Sequence[str | Measure] = (),
    *,
    seed: int = 0,
) -> ReleaseComparison: ...


def compare(
    original: Source,
    candidates: Mapping[str, Candidate] | Sequence[Candidate] | None = None,
    /,
    measures: str | Measure | Sequence[str | Measure] = (),
    *,
    seed: int = 0,
    out: str | Path | None = None,
    jobs: int | None = None,
    keep_releases: bool = False,
) -> ReleaseComparison | Comparison:
    """Compare methods or releases on the same data, or run an experiment file.

    Parameters
    ----------
    original
        The private data; without candidates, the path of an experiment file.
    candidates
        Methods, which are run, or releases, published directories and published data; by name or in a list.
    measures
        Measures or their names; all that fit the data if none is named.
    seed
        Repeats the runs of methods.
    out
        Of an experiment file, the private directory for its results.
    jobs
        Of an experiment file, how many runs at a time.
    keep_releases
        Of an experiment file, whether the release of every run is kept under ``out/releases``.

    Examples
    --------
    >>> from sfumato import SeqAnon, Trajectories, compare
    >>> walks = Trajectories.from_lists(["ab", "ab", "ac"], places={"a": (0, 0), "b": (5, 0), "c": (6, 0)})
    >>> compare(walks, [SeqAnon(k=2, m=1), SeqAnon(k=3, m=1)], ["generalized"]).to_polars()["value"].to_list()
    [1.0, 1.0]
    """
    if candidates is None:
        if not isinstance(original, str | Path) or out is None:
            raise CallerError("compare: wanted an experiment file and out=DIR for its results, or data and candidates")
        return compare_experiment(original, out, jobs=jobs, keep_releases=keep_releases)
    named = candidates if isinstance(candidates, Mapping) else _named(candidates)
    if not named:
        raise CallerError("compare: wanted at least one candidate, found none")
    named = {name: source if isinstance(source, Method) else opened(source) for name, source in named.items()}
    first = next(iter(named.values()))
    private = dataset_of(original, kind=first.kind) if isinstance(first, Method) else original_of(original, first)
    evaluations, releases, infeasible = {}, {}, []
    for name, candidate in named.items():
        release: Source
        if isinstance(candidate, Method):
            try:
                release = releases[name] = candidate.anonymize(private, seed=seed)
            except Infeasible as refusal:
                infeasible.append(f"{name}: {refusal}")
                continue
        else:
            release = candidate
        evaluations[name] = evaluate(private, release, measures)
    return ReleaseComparison(evaluations, tuple(infeasible), releases)


def _named(candidates: Sequence[Candidate]) -> dict[str, Candidate]:
    """The candidates by what they are called: a method by itself, a directory by its name."""
    names: dict[str, Candidate] = {}
    for number, candidate in enumerate(candidates, start=1):
        method = candidate.method if isinstance(candidate, Release) else candidate
        name = f"release {number}"
        if isinstance(method, Method):
            name = str(method)
        elif isinstance(method, str | PathLike):
            name = Path(method).name
        names[name if name not in names else f"{name} ({number})"] = candidate
    return names
