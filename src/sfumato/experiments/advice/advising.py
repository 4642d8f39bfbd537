"""Trying the methods that keep a promise, within a time budget, and recommending one.

Runs on small samples come first: they estimate the time of a run on all records.  Then every method runs with its usual
parameters, the fastest first, and after that with the rest of its grid.  A candidate that would not finish in time is
not started, and one that does not finish is stopped.  A seed repeats every figure; which runs finish depends on the
machine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

from sfumato.catalogue import MEASURES, METHODS, measure_class
from sfumato.data import Dataset
from sfumato.errors import DataError, ParameterError, did_you_mean
from sfumato.experiments.advice.advice import Advice, Trial, comparable
from sfumato.experiments.advice.candidates import candidates_for
from sfumato.experiments.advice.pareto import compromise, front
from sfumato.experiments.definition.experiment import pretty
from sfumato.experiments.definition.field_types import Fields
from sfumato.experiments.definition.file_tables import MeasureTable
from sfumato.experiments.missing_runs import Tell, unwatched
from sfumato.experiments.run_spec import Measures, RunSpec
from sfumato.experiments.runner import RunEnd, Runner, Task, packed
from sfumato.privacy import PrivacyModel
from sfumato.utility.base import Measure

__all__ = ["advise", "cared_for", "extrapolated"]

_SMALL = 2_000  # records: as quick as a sample
_SAMPLES = (500, 1_500)
_SHARE = 0.25  # of the budget, for samples
_STEEPEST = 3.0  # exponent of the growth of the time


def cared_for(names: Sequence[str], kind: str) -> tuple[Measure, ...]:
    """The measures of these names, or of names that begin with one of them and a hyphen; they must fit the data.

    Without a name it is `are`, or the first measure that fits.

    >>> [measure.name for measure in cared_for(["are", "patterns"], "transactions")]
    ['are', 'patterns-preserved', 'patterns-spurious']
    """
    fitting = [name for name in MEASURES if kind in measure_class(name).kinds]
    measures: dict[str, Measure] = {}
    for name in names or [name for name in ("are", *fitting) if name in fitting][:1]:
        if ":" in name:
            own = MEASURES.choose(name)
            if kind not in own.kinds:
                raise DataError(f"care: {name} does not fit {kind}; measures that fit are {', '.join(fitting)}")
            measures[own.name] = own()
            continue
        family = [name] if name in MEASURES else [one for one in MEASURES if one.startswith(f"{name}-")]
        if not family:
            raise ParameterError(f"care: no measure is called {name!r}; {did_you_mean(name, MEASURES)}")
        fits = [one for one in family if one in fitting]
        if not fits:
            raise DataError(f"care: {name} does not fit {kind}; measures that fit are {', '.join(fitting)}")
        measures |= {one: measure_class(one)() for one in fits}
    return tuple(measures.values())


def advise(
    data: Dataset,
    promise: PrivacyModel,
    care: Sequence[str] = (),
    *,
    seconds: float = 300.0,
    seed: int = 0,
    jobs: int | None = None,
    tell: Tell | None = None,
    runner: Runner | None = None,
    also: Sequence[str] = (),
) -> Advice:
    """Try the methods that keep the promise on these data and recommend one of them.

    care : names of the measures to optimize.  seconds : the time budget for all runs.
    also : methods to try in addition to the installed ones, as `module:Class`.
    jobs : the number of parallel runs, each on one core; None for one per core.
    runner : a runner to use instead of jobs, to watch the phases of runs or to cancel from another thread.
    """
    begun = monotonic()
    if not (seconds > 0 and math.isfinite(seconds)):
        raise ParameterError(f"advise: seconds must be a number above 0, got {seconds}")
    cared = cared_for(care, data.kind)
    candidates = candidates_for(promise, data, also)
    trials = [Trial(candidate) for candidate in candidates.found]
    clock = _Clock(begun, seconds)
    stage = _Stage(trials, {"data": packed(data)}, runner or Runner(jobs=jobs), seed, cared, clock, tell or unwatched)
    if len(data) > _SMALL:
        stage.estimate_runtimes(len(data))
    stage.run()
    _rank(trials, cared)
    order = sorted(trials, key=lambda one: (not one.recommended, not one.front, one.state != "ran"))
    return Advice(
        promise,
        cared,
        tuple(order),
        candidates.lacking,
        seed,
        seconds,
        monotonic() - begun,
        _notes(promise),
    )


@dataclass(frozen=True)
class _Clock:
    begun: float
    budget_s: float

    @property
    def left(self) -> float:
        return self.budget_s - (monotonic() - self.begun)


@dataclass
class _Stage:
    """Runs of the candidates, on samples and on all records."""

    trials: list[Trial]
    datasets: dict[str, bytes]
    runner: Runner
    seed: int
    cared: tuple[Measure, ...]
    clock: _Clock
    tell: Tell

    def estimate_runtimes(self, records: int) -> None:
        """Run every candidate on two samples, and extrapolate its time to all records."""
        until = self.clock.left * (1 - _SHARE)
        sizes = [size for size in _SAMPLES if size < records]
        took: dict[tuple[int, int], float] = {}
        ended: set[tuple[int, int]] = set()
        waiting = [(at, size) for size in sizes for at in range(len(self.trials))]
        total = len(waiting)

        def following() -> Task | None:
            left = self.clock.left - until
            for at, size in list(waiting):
                first = size == sizes[0]
                if not first and (at, sizes[0]) not in ended:
                    continue  # it is running still
                waiting.remove((at, size))
                if left > 0 and (first or took.get((at, sizes[0]), left) < left):
                    return Task((at, size), self._spec(self.trials[at], size, left))
            return None

        def done(task: Task, end: RunEnd) -> None:
            at, size = task.key
            ended.add((at, size))
            if end.state == "ran":
                took[at, size] = max(end.outcome["cpu"], 1e-3)
            elif end.state == "limit":
                self.trials[at].estimated_s = max(self.trials[at].estimated_s or 0.0, end.seconds * records / size)
            self.tell(total - len(waiting), total, f"a sample of {size:,}: {self.trials[at].name}")

        self.runner.run(following, done, datasets=self.datasets)
        for at, trial in enumerate(self.trials):
            known = [(size, took[at, size]) for size in sizes if (at, size) in took]
            if known:
                trial.estimated_s = max(trial.estimated_s or 0.0, extrapolated(known, records))

    def run(self) -> None:
        """Run the candidates on all records within the budget: usual parameters first, fast candidates first."""
        waiting = sorted(
            self.trials, key=lambda one: (not one.candidate.usual, one.estimated_s or 0.0, one.candidate.name)
        )
        total, finished = len(waiting), 0

        def following() -> Task | None:
            while waiting:
                trial = waiting.pop(0)
                left = self.clock.left
                if left <= 0 or (trial.estimated_s is not None and trial.estimated_s > left):
                    trial.state, trial.why = "not started", _too_long(trial.estimated_s, left)
                    continue
                return Task(trial, self._spec(trial, None, left))
            return None

        def done(task: Task, end: RunEnd) -> None:
            nonlocal finished
            finished += 1
            _enter(task.key, end)
            self.tell(finished, total, task.key.name)

        self.runner.run(following, done, datasets=self.datasets)

    def _spec(self, trial: Trial, sample: int | None, limit_s: float) -> RunSpec:
        method = trial.candidate.method
        return RunSpec(
            dataset="data",
            sample=sample,
            method=METHODS.name_of(type(method)),
            arguments=Fields(method.to_json()),
            seed=self.seed,
            measures=Measures(
                MeasureTable(measure=MEASURES.name_of(type(measure)), name=measure.name) for measure in self.cared
            ),
            limit_s=limit_s,
        )


def extrapolated(known: Sequence[tuple[int, float]], records: int) -> float:
    """The estimated seconds for a number of records, from one or two samples: at least linear in the size.

    >>> round(extrapolated([(500, 1.0), (1500, 9.0)], 3000), 6), extrapolated([(500, 2.0), (1500, 2.0)], 3000)
    (36.0, 4.0)
    """
    size, seconds = known[-1]
    power = 1.0
    if len(known) > 1:
        first_size, first = known[0]
        power = min(_STEEPEST, max(1.0, math.log(seconds / first) / math.log(size / first_size)))
    return float(seconds * (records / size) ** power)


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
        trial.state, trial.why = "broken", "its promise does not hold on these data; this is a bug, please report it"
    else:
        trial.state, trial.seconds = "ran", outcome["seconds"]
        trial.why = "; ".join(outcome.get("unmeasured", {}).values())
        trial.figures = {name: (float(value), unit) for name, (value, unit) in outcome["figures"].items()}


def _too_long(estimated_s: float | None, left: float) -> str:
    if estimated_s is None or left <= 0:
        return "not started: the time budget was used up"
    return f"not started: the estimated time was {pretty(estimated_s)} s, and {pretty(left)} s were left"


def _rank(trials: Sequence[Trial], cared: Sequence[Measure]) -> None:
    """Mark the Pareto front and the recommended candidate."""
    compared = [trial for trial in trials if comparable(trial, cared)]
    for trial in trials:
        if trial.state == "ran" and trial not in compared:
            lacking = [measure.name for measure in cared if measure.name not in trial.figures]
            because = f" ({trial.why})" if trial.why else ""
            names = ", ".join(lacking) or "a measure"
            trial.why = f"cannot be compared: no figure for {names}{because}"
    points = [tuple(trial.figures[measure.name][0] for measure in cared) for trial in compared]
    better = [measure.better for measure in cared]
    for trial, best in zip(compared, front(points, better), strict=True):
        trial.front = best
    chosen = compromise(points, better) if points else None
    if chosen is not None:
        compared[chosen].recommended = True


def _notes(promise: PrivacyModel) -> tuple[str, ...]:
    if promise.exact_counts:
        return ()
    return (
        "These figures are computed from the private data without noise, so a choice of a method by these figures is "
        f"not covered by {promise.name}. Use advise on other data of the same kind, and take that method.",
        "The command has no seed, because a known seed would reveal the noise; the release will differ a little.",
    )
