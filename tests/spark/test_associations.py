"""Associations with sensitive places have the verdicts of one machine where labels overlap between records."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sfumato import Places, Trajectories
from sfumato.privacy import KlmAnonymity
from sfumato.spark.records import Records
from sfumato.spark.verifying import verify
from spark.data import in_files

PLACES = Places.planar(dict.fromkeys("abcdyz", (0, 0))).with_sensitive("yz")
MEMBERS = {"g1": ("a", "b"), "g2": ("b", "c"), "g3": ("a", "b", "c"), "g4": ("d", "e")}
TOGETHER = [["a", "g2", "y", "d"], ["g1", "c", "z", "d"], ["g3", "y", "z"], ["a", "b", "c", "y", "z", "g4"]]


def overlapping(visits: list[list[str]], persons: list[str]) -> Trajectories:
    return replace(Trajectories.from_lists(visits, persons=persons, places=PLACES), members=MEMBERS)


def on_cluster(spark: Any, data: Trajectories, folder: Path) -> Records:
    records = Records.read(spark, in_files(replace(data, members={}), folder), kind="trajectories", places=PLACES)
    return records.with_frame(records.frame, replace(records.side, members=MEMBERS))


def test_the_verdict_is_that_of_one_machine(spark: Any, tmp_path: Path) -> None:
    """Persons with overlapping labels, others, and records by themselves."""
    rng = np.random.default_rng(7)
    visits = [rng.choice(TOGETHER[rng.integers(4)], rng.integers(1, 5)).tolist() for _ in range(60)]
    data, model = overlapping(visits, [f"u{code}" for code in rng.integers(0, 30, 60)]), KlmAnonymity(k=3, l=2, m=3)
    verdict = verify(model, on_cluster(spark, data, tmp_path / "in"))
    assert verdict == model.check(data)
    assert verdict.holds is False
    assert any("images" in witness for witness in verdict.witnesses)


def test_labels_that_are_safe_alone_and_not_together(spark: Any, tmp_path: Path) -> None:
    """One of two persons with each label was at z, and two of the three persons who may have been at a."""
    data = overlapping([["a"], ["a", "z"], ["g1"], ["g1", "z"]], ["ann", "bob", "ann", "cat"])
    model = KlmAnonymity(k=2, l=2, m=1)
    verdict = verify(model, on_cluster(spark, data, tmp_path / "in"))
    assert verdict == model.check(data)
    assert verdict.witnesses == (
        {
            "pattern": ["a"],
            "images": [["a", "g1"]],
            "sensitive": "z",
            "support": 3,
            "together": 2,
            "probability": 2 / 3,
        },
    )
