"""Verification with the original, and with the private report: nothing is believed that could be looked up."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from sfumato import (
    AprioriAnon,
    BfP2ka,
    Cluster,
    Coat,
    Gsup,
    Incognito,
    Local,
    Lsup,
    Mix,
    NGrams,
    Persons,
    Places,
    Policy,
    RFirst,
    SeqAnon,
    Split,
    Table,
    Taxonomy,
    Trajectories,
    Transactions,
    Zga,
    verify,
)
from sfumato.data import Mixed
from sfumato.errors import CallerError, FileError

AGES = [21, 22, 23, 34, 35, 36, 47, 48, 49, 50]
ILLS = ["flu", "cold", "flu", "cold", "flu", "cold", "flu", "cold", "flu", "cold"]


def table(who: list[str] | None = None, **roles: Any) -> Table:
    roles = roles or {"quasi_identifiers": ("age",), "sensitive": ("ill",)}
    frame = {"age": AGES, "ill": ILLS, "zip": [at % 3 for at in range(10)]}
    return Table(frame, **roles, persons=None if who is None else Persons.of(who))


def forged(folder: Path, **changes: Any) -> Path:
    path = folder / "certificate.json"
    certificate = json.loads(path.read_text()) | changes
    path.write_text(json.dumps(certificate, indent=2, ensure_ascii=False) + "\n")
    return folder


def test_roles_come_from_the_original_and_a_difference_is_a_failure(tmp_path: Path) -> None:
    weak = table()  # the zip is published as it is
    out = Incognito(k=2).anonymize(weak).write(tmp_path / "out")
    check = verify(out, original=weak)
    assert check.code == 0
    assert {one.what: one.value for one in check.counted}["quasi-identifiers"] == "age"
    strict = table(quasi_identifiers=("age", "zip"), sensitive=("ill",))
    check = verify(out, original=strict)
    assert check.code == 1
    assert "the column 'zip' is published as other, the original calls it quasi-identifier" in check.problems
    assert check.verdicts[0][1].measured["groups"] > 1, "and the promise is checked by the original's roles"


def test_roles_that_nobody_gave_are_claimed(tmp_path: Path) -> None:
    out = Incognito(k=2).anonymize(table()).write(tmp_path / "out")
    check = verify(out, original=table(), claimed=("quasi-identifiers", "sensitive"))
    assert check.code == 3
    assert [one.source for one in check.counted] == ["original", "claimed", "claimed"]
    check = verify(out, original=table(), claimed=("sensitive",))
    assert (check.code, check.problems) == (3, ())
    assert [one.source for one in check.counted] == ["original", "original", "claimed"]
    whole = Table({"age": AGES})  # nothing stronger can be claimed than that every column may be known
    out = Incognito(k=2).anonymize(whole).write(tmp_path / "whole")
    assert verify(out, original=whole, claimed=("quasi-identifiers", "sensitive")).code == 0


@pytest.mark.parametrize("method", [Cluster(k=2), Local(k=3), Incognito(k=2), Incognito(k=3, suppression=0.3)])
def test_a_table_with_one_row_a_person_is_checked_whole(method: Any, tmp_path: Path) -> None:
    data = table([f"p{at}" for at in range(10)])
    out = method.anonymize(data).write(tmp_path / "out")
    assert verify(out).code == 3
    assert verify(out, original=data).code == 0


@pytest.mark.parametrize("method", [Cluster(k=2), Incognito(k=2)])
def test_rows_that_the_original_does_not_have_are_no_persons(method: Any, tmp_path: Path) -> None:
    """A class that was filled up with copies of a row."""
    data = table([f"p{at}" for at in range(10)])
    out = method.anonymize(data).write(tmp_path / "out")
    fewer = Table(
        {"age": [20, *AGES[1:]], "ill": ["x", *ILLS[1:]], "zip": [at % 3 for at in range(10)]},
        quasi_identifiers=("age",), sensitive=("ill",), persons=Persons.of([f"p{at}" for at in range(10)]),
    )  # fmt: skip
    assert verify(out, original=fewer).verdicts[0][1].holds == "not checkable"


def test_persons_count_whatever_unit_the_certificate_claims(tmp_path: Path) -> None:
    data = table([f"p{at // 5}" for at in range(10)])
    nameless = table()
    out = Incognito(k=3).anonymize(nameless).write(tmp_path / "out")
    assert verify(out).code == 0
    check = verify(out, original=data)
    assert check.code == 1, "three rows of one person hide nobody"
    assert check.verdicts[0][1].measured["unit"] == "person"
    again = Incognito(k=2).anonymize(data).write(tmp_path / "persons")
    forged(again, unit="record")
    check = verify(again, original=data)
    assert check.code == 1
    assert any("not_covered" in problem for problem in check.problems), "the limits are those of persons"


def test_rows_of_several_persons_need_the_report(tmp_path: Path) -> None:
    data = table([f"p{at // 2}" for at in range(10)])
    for name, method in (("local", Cluster(k=2)), ("suppressed", Incognito(k=2, suppression=0.3))):
        out = method.anonymize(data).write(tmp_path / name, report=tmp_path / f"{name}.json")
        assert verify(out, original=data, report=tmp_path / f"{name}.json").code == 0
    assert verify(tmp_path / "local", original=data).code == 3


def test_a_report_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    data = table([f"p{at // 2}" for at in range(10)])
    path = tmp_path / "report.json"
    out = Cluster(k=2).anonymize(data).write(tmp_path / "out", report=path)
    told = json.loads(path.read_text())
    for wrong in (
        [told["correspondence"][0]] * 10,  # one row behind all
        told["correspondence"][::-1],  # rows that cannot be read so
        [None] * 10,
        ["1"] * 10,
        [99] * 10,
    ):
        path.write_text(json.dumps({**told, "correspondence": wrong}))
        with pytest.raises(FileError):
            verify(out, original=data, report=path)
    with pytest.raises(CallerError, match="needs the original"):
        verify(out, report=path)


WALKS = [["a", "b", "c"], ["a", "b"], ["b", "c"], ["a", "c"], ["c", "a", "b"], ["b"], ["a", "b", "e"], ["e", "a"]]
OWNED = Places.from_frame(
    {"location": [*"abce"], "x": [0, 1, 2, 3], "y": [0] * 4, "owner": ["A", "A", "B", "B"], "sensitive": [False] * 4}
)


@pytest.mark.parametrize("method", [Gsup, Lsup, Split, Mix])
def test_a_report_tells_who_is_behind_pieces_and_suppressed_visits(method: Any, tmp_path: Path) -> None:
    data = Trajectories.from_lists(WALKS, places=OWNED, persons=[f"p{at // 2}" for at in range(8)])
    report = tmp_path / "report.json"
    out = method(threshold=0.6).anonymize(data).write(tmp_path / "out", report=report)
    check = verify(out, original=data, report=report)
    assert check.code == 0, check
    told = json.loads(report.read_text())
    report.write_text(json.dumps({**told, "origin": None}))
    with pytest.raises(FileError, match="origin of each visit"):
        verify(out, original=data, report=report)


def test_a_visit_may_not_stand_behind_two(tmp_path: Path) -> None:
    from sfumato.attacks.view.private_report import packed_origin

    data = Trajectories.from_lists([["a", "a"]] * 4, places=OWNED, persons=[*"pqrs"])
    report = tmp_path / "report.json"
    release = SeqAnon(k=2, m=1).anonymize(data)
    out = release.write(tmp_path / "out", report=report)
    assert verify(out, original=data, report=report).code == 0
    told = json.loads(report.read_text())
    wrong = release.origin.copy()  # type: ignore[union-attr]
    wrong[1] = wrong[0]
    report.write_text(json.dumps({**told, "origin": packed_origin(release.data, wrong)}))
    with pytest.raises(FileError, match="cannot be derived from the original"):
        verify(out, original=data, report=report)


def test_owners_flags_and_trees_come_from_the_original(tmp_path: Path) -> None:
    data = Trajectories.from_lists(WALKS, places=OWNED)
    out = Lsup(threshold=0.6).anonymize(data).write(tmp_path / "owners")
    assert verify(out, original=data).code == 0
    others = Places(OWNED.frame.with_columns(owner=OWNED.frame["location"]))
    assert any(
        "owners of places" in one
        for one in verify(out, original=Trajectories.from_lists(WALKS, places=others)).problems
    )
    assert verify(out, original=Trajectories.from_lists(WALKS)).code == 3, "claimed"

    flagged = Trajectories.from_lists(WALKS, places=OWNED.with_sensitive(["e"]))
    out = Zga(k=2, l=2, m=1).anonymize(flagged).write(tmp_path / "flags")
    assert verify(out, original=flagged).code == 0
    more = Trajectories.from_lists(WALKS, places=OWNED.with_sensitive(["e", "b"]))
    assert verify(out, original=more).code == 1
    assert verify(out, original=Trajectories.from_lists(WALKS)).code == 3, "claimed"


def test_policies_and_sensitive_items_come_from_the_original(tmp_path: Path) -> None:
    baskets = Transactions.from_lists(["ab", "ab", "ab", "bc", "bc", "b"])
    told = baskets.with_policies(Policy([["a", "b"]]))
    out = Coat(k=2, suppression=1).anonymize(told).write(tmp_path / "policy")
    assert verify(out, original=told).code == 0
    assert verify(out, original=baskets).code == 3, "claimed"
    assert verify(out, original=baskets.with_policies(Policy([["a", "b"], ["b", "c"]]))).code == 1
    tree = Taxonomy({"*": None, **dict.fromkeys("abcd", "*")})
    sick = Transactions.from_lists(["ab", "ab", "ad", "b", "a", "ab"], taxonomy=tree)
    out = AprioriAnon(k=2, m=1, l=2).anonymize(sick.with_sensitive(["d"])).write(tmp_path / "items")
    assert verify(out, original=sick.with_sensitive(["d"])).code == 0
    assert verify(out, original=sick).code == 3
    assert verify(out, original=sick.with_sensitive(["b"])).code == 1


def test_mixed_records_are_read_through_the_report(tmp_path: Path) -> None:
    rows = {"age": [21, 21, 22, 22, 35, 35, 36, 36], "items": ["a b", "a", "a b", "b", "c", "c a", "c", "a c"]}
    tree = Taxonomy({"*": None, **dict.fromkeys("abc", "*")})
    data = Mixed.from_frame(rows, taxonomy=tree).with_persons(Persons.of([f"p{at}" for at in range(8)]))
    report = tmp_path / "report.json"
    out = RFirst(k=2, m=1).anonymize(data).write(tmp_path / "out", report=report)
    assert verify(out, original=data, report=report).code == 0
    told = json.loads(report.read_text())
    report.write_text(json.dumps({**told, "correspondence": told["correspondence"][::-1]}))
    with pytest.raises(FileError):
        verify(out, original=data, report=report)


def test_what_nobody_can_check_is_never_taken_for_checked(tmp_path: Path) -> None:
    walks = Trajectories.from_lists(WALKS, places=OWNED)
    out = NGrams(epsilon=1.0).anonymize(walks, seed=1).write(tmp_path / "noise")
    assert verify(out).code == 3
    assert verify(out, original=walks).code == 3
    out = BfP2ka(k=2).anonymize(walks).write(tmp_path / "patterns")
    assert verify(out).code == 3
    assert verify(out, original=walks).code == 0
    out = SeqAnon(k=2, m=1).anonymize(walks).write(tmp_path / "km")
    guarantee = {
        "model": "foreign",
        "parameters": {},
        "verdict": json.loads((out / "certificate.json").read_text())["guarantees"][0]["verdict"],
    }
    forged(out, guarantees=[guarantee], method="foreign", parameters={})
    check = verify(out)
    assert not any(verdict.holds is True for _, verdict in check.verdicts)
    assert check.code == 3, "a model of another package may have the same limits"
    assert check.problems == ()
    assert any("'foreign' is not installed here" in sentence for sentence in check.unchecked)


def test_nobody_is_made_up_by_a_report(tmp_path: Path) -> None:
    """Records of one person, two of which a forged report calls dummies."""
    from sfumato.attacks.view.private_report import digest_of, packed_origin

    data = Trajectories.from_lists([["a", "b"]] * 3, places=OWNED, persons=["ann"] * 3)
    nameless = Trajectories.from_lists([["a", "b"]] * 3, places=OWNED)
    release = SeqAnon(k=2, m=2).anonymize(nameless)
    report = tmp_path / "report.json"
    out = release.write(tmp_path / "out", report=report)
    assert verify(out, original=data, report=report).code == 1, "three records of one person"
    told = json.loads(report.read_text())
    origin = release.origin.copy()  # type: ignore[union-attr]
    origin[2:] = -1
    forgery = {"correspondence": [1, None, None], "origin": packed_origin(release.data, origin)}
    report.write_text(json.dumps({**told, "digest": digest_of(data), **forgery}))
    with pytest.raises(FileError, match="cannot be derived from the original"):
        verify(out, original=data, report=report)


def test_a_rule_of_the_release_is_claimed(tmp_path: Path) -> None:
    """Raw baskets under a rule that they keep whatever they hold."""
    from sfumato.prepare.policies import frequent_sets, rare_sets

    baskets = Transactions.from_lists(["ab", "ab", "ab", "cd", "ac"])
    out = (
        Coat(k=3, suppression=1).anonymize(baskets.with_policies(frequent_sets(baskets, 1, 3))).write(tmp_path / "out")
    )
    assert verify(out, original=baskets).code == 3
    assert verify(out, original=baskets.with_policies(rare_sets(baskets, 2, 3))).code == 1


def test_another_version_is_not_taken_at_its_word(tmp_path: Path) -> None:
    out = SeqAnon(k=2, m=1).anonymize(Trajectories.from_lists(WALKS, places=OWNED)).write(tmp_path / "out")
    limits = json.loads((out / "certificate.json").read_text())["not_covered"]
    forged(out, sfumato="0.2.1", not_covered=[{**limit, "text": "Ann was here"} for limit in limits])
    assert verify(out).code == 3


def test_times_and_large_numbers_are_read_as_files_have_them(tmp_path: Path) -> None:
    days = [datetime(2026, 5, 1 + at % 2, 12) for at in range(8)]
    frame = {"age": [21, 22, 23, 24, 31, 32, 33, 34], "seen": days, "id": [2**60 + at % 2 for at in range(8)]}
    data = Table(frame, quasi_identifiers=("age",), persons=Persons.of([f"p{at}" for at in range(8)]))
    out = Cluster(k=2).anonymize(data).write(tmp_path / "out")
    assert verify(out, original=data).code == 0


def test_a_text_that_reads_missing_is_a_value(tmp_path: Path) -> None:
    data = Table({"town": ["(missing)", None, "a", "b"] * 2}, persons=Persons.of([f"p{at}" for at in range(8)]))
    out = Cluster(k=4).anonymize(data).write(tmp_path / "out")
    assert verify(out, original=data).code == 0


def test_names_of_people_that_are_parts_of_places_are_no_leak(tmp_path: Path) -> None:
    places = Places.planar({"Rome Central": (0, 0), "New York": (1, 0)})
    walks = [["Rome Central", "New York"]] * 4
    data = Trajectories.from_lists(walks, places=places, persons=["Rome", "York", "Ann", "Bob"])
    out = SeqAnon(k=2, m=1).anonymize(data).write(tmp_path / "out")
    assert verify(out, original=data).code == 0
