"""People of a study: invitations for a centre with grants, changes, the end of somebody's part, administrators."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from sfumato.web.accounts.housekeeping import housekeeping
from sfumato.web.accounts.models import Event, Invitation, User
from sfumato.web.studies.models import Entry, Membership, Snapshot, Study
from sfumato.web.studies.people.deletion import delete_study
from sfumato.web.studies.releasing.projects import project_of
from sfumato.web.studies.releasing.rehearsals import rehearse
from sfumato.web.workbench.models import Project

NEW = {"username": "dora", "first_name": "Dora", "last_name": "Dee", "password": "a long quiet sentence"}


@pytest.fixture(autouse=True)
def team(settings: Any) -> None:
    settings.SFUMATO_TEAM = True


def invited(client: Any, study: Any, **fields: Any) -> str:
    """The link of a new invitation."""
    page = client.post(f"/s/{study.id}/people/invite/", fields)
    assert page.status_code == 200
    return str(page.context["link"])


def test_a_participant_is_invited_for_a_centre_with_grants(client: Any, study: Any) -> None:
    client.post(f"/s/{study.id}/people/centres/", {"name": "  Attiko   hospital "})
    centre = study.centres.get()
    link = invited(client, study, centre=str(centre.id), grants=["enter", "chart", "everything"])
    assert link not in client.get(f"/s/{study.id}/people/").content.decode()
    browser = Client()
    assert "take part in the study “Infections” for Attiko hospital" in browser.get(link).content.decode()
    assert browser.post(link, NEW).url == f"/s/{study.id}/"
    row = study.memberships.get(user__username="dora")
    assert (row.role, row.centre, row.grants) == ("participant", centre, ["enter", "chart"])
    assert browser.get(f"/s/{study.id}/").status_code == 200
    assert browser.get(f"/s/{study.id}/people/").status_code == 404
    assert Client().get(link).status_code == 410


def test_an_invitation_ends_with_the_role_of_the_inviter_the_centre_and_the_study(client: Any, study: Any) -> None:
    centre = study.centres.create(name="Attiko")
    link = invited(client, study, centre=str(centre.id))
    for change, back in (
        (lambda: study.memberships.update(role="participant"), lambda: study.memberships.update(role="administrator")),
        (lambda: study.centres.update(closed=timezone.now()), lambda: study.centres.update(closed=None)),
        (lambda: Study.objects.update(deleted=timezone.now()), lambda: Study.objects.update(deleted=None)),
    ):
        assert Client().get(link).status_code == 200
        change()
        assert Client().get(link).status_code == 410
        back()
    row = Invitation.objects.get()
    client.post(f"/s/{study.id}/people/invite/{row.id}/withdraw/")
    assert Client().get(link).status_code == 404


def test_who_left_takes_part_again_and_who_is_in_stays_as_they_are(
    client: Any, study: Any, bob: Any, as_bob: Any, enter: Any
) -> None:
    entry = enter(bob, {"age": "63"})
    client.post(f"/s/{study.id}/people/{bob.pk}/end/")
    assert as_bob.get(f"/s/{study.id}/").status_code == 404  # the session he has
    assert Entry.objects.get() == entry
    assert b"bob" in client.get(f"/s/{study.id}/people/").content
    as_bob.post(invited(client, study, grants=["enter"]))
    assert study.memberships.get(user=bob).grants == ["enter"]
    assert as_bob.get(f"/s/{study.id}/").context["figures"].entries == 1
    as_bob.post(invited(client, study, grants=["enter", "export"]))
    assert study.memberships.get(user=bob).grants == ["enter"]


def test_an_administrator_who_opens_an_invitation_stays_administrator(client: Any, study: Any, owner: Any) -> None:
    client.post(invited(client, study, grants=[]))
    assert study.role_of(owner) == "administrator"


def test_an_address_is_checked_and_the_input_is_kept(client: Any, study: Any) -> None:
    page = client.post(f"/s/{study.id}/people/invite/", {"email": "no address", "grants": ["chart"]})
    assert page.status_code == 422
    assert b'value="no address"' in page.content
    assert page.context["usual"] == ["chart"]
    assert not Invitation.objects.exists()


def test_grants_and_centre_change_and_entries_stay_with_their_centre(
    client: Any, study: Any, bob: Any, enter: Any
) -> None:
    entry, laiko = enter(bob, {"age": "63"}), study.centres.get(name="Laiko")
    client.post(f"/s/{study.id}/people/{bob.pk}/", {"centre": str(laiko.id), "grants": ["filter", "nonsense"]})
    row = study.memberships.get(user=bob)
    assert (row.centre, row.grants) == (laiko, ["filter"])
    entry.refresh_from_db()
    assert entry.centre.name == "Attiko"
    other = Study.objects.create(name="Other").centres.create(name="Elsewhere")
    assert client.post(f"/s/{study.id}/people/{bob.pk}/", {"centre": str(other.id)}).status_code == 404


def test_centres_have_different_names(client: Any, study: Any, participants: list[Any]) -> None:
    page = client.post(f"/s/{study.id}/people/centres/", {"name": "Attiko"})
    assert page.status_code == 422
    assert b"a centre with this name already" in page.content
    laiko = study.centres.get(name="Laiko")
    address = f"/s/{study.id}/people/centres/{laiko.id}/"
    assert client.post(address, {"do": "rename", "name": "Attiko"}).status_code == 422
    client.post(address, {"do": "rename", "name": "<b>Laiko</b>"})
    client.post(address, {"do": "close"})
    laiko.refresh_from_db()
    assert (laiko.name, laiko.closed is None) == ("<b>Laiko</b>", False)
    assert b"<b>Laiko" not in client.get(f"/s/{study.id}/people/").content
    client.post(address, {"do": "open"})
    assert study.centres.filter(closed=None).count() == 2


def test_only_people_who_lead_studies_become_administrators(client: Any, study: Any, owner: Any, bob: Any) -> None:
    address = f"/s/{study.id}/people/administrators/"
    for name in ("bob", "nobody"):
        page = client.post(address, {"username": name})
        assert (page.status_code, name in page.content.decode()) == (422, True)
    assert study.role_of(bob) == "participant"
    page = client.post(f"/s/{study.id}/people/{owner.pk}/end/")
    assert (page.status_code, study.role_of(owner)) == (422, "administrator")
    User.objects.filter(pk=bob.pk).update(leads_studies=True)
    client.post(address, {"username": "BOB"})
    assert study.role_of(bob) == "administrator"
    assert client.post(f"/s/{study.id}/people/{owner.pk}/end/").url == "/"
    assert client.get(f"/s/{study.id}/").status_code == 404


def test_the_trail_is_a_page_and_a_file(client: Any, study: Any, as_bob: Any) -> None:
    client.post(f"/s/{study.id}/people/centres/", {"name": "=secret()"})
    page = client.get(f"/s/{study.id}/people/audit-trail/")
    assert b"centre" in page.content
    lines = b"".join(client.post(f"/s/{study.id}/people/audit-trail/").streaming_content).decode()
    assert "publish form" in lines
    assert "secret" not in lines
    assert as_bob.get(f"/s/{study.id}/people/audit-trail/").status_code == 404


def test_a_study_is_deleted_restored_and_kept_until_a_day(client: Any, study: Any, owner: Any, as_bob: Any) -> None:
    pages = f"/s/{study.id}/people"
    assert client.post(f"{pages}/retention/", {"retention": "soon"}).status_code == 422
    assert client.post(f"{pages}/retention/", {"retention": "2001-01-01"}).status_code == 422
    day = timezone.now().date() + timedelta(days=14)
    client.post(f"{pages}/retention/", {"retention": day.isoformat()})
    assert f"retention date on {day}" in client.get(f"/s/{study.id}/").content.decode()
    assert client.post(f"{pages}/delete/", {"name": "Infection"}).status_code == 422
    client.post(f"{pages}/delete/", {"name": "Infections"})
    assert [browser.get(f"/s/{study.id}/").status_code for browser in (client, as_bob)] == [404, 404]
    assert b"Infections" in client.get("/me/").content
    assert as_bob.post(f"/me/studies/{study.id}/restore/").status_code == 404
    assert client.post(f"/me/studies/{study.id}/restore/").url == f"/s/{study.id}/"
    assert as_bob.get(f"/s/{study.id}/").status_code == 200
    verbs = set(Event.objects.filter(project_id=study.id).values_list("verb", flat=True))
    assert verbs >= {"set retention", "delete", "restore"}


def test_a_study_with_rehearsals_and_snapshots_is_removed(
    client: Any, study: Any, owner: Any, bob: Any, enter: Any
) -> None:
    entry = enter(bob, {"age": "63"})
    rehearse(study, owner, 2)
    project = project_of(study, owner)
    snapshot = Snapshot.objects.create(study=study, by=owner)
    snapshot.entries.add(entry)
    day = timezone.now().date() + timedelta(days=20)
    client.post(f"/s/{study.id}/people/retention/", {"retention": day.isoformat()})
    project.refresh_from_db()
    assert project.retention == day  # it holds snapshots of the answers
    delete_study(study, owner)
    Study.objects.filter(pk=study.pk).update(deleted=timezone.now() - timedelta(days=31))
    housekeeping()
    assert not Study.objects.exists()
    assert not Entry.objects.exists()
    assert Project.objects.filter(pk=project.pk, deleted=None).exists()


def test_one_persons_server_has_centres_and_no_invitations(client: Any, study: Any, settings: Any) -> None:
    settings.SFUMATO_TEAM = False
    assert b"sfumato serve --team" in client.get(f"/s/{study.id}/people/").content
    assert client.post(f"/s/{study.id}/people/invite/").status_code == 404
    client.post(f"/s/{study.id}/people/centres/", {"name": "Attiko"})
    assert study.centres.count() == 1


def test_membership_is_read_at_every_request(study: Any, bob: Any, as_bob: Any) -> None:
    assert as_bob.get(f"/s/{study.id}/").status_code == 200
    Membership.objects.filter(user=bob).update(ended=timezone.now())
    assert as_bob.get(f"/s/{study.id}/").status_code == 404
    assert b"Infections" not in as_bob.get("/").content
