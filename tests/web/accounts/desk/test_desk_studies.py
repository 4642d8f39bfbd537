"""Studies on the desk: no data without a reason, which the study sees, for an hour; study administrators."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from sfumato.web.accounts.models import Event, User
from sfumato.web.accounts.one_time_links import the_person
from sfumato.web.studies.models import Inspection, Membership, Study

REASON = "A participant cannot sign in; I look why."


@pytest.fixture
def study(owner: Any) -> Study:
    row = Study.objects.create(name="Infections", state=Study.OPEN)
    Membership.objects.create(study=row, user=owner, role="administrator", grants=list(Membership.GRANTS))
    return row


@pytest.fixture
def root(settings: Any, db: Any) -> Any:
    settings.SFUMATO_TEAM = True
    browser = Client()
    browser.force_login(User.objects.create_user("root", is_ita=True))
    return browser


def test_a_study_opens_with_a_reason_that_it_sees_and_for_an_hour(root: Any, client: Any, study: Study) -> None:
    page = root.get("/desk/studies/").content.decode()
    assert "Infections" in page
    assert "0 entries" in page
    assert root.get(f"/s/{study.id}/").status_code == 404
    refused = root.post(f"/desk/studies/{study.id}/open/", {"reason": "because"})
    assert (refused.status_code, b'value="because"' in refused.content) == (422, True)
    assert root.get(f"/s/{study.id}/").status_code == 404
    assert root.post(f"/desk/studies/{study.id}/open/", {"reason": REASON}).url == f"/s/{study.id}/"
    assert root.get(f"/s/{study.id}/").wsgi_request.study_role == "inspector"
    for address in ("", "people/"):
        assert REASON in client.get(f"/s/{study.id}/{address}").content.decode()
        assert b"Stop looking" in root.get(f"/s/{study.id}/{address}").content
    assert root.post(f"/s/{study.id}/people/delete/", {"name": "Infections"}).status_code == 404
    assert Event.objects.get(verb="inspect").reason == REASON
    assert Inspection.objects.get().until <= timezone.now() + timedelta(minutes=60)
    Inspection.objects.update(until=timezone.now())
    assert root.get(f"/s/{study.id}/").status_code == 404


def test_a_look_ends_early(root: Any, study: Study) -> None:
    root.post(f"/desk/studies/{study.id}/open/", {"reason": REASON})
    assert root.get("/").content.count(b"Infections") == 1
    root.post(f"/desk/studies/{study.id}/close/")
    assert root.get(f"/s/{study.id}/").status_code == 404
    assert Event.objects.filter(verb="end inspection", project_id=study.id).count() == 1


def test_a_reason_opens_nothing_for_somebody_who_is_no_it_administrator_any_more(root: Any, study: Study) -> None:
    root.post(f"/desk/studies/{study.id}/open/", {"reason": REASON})
    User.objects.filter(username="root").update(is_ita=False)
    assert root.get(f"/s/{study.id}/").status_code == 404


def test_study_administrators_are_invited_made_and_unmade(root: Any, study: Study) -> None:
    link = root.post("/desk/invite/", {"role": "leads studies"}).context["link"]
    browser = Client()
    assert b"as study administrator" in browser.get(link).content
    browser.post(link, {"username": "dora", "password": "a long quiet sentence"})
    dora = User.objects.get(username="dora")
    assert (dora.leads_studies, dora.is_ita) == (True, False)
    assert browser.post("/s/new/", {"name": "Mine"}).status_code == 302
    mine = Study.objects.get(name="Mine")
    root.post(f"/desk/people/{dora.pk}/", {"do": "unlead"})
    assert browser.post("/s/new/", {"name": "Second"}).status_code == 404
    assert mine.role_of(dora) == "administrator"
    address = f"/desk/studies/{study.id}/administrator/"
    refused = root.post(address, {"username": "dora", "reason": REASON})
    assert (refused.status_code, study.role_of(dora)) == (422, None)  # does not lead studies
    assert b'value="dora"' in refused.content
    root.post(f"/desk/people/{dora.pk}/", {"do": "lead"})
    assert root.post(address, {"username": "Dora", "reason": " "}).status_code == 422
    assert study.role_of(dora) is None  # an administrator sees everything, so the study reads why
    root.post(address, {"username": "Dora", "reason": REASON})
    assert study.role_of(dora) == "administrator"
    assert REASON in browser.get(f"/s/{study.id}/people/").content.decode()
    assert root.post("/desk/invite/", {"role": "owner"}).status_code == 404


def test_the_person_of_an_own_server_leads_studies(db: Any) -> None:
    User.objects.create_user("owner", is_ita=True)  # of a server that was there before studies
    assert the_person().leads_studies
