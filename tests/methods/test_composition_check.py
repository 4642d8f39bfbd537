"""A second release of the same people: attacked, reported, refused or not."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sfumato import Cluster, Incognito, NGrams, Places, SeqAnon, Table, Trajectories, Transactions, verify
from sfumato.cli.shared.flags import with_flags
from sfumato.errors import FileError, OutputError, PromiseBroken
from sfumato.io.published.ledger import ReleaseLedger
from sfumato.methods.composition_check import kept_in
from sfumato.methods.release import Release
from sfumato.privacy import KAnonymity, KlmAnonymity, KmAnonymity, LDiversity, Verdict

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
    assert (entry.state, entry.files) == ("published", "as written")


def test_two_pairings_that_leave_one_are_refused_and_nothing_is_written(ledger: Path, tmp_path: Path) -> None:
    """31 and 33, 45 and 47 are pairs here, 31 and 45, 33 and 47 there: the first is the only one in both with flu."""
    crossed = published([[0, 2], [1, 3]])
    assert crossed.holds
    with pytest.raises(PromiseBroken) as refusal:
        crossed.write(tmp_path / "two", ledger=ledger)
    message = str(refusal.value)
    assert message.startswith(f"cluster: with release 1 of the same people ({(tmp_path / 'one').resolve()}), ")
    assert "shrinks to 1, where both releases promise 2, so it was not written; override=True" in message
    assert refusal.value.remedy == "override"
    assert not (tmp_path / "two").exists()
    assert len(entries(ledger)) == 1


def test_an_override_is_written_entered_and_admitted(ledger: Path, tmp_path: Path) -> None:
    published([[0, 2], [1, 3]]).write(tmp_path / "two", ledger=ledger, override=True)
    certificate = json.loads((tmp_path / "two" / "certificate.json").read_text())
    assert certificate["override"] is True
    assert certificate["not_covered"][-1]["key"] == "overridden"
    assert verify(tmp_path / "two").holds is False
    second = entries(ledger)[1]
    assert second.attacked[0]["refused"] is True
    assert second.attacked[0]["smallest_anonymity_set"] == 1
    assert second.attacked[0]["figures"]["attack"] == "composition"


def test_the_same_release_again_gains_nothing(ledger: Path, tmp_path: Path) -> None:
    published([[0, 1], [2, 3]]).write(tmp_path / "two", ledger=ledger)
    (attack,) = entries(ledger)[1].attacked
    assert (attack["refused"], attack["smallest_anonymity_set"]) == (False, None)
    assert "the attack gains nothing (tried on 4 of 4 records)" in attack["sentence"]


def test_other_people_are_not_attacked(tmp_path: Path) -> None:
    from sfumato import Persons

    path = tmp_path / "people.ledger"
    ours, theirs = (PEOPLE.with_persons(Persons.of(list(names))) for names in ("abcd", "efgh"))
    published([[0, 1], [2, 3]], ours).write(tmp_path / "one", ledger=path)
    published([[0, 2], [1, 3]], theirs).write(tmp_path / "two", ledger=path)
    (attack,) = entries(path)[1].attacked
    assert (attack["shared"], attack["refused"], attack["sentence"]) == (0, False, "no person is in both")
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
        PromiseBroken, match=r"with release 1 of 6 of the same people .* shrinks to 1, where both releases promise 2"
    ):
        crossed.write(tmp_path / "two", ledger=path)
    by_hand(later, {"a": "g1", "b": "g1", "c": "g2", "d": "g2"}, model).write(tmp_path / "two", ledger=path)
    one, two = entries(path)
    assert one.whole
    assert two.whole
    assert two.attacked[0]["smallest_anonymity_set"] is None
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
    with pytest.raises(PromiseBroken, match="shrinks to 1, where both releases promise 2"):
        by_hand(walks, {"a": "h1", "c": "h1", "b": "h2", "d": "h2"}, model).write(tmp_path / "two", ledger=path)
    assert [attack["smallest_anonymity_set"] for attack in entries(path)[1].attacked] == [None]


def test_a_release_that_left_something_out_is_not_whole() -> None:
    walks = Trajectories.from_lists(["ab", "ab"], persons=list("uv"))
    model = KmAnonymity(k=2, m=1)
    assert kept_in(by_hand(walks, {}, model)) == "whole"
    cut = by_hand(Trajectories.from_lists(["a", "a"], persons=list("uv")), {}, model)
    assert kept_in(replace(cut, original=walks, origin=np.array([0, 2]))) == "shortened"
    assert kept_in(replace(cut, original=walks, origin=np.array([0, 1]))) == "unknown", "one record became two"
    one = by_hand(Trajectories.from_lists(["ab"]), {}, model)
    assert kept_in(replace(one, original=walks)) == "whole", "a record that is missing does not change the others"
    assert kept_in(replace(by_hand(walks, {}, model), origin=None)) == "unknown"
    assert kept_in(published([[0, 1], [2, 3]])) == "unknown", "rows are matched by their other columns"


def by_hand(walks: Trajectories, labels: dict[str, str], model: KmAnonymity | KlmAnonymity) -> Release:
    """A release in which places are read through labels."""
    rows = [[labels.get(place, place) for place in row] for row in walks.to_lists()]
    members = {label: tuple(sorted(p for p in labels if labels[p] == label)) for label in set(labels.values())}
    data, order = Trajectories.from_lists(rows).published()
    data = replace(data, members=members, places=walks.places)
    origin = walks.elements_of(order)
    verdicts = ((model, model.check(data)),)
    return Release(data, SeqAnon(k=model.k, m=model.m), verdicts, walks, origin, {}, {}, None)


def test_a_release_that_left_visits_out_is_attacked_beside_a_whole_one(tmp_path: Path) -> None:
    """As two walks of g1 and two of h1 are left with one, with a visit of everybody suppressed in the later release."""
    path = tmp_path / "people.ledger"
    walks = Trajectories.from_lists(["axz", "byz", "ctz", "dxz", "eyz", "etz"], persons=list("pqrstu"))
    model = KmAnonymity(k=2, m=1)
    by_hand(walks, {"a": "g1", "b": "g1", "c": "g2", "d": "g2"}, model).write(tmp_path / "one", ledger=path)
    kept = walks.codes != walks.names.index("z")
    cut = Trajectories.from_lists([row[:-1] for row in walks.to_lists()], persons=list("pqrstu"))
    made = by_hand(cut, {"a": "h1", "c": "h1", "b": "h2", "d": "h2"}, model)
    crossed = replace(made, original=walks, origin=np.flatnonzero(kept)[made.origin])
    assert kept_in(crossed) == "shortened"
    with pytest.raises(PromiseBroken, match="shrinks to 1, where both releases promise 2"):
        crossed.write(tmp_path / "two", ledger=path)
    crossed.write(tmp_path / "two", ledger=path, override=True)
    one, two = entries(path)
    assert (one.whole, one.shortened, two.whole, two.shortened) == (True, False, False, True)
    again = replace(made, original=walks, origin=np.flatnonzero(kept)[made.origin])
    again.write(tmp_path / "three", ledger=path, override=True)
    first, second = entries(path)[2].attacked
    assert first["refused"] is True
    assert (second["refused"], second["attacked"]) == (False, False)
    assert "not attacked: both releases suppressed parts of their records" in second["sentence"]


def test_chunks_are_not_said_to_gain_nothing(tmp_path: Path) -> None:
    from sfumato import Disassociate

    path = tmp_path / "people.ledger"
    baskets = Transactions.from_lists([["ale", "tea"], ["ale"], ["ale", "oil"], ["tea"]])
    for name in ("one", "two"):
        Disassociate(k=2, m=1).anonymize(baskets).write(tmp_path / name, ledger=path)
    (attack,) = entries(path)[1].attacked
    assert (attack["refused"], attack["attacked"]) == (False, False)
    assert attack["sentence"].startswith(
        "with release 1 of the same people: not attacked: chunks do not show which parts belong to one record"
    )


def diverse(groups: list[list[int]], ills: list[str], models: tuple[Any, ...]) -> Release:
    """A release of people of 20 and more in which these share a range of ages."""
    ages = [20 + row for row in range(len(ills))]
    span = {row: f"[{ages[min(rows)]}:{ages[max(rows)]}]" for rows in groups for row in rows}
    seen = Table({"age": [span[row] for row in range(len(ills))], "ill": ills}, sensitive=("ill",))
    data, order = seen.published()
    people = Table({"age": ages, "ill": ills}, sensitive=("ill",))
    verdicts = tuple((model, model.check(data)) for model in models)
    return Release(data, Cluster(k=2), verdicts, people, order, {}, {}, None)


def test_sensitive_values_are_intersected(tmp_path: Path) -> None:
    """The third pair is among c and d here, among a, b and c there: it has c, in a crowd of two, as both promise."""
    path = tmp_path / "people.ledger"
    ills = list("aabbccddeeff")
    models = (KAnonymity(k=2), LDiversity(l=2))
    fours = [[at, at + 1, at + 2, at + 3] for at in (0, 4, 8)]
    sixes = [list(range(6)), list(range(6, 12))]
    diverse(fours, ills, models).write(tmp_path / "one", ledger=path)
    crossed = diverse(sixes, ills, models)
    assert crossed.holds
    with pytest.raises(
        PromiseBroken, match="sensitive values of a person shrink to 1, where both releases promise 2, so it was not"
    ):
        crossed.write(tmp_path / "two", ledger=path)
    assert not (tmp_path / "two").exists()
    diverse(sixes, ills, models[:1]).write(tmp_path / "two", ledger=path)
    (attack,) = entries(path)[1].attacked
    assert (attack["refused"], attack["attacked"]) == (False, True)
    assert "shrinks to 2, the possible sensitive values of a person shrink to 1 (tried on" in attack["sentence"]
    diverse(fours, ills, models).write(tmp_path / "same", ledger=tmp_path / "other.ledger")
    diverse(fours, ills, models).write(tmp_path / "again", ledger=tmp_path / "other.ledger")
    assert "the attack gains nothing" in entries(tmp_path / "other.ledger")[1].attacked[0]["sentence"]


def test_secret_places_are_intersected(tmp_path: Path) -> None:
    """Knowing a: of four two were at z, in either release; of the two who can be in both, both were."""
    path = tmp_path / "people.ledger"
    places = Places.planar({name: (at, 0) for at, name in enumerate("abcdxyz")}).with_sensitive("z")
    walks = Trajectories.from_lists([*["az"] * 2, *["bx"] * 2, *["cy"] * 2, *["d"] * 2], places=places)
    model = KlmAnonymity(k=2, l=2, m=1)
    by_hand(walks, {"a": "g1", "b": "g1", "c": "g2", "d": "g2"}, model).write(tmp_path / "one", ledger=path)
    crossed = by_hand(walks, {"a": "h1", "c": "h1", "b": "h2", "d": "h2"}, model)
    assert crossed.holds
    with pytest.raises(PromiseBroken, match=r"with a probability of 100\.00%, where both releases promise at most 50"):
        crossed.write(tmp_path / "two", ledger=path)


@pytest.mark.parametrize("what", ["ledger", "report"])
def test_nothing_private_is_written_into_what_is_published(ledger: Path, tmp_path: Path, what: str) -> None:
    (tmp_path / "one" / "context").mkdir(exist_ok=True)
    for folder in (tmp_path / "one", tmp_path / "one" / "context"):
        with pytest.raises(OutputError, match=f"the {what} is private and must not be in .*one, which is published"):
            published([[0, 1], [2, 3]]).write(tmp_path / "two", **{what: folder / "private"})
        assert not (folder / "private").exists()
    assert not (tmp_path / "two").exists()
    (tmp_path / "two").mkdir()
    with pytest.raises(OutputError, match=f"the {what} is private and must not be in the directory to publish"):
        published([[0, 1], [2, 3]]).write(tmp_path / "two", **{what: tmp_path / "two" / "private"})
    assert len(entries(ledger)) == 1


@pytest.mark.parametrize("lost", ["gone", "changed"])
def test_an_earlier_release_that_cannot_be_attacked_is_no_excuse(ledger: Path, tmp_path: Path, lost: str) -> None:
    if lost == "gone":
        shutil.rmtree(tmp_path / "one")
    else:
        (tmp_path / "one" / "data.csv").write_text("other")
    with pytest.raises(PromiseBroken) as refusal:
        published([[0, 1], [2, 3]]).write(tmp_path / "two", ledger=ledger)
    assert f"release 1 of the same people is {lost} in " in str(refusal.value)
    assert f"(sfumato ledger {ledger} --moved 1 DIR; or --override)" in with_flags(refusal.value)
    assert not (tmp_path / "two").exists()


def test_a_killed_run_counts_as_published_until_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    published([[0, 1], [2, 3]]).write(tmp_path / "one", ledger=path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE releases SET state = 'intended'")
        connection.commit()
    shutil.rmtree(tmp_path / "one")
    with pytest.raises(PromiseBroken) as refusal:
        published([[0, 1], [2, 3]]).write(tmp_path / "two", ledger=path)
    assert "its run was killed, and it counts as published; put it back" in str(refusal.value)
    assert "or that it was never published" in str(refusal.value)
    assert f"(sfumato ledger {path} --moved 1 DIR or --close 1; or --override)" in with_flags(refusal.value)
    assert not (tmp_path / "two").exists()
    with ReleaseLedger.writing(path) as book:
        book.close(1)
    published([[0, 1], [2, 3]]).write(tmp_path / "two", ledger=path)
    assert [(entry.number, entry.attacked) for entry in entries(path)] == [(2, ())]


def test_other_kinds_and_other_data_of_the_same_people_are_reported(ledger: Path, tmp_path: Path) -> None:
    baskets = Transactions.from_lists([["ale"], ["ale"]])
    from sfumato import Disassociate

    Disassociate(k=2, m=1).anonymize(baskets).write(tmp_path / "two", ledger=ledger)
    (attack,) = entries(ledger)[1].attacked
    assert attack["sentence"] == "the same people in data of another kind (table): not attacked"
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
        "the same people: not attacked, because noise protects one of the releases, which has no anonymity sets to "
        "intersect",
        "the same people: the epsilons of both add up to 1.5",
    ]


def test_a_ledger_that_is_none_stops_everything(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    path.write_text("nothing of the kind\n" * 100)
    with pytest.raises(FileError, match="wanted a ledger of releases"):
        published([[0, 1], [2, 3]]).write(tmp_path / "one", ledger=path)
    assert not (tmp_path / "one").exists()


def test_a_ledger_is_not_published(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="the ledger is private and must not be in the directory to publish"):
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
