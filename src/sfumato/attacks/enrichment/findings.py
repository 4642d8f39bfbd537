"""What an attacker with a knowledge base learns, beside what the release alone reveals: figures and sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sfumato.attacks.enrichment.candidates import Beliefs, best_guess
from sfumato.data.base import Ints
from sfumato.errors import counted
from sfumato.params import JsonObject
from sfumato.remedies import with_remedy

__all__ = ["Guesses", "SensitiveVisits", "sentences"]

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

_WORDS = {
    "nothing": "nothing else",
    "times": "the times of visits",
    "category": "the categories of visits",
    "event": "the times of visits and which were at events",
    "everything": "times, categories and events",
}


@dataclass(frozen=True, eq=False)
class Guesses:
    """How often the true place of a generalized visit is guessed.

    successes : of each attacked visit, for the attacker that the finding is about.
    measured : whether true places are known; otherwise these are the probabilities that the attacker gives a guess.
    by_knowledge : the mean for each kind of background knowledge that could be simulated.
    certain : the share of visits of which one member remains.
    wrong : of how many visits the knowledge base excludes the true place.
    ignored : for how many visits facts would leave no member, and how many records would have no possible sequence.
    """

    successes: Floats
    measured: bool
    baseline: float | None
    uniform: float | None
    by_knowledge: Mapping[str, float]
    certain: float
    wrong: int
    ignored: tuple[int, int]

    @classmethod
    def of(
        cls, truth: Ints | None, drawn: Ints, beliefs: Mapping[str, Beliefs], blind: Beliefs, headline: str
    ) -> Guesses:
        """The guesses for the drawn visits; truth : the place of each visit, None where not known."""

        def success(belief: Beliefs) -> Floats:
            return (belief.confidence if truth is None else best_guess(belief, truth))[drawn]

        own = beliefs[headline]
        uniform = 1.0 / blind.candidates.sizes[drawn]
        return cls(
            success(own),
            truth is not None,
            _mean(success(blind)),
            _mean(uniform),
            {level: float(_mean(success(belief)) or 0.0) for level, belief in beliefs.items()},
            float(np.mean(own.remaining[drawn] == 1)) if len(drawn) else 0.0,
            0 if truth is None else _excluded(own, truth, drawn),
            (own.candidates.contradictions, own.impossible),
        )

    @property
    def misled(self) -> bool:
        """Whether guessing without the knowledge base achieves more, on average."""
        return self.measured and self.baseline is not None and float(np.mean(self.successes)) < self.baseline - 1e-12

    def to_json(self) -> JsonObject:
        return {
            "uniform": self.uniform,
            "by_knowledge": dict(self.by_knowledge),
            "certain": self.certain,
            "excluded_true_places": self.wrong,
            "true_places_known": self.measured,
        }


@dataclass(frozen=True, eq=False)
class SensitiveVisits:
    """The probability that an attacked record has a sensitive visit, with and without the knowledge base.

    visited : whether each of them truly has one; None where that is not known.  exist : whether any place is sensitive.
    """

    enriched: Floats
    plain: Floats
    visited: Bools | None
    exist: bool

    @classmethod
    def of(cls, enriched: Beliefs, plain: Beliefs, visited: Bools | None, exist: bool) -> SensitiveVisits:
        return cls(_settled(enriched.sensitive), _settled(plain.sensitive), visited, exist)

    def to_json(self) -> JsonObject:
        if not self.exist or not len(self.enriched):
            return {}
        return {
            "sensitive_visits": {
                "records": len(self.enriched),
                "visited": None if self.visited is None else int(np.count_nonzero(self.visited)),
                "enriched": self._figures(self.enriched),
                "plain": self._figures(self.plain),
            }
        }

    def _figures(self, chances: Floats) -> JsonObject:
        figures: JsonObject = {"mean": _mean(chances), "certain": int(np.count_nonzero(chances >= 1.0))}
        if self.visited is not None:
            figures["certain_and_right"] = int(np.count_nonzero(self.visited & (chances >= 1.0)))
            figures["mean_of_visitors"] = _mean(chances[self.visited])
            figures["mean_of_others"] = _mean(chances[~self.visited])
        return figures


def sentences(
    guesses: Guesses,
    described: JsonObject,
    sensitive: SensitiveVisits,
    *,
    known: int,
    sampled: bool,
    original: bool,
    missing: str = "",
) -> Iterator[str]:
    """The figures besides the success, in sentences.

    sampled : whether visits were drawn.  original : whether the original is given.
    missing : the background knowledge that was asked for and that these data and facts cannot show; empty for none.
    """
    if missing:
        yield f"Background knowledge of {_WORDS[missing]} cannot be simulated with these data and facts."
    if guesses.uniform is not None:
        yield f"Guessing any member of the label achieves {guesses.uniform:.2%}."
        yield f"The knowledge base leaves one member of {guesses.certain:.2%} of the visits."
    if guesses.measured:
        for level, mean in guesses.by_knowledge.items():
            yield f"An attacker with the knowledge base who knows {_WORDS[level]} infers {mean:.2%} of the places."
    else:
        unknown = "The true places are not known here: the figures are probabilities that the attacker gives to guesses"
        yield with_remedy(unknown, "give-report", end=".") if original else f"{unknown}."
    if guesses.misled:
        yield (
            "The knowledge base misleads this attacker, who would do better without it: the risk is at least that of "
            "guessing by published frequencies."
        )
    if guesses.wrong:
        visits = counted(guesses.wrong, "visit")
        yield f"The knowledge base excludes the true place of {visits}: its facts are wrong or out of date."
    n_visits, n_records = guesses.ignored
    if n_visits or n_records:
        yield (
            f"Facts were not used for {counted(n_visits, 'visit')} of which they would leave no member, and times not "
            f"for {counted(n_records, 'record')} without a possible sequence."
        )
    if described:
        yield from _described(described["described"], known)
    if sensitive.to_json():
        yield from _sensitive(sensitive.to_json()["sensitive_visits"], sampled)


def _described(figures: Mapping[str, Any], known: int) -> Iterator[str]:
    visits = counted(known, "visit")
    texts = [_set_text(figures[name]) for name in ("enriched", "plain")]
    yield (
        f"An attacker who knows {visits} by category, time and event, but not by place, finds {texts[0]} with the "
        f"knowledge base, and {texts[1]} without it."
    )


def _set_text(figures: Mapping[str, Any]) -> str:
    smallest = figures["smallest_anonymity_set"]
    if smallest is None:
        return "no matching record"
    bound = "" if figures["exact"] else "at most "
    return f"a smallest anonymity set of {bound}{counted(smallest, figures['unit'])}"


def _sensitive(figures: Mapping[str, Any], sampled: bool) -> Iterator[str]:
    enriched, plain = figures["enriched"], figures["plain"]
    among = f"the {counted(figures['records'], 'record')} {'drawn' if sampled else 'with generalized visits'}"
    certain = [f"{side['certain']:,}{_right(side)}" for side in (enriched, plain)]
    yield (
        f"Of {among}, the attacker is certain of a sensitive visit for {certain[0]} with the knowledge base and for "
        f"{certain[1]} without it; the mean probability is {enriched['mean']:.2%} and {plain['mean']:.2%}."
    )
    if figures["visited"]:
        means = [f"{side['mean_of_visitors']:.2%}" for side in (enriched, plain)]
        yield (
            f"For the {counted(figures['visited'], 'record')} that have a sensitive visit, the mean probability is "
            f"{means[0]} with the knowledge base and {means[1]} without it."
        )


def _right(figures: Mapping[str, Any]) -> str:
    """Of how many records a certain conclusion is right, where that is known."""
    if not figures["certain"] or "certain_and_right" not in figures:
        return ""
    return f" ({figures['certain_and_right']:,} of them rightly)"


def _mean(values: Floats) -> float | None:
    return float(values.mean()) if len(values) else None


def _settled(chances: Floats) -> Floats:
    """Probabilities without the rounding of sums: what differs from 0 or 1 by less than 1e-12 is 0 or 1."""
    return np.where(chances > 1 - 1e-12, 1.0, np.where(chances < 1e-12, 0.0, chances))


def _excluded(beliefs: Beliefs, truth: Ints, drawn: Ints) -> int:
    """How many drawn visits have no possible candidate that is the true place, although it is a member."""
    candidates = beliefs.candidates
    is_true = candidates.places == truth[candidates.visit_of]
    member = np.bincount(candidates.visit_of[is_true], minlength=len(candidates.sizes)) > 0
    possible = np.bincount(candidates.visit_of[is_true & (beliefs.chances > 0)], minlength=len(candidates.sizes)) > 0
    return int(np.count_nonzero((member & ~possible)[drawn]))
