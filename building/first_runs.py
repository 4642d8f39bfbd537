"""Run every method, promise, measure and miner once on small data, so that its kernels are compiled and kept.

python -m building.first_runs
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

VALUES = {"k": 5, "m": 2, "l": 2, "delta": 0.2, "epsilon": 1.0, "c": 0.5, "group_size": 5}
TOWN = ("--trajectories", "300", "--locations", "60", "--persons", "120", "--seed", "1")
CITY = ("generate", "city", "--nodes", "60", "--objects", "60", "--time-units", "20", "--seed", "1")
# command lines that run in one folder, one after the other
COMMANDS = {
    "visits": [
        ["generate", "checkins", *TOWN, "--out", "visits.csv"],
        ["describe", "visits.csv"],
        ["audit", "visits.csv", "--known", "2"],
        ["mine", "sequences", "visits.csv", "--support", "5"],
        ["anonymize", "seqanon", "visits.csv", "--k", "5", "--m", "2", "--out", "release"],
        ["verify", "release", "--original", "visits.csv"],
        ["evaluate", "visits.csv", "release"],
        ["demo"],
    ],
    "baskets": [
        ["generate", "baskets", "--records", "500", "--items", "60", "--seed", "1", "--out", "baskets.csv"],
        ["describe", "baskets.csv"],
        ["audit", "baskets.csv", "--known", "2"],
        ["mine", "itemsets", "baskets.csv", "--support", "10"],
    ],
    "graph": [
        ["generate", "graph", "--nodes", "200", "--edges", "400", "--labels", "3", "--seed", "1", "--out", "a.lg"],
        ["mine", "subgraphs", "a.lg", "--support", "20", "--max-edges", "3"],
        ["mine", "subgraphs", "a.lg", "--support", "20", "--max-edges", "2", "--exact"],
    ],
    "city": [
        [*CITY, "--output", "positions", "--streets", "streets", "--out", "positions.csv"],
        ["prepare", "grid", "positions.csv", "--out", "cells.csv"],
        ["prepare", "regions", "positions.csv", "--density", "0.05", "--out", "regions.csv"],
        ["prepare", "stops", "positions.csv", "--out", "stops.csv"],
        ["match", "positions.csv", "--network", "streets", "--out", "matched.csv"],
    ],
}


def main() -> str | None:
    """Run everything, on all processors; returns what failed, if anything did."""
    from sfumato.catalogue import METHODS

    tasks = [*COMMANDS, *sorted(METHODS, key=lambda name: name not in ("gsup", "disassociate", "icba", "zga"))]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        failures = [text for text in pool.map(run, tasks) if text]
    return "\n".join(failures) or None


def run(name: str) -> str:
    """Run one method or one list of command lines; returns what failed, or nothing."""
    try:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            if name in COMMANDS:
                for words in COMMANDS[name]:
                    _command(words)
            else:
                _method(name, Path(folder) / "release")
    except Exception as error:  # it goes to another process, which an exception may not
        return f"{name}: {type(error).__name__}: {error}"
    return ""


def _command(words: list[str]) -> None:
    from sfumato.cli import cli

    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        cli.main(words, prog_name="sfumato", standalone_mode=False)


def _method(name: str, folder: Path) -> None:
    from sfumato import anonymize, audit, evaluate, verify
    from sfumato.catalogue import method_class
    from sfumato.errors import CallerError

    method = method_class(name)
    data = example(method.kind)
    values = {p.name: VALUES[p.name] for p in method.parameters() if p.required}
    with contextlib.suppress(CallerError):  # code was compiled before the method refused
        release = anonymize(data, method.from_json(values))
        release.write(folder)
        verify(folder)
        verify(folder, original=data)
        evaluate(data, release)
        audit(folder, original=data)


@lru_cache(None)
def example(kind: str) -> Any:
    """The example dataset of a kind."""
    from sfumato.web.workbench.examples.content import BUILDERS, dataset_of

    return dataset_of(BUILDERS[kind]())


if __name__ == "__main__":
    sys.exit(main())
