"""People of a project, its retention date and its deletion."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from sfumato.web.accounts.models import Event, User
from sfumato.web.workbench.models import Member


@pytest.fixture
def bob(settings: Any, project: Any) -> Any:
    settings.SFUMATO_TEAM = True
    user = User.objects.create_user("bob")
    Member.objects.create(project=project, user=user, role="member")
    return user


def test_an_owner_invites(client: Any, project: Any, bob: Any) -> None:
    address = f"/p/{project.id}/members/"
    page = client.post(address + "invite/", {"role": "viewer", "email": ""})
    link = page.context["link"]
    assert link in page.content.decode()
    assert b"as viewer" in Client().get(link).content
    (row,) = client.get(address).context["invitations"]
    assert client.post(f"{address}invite/{row.id}/withdraw/").status_code == 302
    assert Client().get(link).status_code == 404
    assert client.post(address + "invite/", {"role": "god"}).status_code == 404
    assert client.post(address + "invite/", {"role": "viewer", "email": "@"}).status_code == 422


def test_roles_change_and_people_leave(client: Any, project: Any, bob: Any) -> None:
    browser = Client()
    browser.force_login(bob)
    assert browser.get(f"/p/{project.id}/members/").status_code == 404
    client.post(f"/p/{project.id}/members/{bob.pk}/role/", {"role": "owner"})
    assert browser.get(f"/p/{project.id}/members/").status_code == 200
    assert client.post(f"/p/{project.id}/members/{bob.pk}/role/", {"role": "god"}).status_code == 404
    client.post(f"/p/{project.id}/members/{bob.pk}/remove/")
    assert browser.get(f"/p/{project.id}/").status_code == 404
    assert client.post(f"/p/{project.id}/members/{bob.pk}/remove/").status_code == 404


def test_a_project_is_handed_over(client: Any, project: Any, owner: Any, bob: Any) -> None:
    assert client.post(f"/p/{project.id}/members/{owner.pk}/owner/").status_code == 404
    client.post(f"/p/{project.id}/members/{bob.pk}/owner/")
    project.refresh_from_db()
    assert (project.owner, project.role_of(owner), project.role_of(bob)) == (bob, "member", "owner")
    assert client.get(f"/p/{project.id}/members/").status_code == 404


def test_a_retention_date_is_late_enough_to_be_announced(client: Any, project: Any) -> None:
    address = f"/p/{project.id}/members/retention/"
    today = timezone.now().date()
    for text in ("tomorrow", (today + timedelta(days=13)).isoformat(), "2001-01-01"):
        assert client.post(address, {"retention": text}).status_code == 422
    client.post(address, {"retention": (today + timedelta(days=14)).isoformat()})
    project.refresh_from_db()
    assert project.retention == today + timedelta(days=14)
    client.post(address, {"retention": ""})
    project.refresh_from_db()
    assert project.retention is None


def test_a_project_is_deleted_and_restored(client: Any, project: Any, bob: Any) -> None:
    address = f"/p/{project.id}/"
    assert client.post(address + "members/delete/", {"name": "clinic"}).status_code == 422
    assert client.post(address + "members/delete/", {"name": "Clinic"}).url == "/"
    assert client.get(address).status_code == 404
    assert b"Clinic" in client.get("/me/").content
    stranger = Client()
    stranger.force_login(bob)
    assert stranger.post(f"/me/projects/{project.id}/restore/").status_code == 404
    assert client.post(f"/me/projects/{project.id}/restore/").url == address
    assert client.get(address).status_code == 200


def test_the_owner_sees_what_was_done(client: Any, owner: Any, project: Any) -> None:
    Event.record(owner, "upload", "dataset 1", project=project)
    Event.record(owner, "upload", "dataset 2")
    page = client.get(f"/p/{project.id}/members/audit-trail/").content.decode()
    assert "dataset 1" in page
    assert "dataset 2" not in page
    lines = b"".join(client.post(f"/p/{project.id}/members/audit-trail/").streaming_content).decode()
    assert "dataset 1" in lines


def test_one_persons_server_says_that_a_team_is_needed(client: Any, project: Any) -> None:
    page = client.get(f"/p/{project.id}/members/").content
    assert b"sfumato serve --team" in page
    assert b"Delete the project" in page
    assert client.post(f"/p/{project.id}/members/invite/", {"role": "viewer"}).status_code == 404
