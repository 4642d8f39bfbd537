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


def test_it_is_a_figure_of_the_attack() -> None:
    town = Semantic(trajectories=80, places=40).make(seed=1)
    release = Cast(c=0.4, group_size=4).anonymize(town)
    row = GuessSensitivePlaces(attackers=200, known=2).run(release.data, original=town, seed=5).rows[-1]
    assert GuessedPlaces(known=2, attackers=200, seed=5)(town, release).value == row.own_mean
    most = GuessedPlaces(known=2, attackers=200, seed=5, place="most-probable")(town, release).value
    assert most == row.mean > row.own_mean


def test_by_hand() -> None:
    # of three persons who were at a, two were at e and one at f: e has 2/3 and is the own place of two, f has 1/3
    data = Trajectories.from_lists([["a", "e"], ["a", "e"], ["a", "f"]], taxonomy=TREE)
    own = GuessedPlaces(known=1, attackers=10_000)(data, data).value
    assert own == pytest.approx((2 / 3 + 2 / 3 + 1 / 3) / 3, abs=0.01)
    assert GuessedPlaces(known=1, attackers=10, place="most-probable")(data, data).value == pytest.approx(2 / 3)
    # what is not published cannot be inferred, and who has no sensitive place is no victim
    published = Trajectories.from_lists([["a", "e"], ["a"], ["a"]], taxonomy=TREE)
    original = Trajectories.from_lists([["a", "e"], ["a"], ["a"]], taxonomy=TREE)
    assert GuessedPlaces(known=1, attackers=50)(original, published).value == pytest.approx(1 / 3)
    assert GuessedPlaces(known=1, attackers=50)(original, published.take([1, 2])).value == 0


def test_it_needs_a_taxonomy() -> None:
    data = Trajectories.from_lists([["a", "e"]])
    with pytest.raises(MissingKnowledge, match="guessed-places"):
        GuessedPlaces()(data, data)
