"""The audit of a table has the figures of one machine on a cluster, as far as it has them."""

from pathlib import Path
from typing import Any

import pytest

from sfumato import Table
from sfumato.attacks import TableAudit
from sfumato.errors import ParameterError
from sfumato.spark import audit
from sfumato.spark.tables import Rows
from spark.audits.test_anonymity_sets import nearly
from spark.test_tables import people


@pytest.mark.parametrize(
    ("person", "options"),
    [
        ("patient", {"threshold": 0.05, "inference": 0.4}),
        (None, {"population_size": 2000, "inference": 0.5}),
    ],
)
def test_the_figures_are_those_of_one_machine(
    spark: Any, person: str | None, options: dict[str, Any], tmp_path: Path
) -> None:
    frame = people(tmp_path / "in")
    roles: dict[str, Any] = {"quasi_identifiers": ("age", "height"), "sensitive": ("town",)}
    table = Table.from_frame(
        frame if person else frame.drop("patient"), columns={"person": person} if person else None, **roles
    )
    found = audit(Rows.read(spark, tmp_path / "in", person=person, **roles), **options).to_json()
    expected = TableAudit(**options).run(table).to_json()
    assert found.pop("column_sets") is None
    assert found["notes"].pop().startswith("Not computed on Spark: sets of columns")
    del expected["column_sets"]
    expected["singling_out"] = expected["singling_out"][-1:]
    for column in expected["columns"]:
        del column["minimal"], column["only_with"]
    nearly(found, expected)


def test_refusals(spark: Any, tmp_path: Path) -> None:
    people(tmp_path / "in")
    rows = Rows.read(spark, tmp_path / "in", quasi_identifiers=["age"])
    with pytest.raises(ParameterError, match="population_size must be at least the 120 records of the data, got 3"):
        audit(rows, population_size=3)
