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
from sfumato.data.base import Progress
from sfumato.errors import Infeasible
from sfumato.experiments.definition.data_sources import base_identity, data_seed, digest, fitting, identity, known
from sfumato.experiments.definition.experiment import Configuration, Experiment
from sfumato.experiments.definition.field_types import Fields
from sfumato.experiments.definition.file_tables import MeasureTable
from sfumato.experiments.definition.knowledge_sources import Known
from sfumato.experiments.definition.side_knowledge import with_knowledge
from sfumato.experiments.miners import is_miner, run_miner, subject_class
from sfumato.experiments.profile import profile
from sfumato.experiments.run_spec import Measures, RunSpec
from sfumato.io.digests import digest_of_files, files_below
from sfumato.utility.measuring import take_measures

__all__ = ["Cell", "cells_of", "code_digest", "dataset_digest", "run_cell"]

_NOT_RESULTS = ("cli", "experiments", "spark", "web")  # rooms that cannot change a figure


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
    measures = Measures(
        MeasureTable(measure=one.measure, name=one.name, arguments=Fields(one.parameters)) for one in experiment.figures
    )
    found: list[Cell] = []
    bases: dict[str, dict[str, Any]] = {}
    for repetition, seed in enumerate(experiment.seeds, start=1):
        generated_by = data_seed(data, seed)
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
                    "figures": [[one.name, one.measure, identity(one.parameters)] for one in experiment.figures],
                }
                if outside := _outside_code(
                    configuration.method, data.generate, [one.measure for one in experiment.figures]
                ):
                    decides["outside"] = outside
                if configuration.knowledge:
                    decides["knowledge"] = known(configuration.knowledge)
                spec = RunSpec(
                    data=source,
                    sample=sample,
                    method=configuration.method,
                    arguments=Fields(parameters),
                    knowledge=Known.from_json(configuration.knowledge),
                    seed=seed,
                    measures=measures,
                )
                found.append(Cell(configuration, setting, repetition, seed, generated_by, digest(decides), spec))
    return found


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
    files = {getattr(sys.modules[one.__module__], "__file__", None) for one in classes if not _is_built_in(one)}
    return sorted(hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in files if file)


def _is_built_in(declared: Any) -> bool:
    return str(declared.__module__).partition(".")[0] == "sfumato"


def run_cell(spec: RunSpec, data: Any, progress: Progress | None = None) -> dict[str, Any]:
    """Run the method on the data (as sampled) and measure the release; in JSON values.

    `seconds` is the method's own time, without ordering the records for publication and without the verifiers;
    `cpu` is the processor time of method, verifiers and measures together.
    """
    if is_miner(spec.method):
        return run_miner(spec, data)
    method = METHODS.choose(spec.method).from_json(spec.arguments)
    data = with_knowledge(data, spec.knowledge.knowledge)
    begun, busy = perf_counter(), process_time()
    try:
        release = method.anonymize(fitting(data, method.kind), seed=spec.seed, progress=progress)
    except Infeasible as refusal:
        return {"infeasible": str(refusal), "cpu": process_time() - busy}
    whole = perf_counter() - begun
    phases = dict(release.seconds)
    own = whole - phases.get("publishing", 0.0) - phases.get("verifying", 0.0)
    measures = {
        one.label: MEASURES.choose(one.measure).from_json(one.arguments)
        for one in spec.measures
        if release.origin is not None or not MEASURES.choose(one.measure).needs_origin  # synthetic records have none
    }
    taken = take_measures(measures, data, release)
    phases["measuring"] = perf_counter() - begun - whole
    busy = process_time() - busy
    return {
        "holds": [verdict.holds for _, verdict in release.verdicts],
        "seconds": own,
        "phases": phases,
        "counts": {**release.counts, "original_records": len(data), "published_records": len(release.data)},
        "figures": {name: [score.value, score.unit] for name, score in taken.scores.items()},
        "unmeasured": taken.failed,
        "profile": profile(data, release.data),
        "cpu": busy,
    }
