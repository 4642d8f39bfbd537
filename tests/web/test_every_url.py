"""Every address x every role.  An address without a mark, or with an argument nobody made an object for, fails."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from django.conf import settings as configured
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import path

from sfumato.web.accounts.access import project_page, role_in, study_page, study_role_in
from sfumato.web.workbench.models import Project
from web.every_study import STUDY_PEOPLE, STUDY_ROLES, allowed_in_study, study_persons
from web.every_url import (
    MARKS,
    PEOPLE,
    ROLES,
    UNANSWERED,
    Address,
    World,
    Written,
    addresses,
    allowed,
    build_world,
    files,
    people,
)

ADDRESSES = addresses()
PRIVATE = {"signed-in": ("stranger", "ita"), "leads-studies": ("outsider", "inspector")}  # others have no such
pytestmark = pytest.mark.django_db  # so that there is a database


class Place:
    """The people, the objects, and the folder of the server, which a test puts back as it was."""

    def __init__(self, home: Path) -> None:
        self.home, self.kept = home, home.with_name("kept")
        self.users: dict[str, Any] = people()
        self.world: World = build_world(self.users)
        self.sessions: dict[str, str] = {}
        for name, user in self.users.items():
            client = Client()
            client.force_login(user)
            self.sessions[name] = client.cookies[configured.SESSION_COOKIE_NAME].value
        shutil.copytree(self.home, self.kept)

    def restore(self) -> None:
        shutil.rmtree(self.home)
        shutil.copytree(self.kept, self.home)

    def client(self, person: str | None) -> Client:
        client = Client(raise_request_exception=False)
        if person is not None:
            client.cookies[configured.SESSION_COOKIE_NAME] = self.sessions[person]  # signed in once
        return client


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: Any) -> Iterator[Place]:
    """Made once; each request is rolled back."""
    home, before = tmp_path_factory.mktemp("every-url") / "home", configured.SFUMATO_HOME
    configured.SFUMATO_HOME = home
    with django_db_blocker.unblock(), transaction.atomic():
        yield Place(home)
        transaction.set_rollback(True)
    configured.SFUMATO_HOME = before


@pytest.fixture(autouse=True)
def home(place: Place, settings: Any) -> None:
    """In place of a folder of each test.  The server is one of a team, so that every page is there."""
    settings.SFUMATO_HOME, settings.SFUMATO_TEAM = place.home, True


def persons(address: Address) -> list[str | None]:
    """Everybody whom a mark keeps out, then the least who may enter, and the owner."""
    if address.role in STUDY_ROLES:
        return study_persons(address)
    people = STUDY_PEOPLE if address.role == "leads-studies" else PEOPLE
    entering = [person for person in people if address.role != "api" and allowed(address, person)]
    return [person for person in people if person not in entering] + [
        person for person in entering if person in (entering[0], "owner", "administrator")
    ]


def check(address: Address, place: Place) -> None:
    """Everybody opens the address and sends an empty form to it."""
    assert address.role in MARKS, "the view has no mark of sfumato.web.accounts.access"
    values = place.world.values(address)
    unknown = [name for name in address.arguments if name not in values]
    assert not unknown, f"tests/web/every_url.py makes no object for {unknown}"
    url, statuses, kept = address.url(values), set[int](), files(place.home)
    for person, method in product(persons(address), ("get", "post")):
        enters = address.role != "api" and allowed(address, person)
        with transaction.atomic(), Written() as tables:
            answer = getattr(place.client(person), method)(url)
            transaction.set_rollback(True)
        answer.close()
        case = f"{method.upper()} {address.route} as {person}: {answer.status_code}"
        assert answer.status_code < 500 or answer.status_code == 503, case  # 503: not ready, said on purpose
        is_refused = answer.status_code >= 400 if address.role == "api" else not enters
        if method == "get" or is_refused:
            assert not tables, f"{case}, and writes to {tables}"
        if is_refused and method == "post":
            assert files(place.home) == kept, f"{case}, and changes files"
        if address.role == "api":
            outside = person is None or ("project_id" in address.arguments and person in ("stranger", "ita"))
            assert not outside or answer.status_code in (401, 404, 405), case
            if method == "post" and not is_refused:
                place.restore()
        elif address.role in PRIVATE and set(address.arguments) - {"name"} and person in PRIVATE[address.role]:
            assert answer.status_code in (404, 405), case  # an object of somebody else
        elif enters:
            statuses.add(answer.status_code)
            if address.role in ROLES:  # what the view finds is its own affair
                assert answer.wsgi_request.role == person, case
            if address.role in STUDY_ROLES:
                assert answer.wsgi_request.study_role == person, case
            if method == "post" and answer.status_code < 400 and files(place.home) != kept:
                place.restore()
        elif person is None:
            assert answer.status_code == 302, case
            assert answer.headers["Location"].startswith("/sign-in/"), case
        elif address.role in STUDY_ROLES and allowed_in_study(replace(address, arguments=()), person):
            assert answer.status_code in (404, 405), case  # an object of another centre, which the view looks for
        else:
            assert answer.status_code == 404, case
    if address.role in ("signed-in", "ita", "leads-studies", *STUDY_ROLES) and address.name not in UNANSWERED:
        assert statuses - {404, 405}, f"nobody is answered: {statuses}"


@pytest.mark.parametrize("address", ADDRESSES, ids=lambda address: f"{address.route or 'home'} {address.name}")
def test_an_address_answers_whom_its_mark_names(address: Address, place: Place) -> None:
    check(address, place)


# --- the rule itself can fail ----------------------------------------------------------------------------------------


def _unmarked(request: Any) -> HttpResponse:
    return HttpResponse()


def _for_everybody(request: Any, project_id: Any) -> HttpResponse:
    request.role = "viewer"
    return HttpResponse()


_for_everybody.role = "member"  # type: ignore[attr-defined]


@project_page("viewer")
def _changing(request: Any, project: Any) -> HttpResponse:
    project.name = "changed"
    project.save()
    return HttpResponse()


@project_page("viewer")
def _broken(request: Any, project: Any) -> HttpResponse:
    raise ValueError


def _late(request: Any, project_id: Any) -> HttpResponse:
    project = Project.objects.get(pk=project_id)
    project.runs.all().delete() if request.method == "POST" else None
    role_in(request.user, project_id, "owner")
    return HttpResponse()


_late.role = "owner"  # type: ignore[attr-defined]


@study_page("participant")
def _of_anybody(request: Any, study: Any, entry_id: Any) -> HttpResponse:
    return HttpResponse()


def _without_grant(request: Any, study_id: Any) -> HttpResponse:
    request.study_role = study_role_in(request.user, study_id, "participant")[1]
    return HttpResponse()


_without_grant.role, _without_grant.grant = "participant", "export"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("view", "sentence"),
    [
        (_unmarked, "no mark"),
        (_for_everybody, "as stranger: 200"),
        (_changing, "writes to {'workbench_project'}"),
        (_broken, "500"),
        (_late, "POST planted/<uuid:project_id>/ as stranger: 404, and writes to"),
        (_of_anybody, "as colleague: 200"),
        (_without_grant, "as bare: 200"),
    ],
)
def test_the_rule_can_fail(
    view: Any, sentence: str, place: Place, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    routes = {_unmarked: "", _of_anybody: "<uuid:study_id>/<uuid:entry_id>/", _without_grant: "<uuid:study_id>/"}
    route = "planted/" + routes.get(view, "<uuid:project_id>/")
    planted = ModuleType("planted")
    planted.urlpatterns = [path(route, view), *import_module(settings.ROOT_URLCONF).urlpatterns]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "planted", planted)
    settings.ROOT_URLCONF = "planted"
    address = addresses()[0]
    assert address.route == route
    with pytest.raises(AssertionError, match=re.escape(sentence)):
        check(address, place)
