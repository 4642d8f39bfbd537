"""The audit of visits and items has the figures of one machine on a cluster."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sfumato import Trajectories
from sfumato.attacks import Audit
from sfumato.errors import DataError, Infeasible, ParameterError
from sfumato.spark import audit
from sfumato.spark.records import Records
from spark.data import baskets, in_files, walks


def nearly(found: Any, expected: Any) -> None:
    """Equal, decimal numbers to 1e-12."""
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for name in expected:
            nearly(found[name], expected[name])
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            nearly(one, other)
    else:
        assert found == pytest.approx(expected, rel=0, abs=1e-12) if isinstance(expected, float) else found == expected


@pytest.mark.parametrize(
    ("data", "options"),
    [
        (walks(3, persons=True), {"known": 2}),
        (walks(4, persons=False), {"known": 6, "ordered": False}),
        (baskets(5), {"known": 3}),
    ],
    ids=("persons", "unordered", "baskets"),
)
def test_the_figures_are_those_of_one_machine(spark: Any, data: Any, options: dict[str, Any], tmp_path: Path) -> None:
    records = Records.read(spark, in_files(data, tmp_path / "in"), kind=data.kind)
    nearly(audit(records, **options).to_json(), Audit(**options).run(data).to_json())


def test_persons_with_many_records_and_persons_without_visits(spark: Any) -> None:
    """Ann is unique by c and has one of her records in common with Bob; Cy and Dan have no visits."""
    visits = [["a", "b"], ["a", "c"], ["a", "b"], [], [], ["a", "b", "a"]]
    data = Trajectories.from_lists(visits, persons=["ann", "ann", "bob", "cy", "dan", "bob"])
    rows = [(data.codes[first:end].tolist(), name) for first, end, name in _spans(data)]
    frame = spark.createDataFrame(rows, "codes array<int>, person string").repartition("person")
    side = replace(data, offsets=np.zeros(1), codes=np.empty(0), ids=None, persons=None)
    found, expected = audit(Records(frame, side), known=2), Audit(known=2).run(data)
    nearly(found.to_json(), expected.to_json())
    assert found.findings is not None
    assert expected.figure("unique_worst") == 0.5
    assert "ann" not in str(found.to_json())
    with pytest.raises(DataError, match=r"^audit: the risk of each person is not there on Spark; use one machine"):
        _ = found.people


def _spans(data: Trajectories) -> list[tuple[int, int, str]]:
    assert data.persons is not None
    names = data.persons.names.gather(data.persons.codes).to_list()
    return list(zip(data.offsets[:-1].tolist(), data.offsets[1:].tolist(), names, strict=True))


def test_what_exceeds_the_budget_is_said_or_refused(spark: Any) -> None:
    rows = [(str(record), step, f"p{(record * step) % 5}") for record in range(9) for step in range(4)]
    frame = spark.createDataFrame(rows, "trajectory string, time int, location string")
    found = audit(frame, known=2, budget=50)
    assert [known["known"] for known in found.to_json()["known"]] == [1, 2]
    assert found.sentences[-1].startswith("With 3 or more known, the records have more patterns than the budget")
    with pytest.raises(
        Infeasible, match=r"^audit: with 2 known, the records have about 42 patterns, the budget is 10;"
    ):
        audit(frame, known=2, budget=10)
    with pytest.raises(ParameterError, match=r"^audit: has no parameter 'knwon'"):
        audit(Records.of_frame(frame, kind="trajectories"), knwon=2)
