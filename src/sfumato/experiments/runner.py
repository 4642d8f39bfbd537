"""Running what is not finished yet: in parallel, one core a run, every finished run kept at once."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sfumato.catalogue import measure_class, method_class
from sfumato.data import Graph
from sfumato.errors import CallerError, DataError, FileError, SfumatoError
from sfumato.experiments.definition.data_sources import fitting, make_base
from sfumato.experiments.definition.experiment import Experiment
from sfumato.experiments.definition.side_knowledge import with_knowledge
from sfumato.experiments.miners import MINERS, require_graph
from sfumato.experiments.result_store import Store
from sfumato.experiments.single_run import Cell
from sfumato.experiments.worker import begin, work

__all__ = ["Tell", "cores", "run"]

Tell = Callable[[int, int, str], None]
"""Called as tell(done, total, what was done last)."""


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(experiment: Experiment, cells: Sequence[Cell], store: Store, *, jobs: int, tell: Tell) -> int:
    """Run every cell that the store does not hold; returns how many there were."""
    missing = {cell.key: cell for cell in cells if cell.key not in store.finished}
    if not missing:
        store.begin()
        return 0
    first = next(iter(missing.values()))
    data = make_base(experiment.data, first.extra, first.data_seed)
    _require_fit(experiment, data)
    store.begin()
    tell(0, len(missing), "")
    with tempfile.TemporaryDirectory(prefix="sfumato-") as folder:
        handed = Path(folder) / "data.pickle"
        handed.write_bytes(pickle.dumps(data, protocol=pickle.HIGHEST_PROTOCOL))
        del data
        _run(experiment, missing, store, {first.work["base"]: str(handed)}, jobs, tell)
    return len(missing)


def _run(
    experiment: Experiment, missing: dict[str, Cell], store: Store, handed: dict[str, str], jobs: int, tell: Tell
) -> None:
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(
        max_workers=min(jobs, len(missing)),
        mp_context=multiprocessing.get_context("spawn"),  # a fork would share numba's threads
        initializer=begin,
        initargs=(handed,),
    )
    source = asdict(experiment.data)
    done = 0
    try:
        running: dict[Future[dict[str, Any]], Cell] = {
            pool.submit(work, cell.work, source): cell for cell in missing.values()
        }
        for future in as_completed(running):
            cell, outcome = running[future], future.result()
            if "error" in outcome:
                raise _said(experiment, cell, outcome)
            store.keep(cell.key, outcome)
            done += 1
            tell(done, len(missing), f"{cell.configuration.name} {'' if cell.setting is None else cell.setting}")
    except BaseException as stopped:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(multiprocessing.active_children()) - before:  # a run may take minutes: do not wait for it
            child.terminate()
            child.join()
        if isinstance(stopped, BrokenProcessPool):
            kept = f"{len(store.finished)} finished runs are kept in {store.out}, the same command goes on from there"
            why = "too little memory?" if done else "too little memory, or a script without if __name__ == '__main__'?"
            raise SfumatoError(f"compare: a worker process ended before its work was done ({why}); {kept}") from None
        raise
    pool.shutdown()


def _said(experiment: Experiment, cell: Cell, outcome: dict[str, Any]) -> SfumatoError:
    who = f"configuration {cell.configuration.name!r}: {outcome['error']}"
    if outcome["exit_code"] == CallerError.exit_code:
        return FileError(experiment.file, who)
    return SfumatoError(f"{experiment.file}: {who}")


def _require_fit(experiment: Experiment, data: Any) -> None:
    """Refuse methods, measures and samples that these data cannot serve, before anything runs."""
    for made in experiment.configurations:
        if made.method in MINERS:
            require_graph(data, f"{experiment.file}: configuration {made.name!r}")
            continue
        method = method_class(made.method)
        varied = (
            {}
            if experiment.vary is None or experiment.vary.of_data or made.constant
            else {experiment.vary.field: experiment.vary.values[0]}
        )
        try:
            method.from_json({**made.parameters, **varied})._require(
                fitting(with_knowledge(data, made.knowledge), method.kind)
            )
        except CallerError as error:
            raise FileError(experiment.file, f"configuration {made.name!r}: {error}") from None
    for figure in experiment.figures:
        kinds = measure_class(figure.measure).kinds
        if data.kind not in kinds:
            raise DataError(f"{experiment.file}: measure {figure.name!r} fits {' and '.join(kinds)}, not {data.kind}")
    largest = experiment.data.sample or 0
    if experiment.vary is not None and experiment.vary.parameter == "data.sample":
        largest = max(experiment.vary.values)
    size, what = (data.n_edges, "edges") if isinstance(data, Graph) else (len(data), "records")
    if largest > size:
        raise FileError(experiment.file, f"a sample of {largest:,} {what} was asked for, the data have {size:,}")
