"""How well simulated attackers guess sensitive places, as a measure of a release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from sfumato.attacks.sensitive_places import GuessSensitivePlaces
from sfumato.data.trajectories import Trajectories
from sfumato.params import param
from sfumato.privacy.checks.taxonomy_preorder import require_taxonomy
from sfumato.utility.base import Measure, Released, Score

__all__ = ["GuessedPlaces"]


@dataclass(frozen=True, kw_only=True)
class GuessedPlaces(Measure):
    """The mean probability that simulated attackers infer for the victim's own sensitive place.

    An attacker knows a few nonsensitive places of an original trajectory and finds all published ones that fit.
    `place = most-probable` takes the most probable sensitive place instead, whether the victim was there or not.

    Examples
    --------
    >>> from sfumato import Cast
    >>> from sfumato.generate import Semantic
    >>> town = Semantic(trajectories=60, places=40).make(seed=1)
    >>> release = Cast(c=0.3, group_size=5).anonymize(town)
    >>> GuessedPlaces(known=2, attackers=100)(town, release).value < 0.3
    True
    """

    name: ClassVar[str] = "guessed-places"
    title: ClassVar[str] = "sensitive places guessed"
    meaning: ClassVar[str] = "mean probability of a person's own sensitive place, inferred from a few other places"
    formula: ClassVar[str] = "mean over attackers of P(sensitive place of the victim | known places of the victim)"
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Monreale et al., Trans. Data Privacy 4(2), 2011, Section 6.4"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    known: int = param(2, at_least=1, at_most=20, help="how many places an attacker knows")
    attackers: int = param(10_000, at_least=1, help="how many attackers are simulated")
    place: str = param(
        "own",
        choices=("own", "most-probable"),
        help="the sensitive place whose probability counts: the victim's own, or the most probable among the matches",
    )
    seed: int = param(0, at_least=0, help="seed that draws the same attackers again")

    def score(self, original: Trajectories, release: Released[Trajectories]) -> Score:
        published: Trajectories = release.data
        require_taxonomy(self.name, published.taxonomy)
        attack = GuessSensitivePlaces(attackers=self.attackers, known=self.known)
        last = attack.run(published, original=original.with_used_names(), seed=self.seed).rows[-1]
        return Score(last.own_mean if self.place == "own" else last.mean)
