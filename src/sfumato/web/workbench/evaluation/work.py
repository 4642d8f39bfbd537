"""The job of an evaluation: anonymize, measure, and write what would be published and what the page shows.

A run leaves in its folder `release` (or `refused`, where a promise does not hold), `report.json`, `evaluation.json` and
the frames `original`, `published`, `labels` and `differences`.  A run with a varying parameter leaves the same in
`settings/<n>` for each value, and `varying.json`, which grows while it runs.  Without Django: it runs in a process of
its own, in the project's folder.
"""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.catalogue import measure_class, method_class
from sfumato.data import Dataset, Mixed, Table
from sfumato.data.base import Progress
from sfumato.errors import CallerError, Infeasible, PromiseBroken
from sfumato.experiments.profile import profile
from sfumato.experiments.record_frames import original_records, records_frame
from sfumato.io.atomic_writes import json_text, write_text
from sfumato.methods.promise_texts import promise_of_text
from sfumato.methods.release import Release
from sfumato.params import JsonObject
from sfumato.utility.generalized_values import generalized_values
from sfumato.utility.measuring import MeasureResults, distinct_names, require_measures, take_measures
from sfumato.utility.relative_differences import relative_differences
from sfumato.web.workbench.loading import inside, load

__all__ = ["evaluate"]

VARYING = "varying.json"


def evaluate(
    *,
    source: Mapping[str, Any],
    method: str,
    parameters: Mapping[str, Any],
    measures: Sequence[Mapping[str, Any]],
    promises: Sequence[str],
    seed: int | None,
    vary: Mapping[str, Any] | None,
    out: str,
    progress: Progress,
) -> JsonObject:
    """Run a method on a version of a dataset; returns the figures for the list of runs."""
    progress("reading", 0, 0)
    data = load(source)
    folder = inside(Path(), out)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    order = _Order(data, method, [_measure(table) for table in measures], tuple(promises), seed)
    if vary is None:
        return order.run(dict(parameters), folder, progress)
    return _varying(order, dict(parameters), vary, folder, progress)


class _Order:
    """What all runs of an evaluation share."""

    def __init__(
        self, data: Dataset, method: str, measures: list[Any], promises: tuple[str, ...], seed: int | None
    ) -> None:
        self.data, self.method, self.seed = data, method, seed
        self.original: Path | None = None  # the frame of the original, which all values of a parameter share
        self.measures = dict(zip(distinct_names(measures), measures, strict=True))
        self.promises = [promise_of_text(promise) for promise in promises]

    def run(self, parameters: JsonObject, folder: Path, progress: Progress) -> JsonObject:
        """Anonymize, measure and write into the folder; its `evaluation.json` comes last."""
        for name in ("release", "refused"):
            shutil.rmtree(folder / name, ignore_errors=True)
        (folder / "report.json").unlink(missing_ok=True)
        chosen: Any = method_class(self.method).from_json(parameters)
        require_measures(self.measures.values(), chosen)
        for measure in self.measures.values():
            measure.require_data(self.data)
        release = chosen.anonymize(self.data, seed=self.seed, progress=progress, promises=self.promises)
        taken = self._measured(release, progress)
        progress("looking for what is lost", 0, 0)
        losses = [loss.to_json() for loss in release.heavy_losses]
        progress("writing", 0, 0)
        release.write(
            folder / ("release" if release.holds else "refused"),
            override=not release.holds,
            report=folder / "report.json",
            figures=taken.to_json(),
        )
        _write_frames(release, folder)
        self._write_original(folder / "original.parquet")
        facts = {**self._facts(release, taken), "heavy_losses": losses}
        write_text(json_text(_finite(facts)), folder / "evaluation.json")
        return _figures(facts)

    def _write_original(self, path: Path) -> None:
        """The records of the original, in one file however many runs there are."""
        path.unlink(missing_ok=True)
        if self.original is None:
            _write_frame(records_frame(self.data), path)
            self.original = path
        else:
            path.hardlink_to(self.original)

    def _measured(self, release: Release[Any], progress: Progress) -> MeasureResults:
        scores: dict[str, Any] = {}
        failed: dict[str, str] = {}
        for number, (name, measure) in enumerate(self.measures.items()):
            progress(f"measuring {name}", number, len(self.measures))
            taken = take_measures({name: measure}, self.data, release)
            scores |= taken.scores
            failed |= taken.failed
        return MeasureResults(scores, failed)

    def _facts(self, release: Release[Any], taken: MeasureResults) -> JsonObject:
        from sfumato.experiments.reports.board.promise_sentences import promise_sentence

        return {
            "kind": release.data.kind,
            "unit": self.data.unit,
            "element": getattr(release.data, "element", "row"),
            "records": {"original": len(self.data), "published": len(release.data)},
            "counts": dict(release.counts),
            "notes": list(release.notes),
            "holds": release.holds,
            "verdicts": [
                {
                    "label": model.label,
                    "sentence": promise_sentence(model, unit=self.data.unit, kind=release.data.kind),
                    **verdict.to_json(),
                }
                for model, verdict in release.verdicts
            ],
            "not_covered": [str(limit) for limit in release.not_covered],
            "measures": [
                {
                    "name": name,
                    "title": self.measures[name].title,
                    "meaning": self.measures[name].meaning,
                    "better": self.measures[name].better,
                    "value": score.value,
                    "unit": score.unit,
                }
                for name, score in taken.scores.items()
            ],
            "unmeasured": list(taken.failed.values()),
            "seconds": {phase: round(seconds, 4) for phase, seconds in release.seconds.items()},
            "profile": _profile(self.data, release.data),
            "numbers": _numbers(self.data),
        }


