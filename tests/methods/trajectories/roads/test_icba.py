"""ICBA: the literal twin, intervals, persons, dummies, and what cannot be done."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from driving import along, drives, published_rows, steps_of, town
from sfumato import Icba, Persons, RoadTrajectories
from sfumato.errors import Infeasible, MissingKnowledge, ParameterError
from sfumato.methods.trajectories.roads.time_intervals import Intervals
from sfumato.verification import verify
from twins.icba import literal, offending_intersections


@pytest.mark.parametrize("people", [False, True], ids=["records", "persons"])
@pytest.mark.parametrize("dummies", [True, False], ids=["dummies", "none"])
@pytest.mark.parametrize("roads", ["founder", "cluster", "representative"])
@pytest.mark.parametrize("seed", range(6))
def test_the_literal_twin_publishes_the_same(seed: int, roads: str, dummies: bool, people: bool) -> None:
    data = drives(seed, people=people)
    k, similarity = 2 + seed % 4, (0.6, 0.3, 0.0)[seed % 3]
    release = Icba(k=k, similarity=similarity, dummies=dummies, error_roads=roads).anonymize(data)
    rows, invented, removed = literal(steps_of(data), k, similarity, dummies=dummies, which=roads)
    assert published_rows(release.data) == rows
    assert (release.counts["dummies"], release.counts["removed_trajectories"]) == (invented, removed)
    assert release.holds


@pytest.mark.parametrize("people", [False, True], ids=["records", "persons"])
@pytest.mark.parametrize("interval", [1200, [600, 1500, 3000]], ids=["length", "borders"])
@pytest.mark.parametrize("seed", range(3))
def test_the_literal_twin_cuts_time_the_same_way(seed: int, interval: object, people: bool) -> None:
    data = drives(seed, vehicles=120, people=people)
    release = Icba(k=3, interval=interval, similarity=0.6).anonymize(data)
    cut = Intervals.read(interval)
    rows, invented, _ = literal(steps_of(data, cut), 3, 0.6)
    assert published_rows(release.data) == rows
    assert release.counts["dummies"] == invented
    assert release.counts["outside_intervals"] == np.count_nonzero(cut.numbers(data.times) < 0)
    assert release.holds


def test_the_roads_that_an_error_is_divided_by_make_a_difference() -> None:
    found = {}
    for roads in ("founder", "cluster", "representative"):
        data = drives(1, vehicles=1500, nodes=40)
        found[roads] = Icba(k=10, similarity=0.3, error_roads=roads).anonymize(data).counts["clusters"]
    assert found["cluster"] < found["founder"] < found["representative"], found


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("index", ["tree", "none"])
def test_every_index_gives_the_same_release(seed: int, index: str) -> None:
    data = drives(seed, vehicles=1500, nodes=40, roads=2.0 + 2 * seed)
    one, other = (Icba(k=4, index=way).anonymize(data) for way in ("lists", index))
    assert one.data.to_polars().equals(other.data.to_polars())
    assert one.counts == other.counts
    assert one.counts["clusters"] + one.counts["removed_clusters"] > 50  # so many that the tree has grown


def test_no_inference_route_is_left_by_brute_force() -> None:
    before = 0
    for seed in range(5):
        data = drives(seed, vehicles=150, nodes=10, people=seed % 2 == 0)
        before += len(offending_intersections(data, 4))
        release = Icba(k=4).anonymize(data)
        assert not offending_intersections(release.data.with_persons(release.persons), 4)
    assert before > 20


def test_intervals_of_the_data_are_kept_apart() -> None:
    net = town("ab bc")
    rows = [along("abc", net)] * 4
    data = RoadTrajectories.from_lists(rows, network=net, intervals=["noon", "night", "noon", "night"])
    release = Icba(k=2).anonymize(data)
    assert published_rows(release.data) == [("night", ("ab+", "bc+"))] * 2 + [("noon", ("ab+", "bc+"))] * 2
    with pytest.raises(Infeasible, match="k=3 leaves nothing to publish"):
        Icba(k=3).anonymize(data)


def test_intervals_in_which_nobody_drove_are_said() -> None:
    net = town("ab")
    data = RoadTrajectories.from_lists([along("ab", net)] * 3, network=net, times=[[5.0]] * 3)
    with pytest.raises(Infeasible, match="icba: no road was entered in any of these intervals; choose other intervals"):
        Icba.from_json({"k": 2, "interval": "100,200"}).anonymize(data)


def test_a_trajectory_is_cut_at_a_border_and_an_empty_interval_is_left_out() -> None:
    net = town("ab bc")
    data = RoadTrajectories.from_lists(
        [along("abc", net)] * 3 + [along("bc", net)], network=net, times=[[5.0, 25.0]] * 3 + [[12.0]]
    )
    release = Icba(k=3, interval=10).anonymize(data)
    assert published_rows(release.data) == [("0-10", ("ab+",))] * 3 + [("20-30", ("bc+",))] * 3
    assert release.data.interval_names == ("0-10", "20-30")  # the one of 10 to 20 had one vehicle
    assert release.counts["split_records"] == 3
    assert release.counts["suppressed_records"] == 1
    assert release.counts["infrequent_roads"] == 1


def test_a_person_with_many_trajectories_is_one_person() -> None:
    net = town("ab bc")
    rows = [along("abc", net)] * 5
    data = RoadTrajectories.from_lists(rows, network=net, persons=["ann", "ann", "ann", "bob", "ann"])
    with pytest.raises(Infeasible, match="k=3 needs at least 3 persons with a road, these data have 2"):
        Icba(k=3).anonymize(data)
    release = Icba(k=2).anonymize(data)
    assert len(release.data) == 5
    assert release.counts["smallest_anonymity_set"] == 2


def test_a_record_that_passes_twice_is_one_record() -> None:
    """Without ab-, which only it travels, the first is twice (ab+): two trajectories, but no crowd."""
    net = town("ab bc")
    data = RoadTrajectories.from_lists([["ab+", "ab-", "ab+"], ["ab+", "bc+"], ["bc+"]], network=net)
    release = Icba(k=2, similarity=0.9).anonymize(data)
    assert published_rows(release.data) == [("all", ("ab+",))] * 3 + [("all", ("ab+", "bc+"))] * 2
    assert (release.counts["dummies"], release.counts["smallest_anonymity_set"]) == (1, 1)
    alone = Icba(k=2, similarity=0.9, dummies=False).anonymize(data)
    assert published_rows(alone.data) == [("all", ("ab+", "bc+"))] * 2
    assert (alone.counts["removed_trajectories"], alone.counts["smallest_anonymity_set"]) == (2, 2)


def crossing(number: int, others: int) -> RoadTrajectories:
    """Some drive from a over b to c; others from a to d, and others from b over c to f: both their roads are busy."""
    net = town("ab bc bd cf")
    rows = [*[along("abc", net)] * number, *[along("abd", net)] * others, *[along("bcf", net)] * others]
    return RoadTrajectories.from_lists(rows, network=net, persons=[f"person {at}" for at in range(len(rows))])


def test_dummies_are_nobody_and_count_once_each() -> None:
    data = crossing(2, 3)
    release = Icba(k=3).anonymize(data)
    busy = [("all", ("ab+", "bd+"))] * 3 + [("all", ("bc+", "cf+"))] * 3
    assert published_rows(release.data) == [("all", ("ab+", "bc+"))] * 3 + busy
    assert release.counts["dummies"] == release.counts["added_records"] == 1
    assert release.counts["smallest_anonymity_set"] == 2
    assert release.certificate().records == {"published": 9, "suppressed": 0, "added": 1, "split": 0}
    assert release.persons is not None
    assert np.bincount(release.persons.codes).tolist() == [1] * 9  # eight persons and a dummy
    assert release.holds
    alone = Icba(k=3, dummies=False).anonymize(data)
    assert published_rows(alone.data) == busy
    assert (alone.counts["removed_trajectories"], alone.counts["suppressed_records"]) == (2, 2)


@pytest.mark.parametrize(("number", "shown"), [(1, 0), (2, 4), (3, 4), (4, 4), (5, 5)])
def test_half_of_k_is_raised_to_k_and_less_is_removed(number: int, shown: int) -> None:
    rows = published_rows(Icba(k=4).anonymize(crossing(number, 4)).data)
    assert rows.count(("all", ("ab+", "bc+"))) == shown


def test_the_directory_says_what_is_invented_and_can_be_checked(tmp_path: Path) -> None:
    data = drives(3, vehicles=200, people=True)
    release = Icba(k=4, interval=1800).anonymize(data)
    release.write(tmp_path / "out")
    certificate = json.loads((tmp_path / "out" / "certificate.json").read_text())
    assert certificate["records"]["added"] == release.counts["dummies"] > 0
    assert certificate["parameters"]["interval"] == 1800
    said = " ".join(limit["text"] for limit in certificate["not_covered"])
    assert "fewer than k persons may have travelled" in said
    assert "as few as k/2 persons" in said
    check = verify(tmp_path / "out", original=data)
    assert [verdict.holds for _, verdict in check.verdicts] == ["not checkable"] * 2
    assert "does not show the persons" in check.verdicts[0][1].reason
    lines = (tmp_path / "out" / "data.csv").read_text().splitlines()
    (tmp_path / "out" / "data.csv").write_text("\n".join([lines[0], *lines[3:]]) + "\n")
    assert not verify(tmp_path / "out").holds


def test_names_of_persons_and_ids_do_not_show() -> None:
    data = drives(5, people=True)
    assert data.persons is not None
    turned = Persons.of([f"z{-code}" for code in data.persons.codes.tolist()])
    one = Icba(k=3).anonymize(data)
    other = Icba(k=3).anonymize(replace(data.with_persons(turned), ids=None))
    assert one.data.to_polars().equals(other.data.to_polars())


def test_refusals() -> None:
    net = town("ab")
    data = RoadTrajectories.from_lists([["ab+"], ["ab+"]], network=net)
    with pytest.raises(MissingKnowledge, match="icba: needs times to cut trajectories into intervals"):
        Icba(k=2, interval=60).anonymize(data)
    with pytest.raises(Infeasible, match="icba: k=3 needs at least 3 records with a road, these data have 2"):
        Icba(k=3).anonymize(data)
    with pytest.raises(ParameterError, match="similarity must be a number of at least 0 and below 1, got 1"):
        Icba(k=2, similarity=1)
    with pytest.raises(ParameterError, match="interval must be a number of seconds above 0, or two or more rising"):
        Icba(k=2, interval="5,5")
