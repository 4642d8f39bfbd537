"""Measures have the values of one machine on a cluster, to 1e-9."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sfumato import Incognito, SeqAnon, Table, Taxonomy
from sfumato.data.queries import Between, OneOf, Query
from sfumato.errors import CallerError, DataError, ParameterError
from sfumato.experiments.evaluation import evaluate as evaluated_alone
from sfumato.experiments.evaluation import named_measure
from sfumato.methods.transactions.apriori import AprioriAnon
from sfumato.methods.transactions.lra import Lra
from sfumato.spark import anonymize, evaluate
from sfumato.spark.measures.evaluating import ON_SPARK, evaluate_directory
from sfumato.spark.records import Records
from sfumato.spark.table_methods import TableRows
from sfumato.utility.workload import Workload
from spark.data import baskets, in_files, walks
from spark.test_anonymizing import KNOWLEDGE
from spark.test_table_methods import ROLES, people


def compare(spark: Any, original: Any, data: Any, release: Any, measures: list[str], folder: Path) -> set[str]:
    """Write a release, measure it on both engines, and return the names of what was measured."""
    release.write(folder / "out", format="parquet")
    found = evaluate_directory(spark, folder / "out", lambda *_: original, measures)
    expected = evaluated_alone(data, folder / "out", [named_measure(name) for name in measures])
    assert found.to_json()["measures"] == pytest.approx(expected.to_json()["measures"], rel=1e-9, abs=1e-12)
    assert found.problems == expected.problems
    return {measure.name for measure, _ in found.scores}


def workload(folder: Path, *queries: Query) -> str:
    Workload(queries).save(folder / "queries.json")
    return str(folder / "queries.json")


def test_trajectories(spark: Any, tmp_path: Path) -> None:
    data = replace(walks(7, persons=True), **KNOWLEDGE)
    original = Records.read(spark, in_files(data, tmp_path / "in"), kind="trajectories", **KNOWLEDGE)
    file = workload(tmp_path, Query(locations=("p01", "p05")), Query(locations=("p03",)), Query())
    others = sorted(set(ON_SPARK["trajectories"]) - {"are"})
    measures = [f"are:workload={file}", f"kl:workload={file}", "arel:pairs=9", *others]
    release = SeqAnon(k=9, m=2, suppression=0.2).anonymize(data)
    assert release.data.members
    assert compare(spark, original, data, release, measures, tmp_path) == set(ON_SPARK["trajectories"])


@pytest.mark.parametrize("local", [False, True])
def test_transactions(spark: Any, local: bool, tmp_path: Path) -> None:
    """Once with a label for each item, once with several, so that expectations differ from counts."""
    names = [f"i{number}" for number in range(9)]
    tree = Taxonomy({"any": None, "x": "any", "y": "any", **{name: "xy"[int(name[1]) % 2] for name in names}})
    data = replace(baskets(5), taxonomy=tree)
    original = Records.read(spark, in_files(data, tmp_path / "in"), kind="transactions", taxonomy=tree)
    file = workload(tmp_path, Query(items=("i1", "i3")), Query(items=("i2",)))
    measures = [f"are:workload={file},estimate=subsets", "re:first=1,number=5", "ul", "kl"]
    method: Any = Lra(k=12, m=2) if local else AprioriAnon(k=20, m=2)
    release = method.anonymize(data)
    assert release.data.members
    measured = compare(spark, original, data, release, [*measures, *([] if local else ["item-ncp"])], tmp_path)
    assert measured >= {"are", "re", "ul", "kl"}


def test_tables(spark: Any, tmp_path: Path) -> None:
    frame = people(tmp_path / "in").drop("patient")
    data, original = Table.from_frame(frame, **ROLES), TableRows.read(spark, tmp_path / "in", person="patient", **ROLES)
    file = workload(
        tmp_path, Query(where={"age": Between(25, 40)}), Query(where={"town": OneOf(("Oslo",)), "age": Between(0, 30)})
    )
    measures = [
        f"are:workload={file}",
        "ncp:weights=age=0.5",
        "frequencies:column=town",
        *sorted(ON_SPARK["table"])[1:],
    ]
    release = Incognito(k=4, suppression=0.1, allow_keys=True).anonymize(data)
    assert compare(spark, original, data, release, measures, tmp_path) == set(ON_SPARK["table"])


def test_frames_and_refusals(spark: Any, tmp_path: Path) -> None:
    data = walks(7, persons=False, n=40)
    records = Records.read(spark, in_files(data, tmp_path / "in"), kind="trajectories")
    found = evaluate(records, records)
    assert found.to_json()["measures"]["visits-kept"] == 100.0
    assert found.unmeasured["are"].startswith("are: on Spark it reads its queries from a file; name one as in are:work")
    assert found.unmeasured["semantic-penalty"].startswith("semantic-penalty: needs a taxonomy")
    frame = spark.createDataFrame([(n % 3, "ab"[n % 2], n % 5) for n in range(60)], "age int, town string, pay int")
    table = anonymize("incognito", frame, k=3, quasi_identifiers=("age", "town"), allow_keys=True)
    assert evaluate(frame, table, ["ncp", "class-size"]).to_json()["measures"] == {"ncp": 0.0, "class-size": 10.0}
    with pytest.raises(ParameterError, match="takes places together with a DataFrame only"):
        evaluate(records, records, places=data.places)
    with pytest.raises(
        CallerError, match=r"^spark: sim1 is not measured on Spark, only appearance, .* or visits-kept; use one machine"
    ):
        evaluate(records, records, ["sim1"])
    with pytest.raises(DataError, match=r"^displacement: needs the run itself"):
        evaluate(records, records, ["displacement"])
    with pytest.raises(CallerError, match=r"^kl: on Spark it reads its patterns from a file"):
        evaluate(records, records, ["kl:patterns=5"])
    sets = Records.read(spark, in_files(baskets(1), tmp_path / "sets"), kind="transactions")
    with pytest.raises(DataError, match="wanted an original with transactions, found trajectories"):
        evaluate(records, sets)
