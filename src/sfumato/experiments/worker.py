"""A worker process: one run after the other, on one core, until none is left.

Only light modules are imported here, so that the number of threads is set before numba and polars are loaded.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from time import monotonic
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.experiments.run_spec import RunSpec

__all__ = ["serve", "work"]

_ONE_THREAD = (
    "SFUMATO_THREADS",
    "NUMBA_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "POLARS_MAX_THREADS",
)
_SIGNAL_OF_PARENTS_DEATH = 1  # prctl's PR_SET_PDEATHSIG
_PAUSE_S = 0.1  # between two messages about one phase
_WARM_UP = 300  # records
_bases: dict[str, Any] = {}
_warm: set[str] = set()


def serve(pipe: Connection, watched: bool, own_code: bool = False) -> None:
    """Run what comes through the pipe, as JSON values of a `RunSpec`, until the other end is closed.

    What goes back: ("dataset", name) asks for the bytes of a pickled dataset, ("phase", phase, done, total) says how
    far a run has come, where somebody watches, and ("outcome", outcome) ends it.
    own_code : whether the parent may read `module:Class`.
    """
    _begin(own_code)

    def dataset(name: str) -> bytes:
        pipe.send(("dataset", name))
        return pipe.recv_bytes()

    while True:
        try:
            asked = pipe.recv()
        except EOFError:
            return
        try:
            from sfumato.experiments.run_spec import RunSpec

            outcome = work(RunSpec.from_json(asked), dataset, _Phases(pipe) if watched else None)
        except Exception as error:  # the parent says it in a sentence, without what the error may quote
            from sfumato.registry import own_code_in

            where = own_code_in(error)
            place = "inside sfumato; this is a bug, please report it" if where is None else f"in {where}"
            sentence = f"{type(error).__name__} {place}"
            outcome = {"error": sentence, "exit_code": 1}
        pipe.send(("outcome", outcome))


def _begin(own_code: bool) -> None:
    for name in _ONE_THREAD:
        os.environ[name] = "1"
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interruption means
    if sys.platform == "linux":  # at once, also in the middle of a kernel
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SIGNAL_OF_PARENTS_DEATH, signal.SIGKILL)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    if own_code:
        from sfumato.registry import allow_own_code

        allow_own_code()


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class _Phases:
    """Says through the pipe how far a run has come: every phase, and not too often inside one."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe, self._phase, self._sent = pipe, "", 0.0

    def __call__(self, phase: str, done: int, total: int) -> None:
        if phase != self._phase or monotonic() - self._sent >= _PAUSE_S:
            self._phase, self._sent = phase, monotonic()
            self._pipe.send(("phase", phase, done, total))


def work(spec: RunSpec, dataset: Callable[[str], bytes], progress: Any = None) -> dict[str, Any]:
    """The outcome of a run, or ``{"error": ...}``: errors of this package do not survive pickling.

    dataset : gives the bytes of a pickled dataset by its name; no bytes where it has none of this name.
    """
    from sfumato.errors import SfumatoError
    from sfumato.experiments.definition.data_sources import sampled
    from sfumato.experiments.single_run import run_cell
    from sfumato.remedies import keep_remedy

    try:
        data = sampled(_base(spec, dataset), spec.sample, spec.seed)
        _warm_up(spec, data)
        return run_cell(spec, data, progress)
    except SfumatoError as error:
        return {"error": keep_remedy(str(error), error), "exit_code": error.exit_code}


def _base(spec: RunSpec, dataset: Callable[[str], bytes]) -> Any:
    """The data before sampling; the last two datasets are kept."""
    import pickle

    from sfumato.errors import DataError
    from sfumato.experiments.definition.data_sources import make_base

    name = spec.source
    if name not in _bases:
        while len(_bases) > 1:
            del _bases[next(iter(_bases))]
        packed = dataset(name)
        if packed:
            _bases[name] = pickle.loads(packed)
        elif spec.data is not None:
            _bases[name] = make_base(spec.data)
        else:
            raise DataError(f"no dataset is called {name!r}; give it to the runner")
    return _bases[name]


def _warm_up(spec: RunSpec, data: Any) -> None:
    """Run a method and its measures once on a few records, so that loading kernels is not counted as their time."""
    from dataclasses import replace

    import numpy as np

    from sfumato.experiments.definition.field_types import Fields
    from sfumato.experiments.miners import few_edges, is_miner, warm_parameters
    from sfumato.experiments.single_run import run_cell

    if is_miner(spec.method):
        if spec.method not in _warm:
            run_cell(replace(spec, arguments=Fields(warm_parameters(spec.arguments))), few_edges(data))
            _warm.add(spec.method)
        return
    # measures have kernels, too
    needed = {spec.method, *(f"{spec.method} {figure.measure}" for figure in spec.measures)}
    if needed <= _warm:
        return
    few = run_cell(replace(spec, release=None), data.take(np.arange(min(len(data), _WARM_UP))))
    if "infeasible" not in few:
        _warm.update(needed)
