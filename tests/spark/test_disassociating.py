"""Disassociation on a cluster writes the files of one machine, byte for byte, and is verified as there."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from sfumato import Disassociate, Transactions
from sfumato.errors import Infeasible
from sfumato.methods.transactions.horpart import horpart
from sfumato.spark.anonymizing import anonymize
from sfumato.spark.itemsets import disassociating, horizontal_parts
from sfumato.spark.itemsets.horizontal_parts import PartRules
from sfumato.spark.published import verify_directory
from sfumato.spark.records import Records
from sfumato.verification import verify
from spark.data import in_files
from spark.itemsets import purchases


@pytest.mark.parametrize(
    ("persons", "method"),
    [
        (True, Disassociate(k=3, m=2, max_cluster_size=8, partition=40, safe=True)),
        (False, Disassociate(k=3, m=2, max_cluster_size=10)),
    ],
    ids=str,
)
def test_the_files_are_those_of_one_machine(spark: Any, persons: bool, method: Disassociate, tmp_path: Path) -> None:
    data = purchases(3, 300, persons=persons).with_sensitive(["i09"])
    records = Records.read(spark, in_files(data, tmp_path / "in"), kind="transactions", sensitive=data.sensitive)
    release, expected = anonymize(method, records), method.anonymize(data)
    assert release.holds
    assert release.counts == expected.counts
    assert [verdict for _, verdict in release.verdicts] == [verdict for _, verdict in expected.verdicts]
    assert expected.data.joint.any()
    certificate = release.write(tmp_path / "out")
    alone = expected.write(tmp_path / "alone", format="parquet")
    assert certificate.files == alone.files
    assert certificate.to_json()["records"] == alone.certificate.to_json()["records"]
    assert verify(tmp_path / "out", original=data).code == verify(tmp_path / "alone", original=data).code == 0
    if not persons:
        return
    check, on_one = verify_directory(spark, tmp_path / "out"), verify(tmp_path / "out")
    assert check.problems == on_one.problems == ()
    assert check.verdicts == on_one.verdicts
    assert check.counted == on_one.counted
    rows = release.to_frame().orderBy("cluster", "chunk", "subrecord", "item").toArrow().to_pylist()
    assert [tuple(row.values()) for row in rows] == expected.data.to_polars().rows()


@pytest.mark.parametrize(("leading", "largest"), [(1, 12), (8, 40)])
def test_the_parts_are_those_of_horpart(
    spark: Any, monkeypatch: pytest.MonkeyPatch, leading: int, largest: int
) -> None:
    """Half of the records are equal, so that no term splits them, and all but two records have one item."""
    chance = Random(leading)
    rows = [sorted({"a", *chance.sample("bcdefghij", chance.randint(0, 3))}) for _ in range(100)]
    data = Transactions.from_lists(rows + [["a", "x"]] * 100 + [["b"], ["c"]])
    data = replace(data, ids=None)
    contents: dict[tuple[int, ...], int] = {}
    for first, end in pairwise(data.offsets.tolist()):
        content = tuple(data.codes[first:end].tolist())
        contents[content] = contents.get(content, 0) + 1
    frame = spark.createDataFrame([(list(codes), n) for codes, n in contents.items()], "codes array<int>, times long")
    skipped = np.array([name == "j" for name in data.names])
    monkeypatch.setattr(horizontal_parts, "_MOST_LEADING", leading)
    parts, n_parts = horizontal_parts.horizontal_parts(frame, data, PartRules(3, largest, skipped))
    expected = horpart(data, smallest=3, largest=largest, skipped=skipped)
    assert n_parts == len(expected)
    found: list[list[list[str]]] = [[] for _ in range(n_parts)]
    for codes, times, part in parts.collect():
        found[part] += [[data.names[code] for code in codes]] * times
    records = expected.data.to_lists()
    assert [sorted(part) for part in found] == [records[a:b] for a, b in pairwise(expected.starts.tolist())]


def test_refusals(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = purchases(4, 30)
    records = Records.read(spark, in_files(data, tmp_path / "in"), kind="transactions")
    with pytest.raises(Infeasible, match=r"^disassociate: k=31 needs at least 31 records with an item"):
        anonymize(Disassociate(k=31, m=1), records)
    monkeypatch.setattr(disassociating, "MOST_RECORDS", 20)
    with pytest.raises(Infeasible, match="at most 20 records may share chunks, these data have 30; give partition=20"):
        anonymize(Disassociate(k=2, m=1), records)
