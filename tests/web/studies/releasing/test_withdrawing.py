"""A person withdraws: out of later snapshots, and old snapshots that hold them are published no more."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from sfumato.web.accounts.models import Event
from sfumato.web.studies.models import Entry
from sfumato.web.studies.releasing.definition import Definition
from sfumato.web.studies.releasing.snapshots import take_snapshot
from sfumato.web.studies.releasing.withdrawing import appearances_of, take_back, withdraw
from sfumato.web.workbench.models import Release
from sfumato.web.workbench.withdrawals import keep_snapshots


@pytest.fixture
def people(study: Any, enter: Any, bob: Any, eve: Any) -> list[Any]:
    """Four complete entries, of two centres."""
    entries = [
        enter(user, {"age": str(age), "gender": "f"}) for user, age in ((bob, 30), (bob, 31), (eve, 32), (eve, 33))
    ]
    study.entries.update(complete=timezone.now())
    return entries


def test_out_of_all_later_snapshots_and_listed_where_they_were(
    study: Any, people: list[Any], owner: Any, client: Any
) -> None:
    first = take_snapshot(study, owner, Definition())
    release = Release.objects.create(
        project=study.project, version=first.version, name="First", file="releases/x", published=timezone.now()
    )
    keep_snapshots(release, first.version)
    release.folder.mkdir()
    (release.folder / "data.csv").write_text("age\n")
    address = reverse("study-release-withdrawal", args=[study.id, people[0].id])
    assert b"In no snapshot" not in client.get(address).content
    assert client.post(address, {"reason": "by letter"}).status_code == 302
    people[0].refresh_from_db()
    assert people[0].withdrawn is not None
    page = client.get(address).content.decode()
    assert "First" in page
    assert "data.csv" in page
    assert "by letter" in page
    first.version.dataset.delete()
    assert "data.csv" in client.get(address).content.decode()  # known also without the data
    assert people[0] not in take_snapshot(study, owner, Definition()).entries.all()
    assert [appearance.snapshot for appearance in appearances_of(people[0])] == [first]
    event = Event.objects.get(verb="withdraw person")
    assert (event.object, event.project_id, event.reason) == (f"entry {people[0].id}", study.id, "by letter")
    page = client.get(reverse("study-release", args=[study.id])).content.decode()
    assert "1 person has withdrawn or was deleted since" in page


def test_both_entries_of_a_pair_are_about_the_person(study: Any, people: list[Any], bob: Any, owner: Any) -> None:
    Entry.objects.filter(pk=people[2].pk).update(double_of=people[0])
    second = Entry.objects.get(pk=people[2].pk)
    withdraw(second, bob)
    assert study.entries.exclude(withdrawn=None).count() == 2
    withdraw(second, bob)
    assert Event.objects.filter(verb="withdraw person").count() == 2
    take_back(people[0], owner, "a mistake")
    assert study.entries.exclude(withdrawn=None).count() == 0


def test_participants_withdraw_own_persons_and_see_no_releases(
    study: Any, people: list[Any], as_bob: Any, as_eve: Any, bob: Any, owner: Any, client: Any
) -> None:
    take_snapshot(study, owner, Definition())
    address = reverse("study-release-withdrawal", args=[study.id, people[0].id])
    assert as_eve.get(address).status_code == as_eve.post(address).status_code == 404
    assert b"Where their answers are" not in as_bob.get(address).content
    assert as_bob.post(address).status_code == 302
    undo = reverse("study-release-withdrawal-undo", args=[study.id, people[0].id])
    assert as_bob.post(undo, {"reason": "x"}).status_code == 404
    assert client.post(undo, {"reason": " "}).status_code == 422
    assert client.post(undo, {"reason": "a mistake"}).status_code == 302
    people[0].refresh_from_db()
    assert people[0].withdrawn is None
    study.memberships.filter(user=bob).update(grants=["enter"])
    assert as_bob.get(address).status_code == 404