def _varying(
    order: _Order, parameters: JsonObject, vary: Mapping[str, Any], folder: Path, progress: Progress
) -> JsonObject:
    """One run for each value; values that were done before a worker was lost are not done again."""
    name, values = str(vary["parameter"]), list(vary["values"])
    rows: list[JsonObject] = []
    for number, value in enumerate(values):
        setting = folder / "settings" / str(number)
        setting.mkdir(mode=0o700, parents=True, exist_ok=True)

        def advance(phase: str, done: int, total: int, value: Any = value) -> None:
            progress(f"{name} {value}: {phase}"[:100], done, total)

        row: JsonObject = {"value": value, "number": number}
        if (setting / "evaluation.json").exists():
            row |= _figures(json.loads((setting / "evaluation.json").read_text(encoding="utf-8")))
        else:
            try:
                row |= order.run({**parameters, name: value}, setting, advance)
            except (Infeasible, PromiseBroken) as refusal:
                row["sentence"] = str(refusal)
        rows.append(row)
        write_text(json_text({"parameter": name, "values": values, "rows": rows}), folder / VARYING)
    done = [row for row in rows if "holds" in row]
    return {
        "varying": name,
        "values": len(values),
        "done": len(done),
        "holds": bool(done) and all(row["holds"] for row in done),
        "seconds": round(sum(row["seconds"] for row in done), 4),
    }


def _measure(table: Mapping[str, Any]) -> Any:
    """A measure with its parameters; a workload is a file of the project."""
    parameters = dict(table["parameters"])
    if parameters.get("workload"):
        parameters["workload"] = str(inside(Path(), parameters["workload"]))
    return measure_class(table["measure"]).from_json(parameters)


def _write_frames(release: Release[Any], folder: Path) -> None:
    """The published records, and what became of single values."""
    original, published = release.original, release.data
    frame = records_frame(published)
    records = original_records(original, published, release.origin)
    if records is not None:
        frame = frame.with_columns(pl.Series("\0original", records))
    frames = {"published": frame}
    try:
        frames["labels"] = generalized_values(original, published)
        frames["differences"] = relative_differences(original, published)
    except CallerError:  # labels that a method of somebody else publishes and that nobody can read
        frames.pop("labels", None)
    for name, content in frames.items():
        _write_frame(content, folder / f"{name}.parquet")


def _write_frame(frame: pl.DataFrame, path: Path) -> None:
    frame.write_parquet(path)
    path.chmod(0o600)


def _profile(original: Dataset, published: Dataset) -> list[JsonObject]:
    """Histograms of the lengths of records and the sizes of labels; of columns, the page shows expected counts."""
    if isinstance(original, Mixed) and isinstance(published, Mixed):
        return profile(original.items, published.items)
    return [] if isinstance(original, Table) else profile(original, published)


def _numbers(data: Dataset) -> list[str]:
    """The columns of numbers."""
    table = data.table if isinstance(data, Mixed) else data
    if not isinstance(table, Table):
        return []
    return [name for name, kind in table.frame.schema.items() if kind.is_numeric()]


def _figures(facts: Mapping[str, Any]) -> JsonObject:
    """What the list of runs and the charts over a varying parameter show."""
    return {
        "holds": facts["holds"],
        "records": facts["records"],
        "counts": facts["counts"],
        "measures": {measure["name"]: measure["value"] for measure in facts["measures"]},
        "units": {measure["name"]: measure["unit"] for measure in facts["measures"]},
        "phases": facts["seconds"],
        "seconds": round(sum(facts["seconds"].values()), 4),
        "heavy": len(facts["heavy_losses"]),
    }


def _finite(value: Any) -> Any:
    """JSON without numbers that JSON does not have."""
    if isinstance(value, dict):
        return {str(name): _finite(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
