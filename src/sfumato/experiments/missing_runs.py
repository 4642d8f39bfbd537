"""The runs of a comparison that are not finished yet: checked, run, and each kept at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from sfumato.catalogue import MEASURES, METHODS
from sfumato.data import Dataset, Graph
from sfumato.errors import CallerError, Cancelled, FileError, SfumatoError
from sfumato.experiments.definition.data_sources import fitting, make_base
from sfumato.experiments.definition.experiment import Experiment
from sfumato.experiments.definition.side_knowledge import with_knowledge
from sfumato.experiments.miners import is_miner, require_graph
from sfumato.experiments.result_store import Store
from sfumato.experiments.runner import RunEnd, Runner, Task, packed
from sfumato.experiments.single_run import Cell
from sfumato.remedies import keep_remedy
from sfumato.utility.measuring import misfit

__all__ = ["Tell", "run_missing", "unwatched"]

Tell = Callable[[int, int, str], None]
"""Called as tell(done, total, what was done last)."""


def unwatched(done: int, total: int, what: str) -> None:
    """Ignore progress."""


def run_missing(experiment: Experiment, cells: Sequence[Cell], store: Store, runner: Runner, tell: Tell) -> int:
    """Run every cell that the store does not hold; returns how many there were."""
    missing = {cell.key: cell for cell in cells if cell.key not in store.finished}
    if not missing:
        store.begin()
        return 0
    first = next(iter(missing.values())).spec
    assert first.data is not None
    data = make_base(first.data)
    _require_fit(experiment, data)
    store.begin()
    tell(0, len(missing), "")
    datasets = {first.source: packed(data)}
    del data
    waiting = [Task(cell, replace(cell.spec, release=store.release_of(cell.key))) for cell in missing.values()]
    total, before = len(waiting), len(store.finished)

    def done(task: Task, end: RunEnd) -> None:
        cell = task.key
        if end.state not in ("ran", "infeasible"):
            raise _stopped(experiment, cell, end, store)
        store.keep(cell.key, dict(end.outcome))
        setting = "" if cell.setting is None else cell.setting
        tell(len(store.finished) - before, total, f"{cell.configuration.name} {setting}")

    try:
        runner.run(lambda: waiting.pop(0) if waiting else None, done, datasets=datasets)
    except Cancelled:
        raise Cancelled(f"compare: cancelled; {_kept(store)}") from None
    return total


def _kept(store: Store) -> str:
    return f"{len(store.finished)} finished runs are kept in {store.out}, the same command continues from there"


def _stopped(experiment: Experiment, cell: Cell, end: RunEnd, store: Store) -> SfumatoError:
    """The error that ends a comparison."""
    if end.state == "died":
        return SfumatoError(f"compare: {end.reason}; {_kept(store)}")
    who = keep_remedy(f"configuration {cell.configuration.name!r}: {end.reason}", end.reason)
    if end.state == "refused":
        return FileError(experiment.file, who)
    return SfumatoError(keep_remedy(f"{experiment.file}: {who}", who))


def _require_fit(experiment: Experiment, data: Dataset) -> None:
    """Refuse methods, measures and samples that these data cannot serve, before anything runs."""
    methods: list[tuple[Any, Any]] = []  # of each configuration, with the data as it sees them
    for configuration in experiment.configurations:
        name = f"configuration {configuration.name!r}"
        if is_miner(configuration.method):
            require_graph(data, f"{experiment.file}: {name}")
            continue
        declared = METHODS.choose(configuration.method)
        varied = (
            {}
            if experiment.vary is None or experiment.vary.of_data or configuration.constant
            else {experiment.vary.field: experiment.vary.values[0]}
        )
        try:
            method = declared.from_json({**configuration.parameters, **varied})
            private = with_knowledge(data, configuration.knowledge, derived=experiment.data.file is not None)
            method._require(fitting(private, method.kind))
        except CallerError as error:
            raise FileError(experiment.file, keep_remedy(f"{name}: {error}", error)) from None
        methods.append((method, private))
    _require_measures(experiment, data, methods)
    largest = experiment.data.sample or 0
    if experiment.vary is not None and experiment.vary.parameter == "data.sample":
        largest = max(experiment.vary.values)
    size, what = (data.n_edges, "edges") if isinstance(data, Graph) else (len(data), "records")
    if largest > size:
        raise FileError(experiment.file, f"wanted a sample of at most {size:,} {what}, found {largest:,}")


def _require_measures(experiment: Experiment, data: Dataset, methods: Sequence[tuple[Any, Any]]) -> None:
    """Refuse a measure that fits no configuration."""
    shared = with_knowledge(data, experiment.measured_with) if experiment.measured_with else data
    for figure in experiment.figures:
        measure = MEASURES.choose(figure.measure).from_json(figure.parameters)
        own = not measure.reads_hierarchy or figure.hierarchy == "configuration"
        reasons = [misfit(measure, method, private if own else shared) for method, private in methods]
        if all(reasons):
            reason = reasons[0]
            if "taxonomy" in measure.needs and any(getattr(private, "taxonomy", None) for _, private in methods):
                reason += "; configurations have different ones, so declare under [data] the one to measure with"
            raise FileError(experiment.file, keep_remedy(f"measure {figure.name!r}: {reason}", reasons[0]))
