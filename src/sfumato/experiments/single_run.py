"""One run of an experiment: a configuration, a setting of the varying parameter and a seed."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import sfumato
from sfumato.catalogue import GENERATORS, MEASURES, METHODS
from sfumato.data import Dataset
from sfumato.data.base import Progress
from sfumato.data.labels.comparable_labels import read_with
from sfumato.errors import Infeasible
from sfumato.experiments.alternative_words import alternative_words, alternatives_of
from sfumato.experiments.definition.data_sources import base_identity, data_seed, digest, fitting, identity, known
from sfumato.experiments.definition.experiment import Configuration, Experiment, Figure
from sfumato.experiments.definition.field_types import Fields, Texts
from sfumato.experiments.definition.file_tables import MeasureTable
from sfumato.experiments.definition.knowledge_sources import Known
from sfumato.experiments.definition.side_knowledge import with_knowledge
from sfumato.experiments.miners import is_miner, run_miner, subject_class
from sfumato.experiments.profile import profile
from sfumato.experiments.run_spec import Measures, RunSpec
from sfumato.io.digests import digest_of_files, files_below
from sfumato.methods.preparation_texts import step_of_text
from sfumato.methods.prepared_release import heavy_losses_of_prepared, seen_from_original
from sfumato.methods.promise_texts import promise_of_text
from sfumato.methods.release import Release
from sfumato.prepare.base import prepared_visits
from sfumato.utility.base import Score
from sfumato.utility.measuring import MeasureResults, misfit, take_measures

__all__ = ["Cell", "cells_of", "certificate_digest", "code_digest", "dataset_digest", "run_cell"]

_NOT_RESULTS = ("cli", "experiments", "spark", "web")  # rooms that cannot change a figure
_TRIALS_S = 2.0  # for trials of what loses less than a run


@dataclass(frozen=True)
class Cell:
    """One run.

    key : a digest of everything that decides the outcome: data, method, parameters, seed, measures, code.
    """

    configuration: Configuration
    setting: Any
    repetition: int
    seed: int
    data_seed: int | None
    key: str
    spec: RunSpec


def cells_of(experiment: Experiment) -> list[Cell]:
    """Every run, those on the same data next to each other."""
    vary, data = experiment.vary, experiment.data
    code = f"{sfumato.__version__} {code_digest()}"
    cells: list[Cell] = []
    bases: dict[str, dict[str, Any]] = {}
    for repetition, seed in enumerate(experiment.seeds, start=1):
        generated_by = data_seed(data, seed)
        measures = Measures(
            MeasureTable(
                measure=figure.measure,
                name=figure.name,
                arguments=Fields(figure.parameters_for(seed)),
                hierarchy=figure.hierarchy,
            )
            for figure in experiment.figures
        )
        for setting in experiment.settings:
            varied = {} if vary is None else {vary.field: setting}
            of_data = varied if vary is not None and vary.of_data else {}
            sample = of_data.get("sample", data.sample)
            extra = {name: value for name, value in of_data.items() if name != "sample"}
            source = replace(data, sample=None).generated(extra, generated_by)
            name = digest(source.to_json())
            if name not in bases:
                bases[name] = base_identity(source)
            for configuration in experiment.configurations:
                own = {} if of_data or configuration.constant else varied
                parameters = {**configuration.parameters, **own}
                parameters = subject_class(configuration.method).from_json(parameters).to_json()
                decides = {
                    "code": code,
                    "base": bases[name],
                    "sample": sample,
                    "seed": seed,
                    "method": configuration.method,
                    "parameters": identity(parameters),
                    "figures": [_identity_of(figure) for figure in experiment.figures],
                }
                if outside := _outside_code(
                    configuration.method, data.generate, [measured.measure for measured in experiment.figures]
                ):
                    decides["outside"] = outside
                if configuration.knowledge:
                    decides["knowledge"] = known(configuration.knowledge)
                if configuration.promises:
                    decides["promises"] = list(configuration.promises)
                measured_with = None
                if configuration.own_hierarchies or experiment.measured_with:
                    measured_with = Known.from_json(experiment.measured_with)
                    decides["measured_with"] = known(experiment.measured_with)
                spec = RunSpec(
                    data=source,
                    sample=sample,
                    method=configuration.method,
                    arguments=Fields(parameters),
                    knowledge=Known.from_json(configuration.knowledge),
                    measured_with=measured_with,
                    seed=seed,
                    promises=Texts(configuration.promises),
                    measures=measures,
                )
                cells.append(Cell(configuration, setting, repetition, seed, generated_by, digest(decides), spec))
    return cells


def _identity_of(figure: Figure) -> list[Any]:
    """The values that identify a figure."""
    own = [] if figure.hierarchy == "experiment" else [figure.hierarchy]
    own += [] if figure.seeded_by == "parameters" else [f"seeded by {figure.seeded_by}"]
    return [figure.name, figure.measure, identity(figure.parameters), *own]


def dataset_digest(experiment: Experiment) -> str:
    """Which dataset an experiment is about, regardless of what varies."""
    return digest(base_identity(experiment.data))


@cache
def code_digest() -> str:
    """A digest of the code that makes figures, so that results of changed code are not taken for its own."""
    root = Path(sfumato.__file__).parent
    code = (file for file in files_below(root, "*.py") if file.relative_to(root).parts[0] not in _NOT_RESULTS)
    return digest_of_files(root, code)


def _outside_code(subject: str, generator: str | None, measures: list[str]) -> list[str]:
    """Digests of the files with the classes that are not of this package."""
    classes = [subject_class(subject), *map(MEASURES.choose, measures)]
    classes += [] if generator is None else [GENERATORS.choose(generator)]
    files = {
        getattr(sys.modules[declared.__module__], "__file__", None)
        for declared in classes
        if not _is_built_in(declared)
    }
    return sorted(hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in files if file)


def _is_built_in(declared: Any) -> bool:
    return str(declared.__module__).partition(".")[0] == "sfumato"


def run_cell(spec: RunSpec, data: Any, progress: Progress | None = None) -> dict[str, Any]:
    """Run the method on the data (as sampled) and measure the release; in JSON values.

    `seconds` is the method's own time, without ordering the records for publication and without the verifiers;
    `cpu` is the processor time of method, verifiers and measures together.  Where the records are prepared before, the
    measures compare with the records before the preparation.
    """
    if is_miner(spec.method):
        return run_miner(spec, data)
    method = METHODS.choose(spec.method).from_json(spec.arguments)
    private = with_knowledge(data, spec.knowledge.knowledge, derived=spec.is_private)
    promises = [promise_of_text(text) for text in spec.promises]
    begun, busy = perf_counter(), process_time()
    steps = [step_of_text(text) for text in spec.preparation]
    try:
        prepared = prepared_visits(private, *steps) if steps else None
        fitted = fitting(private if prepared is None else prepared.data, method.kind)
        release = method.anonymize(fitted, seed=spec.seed, progress=progress, promises=promises)
    except Infeasible as refusal:
        return {"infeasible": str(refusal), "cpu": process_time() - busy}
    whole = perf_counter() - begun
    phases = dict(release.seconds)
    own = whole - phases.get("publishing", 0.0) - phases.get("verifying", 0.0)
    seen = release if prepared is None else seen_from_original(release, private, prepared, steps)
    taken, unfit = _measured(spec, data, private, seen)
    phases["measuring"] = perf_counter() - begun - whole
    busy = process_time() - busy
    return {
        "holds": [verdict.holds for _, verdict in release.verdicts],
        "promises": [model.label for model, _ in release.verdicts],
        "seconds": own,
        "phases": phases,
        "counts": {**release.counts, "original_records": len(data), "published_records": len(release.data)},
        "figures": {name: [score.value, score.unit] for name, score in taken.scores.items()},
        "unmeasured": taken.failed,
        "unfit": unfit,
        "heavy_losses": list(release.loss_sentences)
        or [loss.sentence for loss in heavy_losses_of_prepared(private, seen, release)],
        "alternatives": _alternatives(release),
        "profile": profile(data, release.data),
        "cpu": busy,
        **({} if spec.release is None else _kept(release, spec.release)),
    }


def _measured(
    spec: RunSpec, data: Any, private: Any, release: Release[Dataset]
) -> tuple[MeasureResults, dict[str, str]]:
    """The figures of a run, and the reason for each measure that does not fit it.

    A measure that reads a hierarchy reads that of the experiment, if there is one, so that runs can be compared.
    """
    reference, comparable = private, release
    if spec.measured_with is not None:
        reference = with_knowledge(data, spec.measured_with.knowledge, derived=spec.is_private)
        read = read_with(release.data, release.original, fitting(reference, release.method.kind))
        comparable = replace(release, data=read)
    scores: dict[str, Score] = {}
    failed: dict[str, str] = {}
    unfit: dict[str, str] = {}
    for table in spec.measures:
        measure = MEASURES.choose(table.measure).from_json(table.arguments)
        shared = measure.reads_hierarchy and table.hierarchy == "experiment"
        original, published = (reference, comparable) if shared else (private, release)
        reason = misfit(measure, release.method, original)
        if reason:
            unfit[table.label] = reason
            continue
        taken = take_measures({table.label: measure}, original, published)
        scores |= taken.scores
        failed |= taken.failed
    return MeasureResults(scores, failed), unfit


def _alternatives(release: Release[Dataset]) -> list[str]:
    """What loses less, in words; few trials, because the run is one of many."""
    others = alternatives_of(release.explained_losses(seconds=_TRIALS_S))
    return [alternative_words(other) for other in others if other.improves]


def _kept(release: Release[Dataset], folder: Path) -> dict[str, Any]:
    """Write the release into a directory; what the outcome of the run says about it."""
    if not release.holds:
        return {"unkept": "a promise does not hold"}
    written = release.write(folder)
    return {"release": {"folder": folder.name, "certificate": certificate_digest(Path(written))}}


def certificate_digest(folder: Path) -> str:
    """A digest of the certificate of a published directory, which has the digests of all other files; or nothing."""
    try:
        return hashlib.sha256((folder / "certificate.json").read_bytes()).hexdigest()
    except OSError:
        return ""
