"""Simulated attackers who know a few nonsensitive places of a person and infer a sensitive one."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sfumato.attacks.confidence_intervals import wilson
from sfumato.attacks.view.inferred_places import PlaceProbabilities, draw_attackers
from sfumato.attacks.view.targets import drawn_seed
from sfumato.data.taxonomy import Taxonomy
from sfumato.data.trajectories import Trajectories
from sfumato.errors import DataError
from sfumato.params import Declared, JsonObject, param
from sfumato.privacy.checks.disclosure import Disclosure, Unreadable
from sfumato.privacy.checks.taxonomy_preorder import require_taxonomy

__all__ = ["GuessFindings", "GuessSensitivePlaces", "Guesses"]


@dataclass(frozen=True)
class Guesses:
    """The attackers who know so many places: the probabilities that they infer, on average and at worst.

    own_mean, own_worst : of the victim's own sensitive place, over the `own_attackers` whose victim has one.
    mean, worst : of the most probable sensitive place, over all `attackers`.
    """

    known: int
    mean: float
    worst: float
    attackers: int
    own_mean: float
    own_worst: float
    own_attackers: int


@dataclass(frozen=True, kw_only=True)
class GuessSensitivePlaces(Declared):
    """Let simulated attackers infer the sensitive place of a person from a few other places of that person.

    Notes
    -----
    The experiment of [1]_, Section 6.4.  Each attacker knows places of one trajectory that has any that are not
    sensitive: `known` of them, drawn at random, in their order (all, if there are fewer); of a generalized label a
    leaf under it, drawn at random too.  The attacker finds all whose published trajectory fits
    (`sfumato.privacy.checks.disclosure`).  The first figure is the probability of the victim's own sensitive place
    among them: the mean over the sensitive visits of the same trajectory and, where a visit is generalized, over the
    leaves under its label.  The second is the probability of the most probable sensitive place, whether the victim was
    there or not; c bounds both.

    References
    ----------
    .. [1] A. Monreale, R. Trasarti, D. Pedreschi, C. Renso, V. Bogorny, "C-safety: a framework for the anonymization of
       semantic trajectories", Transactions on Data Privacy 4(2), 2011.

    Examples
    --------
    >>> from sfumato import Taxonomy
    >>> places = {"all": None, "bar": "all", "clinic": "all", "c1": "clinic", "c2": "clinic"}
    >>> tree = Taxonomy(places, sensitive=["clinic"])
    >>> walks = Trajectories.from_lists([["bar", "c1"], ["bar", "c1"], ["bar", "c2"], ["bar"]], taxonomy=tree)
    >>> row = GuessSensitivePlaces(attackers=1000, known=1).run(walks, seed=1).rows[0]
    >>> row.mean, row.own_worst  # c1 is the most probable place of all four
    (0.5, 0.5)
    >>> round(row.own_mean, 1)  # two of three victims were at c1 (1/2), one was at c2 (1/4)
    0.4
    """

    attackers: int = param(10_000, at_least=1, help="how many attackers are simulated for each number of known places")
    known: int = param(4, at_least=1, at_most=20, help="how many places an attacker knows at most")

    def run(
        self,
        data: Trajectories,
        *,
        original: Trajectories | None = None,
        seed: int | None = None,
        c: float | None = None,
    ) -> GuessFindings:
        """Simulate attackers who know 1, 2, ... places; a seed repeats them.

        original : the private data of a release.  With them, victims are original trajectories: what an attacker
            knows and the victim's own place are true.  Without them, they are taken from the published labels.
        """
        seen = self._read(data, require_taxonomy(type(self).__name__, data.taxonomy))
        victims = seen if original is None else self._read(original, seen.taxonomy)
        seed = drawn_seed(seed)
        rng = np.random.default_rng(seed)
        table = PlaceProbabilities(seen)
        rows = tuple(self._row(known, victims, table, rng) for known in range(1, self.known + 1))
        return GuessFindings(unit=data.unit, c=c, rows=rows, seed=seed)

    def _read(self, data: Trajectories, taxonomy: Taxonomy) -> Disclosure:
        try:
            return Disclosure(data, taxonomy)
        except Unreadable as unreadable:
            label, problem = unreadable.args[0]["label"], unreadable.args[0]["problem"]
            raise DataError(f"{type(self).__name__}: the label {label!r} cannot be read: {problem}") from None

    def _row(self, known: int, victims: Disclosure, table: PlaceProbabilities, rng: np.random.Generator) -> Guesses:
        drawn = draw_attackers(victims, known, self.attackers, rng)
        total = len(drawn.patterns)
        if total == 0:
            return Guesses(known, 0.0, 0.0, 0, 0.0, 0.0, 0)
        most, own_mean, own_worst = table.guesses(drawn)
        has_own = own_mean >= 0
        n_own = int(np.count_nonzero(has_own))
        return Guesses(
            known,
            math.fsum(most) / total,
            float(most.max()),
            total,
            math.fsum(own_mean[has_own]) / n_own if n_own else 0.0,
            float(own_worst[has_own].max()) if n_own else 0.0,
            n_own,
        )


@dataclass(frozen=True)
class GuessFindings:
    """How well attackers guess, with the c that was promised, if there is one."""

    unit: str
    c: float | None
    rows: tuple[Guesses, ...]
    seed: int | None = None

    @property
    def summary(self) -> str:
        """The answer in a sentence."""
        last = self.rows[-1]
        own_worst, worst = max(row.own_worst for row in self.rows), max(row.worst for row in self.rows)
        beside = "" if self.c is None else f"; the promise is {self.c:g}"
        return (
            f"An attacker who knows {last.known} nonsensitive places of a person infers the person's own sensitive "
            f"place with a probability of {last.own_mean:.2g} on average, and of at least {own_worst:.2g} at worst. "
            f"The most probable sensitive place has a probability of {last.mean:.2g} on average, and of at least "
            f"{worst:.2g} at worst{beside}."
        )

    @property
    def rules(self) -> tuple[str, ...]:
        """What was done, in sentences."""
        return (
            "Each attacker knows random nonsensitive places of one trajectory, in order, and infers sensitive places "
            "from all who match.",
            "The person's own place is averaged over the attackers whose trajectory has a sensitive place.",
            f"Matches are counted in {self.unit}s.",
            "Attackers are drawn at random: the worst figures are lower bounds, and the means have 95% intervals"
            + ("." if self.seed is None else f"; the seed is {self.seed}."),
        )

    def to_json(self) -> JsonObject:
        return {
            "unit": self.unit,
            "c": self.c,
            "exact": False,
            "seed": self.seed,
            "known": [
                {
                    "known": row.known,
                    "mean": row.mean,
                    "mean_interval": list(wilson(row.mean, row.attackers)),
                    "worst": row.worst,
                    "attackers": row.attackers,
                    "own_mean": row.own_mean,
                    "own_mean_interval": list(wilson(row.own_mean, row.own_attackers)),
                    "own_worst": row.own_worst,
                    "own_attackers": row.own_attackers,
                }
                for row in self.rows
            ],
            "rules": list(self.rules),
        }
