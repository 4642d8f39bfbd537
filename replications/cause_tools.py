"""What the scripts that try causes share: generated data, processor seconds, and the literal twins of the tests."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

from replications.declarations import FOLDER
from replications.findings import Findings
from sfumato.catalogue import GENERATORS, MEASURES, METHODS
from sfumato.experiments.definition.data_sources import fitting

__all__ = ["Causes", "anonymized", "generated", "measured", "processor_seconds", "twin"]


class Causes(Findings):
    """Findings about causes: each names what would have to be seen if the cause were the right one."""

    def check(self, cause: str, claim: str, seen: bool, sentence: str) -> None:
        """Record whether it was seen."""
        self.add(cause, claim, "holds" if seen else "does not hold", sentence)


def generated(generator: str, seed: int = 1, **parameters: Any) -> Any:
    """A generated dataset."""
    return GENERATORS.choose(generator).from_json(parameters).make(seed=seed)


def anonymized(name: str, data: Any, seed: int = 1, **parameters: Any) -> Any:
    """The release of a method; of road trajectories, where the method takes roads for locations, as these."""
    method = METHODS.choose(name).from_json(parameters)
    return method.anonymize(fitting(data, method.kind), seed=seed)


def measured(name: str, original: Any, release: Any, **parameters: Any) -> float:
    """A measure of a release."""
    return float(MEASURES.choose(name).from_json(parameters)(original, release).value)


def processor_seconds(call: Callable[[], Any], times: int = 3) -> float:
    """The median processor time of a call; several are made after one that is not counted, since it may compile."""
    taken = []
    if times > 1:
        call()
    for _ in range(times):
        begun = process_time()
        call()
        taken.append(process_time() - begun)
    return median(taken)


def twin(name: str) -> Any:
    """A module of the slow, literal programs that the tests compare with."""
    tests = str(FOLDER.parent / "tests")
    if tests not in sys.path:
        sys.path.insert(0, tests)
    return importlib.import_module(name)
