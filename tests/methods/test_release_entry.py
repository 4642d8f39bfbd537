"""A directory that is there already: checked again, attacked with earlier releases, and entered into a ledger."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sfumato import Cluster, Disassociate, SeqAnon, Table, Trajectories, Transactions, verify
from sfumato.errors import FileError, PromiseBroken
from sfumato.io.published.ledger import Entry, ReleaseLedger
from sfumato.methods.release import Release
from sfumato.methods.release_entry import attack_with_earlier, enter_release, read_release
from sfumato.privacy import KAnonymity

AGES = [31, 33, 45, 47]
ILLS = ["flu", "hiv", "flu", "cold"]
PEOPLE = Table({"age": AGES, "ill": ILLS}, sensitive=("ill",))


def paired(pairs: list[list[int]]) -> Release:
    """A release in which these rows share a range of ages."""
    span = {row: f"[{min(AGES[r] for r in rows)}:{max(AGES[r] for r in rows)}]" for rows in pairs for row in rows}
    seen = Table({"age": [span[row] for row in range(4)], "ill": ILLS}, sensitive=("ill",))
    data, order = seen.published()
    verdicts = ((KAnonymity(k=2), KAnonymity(k=2).check(data)),)
    return Release(data, Cluster(k=2), verdicts, PEOPLE, order, {}, {}, None)


def written(tmp_path: Path, name: str, release: Release, **options: object) -> dict[str, object]:
    """Write a release and its report, and return what `enter_release` needs."""
    release.write(tmp_path / name, report=tmp_path / f"{name}.json", **options)  # type: ignore[arg-type]
    return {"original": release.original, "report": tmp_path / f"{name}.json", "ledger": tmp_path / "ledger"}


def entries(path: Path) -> list[Entry]:
    with ReleaseLedger.reading(path) as book:
        return book.entries(closed=True)


def test_the_entry_equals_that_of_writing_with_a_ledger(tmp_path: Path) -> None:
    walks = Trajectories.from_lists(
        [["a", "b"], ["a", "b"], ["a", "c"]], places={"a": (0, 0), "b": (5, 0), "c": (6, 0)}
    )
    release = SeqAnon(k=2, m=2).anonymize(walks, seed=1)
    given = written(tmp_path, "one", release)
    before = {path: path.read_bytes() for path in (tmp_path / "one").rglob("*") if path.is_file()}
    assert enter_release(tmp_path / "one", **given).number == 1  # type: ignore[arg-type]
    release.write(tmp_path / "two", ledger=tmp_path / "other")
    mine, theirs = entries(tmp_path / "ledger")[0], entries(tmp_path / "other")[0]
    kept = ("digest", "method", "kind", "unit", "whole", "shortened", "guarantees", "attacked", "people", "state")
    assert [getattr(mine, name) for name in kept] == [getattr(theirs, name) for name in kept]
    assert before == {path: path.read_bytes() for path in (tmp_path / "one").rglob("*") if path.is_file()}


def test_entering_twice_is_entering_once(tmp_path: Path) -> None:
    given = written(tmp_path, "one", paired([[0, 1], [2, 3]]))
    assert [enter_release(tmp_path / "one", **given).number for _ in range(2)] == [1, 1]  # type: ignore[arg-type]
    assert len(entries(tmp_path / "ledger")) == 1


def test_two_pairings_that_leave_one_are_refused_and_an_override_is_recorded(tmp_path: Path) -> None:
    enter_release(tmp_path / "one", **written(tmp_path, "one", paired([[0, 1], [2, 3]])))  # type: ignore[arg-type]
    given = written(tmp_path, "two", paired([[0, 2], [1, 3]]))
    (planned,) = attack_with_earlier(tmp_path / "two", **given)  # type: ignore[arg-type]
    assert planned.refused
    assert len(entries(tmp_path / "ledger")) == 1
    with pytest.raises(PromiseBroken, match="shrinks to 1, where both releases promise 2, so it was not published"):
        enter_release(tmp_path / "two", **given)  # type: ignore[arg-type]
    assert len(entries(tmp_path / "ledger")) == 1
    assert json.loads((tmp_path / "two" / "certificate.json").read_text()).get("override") is None
    entered = enter_release(tmp_path / "two", override=True, **given)  # type: ignore[arg-type]
    assert entered.certificate.override
    assert entered.earlier[0].refused
    assert json.loads((tmp_path / "two" / "certificate.json").read_text())["not_covered"][-1]["key"] == "overridden"
    assert verify(tmp_path / "two").code == 1
    assert entries(tmp_path / "ledger")[1].files == "as written"


def test_a_broken_promise_needs_an_override(tmp_path: Path) -> None:
    broken = paired([[0, 1], [2], [3]])
    assert not broken.holds
    given = written(tmp_path, "one", broken, override=True)
    with pytest.raises(PromiseBroken, match="k-anonymity"):
        enter_release(tmp_path / "one", **given)  # type: ignore[arg-type]
    assert enter_release(tmp_path / "one", override=True, **given).certificate.override  # type: ignore[arg-type]


def test_changed_files_and_another_original_are_refused_even_with_an_override(tmp_path: Path) -> None:
    given = written(tmp_path, "one", paired([[0, 1], [2, 3]]))
    other = Table({"age": [1, 2, 3, 4], "ill": ILLS}, sensitive=("ill",))
    with pytest.raises(FileError):
        enter_release(tmp_path / "one", override=True, **{**given, "original": other})  # type: ignore[arg-type]
    data = tmp_path / "one" / "data.csv"
    data.write_text(data.read_text().replace("flu", "hiv"))
    with pytest.raises(FileError):
        enter_release(tmp_path / "one", override=True, **given)  # type: ignore[arg-type]
    assert not entries(tmp_path / "ledger")


def test_a_release_without_a_report_is_entered_as_unknown(tmp_path: Path) -> None:
    baskets = Transactions.from_lists([["ale", "tea"], ["ale", "tea"], ["ale"], ["tea"]])
    Disassociate(k=2, m=2).anonymize(baskets, seed=1).write(tmp_path / "one")
    rebuilt, check = read_release(tmp_path / "one", baskets)
    assert check.code != 1
    assert rebuilt.origin is None
    enter_release(tmp_path / "one", original=baskets, ledger=tmp_path / "ledger")
    assert not entries(tmp_path / "ledger")[0].whole
