"""The runs of the candidates within a time budget: first to compile, then on samples, then on all records.

The first runs compile the methods and are outside the budget.  Runs on small samples then estimate how long a run on
all records takes.  The runs on all records follow: fast candidates first, then every other one with its usual
parameters, then those with other parameters, so that each method has a figure before a slow one has several.  Slower
candidates come later, and among candidates of about the same speed those with their usual parameters, on the data as
they are before prepared data, in the order of the catalogue.  Speeds differ if they differ by a factor of four, so that
a little more or less time on another run changes nothing.  A candidate that would need more time than is left is
postponed, and tried at the end with the rest of the budget, unless that is hopeless.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from time import monotonic

from sfumato.catalogue import MEASURES, METHODS
from sfumato.data import Dataset
from sfumato.experiments.advice.advice import Trial
from sfumato.experiments.definition.experiment import pretty
from sfumato.experiments.definition.field_types import Fields, Texts
from sfumato.experiments.definition.file_tables import MeasureTable
from sfumato.experiments.missing_runs import Tell
from sfumato.experiments.run_spec import Measures, RunSpec
from sfumato.experiments.runner import RunEnd, Runner, Task, packed
from sfumato.methods.preparation_texts import text_of_step
from sfumato.methods.promise_texts import text_of_promise
from sfumato.methods.time_estimates import extrapolated
from sfumato.utility.base import Measure

__all__ = ["Schedule", "speed_class"]

_FEW = 300  # records of a run that compiles
_COMPILING_S = 120.0  # that it may take at least
_SMALL = 2_000  # records: as quick as a sample
_SAMPLES = (500, 1_500)
_SHARE = 0.25  # of the budget, for samples
_FAST = 1 / 32  # of the budget: faster ones are alike
_FACTOR = 4.0  # between two classes of speed
_HOPE = 8.0  # an estimate above so many times the time that is left is believed


class Schedule:
    """Runs candidates and enters how each of them ended."""

    def __init__(
        self,
        trials: Sequence[Trial],
        data: Dataset,
        runner: Runner,
        seed: int,
        cared: tuple[Measure, ...],
        budget_s: float,
        tell: Tell,
    ) -> None:
        self._trials, self._data, self._runner = list(trials), data, runner
        self._seed, self._cared, self._budget_s, self._tell = seed, cared, budget_s, tell
        self._begun = monotonic()
        self._took: dict[tuple[int, int], float] = {}
        self._done, self._total, self._running = 0, 0, 0

    def run(self) -> None:
        """All stages, in the same worker processes."""
        stages = [self._compile, self._sample, self._run_all]
        waiting: list[Callable[[], Task | None]] = []

        def next_task() -> Task | None:
            while waiting or stages:
                task = waiting[0]() if waiting else None
                if task is not None:
                    self._running += 1
                    return task
                if self._running:  # the next stage needs the results of this one
                    return None
                waiting[:] = [stages.pop(0)()] if stages else []
            return None

        self._runner.run(next_task, self._ended, datasets=self._datasets())

    def _datasets(self) -> dict[str, bytes]:
        fitted = {_name_of_data(trial): trial for trial in self._trials}
        return {name: packed(trial.candidate.fitted(self._data)) for name, trial in fitted.items()}

    @property
    def _left(self) -> float:
        return self._budget_s - (monotonic() - self._begun)

    def _compile(self) -> Callable[[], Task | None]:
        first = {type(trial.candidate.method): trial for trial in reversed(self._trials)}
        few, limit_s = max(1, min(_FEW, len(self._data))), max(_COMPILING_S, self._budget_s)
        tasks = [Task(("compile", trial), self._spec(trial, few, limit_s)) for trial in reversed(first.values())]
        self._done, self._total = 0, len(tasks)
        return lambda: tasks.pop(0) if tasks else None

    def _sample(self) -> Callable[[], Task | None]:
        """Every candidate on two samples, the second where the first leaves time for it."""
        self._begun = monotonic()
        sizes = [size for size in _SAMPLES if len(self._data) > max(size, _SMALL)]
        tasks = [(index, size) for size in sizes for index in range(len(self._trials))]
        self._done, self._total = 0, len(tasks)
        until = self._budget_s * (1 - _SHARE)

        def following() -> Task | None:
            for index, size in list(tasks):
                if size != sizes[0] and (index, sizes[0]) not in self._took:
                    continue  # the first is running still, or did not finish
                tasks.remove((index, size))
                left = self._left - until
                if left > 0 and self._took.get((index, sizes[0]), 0.0) < left:
                    return Task(("sample", index, size), self._spec(self._trials[index], size, left))
            return None

        return following

    def _run_all(self) -> Callable[[], Task | None]:
        """Every candidate on all records, in an order that does not depend on small differences of speed."""
        for index, trial in enumerate(self._trials):
            known = [(size, self._took[index, size]) for size in _SAMPLES if (index, size) in self._took]
            if known:
                trial.estimated_s = max(trial.estimated_s or 0.0, extrapolated(known, len(self._data)))
        estimated = any(trial.estimated_s is not None for trial in self._trials)

        def place(trial: Trial) -> tuple[bool, int, bool, int]:
            speed, usual = speed_class(trial.estimated_s, self._budget_s, estimated), trial.candidate.usual
            return speed > 0 and not usual, speed, not usual, len(trial.candidate.preparation)

        tasks = sorted(self._trials, key=place)  # sorting keeps the order of the catalogue
        self._done, self._total = 0, len(tasks)

        postponed: list[Trial] = []

        def following() -> Task | None:
            while tasks or postponed:
                is_last = not tasks
                trial, left = (postponed if is_last else tasks).pop(0), self._left
                if left > 0 and (trial.estimated_s or 0.0) <= (_HOPE * left if is_last else left):
                    return Task(("run", trial), self._spec(trial, None, left))
                if not is_last:
                    postponed.append(trial)
                    continue
                trial.state, trial.why = "not started", _too_long(trial.estimated_s, left)
                self._done += 1
            return None

        return following

    def _ended(self, task: Task, end: RunEnd) -> None:
        self._running -= 1
        self._done += 1
        stage, *key = task.key
        if stage == "compile":
            self._tell(self._done, self._total, f"compiling {key[0].candidate.method.name}")
        elif stage == "run":
            _enter(key[0], end)
            self._tell(self._done, self._total, key[0].name)
        else:
            index, size = key
            if end.state == "ran":
                self._took[index, size] = max(end.outcome["cpu"], 1e-3)
            elif end.state == "limit":
                self._trials[index].estimated_s = end.seconds * len(self._data) / size
            self._tell(self._done, self._total, f"a sample of {size:,}: {self._trials[index].name}")

    def _spec(self, trial: Trial, sample: int | None, limit_s: float) -> RunSpec:
        method = trial.candidate.method
        return RunSpec(
            dataset=_name_of_data(trial),
            sample=sample,
            method=METHODS.name_of(type(method)),
            arguments=Fields(method.to_json()),
            preparation=Texts(text_of_step(step) for step in trial.candidate.preparation),
            seed=self._seed,
            promises=Texts(text_of_promise(promise) for promise in trial.candidate.verified),
            measures=Measures(
                MeasureTable(
                    measure=MEASURES.name_of(type(measure)), name=measure.name, arguments=Fields(measure.to_json())
                )
                for measure in self._cared
            ),
            limit_s=limit_s,
        )


def speed_class(estimated_s: float | None, budget_s: float, estimated: bool) -> int:
    """How slow a candidate is, in steps of a factor of four; the fast ones are alike.

    estimated : whether the times of candidates were estimated; one without an estimate is then the slowest.

    >>> [speed_class(seconds, 320.0, True) for seconds in (1.0, 10.0, 11.0, 100.0, None)]
    [0, 0, 1, 2, 99]
    """
    if estimated_s is None:
        return 99 if estimated else 0
    return max(0, math.ceil(math.log(max(estimated_s, 1e-9) / (budget_s * _FAST), _FACTOR) - 1e-9))


def _name_of_data(trial: Trial) -> str:
    """The data of a candidate, by the policy that it adds to them."""
    return f"all:{trial.candidate.policy_size}" if trial.candidate.policy_size else "data"


def _enter(trial: Trial, end: RunEnd) -> None:
    outcome = end.outcome
    if end.state == "limit":
        trial.state = "stopped"
        trial.why = f"stopped after {pretty(end.seconds)} s, because the time budget was used up"
    elif end.state == "infeasible":
        trial.state, trial.why = "infeasible", end.reason
    elif end.state != "ran":
        trial.state, trial.why = "refused", end.reason
    elif not all(holds is True for holds in outcome["holds"]):
        trial.state, trial.why = _not_kept(trial, outcome["promises"], outcome["holds"])
    else:
        trial.state, trial.seconds = "ran", outcome["seconds"]
        trial.why = "; ".join(outcome.get("unmeasured", {}).values())
        trial.heavy_losses = tuple(outcome.get("heavy_losses", ()))
        trial.alternatives = tuple(outcome.get("alternatives", ()))
        trial.figures = {name: (float(value), unit) for name, (value, unit) in outcome["figures"].items()}


def _not_kept(trial: Trial, promises: Sequence[str], holds: Sequence[bool | str]) -> tuple[str, str]:
    """The state of a candidate whose release does not keep everything, and why."""
    verified = {promise.label for promise in trial.candidate.verified}
    broken = [label for label, held in zip(promises, holds, strict=True) if held is not True]
    if not set(broken) <= verified:
        return "broken", "its promise does not hold on these data; this is a bug, please report it"
    return "not kept", f"the method does not promise {', '.join(broken)}, and its release does not keep it"


def _too_long(estimated_s: float | None, left: float) -> str:
    if estimated_s is None or left <= 0:
        return "not started, because the time budget was used up"
    return f"not started, because the estimated time was {pretty(estimated_s)} s, and {pretty(left)} s were left"
