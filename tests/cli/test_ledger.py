"""`--ledger` and `sfumato ledger`."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest


@pytest.fixture
def ledger(run, visits: Path, tmp_path: Path) -> Path:
    path = tmp_path / "people.ledger"
    ran = run("anonymize", "seqanon", visits, "--person", "person", "--k", 2, "--m", 2, "--ledger", path,
              "--out", tmp_path / "one")  # fmt: skip
    assert ran.code == 0
    return path


def test_the_ledger_is_shown(run, ledger: Path) -> None:
    ran = run("ledger", ledger)
    assert ran.code == 0
    assert "is private: it records which persons" in ran.out
    for word in ("seqanon", "km k=2, m=2", " 6 ", "as"):
        assert word in ran.out
    (release,) = json.loads(run("ledger", ledger, "--json").out)["releases"]
    assert (release["number"], release["people"], release["files"]) == (1, 6, "as written")
    assert release["state"] == "published"
    assert "name-" not in run("ledger", ledger, "--json").out
    assert b"name-" not in ledger.read_bytes()


def test_a_second_release_is_attacked_and_the_outcome_told(run, visits: Path, ledger: Path, tmp_path: Path) -> None:
    common = ("--person", "person", "--k", 2, "--m", 2, "--ledger", ledger)
    ran = run("anonymize", "seqanon", visits, *common, "--out", tmp_path / "two")
    assert ran.code == 0
    assert "✓ with release 1 of 6 of the same people, the attack gains nothing" in ran.out
    ran = run("anonymize", "seqanon", visits, *common, "--out", tmp_path / "three", "--json")
    said = json.loads(ran.out)
    assert [one["release"] for one in said["earlier"]] == [1, 2]
    assert said["holds"] is True


def test_a_lost_release_stops_the_next_until_it_is_found_again(run, visits: Path, ledger: Path, tmp_path: Path) -> None:
    common = ("anonymize", "seqanon", visits, "--person", "person", "--k", 2, "--m", 2, "--ledger", ledger)
    moved = (tmp_path / "one").rename(tmp_path / "elsewhere")
    ran = run(*common, "--out", tmp_path / "two")
    assert ran.code == 1
    assert "release 1 of 6 of the same people is gone" in ran.err
    assert not (tmp_path / "two").exists()
    ran = run(*common, "--out", tmp_path / "two", "--override", "--json")
    assert ran.code == 1
    assert json.loads(ran.out)["holds"] is False
    assert (tmp_path / "two").is_dir()
    assert run("ledger", ledger, "--moved", 1, moved).code == 0
    assert run(*common, "--out", tmp_path / "three").code == 0
    ran = run("ledger", ledger, "--moved", 2, moved)
    assert (ran.code, ran.err) == (2, f"sfumato: {moved}: wanted the files of release 2, found others\n")


def test_a_release_whose_run_was_killed_is_shown_and_closed(run, ledger: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(ledger)) as connection:
        connection.execute("UPDATE releases SET state = 'intended'")
        connection.commit()
    moved = (tmp_path / "one").rename(tmp_path / "elsewhere")
    ran = run("ledger", ledger)
    assert ran.code == 0
    assert "- 1: its run was killed and its directory is missing, so it counts as published; --moved 1 DIR" in ran.out
    assert (
        run("ledger", ledger, "--close", "x").err
        == "sfumato: ledger: --close: wanted the number of a release, found 'x'\n"
    )
    ran = run("ledger", ledger, "--close", 1, "--json")
    assert ran.code == 0
    assert [one["state"] for one in json.loads(ran.out)["releases"]] == ["closed"]
    ran = run("ledger", ledger, "--close", 1)
    assert (ran.code, ran.err) == (
        2,
        f"sfumato: {ledger}: wanted the number of an intended release whose directory was not found, found release 1, which is closed\n",
    )
    assert run("ledger", ledger, "--moved", 1, moved).code == 0
    assert "killed" not in run("ledger", ledger).out


def test_what_was_not_attacked_has_no_tick(run, tmp_path: Path) -> None:
    baskets = tmp_path / "baskets.txt"
    baskets.write_text("ale tea\nale\nale oil\ntea\n")
    common = ("anonymize", "disassociate", baskets, "--k", 2, "--m", 1, "--ledger", tmp_path / "ledger")
    assert run(*common, "--out", tmp_path / "one").code == 0
    ran = run(*common, "--out", tmp_path / "two")
    assert ran.code == 0
    said = "with release 1 of the same people: not attacked: chunks do not show which parts belong to one record"
    assert f"\n- {said}" in ran.out
    assert "the attack gains nothing" not in ran.out
    assert "- 2: with release 1 of the same people: not attacked: " in run("ledger", tmp_path / "ledger").out


@pytest.mark.parametrize("option", ["--ledger", "--report"])
def test_nothing_private_lands_in_a_published_directory(
    run, visits: Path, ledger: Path, tmp_path: Path, option: str
) -> None:
    before = sorted((tmp_path / "one").iterdir())
    private = tmp_path / "one" / "private"
    ran = run("anonymize", "seqanon", visits, "--k", 2, "--m", 2, option, private, "--out", tmp_path / "two")
    what = option.removeprefix("--")
    assert (ran.code, ran.err) == (
        2,
        f"sfumato: {private}: the {what} is private and must not be in {(tmp_path / 'one').resolve()}, which is "
        "published; move it\n",
    )
    assert sorted((tmp_path / "one").iterdir()) == before
    assert not (tmp_path / "two").exists()
    assert ledger.exists()


def test_bad_ledgers_end_before_the_work(run, visits: Path, ledger: Path, tmp_path: Path) -> None:
    def running(path: Path) -> tuple[int, str]:
        ran = run("anonymize", "seqanon", visits, "--k", 2, "--m", 2, "--ledger", path, "--out", tmp_path / "two")
        return ran.code, ran.err

    assert running(visits) == (
        2,
        f"sfumato: {visits}: the ledger would replace an input of this command; choose another name\n",
    )
    assert running(tmp_path / "two" / "ledger") == (
        2,
        f"sfumato: {tmp_path / 'two' / 'ledger'}: the ledger is private and must not be in the directory to publish; "
        "move it\n",
    )
    assert running(tmp_path) == (2, f"sfumato: {tmp_path}: wanted a ledger of releases, found a directory\n")
    (tmp_path / "text").write_text("no ledger " * 1000)
    assert running(tmp_path / "text") == (
        2,
        f"sfumato: {tmp_path / 'text'}: wanted a ledger of releases, found another or a damaged file\n",
    )
    with closing(sqlite3.connect(ledger)) as connection:
        connection.execute("UPDATE about SET value = 9 WHERE name = 'version'")
        connection.commit()
    assert running(ledger) == (
        2,
        f"sfumato: {ledger}: wanted a ledger of version 2, found version 9; it was written by another version of "
        "sfumato\n",
    )
    assert not (tmp_path / "two").exists()
    assert run("ledger", tmp_path / "none").err == f"sfumato: {tmp_path / 'none'}: no such file\n"
    assert run("ledger", ledger, "--moved", "x", tmp_path).code == 2
