"""One person with thousands of records, and one location in every record."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sfumato import SeqAnon, Trajectories
from sfumato.methods.read_back import same_data
from sfumato.privacy import KmAnonymity
from sfumato.spark import unit_counts
from sfumato.spark.anonymizing import anonymize
from sfumato.spark.patterns import subsequence_supports
from sfumato.spark.records import Records
from sfumato.spark.verifying import verify
from spark.data import PLACES, in_files
from spark.test_verifying import as_far_as_measured

ANN = 4000  # records


@pytest.fixture(scope="module")
def data() -> Trajectories:
    """Everybody begins at home; Ann has most of the records, many of them equal, and Bob more than the others."""
    rng = np.random.default_rng(1)
    visits = [["p00", *(f"p{code:02}" for code in rng.integers(1, 9, rng.integers(0, 4)))] for _ in range(ANN + 600)]
    persons = ["ann"] * ANN + ["bob"] * 300 + [f"u{code}" for code in rng.integers(0, 90, 300)]
    return Trajectories.from_lists(visits, persons=persons, places=PLACES)


@pytest.fixture(scope="module")
def records(spark: Any, data: Trajectories, tmp_path_factory: pytest.TempPathFactory) -> Records:
    folder = in_files(data, tmp_path_factory.mktemp("skew") / "in")
    return Records.read(spark, folder, kind="trajectories", places=PLACES)


def test_a_person_with_many_records_counts_once(
    records: Records, data: Trajectories, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = sorted(subsequence_supports(records, 2).collect())
    monkeypatch.setattr(unit_counts, "MOST_RECORDS", 250)
    assert unit_counts._persons_with_many(records) == {"ann": ANN, "bob": 300}
    assert sorted(subsequence_supports(records, 2).collect()) == whole
    model = KmAnonymity(k=10, m=2)
    verdict, expected = verify(model, records), model.check(data)
    assert verdict == as_far_as_measured(expected, verdict)
    assert verdict.holds is False


def test_no_task_has_all_records_of_a_person(records: Records, monkeypatch: pytest.MonkeyPatch) -> None:
    def sizes(data: Any) -> Any:
        import pyarrow as pa

        yield pa.RecordBatch.from_pydict({"records": np.array([len(data)], dtype=np.int32), "units": [1]})

    distinct = records.frame.filter("person = 'ann'").distinct().count()
    monkeypatch.setattr(unit_counts, "MOST_RECORDS", 250)
    most = unit_counts.units_added_up(records, sizes, {"records": "int"}).agg({"records": "max"}).first()[0]
    assert most < 0.6 * distinct < 0.3 * ANN


def test_the_release_is_that_of_one_machine(
    records: Records, data: Trajectories, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sfumato.io.published import directory

    monkeypatch.setattr(unit_counts, "MOST_RECORDS", 250)
    method = SeqAnon(k=10, m=2, rounds=True)
    anonymize(method, records).write(tmp_path / "out")
    assert same_data(directory.read(tmp_path / "out").data, method.anonymize(data).data)
