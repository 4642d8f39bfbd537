"""The job that tries the methods that keep a promise, and recommends one.  Without Django."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sfumato.web.interface.chart_panels import panels
from sfumato.web.workbench.loading import load

if TYPE_CHECKING:
    from sfumato.experiments.advice.advice import Advice, Trial

__all__ = ["advice_figures", "advise_work"]


def advise_work(
    *,
    source: Mapping[str, Any],
    promises: Sequence[Mapping[str, Any]],
    care: Sequence[str],
    seconds: float,
    progress: Callable[[str, int, int], None],
) -> dict[str, Any]:
    """Try the candidates on the data; returns the front, every candidate with its reason, and what was not tried."""
    from sfumato.catalogue import model_class
    from sfumato.experiments.advice.advising import advise

    progress("loading", 0, 0)
    data = load(source)
    progress("starting the methods", 0, 0)
    models = [model_class(promise["model"]).from_json(promise["parameters"]) for promise in promises]
    advice = advise(
        data, models, care, seconds=seconds, tell=lambda done, total, what: progress(what or "trying", done, total)
    )
    progress("drawing", 0, 0)
    return {"kind": data.kind, **advice_figures(advice)}


def advice_figures(advice: Advice) -> dict[str, Any]:
    """An advice as JSON values for its page."""
    from sfumato.experiments.advice.advice import comparable
    from sfumato.experiments.reports.advice_page import draw_advice

    compared = any(comparable(trial, advice.cared) for trial in advice.trials)
    return {
        "promise": advice.promise,
        "sentences": advice.sentences,
        "near_total": advice.near_total,
        "lacking": list(advice.lacking),
        "notes": [*advice.notes, *_about_preparation(advice)],
        "complete": advice.complete,
        "seconds": round(advice.seconds, 1),
        "measures": [
            {"name": measure.name, "title": measure.title, "better": measure.better} for measure in advice.cared
        ],
        "charts": panels(draw_advice(advice)) if compared else [],
        "candidates": [_candidate(trial, advice) for trial in advice.trials],
    }


def _about_preparation(advice: Advice) -> list[str]:
    """What the figures of a candidate on prepared data compare with, where there is one."""
    if not any(trial.candidate.preparation for trial in advice.trials):
        return []
    return [
        "All figures compare with the data before the preparation. A run of such a candidate prepares the data first, "
        "and its figures compare with the prepared data."
    ]


def _candidate(trial: Trial, advice: Advice) -> dict[str, Any]:
    """A candidate with its figures, its reason, and what an evaluation of it needs."""
    from sfumato.experiments.advice.advice import comparable
    from sfumato.experiments.advice.reasons import reason_of
    from sfumato.methods.preparation_texts import text_of_step
    from sfumato.methods.promise_texts import text_of_promise

    return {
        "name": trial.name,
        "title": trial.candidate.method.title,
        "state": trial.state,
        "recommended": trial.recommended,
        "front": trial.front,
        "compared": comparable(trial, advice.cared),
        "near_total": bool(trial.heavy_losses),
        "figures": [trial.figures.get(measure.name, (None, ""))[0] for measure in advice.cared],
        "seconds": trial.seconds,
        "reason": reason_of(trial, advice),
        "method": trial.candidate.method.name,
        "parameters": trial.candidate.method.to_json(),
        "promises": [text_of_promise(promise) for promise in trial.candidate.verified],
        "policy_size": trial.candidate.policy_size,
        "preparation": [text_of_step(step) for step in trial.candidate.preparation],
        "measures": [{"measure": measure.name, "parameters": {}} for measure in advice.cared],
    }
