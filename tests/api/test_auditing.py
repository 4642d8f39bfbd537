"""`sfumato.audit`: data as they are, and releases under attack."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from api.walks import walks, walks_file
from sfumato import Transactions, anonymize, audit
from sfumato.attacks import Audit
from sfumato.attacks.attack_report import UnfitAttack
from sfumato.errors import DataError, FileError


def test_data_as_they_are(tmp_path: Path) -> None:
    result = audit(walks_file(tmp_path), known=2)
    assert result.to_polars().equals(audit(walks(), known=2).to_polars())
    assert result.findings is not None
    assert result.findings.figure("unique_worst") == Audit(known=2).run(walks()).figure("unique_worst")
    assert len(result.people) == 6
    assert result.to_pandas().shape == result.to_polars().shape
    assert json.loads(json.dumps(result.to_json()))["known"][1]["known"] == 2
    assert "<table>" in result._repr_html_()
    assert "6 trajectories" in result.summary
    assert "hconcat" in result.chart().to_dict()


def test_a_published_directory_is_audited_as_anybody_sees_it(tmp_path: Path) -> None:
    release = anonymize(walks(), "seqanon", k=2, m=2)
    folder = release.write(tmp_path / "out")
    assert audit(folder, known=2).to_polars().equals(audit(release, known=2).to_polars())


@pytest.mark.parametrize("written", [False, True])
def test_a_release_under_attack(tmp_path: Path, written: bool) -> None:
    release = anonymize(walks(), "seqanon", k=2, m=2)
    against = release.write(tmp_path / "out") if written else release
    result = audit(walks_file(tmp_path), against=against, seed=1)
    assert not result.beaten
    assert "reidentify" in result.to_polars()["attack"].to_list()
    assert result.promises[0].promise == "k^m-anonymity(k=2, m=2)"
    assert ("leaks" in result.to_polars()["attack"].to_list()) is written
    assert json.loads(json.dumps(result.to_json()))["beaten"] is False
    assert "k^m-anonymity(k=2, m=2): held" in result._repr_html_()


def test_two_releases_are_named_in_front_of_their_promises(tmp_path: Path) -> None:
    first, second = (anonymize(walks(), "seqanon", k=k, m=1) for k in (2, 3))
    result = audit(walks(), against=[first, second.write(tmp_path / "b")], seed=1)
    assert {one.promise.partition(":")[0] for one in result.promises} >= {"release 1", "b"}


def test_published_data_without_a_promise() -> None:
    result = audit(walks(), against=walks(), attacks=["reidentify"], seed=1)
    assert result.promises == ()
    assert result.verdict == "No promise was checked."


def test_single_attacks_and_refusals() -> None:
    assert audit(walks(), attacks=["reidentify"], seed=1).to_polars()["attack"].to_list() == ["reidentify"]
    with pytest.raises(UnfitAttack, match="linkage attacks a release, and none is given"):
        audit(walks(), attacks=["linkage"])
    with pytest.raises(UnfitAttack, match="attacks that fit are"):
        audit(Transactions.from_lists([["a"], ["a"]]), attacks=["home-work"])


def test_chunks_show_what_gives_others_away() -> None:
    baskets = Transactions.from_lists([["a", "b"], ["a", "b"], ["a", "c"], ["b", "c"]])
    release = anonymize(baskets, "disassociate", k=2, m=2)
    result = audit(release)
    assert result.covers is not None
    assert "cluster" in result.to_polars().columns
    assert "notes" in result.to_json()
    assert "<p><b>" in result._repr_html_()
    with pytest.raises(DataError, match="there is no chart of chunks"):
        result.chart()
    with pytest.raises(DataError, match="nothing about single persons"):
        _ = result.people


def test_a_release_that_is_not_there() -> None:
    with pytest.raises(FileError, match="nowhere: no such file or directory"):
        audit(walks(), against="nowhere")
