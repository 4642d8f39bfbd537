"""Simulated attackers are right as often as the definition says, and never more often than was promised."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from sfumato import Cast, Taxonomy, Trajectories
from sfumato.attacks import GuessSensitivePlaces
from sfumato.attacks.view.inferred_places import PlaceProbabilities, draw_attackers
from sfumato.errors import DataError, MissingKnowledge
from sfumato.generate import Semantic
from sfumato.privacy.checks.disclosure import Disclosure
from twins.c_safety import contains, disclosure, is_secret, own_disclosures

TREE = Taxonomy(
    {"all": None, "shops": "all", "food": "shops", "a": "food", "b": "food", "c": "shops", "d": "shops"}
    | {"health": "all", "clinics": "health", "e": "clinics", "f": "clinics", "g": "health"},
    sensitive=["health"],
)
LABELS = ["all", "shops", "food", "a", "b", "c", "health", "clinics", "e", "f", "g"]


@pytest.mark.parametrize("people", [False, True], ids=["records", "persons"])
@pytest.mark.parametrize("private", [False, True], ids=["victims from the release", "victims from the original"])
def test_probabilities_are_those_of_the_definition(people: bool, private: bool) -> None:
    chance = Random(2)
    n_own = 0
    for _ in range(30):
        rows = [[chance.choice(LABELS) for _ in range(chance.randint(0, 4))] for _ in range(chance.randint(1, 7))]
        before = [[chance.choice("abcdefg") for _ in range(chance.randint(0, 4))] for _ in range(chance.randint(1, 7))]
        who = [chance.choice("uvw") for _ in rows] if people else None
        data = Trajectories.from_lists(rows, persons=who, taxonomy=TREE)
        seen = Disclosure(data, TREE)
        victims = Disclosure(Trajectories.from_lists(before), TREE) if private else seen
        drawn = draw_attackers(victims, 2, 10, np.random.default_rng(1))
        if len(drawn.patterns) == 0:
            continue
        most, own_mean, own_worst = PlaceProbabilities(seen).guesses(drawn)
        for number, (pattern, pool) in enumerate(zip(*drawn, strict=True)):
            known = [seen.names[node] for node in pattern if node >= 0]
            own_labels = [seen.names[node] for node in pool]
            assert any(  # the victim can be known by it, and these are the victim's sensitive places
                contains(TREE, row, known) and sorted(own_labels) == sorted(x for x in row if is_secret(TREE, x))
                for row in (before if private else rows)
            )
            units = data.units.tolist()
            expected = max(disclosure(TREE, rows, units, known, [leaf]) for leaf in "efg")
            assert most[number] == pytest.approx(float(expected))
            own = own_disclosures(TREE, rows, units, known, own_labels)
            n_own += len(own) > 0
            assert own_mean[number] == pytest.approx(float(sum(own) / len(own)) if own else -1)
            assert own_worst[number] == pytest.approx(float(max(own)) if own else -1)
    assert n_own > 50


def test_the_figures_of_a_row_are_means_and_maxima_over_the_attackers() -> None:
    # of four persons at a, two were at e and one at f: own 1/2, 1/2 and 1/4
    data = Trajectories.from_lists(["ae", "ae", "af", "a"], taxonomy=TREE)
    row = GuessSensitivePlaces(attackers=4_000, known=1).run(data, seed=1).rows[0]
    assert row.own_mean == pytest.approx((1 / 2 + 1 / 2 + 1 / 4) / 3, abs=0.01)
    assert (row.own_worst, row.mean, row.worst, row.attackers) == (0.5, 0.5, 0.5, 4_000)
    assert row.own_attackers == pytest.approx(3_000, abs=150)


def test_the_original_knows_which_place_is_the_own_one() -> None:
    original = Trajectories.from_lists(["ae", "ae", "ae", "cf"], taxonomy=TREE)
    published = Trajectories.from_lists([["a", "e"], ["a", "clinics"], ["a", "clinics"], ["c"]], taxonomy=TREE)
    attack = GuessSensitivePlaces(attackers=4_000, known=1)
    from_files, with_original = (
        attack.run(published, seed=1).rows[0],
        attack.run(published, original=original, seed=1).rows[0],
    )
    # e has 1 + 1/2 + 1/2 of three, f 1/2 + 1/2; a label is e or f as probably
    assert from_files.own_mean == pytest.approx((2 / 3 + 1 / 2 + 1 / 2) / 3, abs=0.01)
    # the original has e three times at a, and f at c, where it is no longer published
    assert with_original.own_mean == pytest.approx((3 * 2 / 3 + 0) / 4, abs=0.02)
    assert with_original.own_worst == pytest.approx(2 / 3)


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
        assert all(row.own_mean <= row.own_worst <= row.worst for row in found.rows)
        private = GuessSensitivePlaces(attackers=10_000).run(release.data, original=town, seed=1, c=c)
        assert all(row.own_mean <= row.own_worst <= row.worst <= c + 1e-12 for row in private.rows)


def test_attackers_know_real_places_in_their_order() -> None:
    data = Trajectories.from_lists([["food", "e", "c", "a"]], taxonomy=TREE)
    seen = Disclosure(data, TREE)
    drawn = draw_attackers(seen, 2, 500, np.random.default_rng(1)).patterns
    found = {tuple(seen.names[node] for node in pattern) for pattern in drawn}
    assert found == {("a", "c"), ("b", "c"), ("a", "a"), ("b", "a"), ("c", "a")}
    assert {
        len([node for node in pattern if node >= 0])
        for pattern in draw_attackers(seen, 9, 5, np.random.default_rng(1)).patterns
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
