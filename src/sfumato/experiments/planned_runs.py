"""The plan of a comparison: every run that it has, in a file of its directory, so that results can be read early."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.errors import OutputError
from sfumato.experiments.definition.experiment import Configuration, Experiment
from sfumato.io.atomic_writes import write_json

if TYPE_CHECKING:
    from sfumato.experiments.single_run import Cell

__all__ = ["PLAN", "PlannedRun", "read_plan", "state_of", "write_plan"]

PLAN = "plan.json"


@dataclass(frozen=True)
class PlannedRun:
    """A run: its configuration, the value of the varying parameter, its repetition, and the name of its file."""

    configuration: Configuration
    setting: Any
    repetition: int
    seed: int
    data_seed: int | None
    key: str


def write_plan(cells: Sequence[Cell], out: Path) -> None:
    """Write the plan into the directory of a comparison."""
    runs = [
        [cell.configuration.name, cell.setting, cell.repetition, cell.seed, cell.data_seed, cell.key] for cell in cells
    ]
    write_json({"private": True, "runs": runs}, out / PLAN)


def read_plan(experiment: Experiment, out: Path) -> list[PlannedRun]:
    """The runs of a comparison, in their order."""
    configurations = {configuration.name: configuration for configuration in experiment.configurations}
    try:
        runs = json.loads((out / PLAN).read_text(encoding="utf-8"))["runs"]
        return [PlannedRun(configurations[name], *others) for name, *others in runs]
    except (OSError, ValueError, KeyError, TypeError):
        raise OutputError(f"{out}: wanted the directory of a comparison, found none or an older one") from None


def state_of(outcome: Mapping[str, Any] | None) -> tuple[str, str]:
    """What became of a run, and a sentence about it: "done", "infeasible", "broken" or "missing"."""
    if outcome is None:
        return "missing", ""
    if "infeasible" in outcome:
        return "infeasible", str(outcome["infeasible"])
    if False in outcome.get("holds", ()):
        return "broken", "a promise does not hold"
    return "done", "; ".join((*outcome.get("heavy_losses", ()), *outcome.get("unmeasured", {}).values()))
