"""The success of simulated attackers as a measure of a release."""

from __future__ import annotations

import pytest

from sfumato import Cast, Taxonomy, Trajectories
from sfumato.attacks import GuessSensitivePlaces
from sfumato.attacks.guessed_places import GuessedPlaces
from sfumato.errors import MissingKnowledge
from sfumato.generate import Semantic

TREE = Taxonomy(
    {"all": None, "bar": "all", "clinic": "all", "e": "clinic", "f": "clinic", "a": "bar"}, sensitive=["clinic"]
)


def test_it_is_the_mean_success_of_the_attack() -> None:
    town = Semantic(trajectories=80, places=40).make(seed=1)
    release = Cast(c=0.4, group_size=4).anonymize(town)
    attack = GuessSensitivePlaces(attackers=200, known=2).run(release.data, seed=5)
    assert GuessedPlaces(known=2, attackers=200, seed=5)(town, release).value == attack.rows[-1].mean


def test_by_hand() -> None:
    # of three persons who were at a, two were at e and one at f: the best guess is right in two cases of three
    data = Trajectories.from_lists([["a", "e"], ["a", "e"], ["a", "f"]], taxonomy=TREE)
    assert GuessedPlaces(known=1, attackers=10)(data, data).value == pytest.approx(2 / 3)


def test_it_needs_a_taxonomy() -> None:
    data = Trajectories.from_lists([["a", "e"]])
    with pytest.raises(MissingKnowledge, match="guessed-places"):
        GuessedPlaces()(data, data)
