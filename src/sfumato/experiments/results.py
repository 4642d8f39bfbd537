"""Results as tidy frames: every figure of every run, and medians with their spread."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from sfumato.experiments.definition.experiment import Experiment
from sfumato.experiments.single_run import Cell

__all__ = ["figures_of", "results_frame", "summary_frame"]

Outcomes = Mapping[str, Mapping[str, Any]]


def results_frame(experiment: Experiment, cells: Sequence[Cell], finished: Outcomes) -> pl.DataFrame:
    """One row per figure of a run.

    configuration, method, parameter (the varying one), setting (its value), repetition, seed, data_seed (of the
    generator), figure, value, unit.
    """
    parameter = None if experiment.vary is None else experiment.vary.parameter
    rows = [
        (
            cell.configuration.name,
            cell.configuration.method,
            parameter,
            cell.setting,
            cell.repetition,
            cell.seed,
            cell.data_seed,
            *figure,
        )
        for cell in cells
        for figure in figures_of(finished[cell.key])
    ]
    schema = {
        "configuration": pl.String,
        "method": pl.String,
        "parameter": pl.String,
        "setting": _type_of(experiment),
        "repetition": pl.Int64,
        "seed": pl.Int64,
        "data_seed": pl.Int64,
        "figure": pl.String,
        "value": pl.Float64,
        "unit": pl.String,
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def _type_of(experiment: Experiment) -> Any:
    return {int: pl.Int64, float: pl.Float64, bool: pl.Boolean}.get(type(experiment.settings[0]), pl.String)


def figures_of(outcome: Mapping[str, Any]) -> Iterator[tuple[str, float | None, str]]:
    """The figures of a run: name, value (None if it is not finite), unit."""
    yield "feasible", float("infeasible" not in outcome), ""
    if "infeasible" in outcome:
        return
    for name, (value, unit) in outcome["figures"].items():
        yield name, value if math.isfinite(value) else None, unit
    yield "holds", _holds(outcome["holds"]), ""
    yield "seconds", outcome["seconds"], "s"
    for phase, seconds in outcome["phases"].items():
        yield f"seconds.{phase}", seconds, "s"
    for name, count in outcome["counts"].items():
        yield f"counts.{name}", float(count), ""


def _holds(verdicts: Sequence[bool | str]) -> float | None:
    """1 if every promise holds, 0 if one does not hold, None if one cannot be checked."""
    if False in verdicts:
        return 0.0
    return 1.0 if all(holds is True for holds in verdicts) else None


def summary_frame(results: pl.DataFrame) -> pl.DataFrame:
    """Median, extremes and quartiles of every figure over the repetitions, in the order of the results."""
    value = pl.col("value")
    runs = results.filter(value.is_not_null())
    by = ["configuration", "method", "parameter", "setting", "figure", "unit"]
    wanted = runs.group_by(by, maintain_order=True).agg(
        pl.len().cast(pl.Int64).alias("runs"),
        value.median().alias("median"),
        value.min().alias("min"),
        value.quantile(0.25, "linear").alias("q1"),
        value.quantile(0.75, "linear").alias("q3"),
        value.max().alias("max"),
    )
    order = {name: at for at, name in enumerate(results["configuration"].unique(maintain_order=True))}
    return (
        wanted.with_columns(pl.col("configuration").replace_strict(order, return_dtype=pl.Int64).alias("\0order"))
        .sort("\0order", maintain_order=True)
        .drop("\0order")
    )
