"""Attacks and their findings: what an attacker knows, who the targets are, and the success beside baselines."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.attacks.confidence_intervals import wilson
from sfumato.data.base import Progress
from sfumato.params import Declared, JsonObject

if TYPE_CHECKING:
    from sfumato.attacks.view.setting import AttackSetting

__all__ = ["Attack", "Finding"]

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

_QUANTILES = (0.5, 0.9, 0.99)


@dataclass(frozen=True, eq=False)
class Finding:
    """What an attack achieved.

    successes : for each target the probability of success; private, as it is in the order of the targets.
    of : how many targets there are; if fewer were tried they were drawn at random; None where runs are counted.
    baseline : what guessing without the release (or without the attack's idea) achieves, on average.
    beside : how the sentence about the baseline begins.
    at_most : whether success is only an upper bound, because the true records of the targets are not known.
    settled : for each target whether every choice of background knowledge was counted, so that no other one succeeds
    more often; None where this is so for all of them.
    seed : repeats what was drawn at random, targets or choices; it is stated only if something was.
    control : what the same attack achieves where nothing was protected, on average.
    facts : further figures, as JSON values; nothing about single persons.

    >>> found = Finding("linkage", "record linkage", "everything", "the right record", np.array([0.5, 0.1]), of=2)
    >>> found.worst, found.mean, found.interval
    (0.5, 0.3, (0.3, 0.3))
    """

    attack: str
    title: str
    knows: str
    success: str
    successes: Floats
    of: int | None
    unit: str = "record"
    baseline: float | None = None
    control: float | None = None
    beside: str = "Guessing achieves"
    at_most: bool = False
    settled: Bools | None = None
    seed: int | None = None
    facts: JsonObject = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Finding of {self.attack}: mean {self.mean:.3g}, worst {self.worst:.3g}, {self.tried:,} targets>"

    @property
    def tried(self) -> int:
        return len(self.successes)

    @property
    def complete(self) -> bool:
        """Whether every target was tried."""
        return self.of is not None and self.tried >= self.of

    @property
    def exact(self) -> bool:
        """Whether every target was tried with every choice of background knowledge."""
        return self.complete and self._is_settled

    @property
    def _is_settled(self) -> bool:
        return self.settled is None or bool(self.settled.all())

    @property
    def worst(self) -> float:
        """The largest probability of success against any target that was tried."""
        return float(self.successes.max(initial=0.0))

    @property
    def mean(self) -> float:
        return float(self.successes.mean()) if self.tried else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Bounds of the mean over all targets; the mean itself where it is exact.

        95% where targets were drawn.  A target of whom only some choices of background knowledge were tried may be
        identified with certainty by another one.
        """
        highest = self.mean
        if self.settled is not None and self.tried:
            highest = float(np.where(self.settled, self.successes, 1.0).mean())
        if self.complete:
            return self.mean, highest
        return wilson(self.mean, self.tried)[0], wilson(highest, self.tried)[1]

    @property
    def worst_interval(self) -> tuple[float, float]:
        """Bounds of the largest success against any target."""
        return (self.worst, self.worst) if self.exact else (self.worst, 1.0)

    @property
    def distribution(self) -> dict[str, float]:
        """How the success is spread over the targets: median, 90% and 99% quantile, worst, the share of certainty."""
        if not self.tried:
            return {}
        quantiles = {f"{q:.0%}": float(np.quantile(self.successes, q, method="inverted_cdf")) for q in _QUANTILES}
        return {**quantiles, "worst": self.worst, "certain": float(np.mean(self.successes >= 1.0))}

    @property
    def sentences(self) -> list[str]:
        """The attack and its success, in sentences."""
        sentences = [f"The attacker knows {self.knows}.", f"Success is {self.success}: {self._figures}."]
        if self.tried > 1 and self.unit != "thing":
            half, most = (f"{self.distribution[share]:.2%}" for share in ("50%", "99%"))
            n_certain = int(np.count_nonzero(self.successes >= 1.0))
            certain = f"{self.distribution['certain']:.2%} of the {self.unit}s" if n_certain else f"no {self.unit}"
            sentences.append(f"Median {half}, 99th percentile {most}, {certain} at 100%.")
        if self.baseline is not None:
            sentences.append(f"{self.beside} {self.baseline:.2%}.")
        if self.control is not None:
            sentences.append(f"The same attack on an unprotected copy achieves {self.control:.2%}.")
        return [*sentences, *self._sampling, *self.notes]

    @property
    def _figures(self) -> str:
        """Mean and worst with what they are: exact, a bound, or from a sample."""
        low, high = self.interval
        mean, worst = self.bound("mean"), self.bound("worst")
        spread = "" if self.exact else f" ({'' if self.complete else '95%: '}{low:.2%} to {high:.2%})"
        many = f"{self.tried:,} {self.unit}s"
        if self.of is not None and not self.complete:
            many = f"{self.tried:,} of {self.of:,} {self.unit}s, at random"
        exact = ", exact" if self.exact and not self.at_most and self.unit != "thing" else ""
        return f"{mean}{self.mean:.2%} on average{spread}, {worst}{self.worst:.2%} at worst; tried on {many}{exact}"

    def bound(self, figure: str) -> str:
        """`at least` where something was sampled, `at most` where the true records are not known.

        A sample of targets bounds the largest success from below only, and a mean not at all; its interval is stated.
        """
        drawn = self.of is not None and not self.complete
        if figure == "worst" and (drawn or not self._is_settled):
            return "at least "
        if self.at_most:
            return "about " if drawn or not self._is_settled else "at most "
        return "" if self._is_settled else "at least "

    @property
    def _sampling(self) -> list[str]:
        """What was drawn at random, in sentences; none where nothing was."""
        sentences = []
        if not self._is_settled and self.settled is not None:
            n_open = int(np.count_nonzero(~self.settled))
            sentences.append(
                f"Of {n_open:,} of the {self.unit}s only some choices of background knowledge were tried; another one "
                "may succeed more often."
            )
        if self.at_most and self.of is not None and not self.exact:
            sentences.append(
                "The true records of the targets are not known here: each of them counts with the most that the "
                "attacker may achieve."
            )
        if not self.exact and self.seed is not None:
            sentences.append(f"The seed of this sample is {self.seed}.")
        return sentences

    def to_json(self) -> JsonObject:
        """All figures and sentences, as JSON values; nothing about single persons."""
        return {
            "attack": self.attack,
            "title": self.title,
            "knows": self.knows,
            "success": self.success,
            "unit": self.unit,
            "targets": self.of,
            "tried": self.tried,
            "at_most": self.at_most,
            "exact": self.exact,
            "seed": None if self.exact else self.seed,
            "mean": self.mean,
            "interval": list(self.interval),
            "worst": self.worst,
            "worst_interval": list(self.worst_interval),
            "distribution": self.distribution,
            "baseline": self.baseline,
            "control": self.control,
            **self.facts,
            "notes": list(self.notes),
        }


@dataclass(frozen=True, kw_only=True)
class Attack(Declared):
    """A way to learn about people from data.

    A subclass has a name, declares which kinds of original data it fits and what its attacker knows, and implements
    `run`.  Where `against` is true it needs a release besides the original.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    kinds: ClassVar[tuple[str, ...]]
    idea: ClassVar[str]
    against: ClassVar[bool] = True
    releases: ClassVar[int] = 1

    def unfit(self, setting: AttackSetting) -> str | None:
        """Why this attack does not apply to these data, in a sentence; None where it does."""
        kind = setting.original.kind
        *first, last = self.kinds
        fit = f"{', '.join(first)} and {last}" if first else last
        return None if kind in self.kinds else f"{self.name} fits {fit}, and these are {kind}"

    def once(self, setting: AttackSetting, *, seed: int | None = None, progress: Progress | None = None) -> Finding:
        """The finding of `run`, which is kept with the setting, so that an attack runs once for several promises."""
        kept: dict[Any, Finding] = setting.__dict__.setdefault("_found", {})
        if (self, seed) not in kept:
            kept[self, seed] = self.run(setting, seed=seed, progress=progress)
        return kept[self, seed]

    @abstractmethod
    def run(self, setting: AttackSetting, *, seed: int | None = None, progress: Progress | None = None) -> Finding:
        """Try the attack; a seed draws the same targets again."""
