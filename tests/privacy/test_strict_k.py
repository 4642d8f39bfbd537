"""Strict k-anonymity: the brute-force twin, planted violations, and what cannot be told."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from driving import along, drives, town
from mutations import mutants
from sfumato import Icba, RoadTrajectories, Trajectories
from sfumato.errors import DataError
from sfumato.privacy import StrictKAnonymity
from sfumato.verification import verify
from twins.icba import strict_k_holds


@pytest.mark.parametrize("people", [False, True], ids=["records", "persons"])
def test_the_twin_agrees_on_spoiled_releases(people: bool) -> None:
    release = Icba(k=3, interval=1800).anonymize(drives(1, vehicles=40, people=people))
    model = StrictKAnonymity(k=3)
    found = set()
    for spoiled in mutants(release.data, release.persons, Random(2), 60):
        assert model.check(spoiled).holds is strict_k_holds(model, spoiled)
        found.add(model.check(spoiled).holds)
    assert found == {True, False}


def test_the_same_roads_in_another_interval_are_another_trajectory() -> None:
    net = town("ab")
    data = RoadTrajectories.from_lists([["ab+"]] * 3, network=net, intervals=["1", "1", "2"])
    verdict = StrictKAnonymity(k=2).check(data)
    assert verdict.holds is False
    assert verdict.witnesses == ({"interval": "2", "trajectory": ["ab+"], "occurrences": 1},)
    assert verdict.measured == {
        "unit": "record", "trajectories": 2, "smallest_support": 1, "rare_trajectories": 1, "broken_paths": 0,
    }  # fmt: skip
    assert StrictKAnonymity(k=2).check(data.take(np.array([0, 1]))).holds is True


def test_the_other_direction_and_a_part_are_other_trajectories() -> None:
    net = town("ab bc")
    rows = [along(way, net) for way in ("abc", "abc", "cba", "ab")]
    verdict = StrictKAnonymity(k=2).check(RoadTrajectories.from_lists(rows, network=net))
    assert [one["trajectory"] for one in verdict.witnesses] == [["ab+"], ["bc-", "ab-"]]


def test_one_person_is_no_crowd() -> None:
    net = town("ab")
    data = RoadTrajectories.from_lists([["ab+"]] * 3, network=net, persons=["ann"] * 3)
    assert StrictKAnonymity(k=2).check(data).holds is False
    assert StrictKAnonymity(k=2).check(data).checked_from == "original"
    assert StrictKAnonymity(k=2).check(data.with_persons(None)).holds is True


def test_an_original_cannot_tell_who_is_behind() -> None:
    net = town("ab")
    original = RoadTrajectories.from_lists([["ab+"]] * 3, network=net, persons=["ann"] * 3)
    published, _ = original.published()
    verdict = StrictKAnonymity(k=2).check(published, original)
    assert verdict.holds == "not checkable"
    assert "does not show the persons" in verdict.reason
    assert StrictKAnonymity(k=4).check(published, original).holds is False


def test_a_jump_is_a_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    """The data refuse jumps themselves; the verifier does not rely on that."""
    net = town("ab bc cd")
    monkeypatch.setattr(RoadTrajectories, "jumps", lambda _: np.empty(0, dtype=np.int64))
    data = RoadTrajectories.from_lists([["ab+", "cd+"]] * 3, network=net)
    verdict = StrictKAnonymity(k=2).check(data)
    assert verdict.holds is False
    assert verdict.measured["broken_paths"] == 3


def test_nothing_is_safe() -> None:
    net = town("ab")
    for rows in ([], [[], []]):
        verdict = StrictKAnonymity(k=2).check(RoadTrajectories.from_lists(rows, network=net))
        assert verdict.holds is True
        assert verdict.measured["smallest_support"] is None


def test_an_order_that_is_not_the_published_one_does_not_matter() -> None:
    net = town("ab bc")
    rows = [along(way, net) for way in ("ab", "abc", "ab", "abc")]
    data = RoadTrajectories.from_lists(rows, network=net, intervals=["9", "10", "9", "10"])
    assert StrictKAnonymity(k=2).check(data).holds is True
    assert StrictKAnonymity(k=2).check(replace(data, ids=None)).holds is True


def test_other_data_are_refused() -> None:
    with pytest.raises(DataError, match="strict-k: wanted roads, got trajectories"):
        StrictKAnonymity(k=2).check(Trajectories.from_lists([["a"]]))


def test_a_jump_planted_in_the_files_is_found_even_where_the_digest_is_forged(tmp_path: Path) -> None:
    net = town("ab bc cd")
    release = Icba(k=2).anonymize(RoadTrajectories.from_lists([along("abc", net)] * 2, network=net))
    folder = release.write(tmp_path / "out")
    text = (folder / "data.csv").read_text().replace(",bc,", ",cd,")
    (folder / "data.csv").write_text(text)
    certificate = json.loads((folder / "certificate.json").read_text())
    certificate["files"]["data.csv"] = hashlib.sha256(text.encode()).hexdigest()
    (folder / "certificate.json").write_text(json.dumps(certificate))
    check = verify(folder)
    assert not check.holds
    assert "data.csv" in check.problems[0]
