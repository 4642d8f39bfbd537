"""Why each candidate of an advice is, or is not, a good choice: one sentence for each."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.experiments.advice.advice import Advice, Trial, comparable
from sfumato.utility.base import Measure, shortfall

__all__ = ["reason_of"]


def reason_of(trial: Trial, advice: Advice) -> str:
    """The reason in one sentence; of a candidate without figures, why it has none."""
    cared = advice.cared
    if not comparable(trial, cared):
        return _sentence(trial.why or f"it was {trial.state}")
    instead = trial.candidate.instead
    own = f" It keeps {instead.label}, not the promise that was asked for." if instead is not None else ""
    return f"{_place(trial, advice)}{own}"


def _place(trial: Trial, advice: Advice) -> str:
    """How the candidate compares with the others of the same promise."""
    cared = advice.cared
    compared = [
        other
        for other in advice.trials
        if comparable(other, cared) and other.candidate.instead == trial.candidate.instead
    ]
    best = [measure.name for measure in cared if all(_loss(trial, measure) <= _loss(o, measure) for o in compared)]
    if len(best) == len(cared):
        on = cared[0].name if len(cared) == 1 else "every measure"
        return f"No candidate is better on {on}."
    better = next((other for other in compared if _dominates(other, trial, cared)), None)
    if better is not None:
        on = cared[0].name if len(cared) == 1 else "every measure, or equal"
        return f"{_capital(better.name)} is better on {on}."
    worst = "It has the smallest loss on its worst measure" if trial.recommended else "No candidate is better on all"
    return f"{worst}; it is the best on {' and '.join(best)}." if best else f"{worst}."


def _loss(trial: Trial, measure: Measure) -> float:
    return float(shortfall(measure.better, trial.figures[measure.name][0]))


def _dominates(first: Trial, second: Trial, cared: Sequence[Measure]) -> bool:
    losses = [(_loss(first, measure), _loss(second, measure)) for measure in cared]
    return all(mine <= theirs for mine, theirs in losses) and any(mine < theirs for mine, theirs in losses)


def _sentence(text: str) -> str:
    return f"{_capital(text).rstrip('.')}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
