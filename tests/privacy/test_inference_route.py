"""No inference routes: the brute-force twin, planted violations, and persons."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from driving import along, drives, town
from mutations import mutants
from sfumato import Icba, RoadTrajectories
from sfumato.privacy import NoInferenceRoute, StrictKAnonymity
from twins.icba import inference_route_holds, offending_intersections


@pytest.mark.parametrize("people", [False, True], ids=["records", "persons"])
@pytest.mark.parametrize("seed", range(8))
def test_the_twin_counts_the_same_intersections(seed: int, people: bool) -> None:
    data = drives(seed, vehicles=60, people=people)
    if seed % 2:  # in two intervals
        names = ["early" if at % 3 else "late" for at in range(len(data))]
        who = None if data.persons is None else data.persons.codes.tolist()
        data = RoadTrajectories.from_lists(data.to_lists(), network=data.network, intervals=names, persons=who)
    for k in (2, 3, 5, 8):
        verdict = NoInferenceRoute(k=k).check(data)
        expected = offending_intersections(data, k)
        assert verdict.measured["offending_intersections"] == len(expected)
        assert verdict.holds is (not expected)
        assert {(one["interval"], one["intersection"]) for one in verdict.witnesses} <= expected


@pytest.mark.parametrize("people", [False, True], ids=["records", "persons"])
def test_the_twin_agrees_on_spoiled_releases(people: bool) -> None:
    release = Icba(k=3).anonymize(drives(1, vehicles=40, people=people))
    model = NoInferenceRoute(k=3)
    found = set()
    for spoiled in mutants(release.data, release.persons, Random(2), 60):
        assert model.check(spoiled).holds is inference_route_holds(model, spoiled)
        found.add(model.check(spoiled).holds)
    assert found == {True, False}


def test_what_is_strictly_k_anonymous_has_none() -> None:
    """Theorem 4.1, on classes of random sizes, also where one person is behind several of them."""
    chance = Random(4)
    checked = 0
    for seed in range(20):
        base = drives(seed, vehicles=12, nodes=6)
        rows = [row for row in base.to_lists() for _ in range(chance.randint(3, 5))]
        who = [chance.randrange(30) for _ in rows] if seed % 2 else None
        data = RoadTrajectories.from_lists(rows, network=base.network, persons=who)
        if StrictKAnonymity(k=3).check(data).holds is True:
            checked += 1
            assert NoInferenceRoute(k=3).check(data).holds is True
    assert checked >= 10


def test_the_witness_names_the_turn() -> None:
    net = town("ab bc bd")
    rows = [along("abc", net)] * 3 + [along("abd", net)] * 4 + [along("ab", net)]
    verdict = NoInferenceRoute(k=3).check(RoadTrajectories.from_lists(rows, network=net))
    # of the eight who come, five do not leave for c and four not for d
    assert verdict.holds is True
    rows.append(along("bd", net))
    verdict = NoInferenceRoute(k=3).check(RoadTrajectories.from_lists(rows, network=net))
    assert verdict.witnesses == (
        {"interval": "all", "intersection": "b", "coming": "ab+", "leaving": "bd+", "difference": 1},
    )
    assert verdict.measured["offending_intersections"] == 1


def test_a_road_that_is_not_busy_is_left_aside() -> None:
    net = town("ab bc")
    rows = [along("abc", net)] * 2 + [along("ab", net)]
    assert NoInferenceRoute(k=3).check(RoadTrajectories.from_lists(rows, network=net)).holds is True
    assert NoInferenceRoute(k=2).check(RoadTrajectories.from_lists(rows, network=net)).holds is False


def test_turning_round_is_a_turn() -> None:
    net = town("ab")
    rows = [["ab+", "ab-"]] * 3 + [["ab+"]]
    assert NoInferenceRoute(k=3).check(RoadTrajectories.from_lists(rows, network=net)).holds is False


def test_persons_and_not_records_are_a_crowd() -> None:
    net = town("ab bc")
    rows = [along("abc", net)] * 3 + [along("ab", net)] * 3
    one = RoadTrajectories.from_lists(rows, network=net, persons=[*"uvw", "x", "x", "x"])
    assert NoInferenceRoute(k=3).check(one).holds is False
    assert NoInferenceRoute(k=3).check(one.with_persons(None)).holds is True


def test_a_jump_is_a_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    net = town("ab bc cd")
    monkeypatch.setattr(RoadTrajectories, "jumps", lambda _: np.empty(0, dtype=np.int64))
    verdict = NoInferenceRoute(k=2).check(RoadTrajectories.from_lists([["ab+", "cd+"]] * 2, network=net))
    assert (verdict.holds, verdict.measured["broken_paths"]) == (False, 2)


def test_nothing_is_safe() -> None:
    net = town("ab")
    for rows in ([], [[]], [["ab+"]]):
        verdict = NoInferenceRoute(k=2).check(RoadTrajectories.from_lists(rows, network=net))
        assert verdict.holds is True
        assert verdict.measured["smallest_difference"] is None
