"""Equivalence classes of a cluster are those of one machine."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from sfumato import Table
from sfumato.errors import DataError
from sfumato.privacy import KAnonymity, KmAnonymity
from sfumato.spark.tables import Rows
from sfumato.spark.verifying import verify


def people(folder: Path) -> pl.DataFrame:
    """Rows with missing values, empty texts and both zeros, as two Parquet files."""
    rng = np.random.default_rng(2)
    frame = pl.DataFrame(
        {
            "age": pl.Series(rng.integers(20, 24, 120)).replace({20: None}),
            "town": rng.choice(["Rome", "Oslo", "", None], 120).tolist(),
            "height": rng.choice([0.0, -0.0, float("nan"), 1.5], 120),
            "patient": [f"u{code}" for code in rng.integers(0, 60, 120)],
        }
    )
    folder.mkdir()
    frame.head(50).write_parquet(folder / "1.parquet")
    frame.slice(50).write_parquet(folder / "2.parquet")
    return frame


@pytest.mark.parametrize("person", ["patient", None])
def test_verdicts_are_those_of_one_machine(spark: Any, person: str | None, tmp_path: Path) -> None:
    frame = people(tmp_path / "in")
    columns = ("age", "town", "height")
    table = Table.from_frame(
        frame.select(*columns, *([person] if person else [])), columns={"person": person} if person else None
    )
    rows = Rows.read(spark, tmp_path / "in", quasi_identifiers=columns, person=person)
    for k in (2, 5):
        assert verify(KAnonymity(k=k), rows) == KAnonymity(k=k).check(table)


def test_refusals(spark: Any, tmp_path: Path) -> None:
    people(tmp_path / "in")
    with pytest.raises(DataError, match="wanted the column 'job', found age, town"):
        Rows.read(spark, tmp_path / "in", quasi_identifiers=["job"])
    rows = Rows.read(spark, tmp_path / "in")
    assert rows.quasi_identifiers == ("age", "town", "height", "patient")
    with pytest.raises(DataError, match="km: wanted trajectories or transactions, got table"):
        verify(KmAnonymity(k=2, m=1), rows)
