"""What `Release.write` returns: what is on the disk, and what the ledger recorded."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from methods.test_composition_check import PEOPLE, entries, published
from sfumato import Incognito, Persons, verify
from sfumato.errors import PromiseBroken


def test_it_says_what_is_on_the_disk(tmp_path: Path) -> None:
    written = published([[0, 1], [2, 3]]).write(tmp_path / "out", report=tmp_path / "private.json")
    assert written.path == tmp_path / "out"
    assert written.certificate.to_json() == json.loads((tmp_path / "out" / "certificate.json").read_text())
    assert written.files == {
        name: hashlib.sha256((written / name).read_bytes()).hexdigest() for name in ("context/roles.csv", "data.csv")
    }
    assert (written.report, written.ledger, written.earlier) == (tmp_path / "private.json", None, ())
    assert json.loads((tmp_path / "private.json").read_text())["private"] is True
    assert not written.overridden


def test_it_stands_for_a_path(tmp_path: Path) -> None:
    written = published([[0, 1], [2, 3]]).write(tmp_path / "out")
    assert os.fspath(written) == str(written) == str(tmp_path / "out")
    assert Path(written) == tmp_path / "out"
    assert sorted(os.listdir(written)) == ["certificate.json", "context", "data.csv"]
    assert verify(written).holds
    assert "certificate=" not in repr(written)


def test_it_says_what_the_ledger_recorded(tmp_path: Path) -> None:
    ledger = tmp_path / "people.ledger"
    first = published([[0, 1], [2, 3]]).write(tmp_path / "one", ledger=ledger)
    assert (first.ledger, first.earlier) == (ledger, ())
    second = published([[0, 2], [1, 3]]).write(tmp_path / "two", ledger=ledger, override=True)
    assert second.overridden
    (attack,) = second.earlier
    assert (attack.number, attack.refused, attack.smallest_anonymity_set) == (1, True, 1)
    assert [one.to_json() for one in second.earlier] == list(entries(ledger)[-1].attacked)


def test_releases_of_other_people_are_not_among_the_earlier_ones(tmp_path: Path) -> None:
    ledger = tmp_path / "people.ledger"
    for name, who in (("one", "abcd"), ("two", "efgh")):
        people = PEOPLE.with_persons(Persons.of(list(who)))
        written = published([[0, 1], [2, 3]], people).write(tmp_path / name, ledger=ledger)
    assert written.earlier == ()
    assert [one["shared"] for one in entries(ledger)[-1].attacked] == [0]


def test_a_broken_promise(tmp_path: Path) -> None:
    weak = published([[0], [1], [2], [3]])
    with pytest.raises(PromiseBroken):
        weak.write(tmp_path / "out")
    assert weak.write(tmp_path / "out", override=True).overridden
    assert not Incognito(k=2).anonymize(PEOPLE).write(tmp_path / "kept").overridden
