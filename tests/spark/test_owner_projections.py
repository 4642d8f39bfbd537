"""Projection safety has the verdict of one machine on a cluster."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sfumato import Places, Trajectories
from sfumato.errors import MissingKnowledge
from sfumato.privacy import ProjectionSafety
from sfumato.spark.records import Records
from sfumato.spark.verifying import verify
from spark.data import in_files, walks

OWNED = Places.from_frame({"location": [f"p{n:02}" for n in range(12)], "owner": ["A", "B", "C", ""] * 3})


@pytest.mark.parametrize("persons", [True, False])
def test_the_verdict_is_that_of_one_machine(spark: Any, persons: bool, tmp_path: Path) -> None:
    data = replace(walks(6, persons=persons), places=OWNED)
    records = Records.read(spark, in_files(data, tmp_path / "in"), kind="trajectories", places=OWNED)
    for model in (ProjectionSafety(threshold=0.6), ProjectionSafety(threshold=0.3, collude="A,B")):
        verdict = verify(model, records)
        assert verdict == model.check(data), model
        assert verdict.holds is False


def test_one_planted_pair_is_the_witness_and_its_share_is_not_rounded(spark: Any, tmp_path: Path) -> None:
    visits = [["p00", "p01"]] * 3 + [["p00"]] * 7 + [["p04", "p01"]] + [["p04"]] * 2
    data = Trajectories.from_lists(visits, places=OWNED)
    records = Records.read(spark, in_files(data, tmp_path / "in"), kind="trajectories", places=OWNED)
    model = ProjectionSafety(threshold=0.3)  # 3 of 10 is allowed, 1 of 3 is not
    verdict = verify(model, records)
    assert verdict == model.check(data)
    assert [(w["owner"], w["projection"]) for w in verdict.witnesses if w["owner"] == "A"] == [("A", ["p04"])]


def test_what_cannot_be_checked_is_said(spark: Any, tmp_path: Path) -> None:
    data = Trajectories.from_lists([["p00", "p04"], ["p04"]])
    records = Records.read(spark, in_files(data, tmp_path / "in"), kind="trajectories")
    with pytest.raises(MissingKnowledge, match="projection: needs owners, these data carry none"):
        verify(ProjectionSafety(threshold=0.5), records)
    owned = records.with_frame(records.frame, replace(records.side, places=OWNED))
    expected = ProjectionSafety(threshold=0.5).check(replace(data, places=OWNED))
    assert verify(ProjectionSafety(threshold=0.5), owned) == expected
    assert expected.reason == "nothing to protect: A owns every visited place"
    members = {"p00": ("p00", "p08")}
    unclear = owned.with_frame(owned.frame, replace(owned.side, members=members))
    expected = ProjectionSafety(threshold=0.5).check(replace(data, places=OWNED, members=members))
    assert verify(ProjectionSafety(threshold=0.5), unclear) == expected
    assert expected.holds == "not checkable"
