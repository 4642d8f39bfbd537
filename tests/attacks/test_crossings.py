"""Somebody seen at an intersection: brute force, intervals, dummies, and what stands beside the promises."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from driving import drives
from sfumato import BfP2ka, Icba, RoadTrajectories
from sfumato.attacks import AttackSetting, Crossings, Exposed, weigh
from sfumato.attacks.crossings import smallest_difference
from sfumato.privacy.inference_route import NoInferenceRoute
from sfumato.privacy.strict_k import StrictKAnonymity


def twin(original: RoadTrajectories, published: RoadTrajectories) -> list[float]:
    """Read every published trajectory for every sighting; all in one interval, records count."""
    found = []
    shown = published.to_lists()
    for trip in original.to_lists():
        best = 0.0
        for at, came in enumerate(trip):
            left = trip[at + 1] if at + 1 < len(trip) else None
            turning = [one for one in shown if any(one[i] == came and _next(one, i) == left for i in range(len(one)))]
            if not turning:
                turning = [one for one in shown if one[-1] == came]
            best = max(best, 1 / len(turning) if turning else 0.0)
        found.append(best)
    return found


def _next(trip: list[str], at: int) -> str | None:
    return trip[at + 1] if at + 1 < len(trip) else None


@pytest.mark.parametrize("seed", range(4))
def test_the_twin_finds_as_much(seed: int) -> None:
    data = drives(seed, vehicles=60)
    published = RoadTrajectories.from_lists(
        BfP2ka(k=3).anonymize(data.as_trajectories()).data.to_lists(), network=data.network
    )
    found = Crossings().run(AttackSetting.of(data, published))
    assert found.successes.tolist() == twin(data, published)
    assert found.control == pytest.approx(np.mean(twin(data, data)))


def test_a_release_with_inference_routes_is_beaten_and_icba_is_not() -> None:
    beaten = 0
    for seed in range(4):
        data = drives(seed, vehicles=120)
        promises = (StrictKAnonymity(k=4), NoInferenceRoute(k=4))
        by_prefix = RoadTrajectories.from_lists(
            BfP2ka(k=4).anonymize(data.as_trajectories()).data.to_lists(), network=data.network
        )
        weighed = weigh(AttackSetting.of(data, Exposed(by_prefix, models=promises)))
        for one, model in zip(weighed, promises, strict=True):
            if one.beaten:
                assert model.check(by_prefix).holds is False
        difference = smallest_difference(AttackSetting.of(data, by_prefix), 4)
        verdict = NoInferenceRoute(k=4).check(by_prefix)
        assert difference == verdict.measured["smallest_difference"]
        beaten += any(one.beaten for one in weighed)
        made = Icba(k=4).anonymize(data)
        assert [one.beaten for one in weigh(AttackSetting.of(data, made))] == [False, False]
    assert beaten > 0


def test_dummies_hide_whoever_files_show_and_persons_count_once() -> None:
    data = drives(1, vehicles=120)
    release = Icba(k=5).anonymize(data)
    assert release.counts["dummies"] > 0
    assert Crossings().run(AttackSetting.of(data, release)).facts["smallest_anonymity_set"] >= 5
    one = RoadTrajectories.from_lists([data.to_lists()[0]] * 4, network=data.network, persons=["u"] * 3 + ["v"])
    alone = Exposed(replace(one, persons=None, ids=None), np.arange(4), unit="person")
    found = Crossings().run(AttackSetting.of(one, alone))
    assert (found.facts["smallest_anonymity_set"], found.facts["anonymity_set_unit"], found.of) == (2, "person", 2)
    assert found.baseline == 0.5  # persons, not the four records


def test_a_sighting_is_looked_up_in_its_interval() -> None:
    """One road, driven by two early and by five late."""
    data = drives(2, vehicles=60)
    road = data.to_lists()[0][:1]
    names, times = ["8-9"] * 2 + ["9-10"] * 5, [[10.0]] * 2 + [[700.0]] * 5
    named = RoadTrajectories.from_lists([road] * 7, network=data.network, intervals=names, times=times)
    assert Crossings().run(AttackSetting.of(named, named)).successes.tolist() == [1 / 2] * 2 + [1 / 5] * 5
    stretches = ["0-600"] * 2 + ["600-1200"] * 5
    published = RoadTrajectories.from_lists([road] * 7, network=data.network, intervals=stretches)
    timed = replace(named, intervals=None, interval_names=())
    assert Crossings().run(AttackSetting.of(timed, published)).successes.tolist() == [1 / 2] * 2 + [1 / 5] * 5
    unknown = replace(timed, times=None)
    for seen in (published, replace(published, interval_names=("early", "late"))):
        assert Crossings().run(AttackSetting.of(unknown, seen)).successes.tolist() == [1 / 2] * 7
    later = RoadTrajectories.from_lists([road], network=data.network, times=[[5000.0]])
    assert Crossings().run(AttackSetting.of(later, published)).worst == 0.0
    other = RoadTrajectories.from_lists([road], network=data.network, intervals=["noon"])
    assert Crossings().run(AttackSetting.of(other, named)).worst == 0.0


def test_nothing_to_attack() -> None:
    data = drives(0, vehicles=20)
    empty = data.take(np.array([], dtype=np.int64))
    found = Crossings().run(AttackSetting.of(data, empty))
    assert (found.worst, found.facts["smallest_anonymity_set"]) == (0.0, None)
    assert Crossings().run(AttackSetting.of(empty, empty)).tried == 0
