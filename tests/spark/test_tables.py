"""Equivalence classes of a cluster are those of one machine."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from sfumato import Table
from sfumato.errors import DataError, MissingKnowledge
from sfumato.privacy import KAnonymity, KmAnonymity, LDiversity, TCloseness
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
    with pytest.raises(MissingKnowledge, match="l-diversity: needs a sensitive column, these data name none"):
        verify(LDiversity(l=2), rows)
    with pytest.raises(DataError, match="wanted one role for a column, found 'age' in two"):
        Rows.read(spark, tmp_path / "in", quasi_identifiers=["age"], sensitive=["age"])
    rows = Rows.read(spark, tmp_path / "in", sensitive=["town"])
    assert "town" not in rows.quasi_identifiers
    with pytest.raises(DataError, match="the ordered distance needs numbers, the column 'town' holds other values"):
        verify(TCloseness(t=0.1, distance="ordered"), rows)


def test_persons_without_a_name_or_with_decimal_numbers_are_refused(spark: Any) -> None:
    """NaN would count as a person, and so would 0.0 and -0.0, which are equal."""
    for rows, problem in (
        ([(1, "ann"), (1, "")], "wanted a person for every row, found a row without one"),
        ([(1, 1.0), (1, float("nan"))], "wanted texts or whole numbers in the column 'who', found double"),
    ):
        frame = spark.createDataFrame(rows, ["age", "who"])
        with pytest.raises(DataError, match=problem):
            Rows.of_frame(frame, person="who")
    with pytest.raises(DataError, match="wanted column names without the sign `, found one with it"):
        Rows.of_frame(spark.createDataFrame([(1,)], "`a``b` int"))


@pytest.mark.parametrize("person", ["patient", None])
def test_sensitive_values_have_the_verdicts_of_one_machine(spark: Any, person: str | None, tmp_path: Path) -> None:
    frame = people(tmp_path / "in")
    table = Table.from_frame(
        frame.select("age", "town", "height", *([person] if person else [])),
        columns={"person": person} if person else None,
        quasi_identifiers=("age",),
        sensitive=("town", "height"),
    )
    rows = Rows.read(spark, tmp_path / "in", quasi_identifiers=["age"], person=person, sensitive=["town", "height"])
    by_person = (LDiversity(l=4), LDiversity(l=3, variant="entropy"), TCloseness(t=0.05))
    by_row = (LDiversity(l=3), LDiversity(l=3, variant="entropy"), TCloseness(t=0.5))
    for model in by_person if person else by_row:
        assert verify(model, rows) == model.check(table), model


@pytest.mark.parametrize("person", ["patient", None])
def test_ranks_of_numbers_have_the_verdicts_of_one_machine(spark: Any, person: str | None, tmp_path: Path) -> None:
    frame = people(tmp_path / "in")
    table = Table.from_frame(
        frame.select("age", "height", *([person] if person else [])),
        columns={"person": person} if person else None,
        sensitive=("height",),
    )
    rows = Rows.read(spark, tmp_path / "in", quasi_identifiers=["age"], person=person, sensitive=["height"])
    model = TCloseness(t=0.02 if person else 0.1, distance="ordered")
    assert verify(model, rows) == model.check(table)


def test_values_that_belong_to_one_person_are_matched(spark: Any, tmp_path: Path) -> None:
    """Ann has two of three values, and no one else has one of them: two persons are behind the class."""
    cells = {"age": [1, 1, 1, 1, 2, 2], "ill": ["flu", "hiv", "flu", "hiv", "flu", "hiv"]}
    frame = pl.DataFrame(cells | {"who": ["ann", "ann", "bob", "ann", "cy", "cy"]})
    frame.write_parquet(tmp_path / "a.parquet")
    table = Table.from_frame(frame, columns={"person": "who"}, sensitive=("ill",))
    rows = Rows.read(spark, tmp_path, person="who", sensitive=["ill"])
    verdict = verify(LDiversity(l=2), rows)
    assert verdict == LDiversity(l=2).check(table)
    assert verdict.witnesses == ({"values": {"age": 2}, "column": "ill", "diversity": 1},)


def test_counts_beyond_64_bits_are_exact() -> None:
    from sfumato.spark.sensitive_values import _equal, _ordered

    codes, sizes, totals = np.array([0, 2]), np.array([2, 1]) * 10**9, np.array([3, 1, 4]) * 10**9
    for distance in (_equal, _ordered):
        above, below = distance(codes, sizes, totals)
        small_above, small_below = distance(codes, sizes // 10**9, totals // 10**9)
        assert above == small_above * 10**18
        assert below == small_below * 10**18
