"""Published directories have the verdicts of one machine on a cluster, and what is not checked there is said."""

from pathlib import Path
from typing import Any

import pytest

from sfumato import Chunks, Disassociate, SeqAnon, Trajectories
from sfumato.catalogue import model_class
from sfumato.errors import CallerError
from sfumato.io.published.certificate import CERTIFICATE
from sfumato.io.published.chunks import chunk_rows
from sfumato.io.published.row_files import write_content
from sfumato.methods.trajectories.klm.zga import Zga
from sfumato.privacy import ReconstructionAnonymity
from sfumato.spark.itemsets.chunk_rows import ChunkRows
from sfumato.spark.published import verify_directory
from sfumato.spark.verifying import verify as verified
from sfumato.verification import verify
from spark.data import walks
from spark.itemsets import purchases
from spark.test_verifying import as_far_as_measured


def both(spark: Any, folder: Path) -> tuple[Any, Any]:
    return verify_directory(spark, folder), verify(folder)


@pytest.mark.parametrize("persons", [True, False])
def test_promises_have_the_verdicts_of_one_machine(spark: Any, persons: bool, tmp_path: Path) -> None:
    data = walks(7, persons=persons, sensitive=("p00", "p01"))
    Zga(k=4, l=2, m=2).anonymize(data).write(tmp_path / "out", format="parquet")
    check, expected = both(spark, tmp_path / "out")
    assert check.problems == expected.problems == ()
    assert check.counted == expected.counted
    for (model, verdict), (other, alone) in zip(check.verdicts, expected.verdicts, strict=True):
        assert model == other
        assert verdict == as_far_as_measured(alone, verdict)
    assert check.code == 3
    assert "not searched on Spark" in check.unchecked[-1]


def test_a_promise_without_a_verifier_is_not_checkable(spark: Any, tmp_path: Path) -> None:
    data = Trajectories.from_lists([["a", "b"]] * 5, places={"a": (0, 0), "b": (1, 0)})
    release = SeqAnon(k=2, m=2).anonymize(data, promises=[model_class("sequence-k")(k=2)])
    release.write(tmp_path / "out", format="parquet")
    check = verify_directory(spark, tmp_path / "out")
    assert [verdict.holds for _, verdict in check.verdicts] == [True, "not checkable"]
    assert check.verdicts[1][1].reason == "this promise has no verifier on Spark; check it on one machine"
    assert check.code == 3


def test_files_that_were_altered_are_not_read(spark: Any, tmp_path: Path) -> None:
    SeqAnon(k=5, m=2).anonymize(walks(7, persons=False)).write(tmp_path / "out", format="parquet")
    (tmp_path / "out" / "data.parquet").write_bytes(b"PAR1")
    check, expected = both(spark, tmp_path / "out")
    assert check.problems == expected.problems
    assert check.verdicts == ()
    assert check.code == 1


def test_files_that_were_replaced_are_read_again(spark: Any, tmp_path: Path) -> None:
    """The first check keeps its rows in the memory of the cluster; the second one must not take them."""
    for records, holds in (([["a", "b"]] * 3, True), ([["a", "b"]] * 2 + [["a", "c"]], False)):
        chunks = Chunks.of([{"size": 3, "chunks": [records], "terms": []}])
        for stem, rows in chunk_rows(chunks).items():
            write_content(rows, tmp_path / f"{stem}.parquet")
        assert verified(ReconstructionAnonymity(k=2, m=2), ChunkRows.read(spark, tmp_path)).holds is holds


def test_a_missing_file_is_a_problem_of_the_directory(spark: Any, tmp_path: Path) -> None:
    data = purchases(3, 60)
    Disassociate(k=3, m=2, max_cluster_size=8).anonymize(data).write(tmp_path / "out", format="parquet")
    (tmp_path / "out" / "clusters.parquet").unlink()
    found, expected = both(spark, tmp_path / "out")
    assert found.problems == expected.problems == ("clusters.parquet is missing",)
    assert found.code == expected.code == 1


def test_a_promise_that_is_only_claimed_does_not_hold(spark: Any, tmp_path: Path) -> None:
    """The files of a release with k=2 under a certificate that states k=60."""
    SeqAnon(k=2, m=2).anonymize(walks(7, persons=False)).write(tmp_path / "out", format="parquet")
    path = tmp_path / "out" / CERTIFICATE
    path.write_text(path.read_text("utf-8").replace('"k": 2', '"k": 60'), "utf-8")
    check = verify_directory(spark, tmp_path / "out")
    assert check.verdicts[0][0].k == 60
    assert check.verdicts[0][1].holds is False
    assert check.code == 1


def test_refusals(spark: Any, tmp_path: Path) -> None:
    SeqAnon(k=5, m=2).anonymize(walks(7, persons=False)).write(tmp_path / "out")
    with pytest.raises(CallerError, match=r"^spark: wanted published data in Parquet, found data.csv; use one machine"):
        verify_directory(spark, tmp_path / "out")
