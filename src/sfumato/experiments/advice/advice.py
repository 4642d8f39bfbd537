"""The result of `advise`: the trials, the Pareto front, the recommended candidate and the command that repeats it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl

from sfumato.data.base import Tabular
from sfumato.errors import counted
from sfumato.experiments.advice.candidates import Candidate
from sfumato.experiments.advice.other_promises import difference
from sfumato.experiments.definition.experiment import pretty
from sfumato.html import card_html
from sfumato.methods.preparation_texts import text_of_step
from sfumato.params import JsonObject
from sfumato.privacy import PrivacyModel
from sfumato.utility.base import Measure, shortfall
from sfumato.utility.queries import Are

if TYPE_CHECKING:
    import altair as alt

__all__ = ["Advice", "Trial", "comparable"]


@dataclass
class Trial:
    """A candidate and the result of its run.

    state : "ran", "infeasible", "not started", "stopped", "refused", "not kept" or "broken"; `why` gives the reason.
    estimated_s : the estimated time of a run on all records, or None.
    heavy_losses : sentences about what the release keeps next to nothing of.
    alternatives : what to run instead of a candidate with such a loss, in words.
    """

    candidate: Candidate
    state: str = "not started"
    why: str = ""
    estimated_s: float | None = None
    seconds: float | None = None
    figures: dict[str, tuple[float, str]] = field(default_factory=dict)
    front: bool = False
    recommended: bool = False
    heavy_losses: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.candidate.name


@dataclass(frozen=True)
class Advice(Tabular):
    """The result of `advise`; it is private, because it is computed from the original.

    promises : what a release must keep, all of them.
    trials : every candidate; the recommended one comes first, then the others on the Pareto front.
    lacking : sentences about methods whose side knowledge is missing.
    notes : warnings for the reader.
    """

    promises: tuple[PrivacyModel, ...]
    cared: tuple[Measure, ...]
    trials: tuple[Trial, ...]
    lacking: tuple[str, ...]
    seed: int
    budget_s: float
    seconds: float
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        best = self.recommended
        return f"<Advice: {'no candidate' if best is None else best.name}, of {counted(len(self.trials), 'candidate')}>"

    def _repr_html_(self) -> str:
        from sfumato.experiments.reports.advice_page import advice_head, advice_rows

        rows = advice_rows(self)
        remarks = [*self.sentences, *self.near_total, *self.unfinished, *self.lacking, *self.notes]
        return card_html(repr(self), advice_head(self.cared), rows, len(rows), remarks)

    def chart(self) -> alt.TopLevelMixin:
        """The candidates by the measures that matter, with the recommended one marked."""
        from sfumato.experiments.reports.advice_page import draw_advice
        from sfumato.experiments.reports.charts import require_charts

        require_charts()
        return draw_advice(self)

    @property
    def promise(self) -> str:
        """The promises in words."""
        return " and ".join(
            f"{model.title} ({', '.join(f'{name}={value}' for name, value in model.to_json().items())})"
            for model in self.promises
        )

    @property
    def complete(self) -> bool:
        """Whether every candidate had the time to finish; another run then gives the same advice."""
        return not any(trial.state in ("not started", "stopped") for trial in self.trials)

    @property
    def recommended(self) -> Trial | None:
        return next((trial for trial in self.trials if trial.recommended), None)

    @property
    def front(self) -> list[Trial]:
        return [trial for trial in self.trials if trial.front]

    @property
    def near_total(self) -> list[str]:
        """Sentences about the candidates whose loss is near-total, with the figures of the best one that avoids it."""
        spared = [trial for trial in self._compared if not trial.heavy_losses]
        best = _best_in(self.cared[0], spared) if spared else None
        return [
            f"{trial.name}: near-total loss: {sentence}{_tried_instead(best, trial, self.cared)}"
            for trial in self.trials
            for sentence in trial.heavy_losses
        ]

    @property
    def _compared(self) -> list[Trial]:
        """The candidates with all figures that keep the promise that was asked for."""
        return [trial for trial in self.trials if comparable(trial, self.cared) and trial.candidate.instead is None]

    @property
    def other(self) -> Trial | None:
        """The best candidate that keeps another promise against the same attacker, by the first measure; if any."""
        others = [trial for trial in self.trials if comparable(trial, self.cared) and trial.candidate.instead]
        return _best_in(self.cared[0], others) if others else None

    @property
    def unfinished(self) -> list[str]:
        """Sentences about the candidates that did not finish."""
        return [f"{trial.name}: {trial.why}" for trial in self.trials if trial.why]

    @property
    def sentences(self) -> list[str]:
        """The recommendation in words."""
        best = self.recommended
        if best is None:
            nothing = "No candidate can be recommended: no run finished with a figure for every measure."
            return [nothing, *self._other_promise()]
        compared = self._compared
        sentences = [f"Recommended: {best.name} ({_figures(best, self.cared)})."]
        if best.heavy_losses:
            instead = f" To lose less, try {' or '.join(best.alternatives)}." if best.alternatives else ""
            sentences.append(f"But its loss is near-total: {'; '.join(best.heavy_losses)}.{instead}")
        if best.candidate.method.kind == "trajectories" and all(trial.heavy_losses for trial in compared):
            sentences.append(self._nothing_kept(compared))
        sentences += self._no_better_than_nothing(best)
        if best.candidate.verified:
            labels = " and ".join(promise.label for promise in best.candidate.verified)
            sentences.append(f"Its method does not promise {labels}; this was verified on the release of this run.")
        any_measure = "either measure" if len(self.cared) == 2 else "any measure"
        if len(self.cared) == 1:
            best_of = (
                f"the best of {len(compared)} compared candidates" if len(compared) > 1 else "the only one compared"
            )
            sentences.append(f"It is {best_of}.")
        elif len(self.front) == 1:
            sentences.append(f"No other of the {len(compared)} compared candidates is better on {any_measure}.")
        elif len({tuple(trial.figures[measure.name][0] for measure in self.cared) for trial in self.front}) == 1:
            others = ", ".join(trial.name for trial in self.front if trial is not best)
            sentences.append(
                f"No other of the {len(compared)} compared candidates is better on {any_measure}; "
                f"equally good: {others}."
            )
        else:
            sentences.append(
                f"Of {len(compared)} compared candidates, {len(self.front)} are on the Pareto front. "
                "Of those, this one has the smallest loss on its worst measure."
            )
            for measure in self.cared:
                ahead = _best_in(measure, compared)
                if ahead is not best and ahead.figures[measure.name][0] != best.figures[measure.name][0]:
                    sentences.append(f"Best on {measure.name} alone: {ahead.name} ({_figures(ahead, (measure,))}).")
        return [*sentences, *self._other_promise()]

    def _no_better_than_nothing(self, best: Trial) -> list[str]:
        """A warning where the answers to queries have errors as large as the answer 0 would have."""
        figures = [best.figures[measure.name][0] for measure in self.cared if isinstance(measure, Are)]
        if not figures or min(figures) < 1:
            return []
        return ["It keeps little: its answers to counting queries are no better than the answer 0 to every query."]

    def _other_promise(self) -> list[str]:
        """The best candidate with another promise, in words."""
        other, best = self.other, self.recommended
        if other is None or other.candidate.instead is None:
            return []
        instead = "" if best is None else f" in place of {_figures(best, self.cared)}"
        return [
            f"Under the same k and m, {other.name} has {_figures(other, self.cared)}{instead}. "
            f"{difference(other.candidate.instead)}"
        ]

    def _nothing_kept(self, compared: Sequence[Trial]) -> str:
        """What to do where every candidate keeps next to nothing of the movements."""
        tried = dict.fromkeys(trial.candidate.prepared_data for trial in compared if trial.candidate.preparation)
        also = f", also on {'; '.join(tried)}" if tried else ""
        weaker = [
            name for name in ("m", "k") if any(own.name == name for part in self.promises for own in part.parameters())
        ]
        return (
            f"No candidate keeps much: the loss is near-total for all {counted(len(compared), 'compared candidate')}"
            f"{also}. Ask for {' or '.join(f'a smaller {name}' for name in weaker) or 'a weaker promise'}, "
            "or prepare coarser data."
        )

    def to_polars(self) -> pl.DataFrame:
        """One row per candidate: its name, method, parameters, preparation, outcome, figures and near-total loss."""
        rows = []
        for trial in self.trials:
            figures = {part.name: trial.figures.get(part.name, (None, ""))[0] for part in self.cared}
            rows.append(
                {
                    "candidate": trial.name,
                    "method": trial.candidate.method.name,
                    "parameters": json.dumps(trial.candidate.method.to_json()),
                    "preparation": " ".join(map(text_of_step, trial.candidate.preparation)) or None,
                    "state": trial.state,
                    "why": trial.why,
                    "front": trial.front,
                    "recommended": trial.recommended,
                    "instead": trial.candidate.instead.label if trial.candidate.instead else None,
                    "seconds": trial.seconds,
                    "near_total_loss": "; ".join(trial.heavy_losses) or None,
                    **figures,
                }
            )
        texts = dict.fromkeys(("candidate", "method", "parameters", "preparation", "state", "why"), pl.String)
        schema = {**texts, "front": pl.Boolean, "recommended": pl.Boolean, "seconds": pl.Float64}
        schema |= {"instead": pl.String, "near_total_loss": pl.String}
        return pl.DataFrame(rows, schema={**schema, **{part.name: pl.Float64 for part in self.cared}})

    def to_json(self) -> JsonObject:
        """All figures, as JSON values."""
        return {
            "private": True,
            "promise": self.promises[0].name,
            "parameters": self.promises[0].to_json(),
            "promises": [{"promise": part.name, "parameters": part.to_json()} for part in self.promises],
            "care": [{"measure": part.name, "better": part.better, "meaning": part.meaning} for part in self.cared],
            "seed": self.seed,
            "budget_s": self.budget_s,
            "seconds": round(self.seconds, 3),
            "complete": self.complete,
            "recommended": None if self.recommended is None else self.recommended.name,
            "sentences": self.sentences,
            "front": [trial.name for trial in self.front],
            "trials": [row | {"parameters": json.loads(row["parameters"])} for row in self.to_polars().to_dicts()],
            "lacking": list(self.lacking),
            "notes": list(self.notes),
        }


def comparable(trial: Trial, cared: Sequence[Measure]) -> bool:
    """Whether the trial has a figure for every measure."""
    return trial.state == "ran" and all(
        measure.name in trial.figures and math.isfinite(trial.figures[measure.name][0]) for measure in cared
    )


def _best_in(measure: Measure, compared: Sequence[Trial]) -> Trial:
    def rank(trial: Trial) -> tuple[float, bool, bool, str]:
        loss = shortfall(measure.better, trial.figures[measure.name][0])
        return loss, not trial.recommended, not trial.candidate.usual, trial.name

    return min(compared, key=rank)


def _tried_instead(best: Trial | None, trial: Trial, cared: Sequence[Measure]) -> str:
    """The candidate that avoids the loss, if its figure is better."""
    first = cared[0]
    if best is None or first.name not in trial.figures:
        return ""
    after, before = (shortfall(first.better, each.figures[first.name][0]) for each in (best, trial))
    if not after < before:
        return ""
    return f"; {best.name} was tried, too: {_figures(best, (first,))}, not {pretty(trial.figures[first.name][0])}"


def _figures(trial: Trial, cared: Sequence[Measure]) -> str:
    return ", ".join(
        f"{measure.name} {pretty(trial.figures[measure.name][0])} {trial.figures[measure.name][1]}".strip()
        for measure in cared
    )
