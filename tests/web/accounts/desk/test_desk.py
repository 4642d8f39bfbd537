"""The desk of IT administrators."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from sfumato.web.accounts.audit_trail.seals import seal
from sfumato.web.accounts.models import Event, User
from sfumato.web.jobs.models import Heartbeat, Job


@pytest.fixture
def administrator(settings: Any, db: Any) -> Any:
    settings.SFUMATO_TEAM = True
    browser = Client()
    browser.force_login(User.objects.create_user("root", is_ita=True))
    return browser


def test_only_administrators_open_it(client: Any) -> None:
    for address in ("/desk/", "/desk/server/", "/desk/audit/"):
        assert client.get(address).status_code == 404


def test_an_invitation_is_made_and_withdrawn(administrator: Any) -> None:
    page = administrator.post("/desk/invite/", {"email": "", "role": "ita"})
    link = page.context["link"]
    assert link in page.content.decode()
    assert Client().get(link).status_code == 200
    listed = administrator.get("/desk/")
    assert link not in listed.content.decode()
    (row,) = listed.context["invitations"]
    administrator.post(f"/desk/invite/{row.id}/withdraw/")
    assert Client().get(link).status_code == 404
    assert administrator.post("/desk/invite/", {"email": "no address"}).status_code == 422


def test_an_invitation_is_mailed_if_there_is_a_server(administrator: Any, settings: Any, mailoutbox: Any) -> None:
    administrator.post("/desk/invite/", {"email": "bob@example.org"})
    assert not mailoutbox
    settings.EMAIL_HOST = "localhost"
    page = administrator.post("/desk/invite/", {"email": "bob@example.org"})
    assert page.context["link"] in mailoutbox[0].body
    assert b"also mailed" in page.content


def test_people_are_deactivated_promoted_and_helped(administrator: Any, client: Any, owner: Any) -> None:
    def press(button: str, **data: str) -> Any:
        answer = administrator.post(f"/desk/people/{owner.pk}/", {"do": button, **data})
        owner.refresh_from_db()
        return answer

    press("deactivate")
    assert client.get("/").status_code == 302
    press("activate")
    press("promote")
    assert owner.is_ita
    press("demote")
    press("quota", gigabytes="7", jobs="1")
    assert (owner.is_ita, owner.quota_bytes, owner.jobs_at_once) == (False, 7 * 2**30, 1)
    press("quota", gigabytes="-1")
    assert owner.quota_bytes == 7 * 2**30
    press("quota", gigabytes="", jobs="")
    assert owner.quota_bytes is None
    link = press("password").context["link"]
    assert b"Choose a new password for ann" in Client().get(link).content
    assert press("nonsense").status_code == 404
    verbs = set(Event.objects.filter(object=f"user {owner.pk}").values_list("verb", flat=True))
    assert verbs >= {"deactivate", "activate", "make administrator", "set quota", "reset password"}


def test_the_only_administrator_stays(administrator: Any) -> None:
    root = User.objects.get(username="root")
    for button in ("deactivate", "demote"):
        administrator.post(f"/desk/people/{root.pk}/", {"do": button})
    root.refresh_from_db()
    assert root.is_active
    assert root.is_ita


def test_the_server_page_shows_no_private_content(administrator: Any, project: Any, owner: Any) -> None:
    Heartbeat.objects.create(worker="worker-1", at=timezone.now())
    Job.objects.create(kind="evaluate", title="secret title", sentence="secret sentence", project=project, user=owner)
    page = administrator.get("/desk/server/").content.decode()
    assert "worker-1" in page
    assert "evaluate" in page
    assert "secret" not in page
    assert "Clinic" not in page
    assert administrator.get(f"/p/{project.id}/").status_code == 404


def test_a_project_gets_a_quota_and_a_new_owner(administrator: Any, project: Any, owner: Any) -> None:
    address = f"/desk/server/projects/{project.id}/"
    administrator.post(address, {"do": "quota", "gigabytes": "3"})
    administrator.post(address, {"do": "quota", "gigabytes": "much"})
    administrator.post(address, {"do": "owner", "owner": "nobody"})
    project.refresh_from_db()
    assert (project.quota_bytes, project.owner) == (3 * 2**30, owner)
    heir = User.objects.create_user("bob")
    administrator.post(address, {"do": "owner", "owner": "BOB"})
    project.refresh_from_db()
    assert (project.owner, project.role_of(owner)) == (heir, "member")


def test_the_audit_trail_is_filtered_and_downloaded(administrator: Any, owner: Any, project: Any) -> None:
    Event.record(owner, "upload", "dataset 1", project=project, reason="=HYPERLINK(1)")
    Event.record(None, "announce", "retention")
    seen = administrator.post("/desk/audit/", {"person": "ANN", "verb": "upload", "project": str(project.id)}).context
    assert [event.verb for event in seen["events"]] == ["upload"]
    assert administrator.post("/desk/audit/", {"since": "2001-01-01", "until": "2001-01-02"}).context["count"] == 0
    assert administrator.post("/desk/audit/", {"project": "x"}).status_code == 422
    lines = b"".join(administrator.post("/desk/audit/", {"do": "csv", "verb": "upload"}).streaming_content).decode()
    assert "'=HYPERLINK(1)" in lines
    assert len(lines.splitlines()) == 2
    assert b"No event is sealed yet" in administrator.post("/desk/audit/", {"do": "verify"}).content
    Event.objects.update(at=timezone.now() - timedelta(hours=1))
    assert seal() is not None
    assert b"All seals hold" in administrator.post("/desk/audit/", {"do": "verify"}).content
    Event.objects.filter(verb="upload").update(actor_name="eve")
    assert b"tampered with" in administrator.post("/desk/audit/", {"do": "verify"}).content


def test_one_persons_server_says_that_a_team_is_needed(administrator: Any, settings: Any) -> None:
    settings.SFUMATO_TEAM = False
    assert b"sfumato serve --team" in administrator.get("/desk/").content
    assert administrator.post("/desk/invite/", {}).status_code == 404
