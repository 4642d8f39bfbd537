"""A second release of the same people: attacked, reported, refused or not."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sfumato import Cluster, Incognito, NGrams, Places, SeqAnon, Table, Trajectories, Transactions, verify
from sfumato.errors import FileError, OutputError, PromiseBroken
from sfumato.io.ledger import ReleaseLedger
from sfumato.methods.composed import is_whole
from sfumato.methods.release import Release
from sfumato.privacy import KAnonymity, KlmAnonymity, KmAnonymity, Verdict

AGES = [31, 33, 45, 47]
ILLS = ["flu", "hiv", "flu", "cold"]
PEOPLE = Table({"age": AGES, "ill": ILLS}, sensitive=("ill",))


def published(pairs: list[list[int]], people: Table = PEOPLE) -> Release:
    """A release in which these rows share a range of ages."""
    span = {row: f"[{min(AGES[r] for r in rows)}:{max(AGES[r] for r in rows)}]" for rows in pairs for row in rows}
    seen = Table({"age": [span[row] for row in range(4)], "ill": ILLS}, sensitive=("ill",))
    data, order = seen.published()
    verdicts = ((KAnonymity(k=2), KAnonymity(k=2).check(data)),)
    return Release(data, Cluster(k=2), verdicts, people, order, {}, {}, None)


def entries(path: Path) -> list[Any]:
    with ReleaseLedger.reading(path) as book:
        return book.entries()


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    path = tmp_path / "people.ledger"
    published([[0, 1], [2, 3]]).write(tmp_path / "one", ledger=path)
    return path


def test_the_first_release_is_entered_and_attacked_with_nothing(ledger: Path, tmp_path: Path) -> None:
    (entry,) = entries(ledger)
    assert (entry.number, entry.people, entry.attacked) == (1, None, ())
    assert entry.directory == (tmp_path / "one").resolve()
    assert entry.state == "as written"


def test_two_pairings_that_leave_one_are_refused_and_nothing_is_written(ledger: Path, tmp_path: Path) -> None:
    """31 and 33, 45 and 47 are pairs here, 31 and 45, 33 and 47 there: the first is the only one in both with flu."""
    crossed = published([[0, 2], [1, 3]])
    assert crossed.holds
    with pytest.raises(PromiseBroken) as refusal:
        crossed.write(tmp_path / "two", ledger=ledger)
    assert str(refusal.value) == (
        f"cluster: with release 1 of the same people ({(tmp_path / 'one').resolve()}), somebody is left among 1, where "
        "both promise 2, so it was not written; override=True (--override) writes it all the same"
    )
    assert not (tmp_path / "two").exists()
    assert len(entries(ledger)) == 1


def test_an_override_is_written_entered_and_admitted(ledger: Path, tmp_path: Path) -> None:
    published([[0, 2], [1, 3]]).write(tmp_path / "two", ledger=ledger, override=True)
    certificate = json.loads((tmp_path / "two" / "certificate.json").read_text())
    assert certificate["override"] is True
    assert "was written all the same" in certificate["not_covered"][-1]
    assert verify(tmp_path / "two").holds is False
    second = entries(ledger)[1]
    assert second.attacked[0]["refused"] is True
    assert second.attacked[0]["smallest_crowd"] == 1
    assert second.attacked[0]["figures"]["attack"] == "composition"


def test_the_same_release_again_gains_nothing(ledger: Path, tmp_path: Path) -> None:
    published([[0, 1], [2, 3]]).write(tmp_path / "two", ledger=ledger)
    (attack,) = entries(ledger)[1].attacked
    assert (attack["refused"], attack["smallest_crowd"]) == (False, None)
    assert "nothing is gained (tried on 4 of 4 records)" in attack["sentence"]


def test_other_people_are_not_attacked(tmp_path: Path) -> None:
    from sfumato import Persons

    path = tmp_path / "people.ledger"
    ours, theirs = (PEOPLE.with_persons(Persons.of(list(names))) for names in ("abcd", "efgh"))
    published([[0, 1], [2, 3]], ours).write(tmp_path / "one", ledger=path)
    published([[0, 2], [1, 3]], theirs).write(tmp_path / "two", ledger=path)
    (attack,) = entries(path)[1].attacked
    assert (attack["shared"], attack["refused"], attack["sentence"]) == (0, False, "nobody is in both")
    with pytest.raises(PromiseBroken, match="with release 1 of 4 of the same people"):
        published([[0, 2], [1, 3]], ours).write(tmp_path / "three", ledger=path)


def test_who_is_in_both_is_the_target_and_no_newcomer(tmp_path: Path) -> None:
    """Six walk; four of them walked before.  Nobody of the four is worse off, whatever becomes of the newcomers."""
    path = tmp_path / "people.ledger"
    where = {"a": (0, 0), "b": (1, 0), "c": (9, 0), "d": (10, 0)}
    first = Trajectories.from_lists(["ab", "ab", "cd", "cd"], places=where, persons=list("uvwx"))
    later = Trajectories.from_lists(["ab", "ab", "cd", "cd", "ad", "ad"], places=where, persons=list("uvwxyz"))
    SeqAnon(k=2, m=2).anonymize(first).write(tmp_path / "one", ledger=path)
    SeqAnon(k=2, m=2).anonymize(later).write(tmp_path / "two", ledger=path)
    (attack,) = entries(path)[1].attacked
    assert attack["shared"] == 4
    assert attack["figures"]["targets"] == 4
    assert attack["refused"] is False


def test_records_are_matched_also_where_only_some_people_are_in_both(tmp_path: Path) -> None:
    """Knowing a: two fit g1 before (a or b), two fit h1 later (a or c); one walk can be in both, for it ends in x."""
    path = tmp_path / "people.ledger"
    walks = ["ax", "by", "ct", "dx", "ey", "et"]
    first = Trajectories.from_lists(walks, persons=list("pqrstu"))
    later = Trajectories.from_lists([*walks, "ex", "ex"], persons=list("pqrstuvw"))
    model = KmAnonymity(k=2, m=1)
    by_hand(first, {"a": "g1", "b": "g1", "c": "g2", "d": "g2"}, model).write(tmp_path / "one", ledger=path)
    crossed = by_hand(later, {"a": "h1", "c": "h1", "b": "h2", "d": "h2"}, model)
    assert crossed.holds
    with pytest.raises(
        PromiseBroken, match=r"with release 1 of 6 of the same people .* left among 1, where both promise 2"
    ):
        crossed.write(tmp_path / "two", ledger=path)
    by_hand(later, {"a": "g1", "b": "g1", "c": "g2", "d": "g2"}, model).write(tmp_path / "two", ledger=path)
    one, two = entries(path)
    assert one.whole
    assert two.whole
    assert two.attacked[0]["smallest_crowd"] is None
    assert two.attacked[0]["figures"]["targets"] == 6


def test_secrets_are_not_what_the_attacker_knows(tmp_path: Path) -> None:
    """z is a secret of one: whoever knew it would find its walk in either release alone, and no promise says otherwise.

    Knowing a is allowed, and leaves one where both promise two, as before.
    """
    path = tmp_path / "people.ledger"
    places = Places.planar({name: (at, 0) for at, name in enumerate("abcdextyz")}).with_sensitive("z")
    walks = Trajectories.from_lists(["ax", "by", "ct", "dx", "eyz", "et"], places=places, persons=list("pqrstu"))
    model = KlmAnonymity(k=2, l=2, m=1)
    by_hand(walks, {"a": "g1", "b": "g1", "c": "g2", "d": "g2"}, model).write(tmp_path / "one", ledger=path)
    by_hand(walks, {"a": "g1", "b": "g1", "c": "g2", "d": "g2"}, model).write(tmp_path / "same", ledger=path)
    with pytest.raises(PromiseBroken, match="left among 1, where both promise 2"):
        by_hand(walks, {"a": "h1", "c": "h1", "b": "h2", "d": "h2"}, model).write(tmp_path / "two", ledger=path)
    assert [attack["smallest_crowd"] for attack in entries(path)[1].attacked] == [None]


def test_a_release_that_left_something_out_is_not_whole() -> None:
    walks = Trajectories.from_lists(["ab", "ab"], persons=list("uv"))
    model = KmAnonymity(k=2, m=1)
    assert is_whole(by_hand(walks, {}, model))
    cut = by_hand(Trajectories.from_lists(["a", "a"], persons=list("uv")), {}, model)
    assert not is_whole(replace(cut, original=walks))
    assert not is_whole(replace(by_hand(walks, {}, model), origin=None))
    assert not is_whole(published([[0, 1], [2, 3]])), "rows are matched by their other columns"


def by_hand(walks: Trajectories, labels: dict[str, str], model: KmAnonymity | KlmAnonymity) -> Release:
    """A release in which places are read through labels."""
    rows = [[labels.get(place, place) for place in row] for row in walks.to_lists()]
    members = {label: tuple(sorted(p for p in labels if labels[p] == label)) for label in set(labels.values())}
    data, order = Trajectories.from_lists(rows).published()
    data = replace(data, members=members, places=walks.places)
    origin = walks.elements_of(order)
    verdicts = ((model, model.check(data)),)
    return Release(data, SeqAnon(k=model.k, m=model.m), verdicts, walks, origin, {}, {}, None)


@pytest.mark.parametrize("lost", ["gone", "changed"])
def test_an_earlier_release_that_cannot_be_attacked_is_no_excuse(ledger: Path, tmp_path: Path, lost: str) -> None:
    if lost == "gone":
        shutil.rmtree(tmp_path / "one")
    else:
        (tmp_path / "one" / "data.csv").write_text("other")
    with pytest.raises(PromiseBroken) as refusal:
        published([[0, 1], [2, 3]]).write(tmp_path / "two", ledger=ledger)
    assert f"release 1 of the same people is {lost} in " in str(refusal.value)
    assert f"(sfumato ledger {ledger} --moved 1 DIR)" in str(refusal.value)
    assert not (tmp_path / "two").exists()


def test_other_kinds_and_other_data_of_the_same_people_are_reported(ledger: Path, tmp_path: Path) -> None:
    baskets = Transactions.from_lists([["ale"], ["ale"]])
    from sfumato import Disassociate

    Disassociate(k=2, m=1).anonymize(baskets).write(tmp_path / "two", ledger=ledger)
    (attack,) = entries(ledger)[1].attacked
    assert attack["sentence"] == "the same people in other data (table): not attacked"
    strange = Table({"height": [1.7, 1.7, 1.8, 1.8], "ill": ILLS}, sensitive=("ill",))
    Incognito(k=2).anonymize(strange).write(tmp_path / "three", ledger=ledger)
    assert entries(ledger)[2].attacked[0]["sentence"].startswith("the same people in other data, not attacked: ")


def test_noise_has_no_crowds_and_epsilons_add_up(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    places = Places.planar({name: (at, 0) for at, name in enumerate("abc")})
    walks = Trajectories.from_lists(["ab", "ab", "bc", "bc"], places=places)
    SeqAnon(k=2, m=1).anonymize(walks).write(tmp_path / "one", ledger=path)
    for number, epsilon in enumerate((1.0, 0.5), start=2):
        NGrams(epsilon=epsilon).anonymize(walks).write(tmp_path / str(number), ledger=path)
    said = [attack["sentence"] for attack in entries(path)[2].attacked]
    assert said == [
        "the same people: one of both is protected by noise and has no crowds to intersect, not attacked",
        "the same people: the epsilons of both add up to 1.5",
    ]


def test_a_ledger_that_is_none_stops_everything(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    path.write_text("nothing of the kind\n" * 100)
    with pytest.raises(FileError, match="wanted a ledger of releases"):
        published([[0, 1], [2, 3]]).write(tmp_path / "one", ledger=path)
    assert not (tmp_path / "one").exists()


def test_a_ledger_is_not_published(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="the ledger is private and cannot lie in the directory to publish"):
        published([[0, 1], [2, 3]]).write(tmp_path / "one", ledger=tmp_path / "one" / "people.ledger")
    assert not (tmp_path / "one").exists()


def test_a_broken_promise_is_refused_before_the_ledger_is_opened(tmp_path: Path) -> None:
    release = published([[0, 1], [2, 3]])
    broken = Release(
        release.data, release.method, ((KAnonymity(k=3), Verdict(False, "files")),), PEOPLE, None, {}, {}, 1
    )
    with pytest.raises(PromiseBroken, match="does not hold on this release"):
        broken.write(tmp_path / "one", ledger=tmp_path / "people.ledger")
    assert list(tmp_path.iterdir()) == []
