"""Simulated attackers are right as often as the definition says, and never more often than was promised."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from sfumato import Cast, Taxonomy, Trajectories
from sfumato.attacks import GuessSensitivePlaces
from sfumato.attacks.sensitive_places import _drawn, _Table
from sfumato.errors import DataError, MissingKnowledge
from sfumato.generate import Semantic
from sfumato.privacy.checks.disclosure import Disclosure
from twins.c_safety import contains, disclosure

TREE = Taxonomy(
    {"all": None, "shops": "all", "food": "shops", "a": "food", "b": "food", "c": "shops", "d": "shops"}
    | {"health": "all", "clinics": "health", "e": "clinics", "f": "clinics", "g": "health"},
    sensitive=["health"],
)
LABELS = ["all", "shops", "food", "a", "b", "c", "health", "clinics", "e", "f", "g"]


@pytest.mark.parametrize("people", [False, True], ids=["records", "persons"])
def test_guesses_are_the_largest_probability_by_the_definition(people: bool) -> None:
    chance = Random(2)
    for _ in range(30):
        rows = [[chance.choice(LABELS) for _ in range(chance.randint(0, 4))] for _ in range(chance.randint(1, 7))]
        who = [chance.choice("uvw") for _ in rows] if people else None
        data = Trajectories.from_lists(rows, persons=who, taxonomy=TREE)
        seen = Disclosure(data, TREE)
        patterns = _drawn(seen, 2, 10, np.random.default_rng(1))
        for pattern, guess in zip(patterns, _Table(seen).guesses(patterns), strict=True):
            known = [seen.names[node] for node in pattern if node >= 0]
            assert any(contains(TREE, row, known) for row in rows)  # somebody can be known by it
            most = max(disclosure(TREE, rows, data.units.tolist(), known, [leaf]) for leaf in "efg")
            assert guess == pytest.approx(float(most))


@pytest.mark.parametrize("distance", ["hops", "leaves"])
def test_nobody_succeeds_above_c(distance: str) -> None:
    town = Semantic(trajectories=300, places=60).make(seed=3)
    before = GuessSensitivePlaces(attackers=1_000).run(town, seed=1)
    assert before.rows[-1].worst == 1.0
    for c in (0.2, 0.5):
        release = Cast(c=c, group_size=5, distance=distance).anonymize(town)
        found = GuessSensitivePlaces(attackers=10_000).run(release.data, seed=1, c=c)
        assert [row.known for row in found.rows] == [1, 2, 3, 4]
        assert all(row.attackers == 10_000 for row in found.rows)
        assert all(row.mean <= row.worst <= c + 1e-12 for row in found.rows)
        assert found.rows[-1].mean < before.rows[-1].mean


def test_attackers_know_real_places_in_their_order() -> None:
    data = Trajectories.from_lists([["food", "e", "c", "a"]], taxonomy=TREE)
    seen = Disclosure(data, TREE)
    drawn = _drawn(seen, 2, 500, np.random.default_rng(1))
    found = {tuple(seen.names[node] for node in pattern) for pattern in drawn}
    assert found == {("a", "c"), ("b", "c"), ("a", "a"), ("b", "a"), ("c", "a")}
    assert {
        len([node for node in pattern if node >= 0]) for pattern in _drawn(seen, 9, 5, np.random.default_rng(1))
    } == {3}


def test_a_seed_repeats() -> None:
    town = Semantic(trajectories=100, places=40).make(seed=3)
    assert GuessSensitivePlaces(attackers=50).run(town, seed=1) == GuessSensitivePlaces(attackers=50).run(town, seed=1)


@pytest.mark.parametrize("rows", [[], [[]], [["e"]]])
def test_nobody_to_know(rows: list[list[str]]) -> None:
    found = GuessSensitivePlaces(attackers=5, known=1).run(Trajectories.from_lists(rows, taxonomy=TREE))
    assert found.rows[0].attackers == 0
    assert found.rows[0].worst == 0


def test_nothing_sensitive_visited() -> None:
    found = GuessSensitivePlaces(attackers=5, known=1).run(Trajectories.from_lists(["ab"], taxonomy=TREE))
    assert found.rows[0].worst == 0
    assert "with a probability of 0 on average" in found.summary


def test_refusals() -> None:
    with pytest.raises(MissingKnowledge, match=r"^GuessSensitivePlaces: needs a taxonomy"):
        GuessSensitivePlaces().run(Trajectories.from_lists(["ab"]))
    with pytest.raises(DataError, match="the label 'x' cannot be read: the taxonomy has no such node"):
        GuessSensitivePlaces().run(Trajectories.from_lists(["ax"], taxonomy=TREE))
