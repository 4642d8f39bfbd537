"""Tables are recoded on a cluster as on one machine, into a directory that one machine verifies."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from sfumato import Table, Taxonomy
from sfumato.errors import CallerError, DataError, Infeasible
from sfumato.io.published import directory
from sfumato.methods.relational.incognito import Incognito
from sfumato.methods.relational.top_down import TopDown
from sfumato.privacy import CSafety, KAnonymity
from sfumato.spark.anonymizing import anonymize
from sfumato.spark.table_methods import TableRows
from sfumato.verification import verify

TOWNS = Taxonomy({"any": None, "north": "any", "south": "any", "Oslo": "north", "Bergen": "north", "Rome": "south"})
ROLES: dict[str, Any] = {"quasi_identifiers": ("age", "town", "height"), "hierarchies": {"town": TOWNS}}


def people(folder: Path) -> pl.DataFrame:
    """Rows with missing values, both zeros and whole decimal numbers, as two Parquet files."""
    rng = np.random.default_rng(5)
    frame = pl.DataFrame(
        {
            "age": pl.Series(rng.integers(20, 60, 200)).replace({20: None}),
            "town": rng.choice(["Rome", "Oslo", "Bergen", "", None], 200).tolist(),
            "height": rng.choice([0.0, -0.0, float("nan"), 1.5, 1.7], 200),
            "pay": rng.integers(1, 20, 200).astype(float),
            "job": rng.choice(["cook", "nurse"], 200).tolist(),
            "patient": [f"u{code}" for code in rng.integers(0, 150, 200)],
        }
    )
    folder.mkdir()
    frame.head(90).write_parquet(folder / "1.parquet")
    frame.slice(90).write_parquet(folder / "2.parquet")
    return frame


@pytest.mark.parametrize(
    ("person", "method"),
    [
        ("patient", Incognito(k=4, l=2, suppression=0.1)),
        (None, Incognito(k=3, minimize="discernibility", intervals="quantiles", allow_keys=True)),
        ("patient", TopDown(k=4)),
        (None, TopDown(k=3, suppression=0.2, class_column="job", allow_keys=True)),
    ],
    ids=str,
)
def test_the_output_is_that_of_one_machine(spark: Any, person: str | None, method: Any, tmp_path: Path) -> None:
    frame = people(tmp_path / "in")
    roles = ROLES | {"sensitive": ("job",) if method.l > 1 else ()}
    data = Table.from_frame(frame, columns={"person": person} if person else None, **roles)
    expected = method.anonymize(data)
    release = anonymize(method, TableRows.read(spark, tmp_path / "in", person=person, **roles))
    assert release.holds
    assert release.counts == expected.counts
    assert [verdict for _, verdict in release.verdicts] == [verdict for _, verdict in expected.verdicts]
    certificate = release.write(tmp_path / "out", part_records=60)
    expected.write(tmp_path / "alone", format="parquet")
    published, alone = directory.read(tmp_path / "out"), directory.read(tmp_path / "alone")
    assert not published.problems
    assert published.data.frame.equals(alone.data.frame)
    assert published.data.members == alone.data.members
    assert certificate.to_json()["records"] == expected.certificate().to_json()["records"]
    assert verify(tmp_path / "out", original=data).code == verify(tmp_path / "alone", original=data).code
    assert pl.DataFrame(release.to_frame().toArrow()).rows() == expected.data.frame.rows()


def test_refusals(spark: Any, tmp_path: Path) -> None:
    people(tmp_path / "in")
    rows = TableRows.read(spark, tmp_path / "in", **ROLES)
    with pytest.raises(Infeasible, match=r"^incognito: k=999 needs at least 999 rows, these data have 200"):
        anonymize(Incognito(k=999), rows)
    with pytest.raises(Infeasible, match=r"^top-down: on Spark it takes at most 3 distinct combinations of quasi-"):
        anonymize(TopDown(k=2), rows, most_elements=3)
    with pytest.raises(CallerError, match="c-safety is not checked on Spark"):
        anonymize(TopDown(k=2), rows, promises=[CSafety(c=0.5)])
    lacking = ROLES | {"hierarchies": {"town": Taxonomy({"any": None, "Oslo": "any", "Rome": "any"})}}
    with pytest.raises(DataError, match="the hierarchy of 'town' lacks 1 value that occurs in the data"):
        anonymize(TopDown(k=2), TableRows.read(spark, tmp_path / "in", **lacking))
    frame = spark.createDataFrame([(1, "a"), (1, "b"), (2, "c"), (2, "d")], "age int, name string")
    with pytest.raises(Infeasible, match="no two rows share a value of the column 'name'"):
        anonymize("incognito", frame, k=2, quasi_identifiers=("age",))
    release = anonymize("incognito", frame, k=2, quasi_identifiers=("age",), allow_keys=True)
    assert [model for model, _ in release.verdicts] == [KAnonymity(k=2)]
    for roles in ({"columns": {"person": "name"}}, {"person": "name"}):
        assert anonymize("incognito", frame, k=2, quasi_identifiers=("age",), **roles).unit == "person"
