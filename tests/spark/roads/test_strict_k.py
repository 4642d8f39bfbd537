"""Strict k-anonymity has the verdict of one machine on a cluster."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from sfumato import Network, RoadTrajectories, verify
from sfumato.errors import CallerError, DataError, MissingKnowledge
from sfumato.io.published.certificate import CERTIFICATE
from sfumato.methods.trajectories.roads.icba import Icba
from sfumato.privacy import StrictKAnonymity
from sfumato.spark.measures.evaluating import evaluate_directory
from sfumato.spark.published import verify_directory
from sfumato.spark.records import Records
from sfumato.spark.roads.records import RoadRecords
from sfumato.spark.verifying import verify as verified
from spark.data import in_files, walks

TOWN = Network.from_frames(
    {"node": ["a", "b", "c", "d"], "x": [0, 1, 1, 0], "y": [0, 0, 1, 1]},
    {"road": ["ab", "bc", "cd", "da"], "from": ["a", "b", "c", "d"], "to": ["b", "c", "d", "a"]},
)
ROUND = ("ab", "bc", "cd", "da")


def drives(seed: int, *, persons: bool, intervals: bool, n: int = 120) -> RoadTrajectories:
    """Drives of 1 to 3 roads around the block, in either direction."""
    rng = np.random.default_rng(seed)
    roads = []
    for first, length, forward in zip(rng.integers(0, 4, n), rng.integers(1, 4, n), rng.random(n) < 0.7, strict=True):
        steps = range(first, first + length) if forward else range(first, first - length, -1)
        roads.append([ROUND[step % 4] + ("+" if forward else "-") for step in steps])
    return RoadTrajectories.from_lists(
        roads,
        network=TOWN,
        intervals=[("9-10", "10-11")[hour] for hour in rng.integers(0, 2, n)] if intervals else None,
        persons=[f"u{code}" for code in rng.integers(0, n // 2, n)] if persons else None,
    )


@pytest.mark.parametrize(("persons", "intervals"), [(True, True), (False, False)])
def test_the_verdict_is_that_of_one_machine(spark: Any, persons: bool, intervals: bool, tmp_path: Path) -> None:
    data = drives(3, persons=persons, intervals=intervals)
    records = RoadRecords.read(spark, in_files(data, tmp_path / "in"), network=TOWN)
    for k in (2, 4, 60):
        assert verified(StrictKAnonymity(k=k), records) == StrictKAnonymity(k=k).check(data), k
    assert StrictKAnonymity(k=4).check(data).holds is False


def test_a_planted_trajectory_is_the_witness(spark: Any, tmp_path: Path) -> None:
    """Two drives of one person and a longer one of another; the same roads in another interval are others."""
    roads = [["ab+", "bc+"]] * 20 + [["ab+"]] * 3 + [["ab+", "bc+"]]
    names = [f"u{number}" for number in range(20)] + ["eve", "eve", "bob", "ann"]
    data = RoadTrajectories.from_lists(roads, network=TOWN, intervals=["9"] * 23 + ["10"], persons=names)
    verdict = verified(StrictKAnonymity(k=3), RoadRecords.read(spark, in_files(data, tmp_path / "in"), network=TOWN))
    assert verdict == StrictKAnonymity(k=3).check(data)
    assert [(w["interval"], w["trajectory"], w["occurrences"]) for w in verdict.witnesses] == [
        ("10", ["ab+", "bc+"], 1),
        ("9", ["ab+"], 2),
    ]


def test_a_published_directory(spark: Any, tmp_path: Path) -> None:
    data = drives(5, persons=False, intervals=True)
    data = replace(data, intervals=None, interval_names=())
    Icba(k=3).anonymize(data).write(tmp_path / "out", format="parquet")
    check, expected = verify_directory(spark, tmp_path / "out"), verify(tmp_path / "out")
    assert check.problems == expected.problems == ()
    assert check.verdicts[0] == expected.verdicts[0]
    assert check.verdicts[1][1].holds == "not checkable"  # no inference route
    assert check.counted == expected.counted
    path = tmp_path / "out" / CERTIFICATE
    path.write_text(path.read_text("utf-8").replace('"k": 3', '"k": 90'), "utf-8")
    assert verify_directory(spark, tmp_path / "out").verdicts[0][1].holds is False
    with pytest.raises(CallerError, match="a release of kind roads can only be verified on Spark"):
        evaluate_directory(spark, tmp_path / "out", lambda *_: None)


def test_refusals(spark: Any, tmp_path: Path) -> None:
    head = ("trajectory", "road", "direction", "interval")

    def read(*rows: tuple[str, str, str, str]) -> RoadRecords:
        pl.DataFrame(list(rows), schema=list(head), orient="row").write_parquet(tmp_path / "a.parquet")
        return RoadRecords.read(spark, tmp_path, network=TOWN)

    with pytest.raises(DataError, match="wanted a road that begins where the one before it ends, found a jump"):
        read(("1", "ab", "+", "9"), ("1", "cd", "+", "9"))
    with pytest.raises(DataError, match="wanted one interval for each trajectory, found a second one"):
        read(("1", "ab", "+", "9"), ("1", "bc", "+", "10"))
    with pytest.raises(DataError, match=r"wanted direction as \+ or -, found something else"):
        read(("1", "ab", "x", "9"))
    with pytest.raises(DataError, match="wanted a value in each of road, direction, interval, found a missing one"):
        read(("1", "ab", "+", ""))
    with pytest.raises(DataError, match="wanted roads of the network, found an unknown road"):
        read(("1", "zz", "+", "9"))
    with pytest.raises(MissingKnowledge, match="RoadTrajectories: needs a network, got none"):
        RoadRecords.read(spark, tmp_path)
    others = Records.read(spark, in_files(walks(1, persons=False, n=5), tmp_path / "in"), kind="trajectories")
    with pytest.raises(DataError, match="strict-k: wanted roads, got trajectories"):
        verified(StrictKAnonymity(k=2), others)
