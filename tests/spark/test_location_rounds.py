"""Locations that are merged in rounds have the labels of one machine, from counts alone."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sfumato import SeqAnon
from sfumato.io.published import directory
from sfumato.methods.read_back import same_data
from sfumato.methods.trajectories.seqanon.rounds import DatasetCounts
from sfumato.methods.trajectories.seqanon.u_seqanon import USeqAnon
from sfumato.spark.anonymizing import anonymize
from sfumato.spark.location_rounds import ClusterCounts
from sfumato.spark.records import Records
from sfumato.verification import verify
from spark.data import in_files, walks
from spark.test_anonymizing import KNOWLEDGE


def no_records(_: Records) -> None:
    raise AssertionError("records reached the driver")


@pytest.mark.parametrize(
    ("persons", "method"),
    [
        (True, SeqAnon(k=4, m=2)),
        (False, SeqAnon(k=40, m=1, suppression=0.3)),
        (True, USeqAnon(k=9, m=2, delta=90)),
    ],
    ids=str,
)
def test_the_output_is_that_of_one_machine(
    spark: Any, persons: bool, method: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = replace(walks(7, persons=persons), **KNOWLEDGE)
    records = Records.read(spark, in_files(data, tmp_path / "in"), kind="trajectories", **KNOWLEDGE)
    monkeypatch.setattr(Records, "collect", no_records)
    release = anonymize(method, records, most_elements=10)
    expected = replace(method, rounds=True).anonymize(data)
    assert release.holds
    assert release.method == expected.method
    assert release.counts == expected.counts
    certificate = release.write(tmp_path / "out", part_records=60)
    assert certificate.parameters["rounds"] is True
    published = directory.read(tmp_path / "out")
    assert not published.problems
    assert same_data(published.data, expected.data)
    assert verify(tmp_path / "out", original=data).problems == ()


def test_counts_are_those_of_one_machine(spark: Any, tmp_path: Path) -> None:
    data = walks(8, persons=True)
    cluster = ClusterCounts(Records.read(spark, in_files(data, tmp_path / "in"), kind="trajectories"))
    alone = DatasetCounts(data)
    label_of = np.array([0, 1, -1, 3, 0, 1, 6, 7, 7, 7, -1, 6], dtype=np.int32)
    for smallest, largest in ((1, 1), (2, 2), (1, 3)):
        counted = cluster.count(label_of, smallest, largest, 9, 20)
        expected = alone.count(label_of, smallest, largest, 9, 20)
        assert counted.support.tolist() == expected.support.tolist()
        assert counted.rare.tolist() == expected.rare.tolist()
    units, expected_units = cluster.longest_of_units(label_of), alone.longest_of_units(label_of)
    assert np.trim_zeros(units, "b").tolist() == expected_units.tolist()
    for allowed in (None, 0, 2):
        visits = cluster.location_visits(label_of, allowed)
        assert visits.tolist() == alone.location_visits(label_of, allowed).tolist()
