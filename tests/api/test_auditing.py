"""`sfumato.audit`: data as they are, and releases under attack."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from api.walks import walks, walks_file
from sfumato import Mixed, Table, Taxonomy, Transactions, anonymize, audit
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


PEOPLE = {
    "age": [30, 30, 30, 30, 41, 41],
    "sex": ["f", "f", "f", "m", "m", "m"],
    "ill": ["flu", "flu", "hiv", "flu", "flu", None],
    "who": ["a", "b", "c", "d", "e", "e"],
}


def test_a_table(tmp_path: Path) -> None:
    frame = pl.DataFrame(PEOPLE)
    path = tmp_path / "people.csv"
    frame.write_csv(path)
    roles = {"quasi_identifiers": ["age", "sex"], "sensitive": ["ill"]}
    result = audit(frame, **roles)
    assert result.table is not None
    assert (result.table.unique, result.table.prosecutor.average) == (1, 0.5)
    assert audit(path, **roles).to_json()["columns"] == result.to_json()["columns"]
    table = Table(frame, quasi_identifiers=("age", "sex"), sensitive=("ill",))
    assert audit(table).to_polars().equals(result.to_polars())
    assert audit(Table(frame), **roles).to_polars().equals(result.to_polars())
    assert audit(frame, quasi_identifiers="age").table.coded.columns == ("age",)
    assert audit(frame, quasi_identifiers="all", sensitive="ill").table.coded.columns == ("age", "sex", "who")
    assert len(result.people) == 6
    assert result._repr_html_().count("<table>") == 5
    assert "hconcat" in result.chart().to_dict()
    assert json.loads(json.dumps(result.to_json()))["disclosure"][0]["column"] == "ill"
    by_person = audit(frame, person="who", **roles)
    assert by_person.table.who == "persons"
    assert by_person.people["person"].to_list() == list("abcde")
    assert by_person.table.unique == 2
    population = pl.concat([frame, frame])
    assert audit(frame, population=population, **roles).table.journalist.highest == 0.5
    assert audit(frame, population=population, person="who", **roles).table.journalist.highest == 1.0
    assert not audit(path, population_size=100, **roles).table.journalist.exact


def test_a_table_without_quasi_identifiers_is_refused() -> None:
    with pytest.raises(FileError, match="the frame: the audit of a table needs quasi-identifiers"):
        audit(pl.DataFrame(PEOPLE))
    with pytest.raises(DataError, match="quasi-identifiers and sensitive columns are of tables, got trajectories"):
        audit(walks(), quasi_identifiers=["age"])
    with pytest.raises(DataError, match="a population is for tables and mixed records, got trajectories"):
        audit(walks(), population_size=9)


def test_releases_of_tables_and_mixed_records(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    table = Table({"age": rng.integers(20, 60, 80), "sex": rng.choice(["f", "m"], 80)})
    release = anonymize(table, "top-down", k=4)
    folder = release.write(tmp_path / "out")
    for published in (release, folder):
        result = audit(published)
        assert result.table.prosecutor.highest <= 0.25
    assert "Labels are compared as they are published." in audit(folder).sentences
    assert audit(folder, quasi_identifiers=["sex"]).table.coded.columns == ("sex",)
    items = [" ".join(rng.choice(list("abcd"), 2, replace=False)) for _ in range(80)]
    tree = Taxonomy({"any": None, **dict.fromkeys("abcd", "any")})
    mixed = Mixed.from_frame({"age": rng.integers(20, 30, 80), "items": items}, taxonomy=tree)
    released = audit(anonymize(mixed, "rum-bound", k=4, m=2, delta=0.5).write(tmp_path / "mixed"), known=2)
    assert [part.known for part in released.table.known_items] == [0, 1, 2]
    assert all(part.smallest >= 4 for part in released.table.known_items)


def test_releases_of_transactions(tmp_path: Path) -> None:
    tree = Taxonomy({"any": None, **dict.fromkeys("abc", "any")})
    baskets = Transactions.from_lists([["a", "b"], ["a", "b"], ["a", "c"], ["b", "c"]], taxonomy=tree)
    folder = anonymize(baskets, "apriori", k=2, m=2).write(tmp_path / "items")
    result = audit(folder, known=2)
    assert (result.table, result.chunks) == (None, None)
    assert result.findings is not None
    assert int(result.findings.of(2).set_sizes.min()) >= 2


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
    assert "hconcat" in result.chart().to_dict()
    with pytest.raises(DataError, match="nothing about single persons"):
        _ = result.people


def test_a_release_that_is_not_there() -> None:
    with pytest.raises(FileError, match="nowhere: no such file or directory"):
        audit(walks(), against="nowhere")
