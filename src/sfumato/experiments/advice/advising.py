"""Trying the methods that keep one or several promises, within a time budget, and recommending one.

A seed repeats every figure.  Where all candidates finish, it repeats the advice; where some do not, the advice states
it, because which ones finish depends on the machine.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from time import monotonic

from sfumato.catalogue import MEASURES, measure_class
from sfumato.data import Dataset
from sfumato.errors import DataError, ParameterError, did_you_mean
from sfumato.experiments.advice.advice import Advice, Trial, comparable
from sfumato.experiments.advice.candidates import candidates_for
from sfumato.experiments.advice.pareto import compromise, front
from sfumato.experiments.advice.preparations import preparations_for
from sfumato.experiments.advice.schedule import Schedule
from sfumato.experiments.missing_runs import Tell, unwatched
from sfumato.experiments.runner import Runner
from sfumato.privacy import PrivacyModel
from sfumato.utility.base import Measure, shortfall
from sfumato.utility.measure_texts import measure_values
from sfumato.utility.places.appearance import VisitsKept

__all__ = ["advise", "cared_for"]


def cared_for(names: Sequence[str | Measure], kind: str) -> tuple[Measure, ...]:
    """The measures of these names, or of names that begin with one of them and a hyphen; they must fit the data.

    A measure object stands for itself, and so does a text with parameters, such as ``are:queries=500``.  Without a
    name it is `are`, or the first measure that fits.

    >>> [measure.name for measure in cared_for(["are", "patterns"], "transactions")]
    ['are', 'patterns-preserved', 'patterns-spurious']
    """
    fitting = [name for name in MEASURES if kind in measure_class(name).kinds]
    measures: dict[str, Measure] = {}
    for name in names or [name for name in ("are", *fitting) if name in fitting][:1]:
        own = name if isinstance(name, Measure) else _with_parameters(name)
        if own is not None:
            if kind not in own.kinds:
                raise DataError(f"care: {own.name} does not fit {kind}; measures that fit are {', '.join(fitting)}")
            _require_once(own, measures)
            measures[own.name] = own
            continue
        family = [name] if name in MEASURES else [known for known in MEASURES if known.startswith(f"{name}-")]
        if not family:
            raise ParameterError(f"care: no measure is called {name!r}; {did_you_mean(str(name), MEASURES)}")
        fits = [member for member in family if member in fitting]
        if not fits:
            raise DataError(f"care: {name} does not fit {kind}; measures that fit are {', '.join(fitting)}")
        for member in fits:
            _require_once(measure_class(member)(), measures)
            measures[member] = measure_class(member)()
    return tuple(measures.values())


def _with_parameters(text: str) -> Measure | None:
    """The measure of a text with parameters, or of `module:Class`; None where the text is only a name."""
    if ":" not in text:
        return None
    name, values = measure_values(text)
    measure: Measure = MEASURES.choose(name)(**values)
    return measure


def _require_once(measure: Measure, measures: Mapping[str, Measure]) -> None:
    """Refuse a measure that is named twice with different parameters: its figures would have one name."""
    if measures.get(measure.name, measure) != measure:
        raise ParameterError(f"care: wanted {measure.name} with one choice of parameters, found two")


def _with_visits_kept(cared: tuple[Measure, ...], promises: Sequence[PrivacyModel], kind: str) -> tuple[Measure, ...]:
    """The measures, and the share of the visits that are kept: without it, who suppresses most has the least error."""
    kept = VisitsKept()
    wanted = kind in kept.kinds and all(promise.exact_counts for promise in promises)
    return (*cared, kept) if wanted and all(measure.name != kept.name for measure in cared) else cared


def advise(
    data: Dataset,
    promise: PrivacyModel | Sequence[PrivacyModel],
    care: Sequence[str | Measure] = (),
    *,
    seconds: float = 300.0,
    seed: int = 0,
    jobs: int | None = None,
    tell: Tell | None = None,
    runner: Runner | None = None,
    also: Sequence[str] = (),
) -> Advice:
    """Try the methods that keep the promise on these data and recommend one of them.

    promise : one or several; a release must keep all of them.  Trajectories are also tried on grids and by single days;
    all figures compare with the visits before that, and the share of the visits that are kept is one of them.
    care : the measures to optimize, or their names.  seconds : the time budget for all runs, which does not include
    compiling the methods when they are used for the first time.
    also : methods to try in addition to the installed ones, as `module:Class`.
    jobs : the number of parallel runs, each on one core; None for one per core.
    runner : a runner to use instead of jobs, to watch the phases of runs or to cancel from another thread.
    """
    begun = monotonic()
    if not (seconds > 0 and math.isfinite(seconds)):
        raise ParameterError(f"advise: seconds must be a number above 0, got {seconds}")
    promises = (promise,) if isinstance(promise, PrivacyModel) else tuple(dict.fromkeys(promise))
    if not promises:
        raise ParameterError("advise: wanted a promise, found none")
    cared = _with_visits_kept(cared_for(care, data.kind), promises, data.kind)
    candidates = candidates_for(promises, data, also, preparations_for(data, promises))
    trials = [Trial(candidate) for candidate in candidates.found]
    Schedule(trials, data, runner or Runner(jobs=jobs), seed, cared, seconds, tell or unwatched).run()
    _rank(trials, cared)
    first = cared[0]

    def place(trial: Trial) -> tuple[bool, bool, bool, float]:
        loss = shortfall(first.better, trial.figures[first.name][0]) if comparable(trial, cared) else math.inf
        return not trial.recommended, not trial.front, trial.state != "ran", loss

    order = sorted(trials, key=place)
    return Advice(
        promises,
        cared,
        tuple(order),
        candidates.lacking,
        seed,
        seconds,
        monotonic() - begun,
        (*_left_out(trials), *_notes(promises)),
    )


def _rank(trials: Sequence[Trial], cared: Sequence[Measure]) -> None:
    """Mark the Pareto front and the recommended candidate, of those that keep the promise that was asked for."""
    compared = [trial for trial in trials if comparable(trial, cared)]
    for trial in trials:
        if trial.state == "ran" and trial not in compared:
            lacking = [measure.name for measure in cared if measure.name not in trial.figures]
            because = f" ({trial.why})" if trial.why else ""
            names = ", ".join(lacking) or "a measure"
            trial.why = f"cannot be compared: no figure for {names}{because}"
    compared = [trial for trial in compared if trial.candidate.instead is None]
    points = [tuple(trial.figures[measure.name][0] for measure in cared) for trial in compared]
    better = [measure.better for measure in cared]
    for trial, best in zip(compared, front(points, better), strict=True):
        trial.front = best
    chosen = compromise(points, better) if points else None
    if chosen is not None:
        compared[chosen].recommended = True


def _left_out(trials: Sequence[Trial]) -> tuple[str, ...]:
    """A sentence where the time was not enough for all candidates."""
    n_open = sum(trial.state in ("not started", "stopped") for trial in trials)
    if not n_open:
        return ()
    return (
        f"{n_open} of {len(trials)} candidates did not run or did not finish in the time budget, so another run may "
        "compare other candidates and give other advice; a larger budget avoids this.",
    )


def _notes(promises: Sequence[PrivacyModel]) -> tuple[str, ...]:
    noisy = [promise.name for promise in promises if not promise.exact_counts]
    if not noisy:
        return ()
    return (
        "These figures are computed from the private data without noise, so a choice of a method by these figures is "
        f"not covered by {noisy[0]}. Use advise on other data of the same kind, and take that method.",
        "The command has no seed, because a known seed would reveal the noise; the release will differ a little.",
    )
