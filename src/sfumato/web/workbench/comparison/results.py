"""What the page of a comparison shows: the state of every run, charts, tables, summary and claims."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from sfumato.errors import ParameterError, SfumatoError
from sfumato.experiments.comparison import Comparison, so_far
from sfumato.experiments.planned_runs import PLAN
from sfumato.experiments.reports import charts
from sfumato.web.jobs.models import Job
from sfumato.web.workbench.comparison.work import RESULTS, RUNNING
from sfumato.web.workbench.models import Run

__all__ = [
    "Drawn",
    "Place",
    "drawn_charts",
    "figures_to_choose",
    "places_of",
    "require_results",
    "results_of",
    "summary_of",
]

_AT_FIRST = 6  # charts


@dataclass(frozen=True)
class Place:
    """A configuration at a setting: how many of its runs are done, and what became of them."""

    configuration: str
    setting: Any
    done: int
    total: int
    state: str
    """done, running, waiting, infeasible or broken"""
    words: str
    runs: tuple[int, ...]
    """the numbers of the runs with data that can be kept"""


@dataclass(frozen=True)
class Drawn:
    """A chart with its table."""

    figure: str
    title: str
    spec: dict[str, Any]
    head: list[str]
    rows: list[list[Any]]


def results_of(run: Run) -> Comparison | None:
    """The results so far; None before the first run has begun."""
    if not (run.folder / RESULTS / PLAN).is_file():  # it is written after everything else that is read
        return None
    return _read(run.folder / RESULTS, _stamp(run))


def _stamp(run: Run) -> int:
    """A number that changes with every run that is finished."""
    return (run.folder / RESULTS / "cells").stat().st_mtime_ns


@lru_cache(maxsize=8)
def _read(out: Path, stamp: int) -> Comparison:  # noqa: ARG001
    return so_far(out)


def places_of(run: Run, comparison: Comparison) -> list[list[Place]]:
    """A row for each setting, with a place for each configuration."""
    running = _running(run)
    by_place: dict[tuple[str, Any], list[int]] = {}
    for number, planned in enumerate(comparison.plan):
        by_place.setdefault((planned.configuration.name, planned.setting), []).append(number)
    return [
        [
            _place(comparison, by_place.get((part.name, setting), []), part.name, setting, running)
            for part in comparison.experiment.configurations
        ]
        for setting in comparison.experiment.settings
    ]


def _place(comparison: Comparison, numbers: list[int], name: str, setting: Any, running: dict[str, str]) -> Place:
    states = [comparison.states[number][0] for number in numbers]
    keys = [comparison.plan[number].key for number, state in zip(numbers, states, strict=True) if state == "missing"]
    under_way = [running[key] for key in keys if key in running]
    state = next((word for word in ("broken", "infeasible") if word in states), "")
    state = state or ("running" if under_way else "waiting" if keys else "done")
    words = under_way[0] if state == "running" else ""
    done = len(numbers) - len(keys)
    keepable = tuple(number for number, became in zip(numbers, states, strict=True) if became == "done")
    return Place(name, setting, done, len(numbers), state, words, keepable)


def _running(run: Run) -> dict[str, str]:
    """The runs that are under way, with their phases."""
    if run.job is None or run.job.state != Job.RUNNING:
        return {}
    try:
        phases = json.loads((run.folder / RUNNING).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return phases if isinstance(phases, dict) else {}


def figures_to_choose(comparison: Comparison) -> list[tuple[str, str]]:
    """The figures that can be drawn, with their titles: measures first, then seconds, phases and counts."""
    titles = {figure.name: figure.title for figure in comparison.experiment.figures}
    plain = {
        name: name.replace("seconds.", "seconds of ").replace("counts.", "").replace("_", " ")
        for name in comparison.figures
    }
    order = {"measure": 0, "seconds": 1, "phase": 2, "other": 3}

    def family(name: str) -> str:
        if name in titles:
            return "measure"
        return "seconds" if name == "seconds" else "phase" if name.startswith("seconds.") else "other"

    names = sorted(comparison.figures, key=lambda name: order[family(name)])
    return [(name, titles.get(name, plain[name])) for name in names]


def drawn_charts(run: Run, wanted: list[str], *, log_x: bool = False, log_y: bool = False) -> list[Drawn]:
    """The charts of these figures; without any, those that the experiment asks for."""
    out, stamp = run.folder / RESULTS, _stamp(run)
    comparison = _read(out, stamp)
    known = comparison.figures
    figures = [name for name in wanted if name in known] or [
        chart.y for chart in comparison.experiment.charts if chart.y in known
    ]
    if not figures:  # nothing varies, and there is one configuration
        figures = [figure.name for figure in comparison.experiment.figures if figure.name in known] + ["seconds"]
    return [
        _drawn(out, stamp, figure, log_x, log_y)
        for figure in list(dict.fromkeys(figures))[: max(_AT_FIRST, len(wanted))]
        if figure in known
    ]


@lru_cache(maxsize=128)
def _drawn(out: Path, stamp: int, figure: str, log_x: bool, log_y: bool) -> Drawn:
    comparison = _read(out, stamp)
    try:
        chart = comparison.draw(figure, log_x=log_x, log_y=log_y)
    except ParameterError:  # an axis that cannot be logarithmic
        chart = comparison.draw(figure, log_y=log_y)
    spec: dict[str, Any] = {**charts.for_the_page(chart), "width": "container"}
    title = spec.pop("title")["text"]
    spec.get("config", {}).get("axis", {}).pop("gridColor", None)
    experiment = comparison.experiment
    medians = {(row["configuration"], row["setting"]): row["median"] for row in comparison.rows(figure)}
    names = [configuration.name for configuration in experiment.configurations]
    label = "" if experiment.vary is None else experiment.vary.label
    rows = [[setting, *(medians.get((name, setting)) for name in names)] for setting in experiment.settings]
    return Drawn(figure, title, spec, [label, *names], rows)


def summary_of(comparison: Comparison) -> dict[str, Any]:
    """Claims with their verdicts, and sentences about runs that are unlike the others."""
    experiment = comparison.experiment
    claims = [
        {"title": chart.title, "verdict": finding.verdict, "sentence": finding.sentence}
        for chart, findings in zip(experiment.charts, comparison.findings, strict=True)
        for finding in findings
    ]
    return {
        "claims": claims,
        "broken": comparison.broken,
        "losses": comparison.heavy_losses,
        "unmeasured": comparison.unmeasured,
        "unfit": comparison.unfit,
        "infeasible": comparison.infeasible,
        "measured_with": comparison.measured_with,
    }


def require_results(run: Run) -> Comparison:
    """The results so far, or a sentence that there are none yet."""
    comparison = results_of(run)
    if comparison is None:
        raise SfumatoError("compare: no run of this comparison is finished yet")
    return comparison
