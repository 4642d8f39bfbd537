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
    """The mean probability with which simulated attackers are right about a sensitive place.

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
    meaning: ClassVar[str] = "mean success of attackers who know a few nonsensitive places and guess a sensitive one"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    known: int = param(2, at_least=1, at_most=20, help="how many places an attacker knows")
    attackers: int = param(10_000, at_least=1, help="how many attackers are simulated")
    seed: int = param(0, at_least=0, help="seed that draws the same attackers again")

    def score(self, original: Trajectories, release: Released[Trajectories]) -> Score:  # noqa: ARG002
        published: Trajectories = release.data
        require_taxonomy(self.name, published.taxonomy)
        attack = GuessSensitivePlaces(attackers=self.attackers, known=self.known)
        return Score(attack.run(published, seed=self.seed).rows[-1].mean)
