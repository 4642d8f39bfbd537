"""A worker process: one run after the other, on one core, until there is none left.

Only light modules are imported here, so that the number of threads is set before numba and polars are loaded.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from typing import Any

__all__ = ["begin", "work"]

_ONE_THREAD = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")
_WARM_UP = 300  # records
_handed: dict[str, str] = {}
_bases: dict[str, Any] = {}
_warm: set[str] = set()


def begin(handed: dict[str, str]) -> None:
    """Set this process up; handed : files with pickled data, by digest."""
    for name in _ONE_THREAD:
        os.environ[name] = "1"
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interruption means
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    _handed.update(handed)


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def work(cell: dict[str, Any], source: dict[str, Any]) -> dict[str, Any]:
    """The outcome of a run, or ``{"error": ...}``: errors of this package do not survive pickling."""
    from sfumato.errors import SfumatoError
    from sfumato.experiments.definition.data_sources import sampled
    from sfumato.experiments.single_run import run_cell

    try:
        data = sampled(_base(cell, source), cell["sample"], cell["seed"])
        _warm_up(cell, data)
        return run_cell(cell, data)
    except SfumatoError as error:
        return {"error": str(error), "exit_code": error.exit_code}


def _base(cell: dict[str, Any], source: dict[str, Any]) -> Any:
    """The data before sampling; the last two datasets are kept at hand."""
    import pickle
    from pathlib import Path

    from sfumato.experiments.definition.data_sources import make_base
    from sfumato.experiments.definition.experiment import Data

    name = cell["base"]
    if name not in _bases:
        while len(_bases) > 1:
            del _bases[next(iter(_bases))]
        if name in _handed:
            _bases[name] = pickle.loads(Path(_handed[name]).read_bytes())
        else:
            _bases[name] = make_base(Data(**source), cell["extra"], cell["data_seed"])
    return _bases[name]


def _warm_up(cell: dict[str, Any], data: Any) -> None:
    """Run a method once on a few records, so that loading its kernels is not counted as its own time."""
    import numpy as np

    from sfumato.experiments.miners import MINERS, few_edges, warm_parameters
    from sfumato.experiments.single_run import run_cell

    if cell["method"] in MINERS:
        if cell["method"] not in _warm:
            run_cell({**cell, "parameters": warm_parameters(cell["parameters"])}, few_edges(data))
            _warm.add(cell["method"])
    elif cell["method"] not in _warm:
        few = run_cell({**cell, "figures": []}, data.take(np.arange(min(len(data), _WARM_UP))))
        if "infeasible" not in few:
            _warm.add(cell["method"])
