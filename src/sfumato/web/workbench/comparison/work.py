"""The jobs of a comparison: its missing runs, and one run again to keep what it publishes.  Without Django."""

from __future__ import annotations

import json
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.data import Mixed
from sfumato.data.base import Progress
from sfumato.errors import DataError, ParameterError
from sfumato.experiments.comparison import Comparison, compare
from sfumato.experiments.definition.experiment_file import read_experiment
from sfumato.experiments.runner import Runner, Task
from sfumato.experiments.single_run import cells_of
from sfumato.io.atomic_writes import write_text
from sfumato.web.workbench.loading import inside

__all__ = ["RESULTS", "RUNNING", "keep_run", "run_comparison"]

RESULTS = "results"
RUNNING = "running.json"
_EVERY_S = 0.5
_SHOWN = 64
_KINDS = ("trajectories", "roads", "transactions", "table", "mixed")


def run_comparison(*, run: str, progress: Progress) -> dict[str, Any]:
    """Make the runs of an experiment that are missing, then write its tables, charts and report."""
    inside(Path(), run)
    folder = Path(run)  # sentences show this path
    progress("reading", 0, 0)
    running = _Running(folder / RUNNING)

    def tell(done: int, total: int, what: str) -> None:
        progress("drawing the charts" if what == "drawing the charts" else "running", done, total)

    runner = Runner(watch=running.watch)
    try:
        comparison = compare(
            folder / "experiment.toml", folder / RESULTS, runner=runner, tell=tell, inside=Path(), formats=("svg",)
        )
    finally:
        (folder / RUNNING).unlink(missing_ok=True)
    return _summary(comparison)


class _Running:
    """Which runs are under way, in a file that the page reads."""

    def __init__(self, path: Path) -> None:
        self._path, self._phases, self._written = path, dict[str, str](), 0.0

    def watch(self, task: Task, phase: str, done: int, total: int) -> None:
        share = f" {100 * done // total} %" if total else ""
        is_new = task.key.key not in self._phases
        self._phases[task.key.key] = f"{phase}{share}"
        while len(self._phases) > _SHOWN:  # finished runs have a file of their own
            del self._phases[next(iter(self._phases))]
        if is_new or time.monotonic() - self._written > _EVERY_S:
            self._write()

    def _write(self) -> None:
        self._written = time.monotonic()
        write_text(json.dumps(self._phases), self._path)


def _summary(comparison: Comparison) -> dict[str, Any]:
    verdicts = [finding.verdict for findings in comparison.findings for finding in findings]
    return {
        "runs": comparison.runs,
        "infeasible": sum(state == "infeasible" for state, _ in comparison.states),
        "broken": len(comparison.broken),
        "claims": len(verdicts),
        "claims_hold": verdicts.count("holds"),
        "seconds": round(comparison.seconds, 3),
    }


def keep_run(*, run: str, number: int, out: str, progress: Progress) -> dict[str, Any]:
    """Make one run of a comparison again, with its seed, and write the published data as a Parquet file."""
    from sfumato.catalogue import METHODS
    from sfumato.experiments.definition.data_sources import fitting, make_base, sampled
    from sfumato.experiments.definition.side_knowledge import with_knowledge

    progress("reading", 0, 0)
    inside(Path(), run)
    cells = cells_of(read_experiment(Path(run) / "experiment.toml", inside=Path()))
    if not 0 <= number < len(cells):
        raise ParameterError(f"compare: wanted a run from 0 to {len(cells) - 1}, found {number}")
    spec = cells[number].spec
    assert spec.data is not None
    data = sampled(make_base(spec.data), spec.sample, spec.seed)
    method: Any = METHODS.load(spec.method).from_json(spec.arguments)
    private = fitting(with_knowledge(data, spec.knowledge.knowledge), method.kind)
    release = method.anonymize(private, seed=spec.seed, progress=progress)
    if not release.holds:
        raise DataError("compare: a promise of this run does not hold, so its data are not kept")
    published = release.data
    if published.kind not in _KINDS:
        raise DataError(f"compare: {published.kind} cannot be a dataset of a project; make a release instead")
    frame = _frame(published)
    path = inside(Path(), out)
    frame.write_parquet(path)
    path.chmod(0o600)
    return {"file": out, "rows": len(frame), "reading": _reading(published)}


def _frame(data: Any) -> pl.DataFrame:
    """The records in one frame; items are lists where a label has a blank."""
    frame: pl.DataFrame = data.to_polars()
    if isinstance(data, Mixed) and any(" " in str(name) for name in data.items.names):
        names = [str(name) for name in data.items.names]
        offsets, codes = data.items.offsets.tolist(), data.items.codes.tolist()
        lists = [[names[code] for code in codes[start:end]] for start, end in pairwise(offsets)]
        frame = frame.with_columns(pl.Series(data.column, lists, dtype=pl.List(pl.String)))
    return frame


def _reading(data: Any) -> dict[str, Any]:
    """How to read published data: every value is taken as it is."""
    reading: dict[str, Any] = {"kind": data.kind, "missing": [], "dates": "text"}
    table = data.table if isinstance(data, Mixed) else data
    if data.kind in ("table", "mixed"):
        reading["quasi_identifiers"] = list(table.quasi_identifiers)
        reading["sensitive"] = list(table.sensitive)
    if isinstance(data, Mixed):
        reading["items"] = data.column
    return reading
