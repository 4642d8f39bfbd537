"""Results as tidy frames: every figure of every run, and medians with their spread."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from sfumato.experiments.definition.experiment import Experiment
from sfumato.experiments.definition.knowledge_sources import SOURCES
from sfumato.experiments.planned_runs import PlannedRun
from sfumato.experiments.result_store import RELEASES
from sfumato.experiments.single_run import Cell

__all__ = ["figures_of", "reasons_of", "release_folder", "results_frame", "summary_frame"]

Outcomes = Mapping[str, Mapping[str, Any]]


def results_frame(experiment: Experiment, cells: Sequence[Cell | PlannedRun], finished: Outcomes) -> pl.DataFrame:
    """One row per figure of a run.

    configuration, method, the side knowledge that it uses (privacy_policy, utility_policy, taxonomy, hierarchies,
    constraints), parameter (the varying one), setting (its value), repetition, seed, data_seed (of the generator),
    figure, value, unit, reason (why it has no value), release (the directory in which it is kept), near_total_loss (of
    the run, in words).
    """
    parameter = None if experiment.vary is None else experiment.vary.parameter
    rows = [
        (
            cell.configuration.name,
            cell.configuration.method,
            *(cell.configuration.sources.get(source) for source in SOURCES),
            parameter,
            cell.setting,
            cell.repetition,
            cell.seed,
            cell.data_seed,
            *figure,
            release_folder(finished[cell.key]),
            "; ".join(finished[cell.key].get("heavy_losses", ())) or None,
        )
        for cell in cells
        for figure in figures_of(finished[cell.key])
    ]
    texts = ("configuration", "method", *SOURCES, "parameter")
    schema = {
        **dict.fromkeys(texts, pl.String),
        "setting": _type_of(experiment),
        **dict.fromkeys(("repetition", "seed", "data_seed"), pl.Int64),
        "figure": pl.String,
        "value": pl.Float64,
        **dict.fromkeys(("unit", "reason", "release", "near_total_loss"), pl.String),
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def release_folder(outcome: Mapping[str, Any]) -> str | None:
    """The directory in which the release of a run is kept, inside the output directory; None where it is not."""
    kept = outcome.get("release")
    return None if kept is None else f"{RELEASES}/{kept['folder']}"


def _type_of(experiment: Experiment) -> Any:
    return {int: pl.Int64, float: pl.Float64, bool: pl.Boolean}.get(type(experiment.settings[0]), pl.String)


def figures_of(outcome: Mapping[str, Any]) -> Iterator[tuple[str, float | None, str, str | None]]:
    """The figures of a run: name, value (None where it has none, or is not finite), unit, why it has no value."""
    infeasible = outcome.get("infeasible")
    yield "feasible", float(infeasible is None), "", infeasible
    if infeasible is not None:
        return
    for name, (value, unit) in outcome["figures"].items():
        finite = math.isfinite(value)
        yield name, value if finite else None, unit, None if finite else "the value is not finite"
    for name, reason in reasons_of(outcome).items():
        yield name, None, "", reason
    yield "holds", _holds(outcome["holds"]), "", None
    yield "seconds", outcome["seconds"], "s", None
    for phase, seconds in outcome["phases"].items():
        yield f"seconds.{phase}", seconds, "s", None
    for name, count in outcome["counts"].items():
        yield f"counts.{name}", float(count), "", None


def reasons_of(outcome: Mapping[str, Any]) -> dict[str, str]:
    """Why measures have no value in a run: they do not fit it, or they failed."""
    return {**outcome.get("unfit", {}), **outcome.get("unmeasured", {})}


def _holds(verdicts: Sequence[bool | str]) -> float | None:
    """1 if every promise holds, 0 if one does not hold, None if one cannot be checked."""
    if False in verdicts:
        return 0.0
    return 1.0 if all(holds is True for holds in verdicts) else None


def summary_frame(results: pl.DataFrame) -> pl.DataFrame:
    """Median, extremes and quartiles of every figure over the repetitions, in the order of the results."""
    value = pl.col("value")
    runs = results.filter(value.is_not_null())
    by = ["configuration", "method", *SOURCES, "parameter", "setting", "figure", "unit"]
    wanted = runs.group_by(by, maintain_order=True).agg(
        pl.len().cast(pl.Int64).alias("runs"),
        value.median().alias("median"),
        value.min().alias("min"),
        value.quantile(0.25, "linear").alias("q1"),
        value.quantile(0.75, "linear").alias("q3"),
        value.max().alias("max"),
    )
    order = {name: position for position, name in enumerate(results["configuration"].unique(maintain_order=True))}
    return (
        wanted.with_columns(pl.col("configuration").replace_strict(order, return_dtype=pl.Int64).alias("\0order"))
        .sort("\0order", maintain_order=True)
        .drop("\0order")
    )
