"""LRA on a cluster has the parts, the labels and the verdict of one machine."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sfumato import Lra, Taxonomy, Transactions
from sfumato.errors import CallerError, Infeasible
from sfumato.io.published import directory
from sfumato.methods.read_back import same_data
from sfumato.privacy import KmAnonymity
from sfumato.spark.anonymizing import anonymize
from sfumato.spark.itemsets import local_recoding
from sfumato.spark.records import Records
from sfumato.spark.verifying import verify as check
from sfumato.verification import verify
from spark.data import in_files
from spark.itemsets import FOOD, purchases
from spark.test_verifying import as_far_as_measured


@pytest.mark.parametrize(
    ("persons", "n", "method"),
    [(False, 300, Lra(k=3, m=2, parts=5)), (True, 120, Lra(k=8, m=1, parts=40))],
    ids=str,
)
def test_the_output_is_that_of_one_machine(spark: Any, persons: bool, n: int, method: Lra, tmp_path: Path) -> None:
    data = purchases(1, n, persons=persons)
    records = Records.read(spark, in_files(data, tmp_path / "in"), kind="transactions", taxonomy=FOOD)
    release, expected = anonymize(method, records), method.anonymize(data)
    assert release.holds
    assert release.counts == expected.counts
    assert as_far_as_measured(expected.verdicts[0][1], release.verdicts[0][1]) == release.verdicts[0][1]
    certificate = release.write(tmp_path / "out", part_records=90)
    published = directory.read(tmp_path / "out")
    assert same_data(published.data, expected.data)
    assert certificate.to_json()["records"] == expected.certificate().to_json()["records"]
    result = verify(tmp_path / "out", original=data)
    assert result.problems == ()
    assert result.code == (3 if persons else 0)  # the persons behind labels that overlap cannot be read from files
    if not persons:
        members = [member for label in published.data.names for member in published.data.members.get(label, (label,))]
        assert len(members) > len(set(members))  # an item has several labels, in different records


def test_labels_that_overlap_between_records_are_counted_as_on_one_machine(spark: Any, tmp_path: Path) -> None:
    """Labels are symbols: a and the label of a and b are two, unless one record has both."""
    rows = [["a"]] * 3 + [["ab", "c"]] * 3 + [["b", "c"]] * 2 + [["ab"]]
    data = Transactions.from_lists(rows)
    records = Records.read(spark, in_files(data, tmp_path / "in"), kind="transactions")
    side, model = replace(records.side, members={"ab": ("a", "b")}), KmAnonymity(k=3, m=2)
    verdict = check(model, records.with_frame(records.frame, side))
    expected = model.check(replace(data, members={"ab": ("a", "b")}))
    assert verdict == as_far_as_measured(expected, verdict)
    assert verdict.witnesses == ({"pattern": ["b"], "support": 2}, {"pattern": ["b", "c"], "support": 2})


def test_refusals(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = purchases(2, 30)
    records = Records.read(spark, in_files(data, tmp_path / "in"), kind="transactions", taxonomy=FOOD)
    with pytest.raises(Infeasible, match=r"^lra: k=31 needs at least 31 records with an item, these data have 30"):
        anonymize(Lra(k=31, m=1), records)
    with pytest.raises(CallerError, match="lm is not checked on Spark"):
        anonymize(Lra(k=2, m=1, l=2), records)
    monkeypatch.setattr(local_recoding, "MOST_ITEMS", 10)
    with pytest.raises(Infeasible, match=r"^lra: on Spark a part has at most 10 items, the largest of these 2 parts"):
        anonymize(Lra(k=2, m=1, parts=2), records)
    derived = Taxonomy(dict.fromkeys(FOOD.leaves, "any") | {"any": None}, rule="frequency:3")
    with pytest.raises(CallerError, match="the hierarchy of the items has to be given; found one derived"):
        anonymize(Lra(k=2, m=1), records.with_frame(records.frame, replace(records.side, taxonomy=derived)))
