"""Verdicts of a cluster are those of one machine."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sfumato import Trajectories
from sfumato.errors import CallerError, DataError
from sfumato.privacy import KlmAnonymity, KmAnonymity, SequenceKAnonymity
from sfumato.privacy.base import Verdict
from sfumato.spark.records import Records
from sfumato.spark.verifying import verify
from spark.data import baskets, in_files, walks


def as_far_as_measured(verdict: Verdict, other: Verdict) -> Verdict:
    """The verdict, without the figure for m + 1 where the other does not measure it."""
    if other.measured.get("k_at_m_plus_1") != "not measured":
        return verdict
    return replace(verdict, measured=verdict.measured | {"k_at_m_plus_1": "not measured"})


@pytest.mark.parametrize("persons", [True, False])
def test_trajectories_have_the_verdicts_of_one_machine(spark: Any, persons: bool, tmp_path: Path) -> None:
    data = walks(3, persons=persons, sensitive=("p00", "p01"))
    records = Records.read(spark, in_files(data, tmp_path / "in"), kind="trajectories", places=data.places)
    for model in (
        KmAnonymity(k=2, m=1),
        KmAnonymity(k=6, m=2),
        KmAnonymity(k=2, m=7),
        KlmAnonymity(k=2, l=2, m=2),
        KlmAnonymity(k=2, l=3, m=1),
    ):
        verdict, expected = verify(model, records), model.check(data)
        assert verdict == as_far_as_measured(expected, verdict), model


def test_transactions_have_the_verdict_of_one_machine(spark: Any, tmp_path: Path) -> None:
    data, model = baskets(5), KmAnonymity(k=15, m=2)
    verdict = verify(model, Records.read(spark, in_files(data, tmp_path / "in"), kind="transactions"))
    assert verdict == as_far_as_measured(model.check(data), verdict)
    assert verdict.holds is False


def test_a_planted_violation_is_the_witness(spark: Any, tmp_path: Path) -> None:
    data = Trajectories.from_lists([["a", "b"]] * 30 + [["b", "a"]])
    verdict = verify(KmAnonymity(k=2, m=2), Records.read(spark, in_files(data, tmp_path / "in"), kind="trajectories"))
    assert verdict.holds is False
    assert verdict.witnesses == ({"pattern": ["b", "a"], "support": 1},)


def test_labels_of_a_record_that_share_a_member_are_the_witness(spark: Any, tmp_path: Path) -> None:
    data = Trajectories.from_lists([["g1", "g2"], ["a"], ["g1", "a"]])
    records = Records.read(spark, in_files(data, tmp_path / "in"), kind="trajectories")
    members = {"g1": ("x", "y"), "g2": ("y", "z")}
    records = records.with_frame(records.frame, replace(records.side, members=members))
    expected = KmAnonymity(k=2, m=1).check(replace(data, members=members))
    assert verify(KmAnonymity(k=2, m=1), records) == expected


def test_many_records_of_one_person_and_one_place_in_every_record(spark: Any, tmp_path: Path) -> None:
    visits = [["home", f"p{number % 7}"] for number in range(3000)]
    data = Trajectories.from_lists(visits, persons=["ann"] * 2900 + [f"u{number}" for number in range(100)])
    records = Records.read(spark, in_files(data, tmp_path / "in"), kind="trajectories")
    verdict = verify(KmAnonymity(k=10, m=2), records)
    assert verdict == as_far_as_measured(KmAnonymity(k=10, m=2).check(data), verdict)
    assert records.sizes["units"] == 101


def test_refusals(spark: Any, tmp_path: Path) -> None:
    data = walks(1, persons=False, n=10)
    folder = in_files(data, tmp_path / "in")
    records = Records.read(spark, folder, kind="trajectories")
    with pytest.raises(
        CallerError, match=r"^spark: sequence-k is not checked on Spark, only km, .* or .*; use one machine"
    ):
        verify(SequenceKAnonymity(k=2), records)
    with pytest.raises(DataError, match=r"wanted a column 'time', found none; rows of a DataFrame have no order"):
        Records.of_frame(spark.read.parquet(str(folder)), kind="trajectories")
    with pytest.raises(DataError, match="wanted the column 'poi', found trajectory"):
        Records.read(spark, folder, kind="trajectories", columns={"location": "poi"})
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="wanted a directory of Parquet files, found none"):
        Records.read(spark, tmp_path / "empty", kind="trajectories")
    rows = [("1", "a", 1.0, 1.0, True), ("1", "b", float("inf"), 1.0, False)]
    frame = spark.createDataFrame(rows, ["trajectory", "location", "time", "person", "late"])
    with pytest.raises(DataError, match="wanted texts or whole numbers in the column 'person', found double"):
        Records.of_frame(frame, kind="trajectories")
    with pytest.raises(DataError, match="wanted a time of 0 or later, found a negative or unreadable one"):
        Records.of_frame(frame.drop("person"), kind="trajectories")
    with pytest.raises(DataError, match="wanted times as numbers or time stamps, found boolean"):
        Records.of_frame(frame.drop("person"), kind="trajectories", columns={"time": "late"})
