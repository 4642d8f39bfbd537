"""Membership inference: an attacker runs the method with and without a person to infer whether they are in the data."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.attacks.base import Attack, Finding
from sfumato.attacks.view.setting import AttackSetting
from sfumato.attacks.view.targets import drawn_seed, records_of_units
from sfumato.catalogue import METHODS, method_class
from sfumato.data.base import Ints, Progress
from sfumato.data.ragged import Ragged
from sfumato.errors import CallerError
from sfumato.params import param
from sfumato.remedies import keep_remedy

__all__ = ["Membership"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Membership(Attack):
    """Infer from a noisy release whether the records of a person are in its data.

    Notes
    -----
    The attacker knows all records but not whether the target's were among them, and the method with its
    parameters, though not its noise.  The method is run on a few people, `runs` times with the target and as often
    without.  In half of the runs the attacker learns which of two figures is best (how often the target's places or
    items are published, how many records are), and from which value on to say yes; on the other half that is tried.

    Success is the share of right answers, with a 95% interval.  Guessing gets half.  For every strategy,
    epsilon-differential privacy allows at most e^epsilon / (1 + e^epsilon).  An attack that stays below does not prove
    the promise; one that is above refutes it.

    Examples
    --------
    >>> from sfumato import NGrams
    >>> from sfumato.generate import Checkins
    >>> town = Checkins(trajectories=40, locations=6).make(seed=1)
    >>> release = NGrams(epsilon=0.1).anonymize(town, seed=1)
    >>> found = Membership(runs=20, people=20).run(AttackSetting.of(town, release), seed=1)
    >>> found.interval[0] <= found.facts["bound"]
    True
    """

    name: ClassVar[str] = "membership"
    title: ClassVar[str] = "membership in the data"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories", "transactions")
    idea: ClassVar[str] = "infers from a noisy release whether a person is in the data, by running the method again"

    runs: int = param(100, at_least=4, help="how often the method is run with the target, and how often without")
    people: int = param(100, at_least=1, help="how many persons (or records) a run has besides the target")

    def unfit(self, setting: AttackSetting) -> str | None:
        if setting.original.kind not in self.kinds:
            return super().unfit(setting)
        if not _epsilon(setting) or _method_name(setting) not in METHODS:
            return f"{self.name} runs a differentially private method again, and this release promises no epsilon"
        if setting.people < 2:
            return f"{self.name} needs at least one person besides the target"
        try:
            _method(setting)._require(setting.original)
        except CallerError as refusal:
            return keep_remedy(f"{self.name} runs the method again: {refusal}", refusal)
        return None

    def run(self, setting: AttackSetting, *, seed: int | None = None, progress: Progress | None = None) -> Finding:
        seed = drawn_seed(seed)
        rng = np.random.default_rng(seed)
        method, original = _method(setting), setting.original
        inside, outside, places = self._with_and_without(original, rng)
        figures = np.zeros((2, self.runs, 2))
        for turn in range(self.runs):
            if progress is not None:
                progress(self.name, turn, self.runs)
            for index, world in enumerate((outside, inside)):
                noise = int(rng.integers(2**62))
                figures[index, turn] = _figures(method.anonymize(world, seed=noise).data, places)
        half = self.runs // 2
        which, threshold, above = _best_rule(figures[:, :half])
        tried = figures[:, half:, which] >= threshold
        right = np.concatenate((tried[0] != above, tried[1] == above)).astype(np.float64)
        epsilon = _epsilon(setting)
        return Finding(
            self.name,
            self.title,
            "all records except whether those of one person are among them, the method and its parameters",
            "the share of correct answers to whether the person is in the data",
            right,
            of=None,
            unit="run",
            baseline=0.5,
            seed=seed,
            facts={"epsilon": epsilon, "bound": math.exp(epsilon) / (1 + math.exp(epsilon)) if epsilon < 700 else 1.0},
        )

    def _with_and_without(self, original: Ragged, rng: np.random.Generator) -> tuple[Any, Any, frozenset[str]]:
        """The data with the target and without, and the target's places or items; the target is who has most."""
        present, starts, records = records_of_units(original)
        points = np.add.reduceat(np.append(original.lengths[records], 0), starts[:-1]) if len(present) else np.zeros(0)
        target = int(np.argmax(points))
        others = np.setdiff1d(np.arange(len(present)), [target])
        others = rng.choice(others, size=min(self.people, len(others)), replace=False)

        def of(units: Any) -> Ints:
            return np.sort(np.concatenate([records[starts[unit] : starts[unit + 1]] for unit in units]))

        without = of(others) if len(others) else np.empty(0, dtype=np.int64)
        own = of([target])
        names = {original.names[code] for code in np.unique(original.codes[original.elements_of(own)])}
        return original.take(np.sort(np.concatenate((without, own)))), original.take(without), frozenset(names)


def _epsilon(setting: AttackSetting) -> float:
    return float(sum(getattr(model, "epsilon", 0.0) for model in setting.release.models))


def _method_name(setting: AttackSetting) -> str | None:
    certificate = setting.release.certificate
    return None if certificate is None else certificate.method


def _method(setting: AttackSetting) -> Any:
    certificate = setting.release.certificate
    assert certificate is not None, "`unfit` refuses a release without one"
    return method_class(certificate.method).from_json(certificate.parameters)


def _figures(published: Ragged, places: frozenset[str]) -> tuple[float, float]:
    codes = [code for code, name in enumerate(published.names) if name in places]
    return float(np.isin(published.codes, codes).sum()), float(len(published))


def _best_rule(figures: Floats) -> tuple[int, float, bool]:
    """Which figure to look at, from which value on, and whether that means yes."""
    best = (0.0, 0, 0.0, True)
    for which in range(figures.shape[2]):
        out, into = figures[0, :, which], figures[1, :, which]
        for threshold in np.unique(np.concatenate((out, into))):
            gain = float(np.mean(into >= threshold) - np.mean(out >= threshold))
            best = max(best, (abs(gain), which, float(threshold), gain >= 0))
    return best[1], best[2], best[3]
