"""From an experiment file to an output directory: check, run what is missing, summarize, judge, draw, report."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import polars as pl

from sfumato.data.base import Tabular
from sfumato.errors import FileError, MissingExtra, ParameterError, did_you_mean
from sfumato.experiments.claims import Finding, Point, judge
from sfumato.experiments.definition.chart_declarations import chart_of
from sfumato.experiments.definition.experiment import Chart, Experiment
from sfumato.experiments.definition.experiment_file import read_experiment
from sfumato.experiments.definition.hierarchy_of_figures import hierarchy_of_figures
from sfumato.experiments.missing_runs import Tell, run_missing, unwatched
from sfumato.experiments.planned_runs import PlannedRun, read_plan, state_of
from sfumato.experiments.reports import charts
from sfumato.experiments.reports.comparison_page import Picture, write_report
from sfumato.experiments.result_store import Store, finished_runs
from sfumato.experiments.results import results_frame, summary_frame
from sfumato.experiments.runner import Runner
from sfumato.experiments.single_run import Cell, cells_of
from sfumato.io.atomic_writes import write_bytes
from sfumato.params import JsonObject

if TYPE_CHECKING:
    import altair as alt

__all__ = ["Comparison", "compare", "so_far"]

Plan = Sequence[Cell | PlannedRun]


@dataclass(frozen=True)
class Comparison(Tabular):
    """The result of `compare`.

    results, summary : the tables of results.csv and summary.csv.
    findings : for each chart, the verdict on each of its claims.
    infeasible : sentences about runs that cannot keep their promise on these data.
    unmeasured : sentences about measures that failed on a finished run.
    unfit : sentences about measures that do not fit a configuration.
    broken : sentences about runs whose promise does not hold.
    heavy_losses : sentences about runs that keep next to nothing of something.
    ran, seconds : the number of runs that were made now, and the time of the whole comparison.
    no_charts : the reason why there are no charts, or an empty text.
    plan : every run, also those that are missing from the results of `so_far`.
    states : of each run of the plan, what became of it ("done", "infeasible", "broken" or "missing"), and a sentence.
    """

    experiment: Experiment
    out: Path
    results: pl.DataFrame
    summary: pl.DataFrame
    findings: tuple[tuple[Finding, ...], ...]
    infeasible: tuple[str, ...]
    unmeasured: tuple[str, ...]
    unfit: tuple[str, ...]
    broken: tuple[str, ...]
    runs: int
    ran: int
    jobs: int
    seconds: float = 0.0
    no_charts: str = ""
    profile: Sequence[Mapping[str, Any]] = field(default_factory=list)
    heavy_losses: tuple[str, ...] = ()
    plan: tuple[PlannedRun, ...] = ()
    states: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        return f"<Comparison {self.experiment.title!r}: {self.runs:,} runs>"

    def _remarks(self) -> list[str]:
        claims = [
            f"{chart.title}: {finding}"
            for chart, findings in zip(self.experiment.charts, self.findings, strict=True)
            for finding in findings
        ]
        return [*claims, *self.broken, *self.heavy_losses, *self.unmeasured, *self.unfit, *self.infeasible]

    def to_polars(self) -> pl.DataFrame:
        """The summary: a row a configuration, setting and figure, with the median, least and largest of the runs."""
        return self.summary

    def chart(self, number: int = 1) -> alt.TopLevelMixin:
        """One of the charts that the experiment file asks for."""
        charts.require_charts()
        if not 1 <= number <= len(self.experiment.charts):
            raise ParameterError(
                f"compare: {self.experiment.file} has {len(self.experiment.charts)} charts, got {number}"
            )
        chart, findings = self.experiment.charts[number - 1], self.findings[number - 1]
        return charts.draw(chart, self.experiment, self.rows(chart.y), [str(finding) for finding in findings])

    def draw(self, figure: str, *, log_x: bool = False, log_y: bool = False) -> alt.TopLevelMixin:
        """A chart of any figure that runs have, also of one that the experiment file does not ask for."""
        charts.require_charts()
        if figure not in self.figures:
            raise ParameterError(f"compare: no run has a figure {figure!r}; {did_you_mean(figure, self.figures)}")
        if log_x and not (self.experiment.vary and all(_is_positive(value) for value in self.experiment.vary.values)):
            raise ParameterError("compare: a logarithmic x axis needs a varying parameter with numbers above 0")
        drawn = chart_of(figure, self.experiment.figures, log_x=log_x, log_y=log_y)
        return charts.draw(drawn, self.experiment, self.rows(figure))

    def to_json(self) -> JsonObject:
        """All figures and what became of every claim, as JSON values."""
        judged = [
            {
                "title": chart.title,
                "y": chart.y,
                "claims": [
                    {"claim": expects.claim or chart.claim, "verdict": finding.verdict, "sentence": str(finding)}
                    for expects, finding in zip(chart.expects, findings, strict=True)
                ],
            }
            for chart, findings in zip(self.experiment.charts, self.findings, strict=True)
        ]
        return {
            "private": True,
            "out": str(self.out),
            "title": self.experiment.title,
            "runs": self.runs,
            "ran": self.ran,
            "seconds": round(self.seconds, 3),
            "charts": judged,
            "broken": list(self.broken),
            "heavy_losses": list(self.heavy_losses),
            "infeasible": list(self.infeasible),
            "unmeasured": list(self.unmeasured),
            "unfit": list(self.unfit),
            "configurations": {
                configuration.name: {"method": configuration.method, **configuration.sources}
                for configuration in self.experiment.configurations
            },
            "measured_with": self.measured_with or None,
            "releases": [str(folder) for folder in self.releases],
            "no_charts": self.no_charts or None,
            "summary": self.summary.to_dicts(),
        }

    @property
    def releases(self) -> list[Path]:
        """The published directories of the releases that are kept, in the order of the results."""
        return [self.out / name for name in self.results["release"].drop_nulls().unique(maintain_order=True)]

    @property
    def measured_with(self) -> str:
        """Which hierarchy the figures are computed with, in a sentence; empty where every run has the same one."""
        return hierarchy_of_figures(self.experiment)

    @property
    def is_complete(self) -> bool:
        """Whether no run is missing."""
        return all(state != "missing" for state, _ in self.states)

    @property
    def figures(self) -> list[str]:
        """The names of the figures that runs have: measures, seconds, phases, counts."""
        return [name for name in self.summary["figure"].unique(maintain_order=True) if name != "feasible"]

    def rows(self, figure: str) -> list[JsonObject]:
        """The summary of one figure."""
        return self.summary.filter(pl.col("figure") == figure).to_dicts()

    def phases(self) -> list[JsonObject]:
        """The phases in the order of their first appearance, with the median of their seconds over all runs."""
        phases = self.results.filter(pl.col("figure").str.starts_with("seconds."))
        grouped = phases.group_by("configuration", "figure", maintain_order=True).agg(pl.col("value").median())
        return [
            {"configuration": name, "phase": figure.removeprefix("seconds."), "seconds": seconds}
            for name, figure, seconds in grouped.iter_rows()
        ]


def compare(
    path: str | Path,
    out: str | Path,
    *,
    jobs: int | None = None,
    keep_releases: bool = False,
    tell: Tell | None = None,
    runner: Runner | None = None,
    inside: str | Path | None = None,
    formats: Sequence[str] = charts.FORMATS,
) -> Comparison:
    """Run the experiment file and write the output directory; finished runs are not repeated.

    jobs : the number of parallel runs, each on one core; None for one per core.
    keep_releases : whether the release of every run is kept, as a published directory under ``releases``.
    runner : a runner to use instead of jobs, to watch the phases of runs or to cancel from another thread.
    inside : the folder in which every file that the experiment names must be; see `read_experiment`.
    formats : the endings of the files of each chart.
    """
    begun = perf_counter()
    charts.require_formats(formats)
    experiment = read_experiment(path, inside=inside)
    cells = cells_of(experiment)
    store = Store(out, experiment, cells, releases=keep_releases)
    runner = runner or Runner(jobs=jobs)
    ran = run_missing(experiment, cells, store, runner, tell or unwatched)
    comparison = _judged(experiment, store.out, cells, store.finished)
    store.sweep()
    for frame, name in ((comparison.results, "results.csv"), (comparison.summary, "summary.csv")):
        write_bytes(frame.write_csv().encode("utf-8"), store.out / name)
    for number, chart in enumerate(experiment.charts, start=1):
        _require_figure(experiment, chart, number, comparison.summary)
    comparison = replace(
        comparison, ran=ran, jobs=runner.jobs, seconds=perf_counter() - begun, no_charts=_why_no_charts()
    )
    if ran and tell is not None and not comparison.no_charts:
        tell(ran, ran, "drawing the charts")
    drawn = {} if comparison.no_charts else _draw(comparison, formats)
    write_report(comparison, drawn)
    return comparison


def so_far(out: str | Path) -> Comparison:
    """The results in the directory of a comparison that runs or was stopped, from the runs that are finished.

    Reads the files of the directory alone, not the data.  `Comparison.states` says which runs are missing.
    """
    out = Path(out)
    experiment = read_experiment(out / "experiment.toml")
    plan = read_plan(experiment, out)
    return _judged(experiment, out, plan, finished_runs(out))


def _judged(experiment: Experiment, out: Path, plan: Plan, finished: Mapping[str, JsonObject]) -> Comparison:
    """The comparison of the runs that are finished."""
    cells = [cell for cell in plan if cell.key in finished]
    results = results_frame(experiment, cells, finished)
    summary = summary_frame(results)
    return Comparison(
        experiment=experiment,
        out=out,
        results=results,
        summary=summary,
        findings=tuple(_findings(experiment, chart, summary) for chart in experiment.charts),
        infeasible=tuple(_unlike(cells, finished, lambda run: run.get("infeasible", ""))),
        unmeasured=tuple(_unlike(cells, finished, lambda outcome: "; ".join(outcome.get("unmeasured", {}).values()))),
        unfit=_unfit(cells, finished),
        broken=tuple(
            _unlike(cells, finished, lambda run: "a promise does not hold" if False in run.get("holds", []) else "")
        ),
        runs=len({cell.key for cell in plan}),
        ran=0,
        jobs=0,
        profile=finished[cells[0].key].get("profile", []) if experiment.evaluates and cells else [],
        heavy_losses=tuple(_near_total(cells, finished)),
        plan=tuple(_planned(cell) for cell in plan),
        states=tuple(state_of(finished.get(cell.key)) for cell in plan),
    )


def _planned(cell: Cell | PlannedRun) -> PlannedRun:
    return PlannedRun(cell.configuration, cell.setting, cell.repetition, cell.seed, cell.data_seed, cell.key)


def _is_positive(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


def _unlike(cells: Plan, finished: Mapping[str, JsonObject], what: Any) -> list[str]:
    """Sentences about some runs, each with the configuration, the setting and the seed."""
    sentences = {}
    for cell in cells:
        sentence = what(finished[cell.key])
        if sentence:
            place = "" if cell.setting is None else f" at {cell.setting}"
            sentences[f"{cell.configuration.name}{place}, seed {cell.seed}: {sentence}"] = True
    return list(sentences)


def _near_total(cells: Plan, finished: Mapping[str, JsonObject]) -> Iterator[str]:
    """One sentence for each configuration and setting with near-total losses, and what to run instead."""
    by_place: dict[str, dict[int, dict[str, Any]]] = {}
    for cell in cells:
        outcome = finished[cell.key]
        if outcome.get("heavy_losses"):
            place = "" if cell.setting is None else f" at {cell.setting}"
            by_place.setdefault(f"{cell.configuration.name}{place}", {})[cell.seed] = outcome
    for place, outcomes in by_place.items():
        texts = dict.fromkeys("; ".join(outcome["heavy_losses"]) for outcome in outcomes.values())
        seeds = f"seed{'' if len(outcomes) == 1 else 's'} {', '.join(map(str, outcomes))}"
        example = f", for example with seed {next(iter(outcomes))}" if len(texts) > 1 else ""
        others = dict.fromkeys(words for outcome in outcomes.values() for words in outcome.get("alternatives", ()))
        instead = f"; to lose less, try {' or '.join(others)}" if others else ""
        yield f"{place}, {seeds}{example}: {next(iter(texts))}{instead}"


def _unfit(cells: Plan, finished: Mapping[str, JsonObject]) -> tuple[str, ...]:
    """Sentences about measures that do not fit a configuration, each once."""
    sentences = {
        f"{cell.configuration.name}: {reason}": True
        for cell in cells
        for reason in finished[cell.key].get("unfit", {}).values()
    }
    return tuple(sentences)


def _require_figure(experiment: Experiment, chart: Chart, number: int, summary: pl.DataFrame) -> None:
    """Refuse a chart of a phase or a count that no run has; their names are known only after the runs."""
    known = summary["figure"].unique().to_list()
    if chart.y not in known and len(set(known) - {"feasible"}):
        raise FileError(
            experiment.file, f"chart {number}: no run has a figure {chart.y!r}; {did_you_mean(chart.y, known)}"
        )


def _findings(experiment: Experiment, chart: Chart, summary: pl.DataFrame) -> tuple[Finding, ...]:
    rows = summary.filter(pl.col("figure") == chart.y)
    points = {
        (row["configuration"], row["setting"]): Point(row["median"], row["min"], row["max"], row["runs"])
        for row in rows.iter_rows(named=True)
    }
    label = "" if experiment.vary is None else experiment.vary.label
    return tuple(judge(expects, points, list(experiment.settings), label) for expects in chart.expects)


def _why_no_charts() -> str:
    try:
        charts.require_charts()
    except MissingExtra as error:
        return str(error)
    return ""


def _draw(comparison: Comparison, formats: Sequence[str]) -> dict[str, Picture]:
    """Write the chart files; returns every chart for the page, by the name of its files."""
    experiment = comparison.experiment
    drawn: dict[str, Any] = {}
    for number, (chart, findings) in enumerate(zip(experiment.charts, comparison.findings, strict=True), start=1):
        name = f"{number:02}-{re.sub(r'[^a-z0-9]+', '-', chart.y.lower()).strip('-')}"
        drawn[name] = charts.draw(chart, experiment, comparison.rows(chart.y), [str(finding) for finding in findings])
    if experiment.evaluates:
        drawn["phases"] = charts.draw_phases("Seconds by phase", comparison.phases())
        for number, histogram in enumerate(comparison.profile, start=1):
            title = histogram["title"][0].upper() + histogram["title"][1:]
            drawn[f"histogram-{number}"] = charts.draw_histogram(title, histogram["bars"])
    folder = comparison.out / "charts"
    folder.mkdir(0o700, exist_ok=True)
    pictures = {}
    for name, chart in drawn.items():
        files = charts.rendered(chart, ("svg", *formats))
        for ending in formats:
            write_bytes(files[ending], folder / f"{name}.{ending}")
        pictures[name] = Picture(charts.for_the_page(chart), files["svg"])
    return pictures
