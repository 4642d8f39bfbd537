"""A planted secret appears in no log, address, event or error page.

It is planted as a value of the data, a column name, the name of a dataset, a password and a token, and in what a
browser sends.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import polars as pl
import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from sfumato.errors import DataError
from sfumato.web import urls
from sfumato.web.accounts.access import anyone, project_page
from sfumato.web.accounts.invitations.making import invite
from sfumato.web.accounts.models import Event
from sfumato.web.jobs.kinds import KINDS, Kind
from sfumato.web.jobs.models import Job
from sfumato.web.jobs.queue import enqueue
from web.every_url import ROLES, addresses

SECRET = "Zyxomma-petiolatum"
ADDRESS = re.compile(r'(?:href|src|action|hx-get|hx-post|content)="([^"]*)"')


def hidden(text: str) -> bool:
    """Whether a text holds nothing of the secret, in any case."""
    return SECRET.lower() not in text.lower()


@pytest.fixture
def planted(owner: Any, project: Any) -> Any:
    """A dataset that holds the secret everywhere."""
    from sfumato.web.workbench.versions import new_dataset

    frame = pl.DataFrame({f"{SECRET} column": [1, 2], "illness": [f"{SECRET} value", "flu"]})
    reading = {"kind": "table", "quasi_identifiers": [f"{SECRET} column"], "sensitive": ["illness"]}
    return new_dataset(project, f"{SECRET}.csv", frame, reading)


@pytest.fixture(autouse=True)
def log() -> Iterator[StringIO]:
    """What the server logs."""
    (handler,) = (each for each in logging.root.handlers if each.filters)
    assert isinstance(handler, logging.StreamHandler)
    stream = handler.setStream(StringIO())
    yield handler.stream
    handler.setStream(stream)


@pytest.fixture
def failing_views(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Addresses whose views fail with the secret in their message."""

    @anyone
    def bug(request: HttpRequest) -> HttpResponse:
        raise ValueError(f"could not convert {SECRET}")

    @project_page("viewer")
    def chain(request: HttpRequest, project: Any) -> HttpResponse:
        try:
            int(request.POST["value"])
        except ValueError as error:
            raise RuntimeError(SECRET) from error
        return HttpResponse()

    @anyone
    def library(request: HttpRequest) -> HttpResponse:
        raise DataError("Table: wanted numbers")

    module = ModuleType("planted_urls")
    module.__dict__.update(vars(urls))
    views = [path("bug/", bug), path("library/", library), path("chain/<uuid:project_id>/", chain)]
    module.__dict__["urlpatterns"] = [*urls.urlpatterns, *views]
    monkeypatch.setitem(sys.modules, "planted_urls", module)
    settings.ROOT_URLCONF = "planted_urls"
    yield
    settings.ROOT_URLCONF = "sfumato.web.urls"


@pytest.mark.usefixtures("failing_views")
def test_error_pages_and_logs(client: Any, project: Any, log: StringIO) -> None:
    client.raise_request_exception = False
    careful = Client(enforce_csrf_checks=True)
    answers = {
        "bug": (client.get("/bug/", {"q": SECRET}), 500),
        "chain": (client.post(f"/chain/{project.id}/?q={SECRET}", {"value": SECRET}), 500),
        "library": (client.post("/library/", {"value": SECRET}), 422),
        "unknown page": (client.get(f"/{SECRET}/"), 404),
        "unknown project": (client.get(f"/p/{SECRET}/"), 404),
        "wrong link": (client.get(f"/start/{SECRET}/"), 404),
        "wrong invitation": (client.get(f"/invite/{SECRET}/"), 404),
        "unknown host": (client.get("/", headers={"host": f"{SECRET}.example"}), 400),
        "null in a path": (client.get(f"/p/{SECRET}%00/"), 404),
        "no token": (careful.post("/sign-in/", {"username": SECRET, "password": SECRET}), 403),
        "unreadable": (client.post("/me/name/", data=SECRET, content_type="multipart/form-data; boundary="), 400),
        "wrong method": (client.get(f"/sign-out/?q={SECRET}"), 405),
    }
    for name, (answer, status) in answers.items():
        assert answer.status_code == status, name
        assert hidden(answer.content.decode()), name
        assert hidden(str(answer.headers)), name
    assert hidden(log.getvalue())
    assert "ValueError in bug line" in log.getvalue()
    assert f"/chain/<uuid:project_id>/ project_id={project.id}" in log.getvalue()


def test_no_library_logs_past_the_filter() -> None:
    loggers = [logging.getLogger(name) for name in list(logging.root.manager.loggerDict)]
    beside = {
        logger.name for logger in loggers for each in logger.handlers if not isinstance(each, logging.NullHandler)
    }
    assert {name for name in beside if name.partition(".")[0] in ("django", "allauth", "sfumato", "waitress")} == set()


def test_passwords_and_tokens(client: Any, owner: Any, settings: Any, log: StringIO) -> None:
    settings.SFUMATO_TEAM = True
    owner.is_ita = True
    owner.set_password(f"{SECRET} password")
    owner.save()
    browser = Client()
    wrong = browser.post("/sign-in/", {"username": f"{SECRET} password", "password": f"{SECRET} other"})
    assert hidden(wrong.content.decode())
    right = browser.post("/sign-in/", {"username": "ann", "password": f"{SECRET} password"})
    assert right.url == "/"
    assert browser.post("/me/password/", {"old": SECRET, "new": SECRET}).status_code == 422
    _, link = invite(owner)
    refused = Client().post(f"/invite/{link}/", {"username": "ann", "password": f"{SECRET} password"})
    assert refused.status_code == 422
    assert hidden(refused.content.decode())
    token = browser.post("/me/tokens/new/", {"name": "x", "days": "1"}).context["new_token"]
    trail = str(list(Event.objects.values_list()))
    for text in (log.getvalue(), trail):
        assert hidden(text)
        assert token not in text
        assert link not in text
    assert Event.objects.filter(verb="sign-in failed", object="unknown name").exists()


def test_every_address_that_pages_link_to(client: Any, project: Any, planted: Any, log: StringIO) -> None:
    """Follow links from the first page; the owner may read the data on pages, but no address holds them."""
    waiting, seen = ["/", f"/p/{project.id}/"], set()
    while waiting:
        address = waiting.pop()
        if address in seen or len(seen) > 150:
            continue
        seen.add(address)
        answer = client.get(address)
        assert answer.status_code < 500, address
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            links = ADDRESS.findall(answer.content.decode())
            assert all(hidden(link) for link in links), address
            waiting += [
                link for link in links if link.startswith("/") and not link.startswith(("/static/", "/scripts/"))
            ]
        assert hidden(answer.headers.get("Location", ""))
        if answer.streaming:
            answer.close()
    assert f"/p/{project.id}/members/" in seen
    assert hidden(log.getvalue())
    assert hidden(str(list(Event.objects.values_list())))


def test_what_forms_send(client: Any, project: Any, planted: Any, log: StringIO) -> None:
    """Send the secret in every field of every form of a project: pages may show it again, nothing else keeps it."""
    templates = Path(urls.__file__).parent.rglob("*.html")
    names = {name for path in templates for name in re.findall(r'name="([a-z_-]+)"', path.read_text("utf-8"))}
    fields = dict.fromkeys(names - {"csrfmiddlewaretoken", "reason"}, f"{SECRET} typed")  # a reason is for the trail
    objects = {"project_id": project.id, "dataset_id": planted.dataset_id, "version_id": planted.id, "number": 0}
    client.raise_request_exception = False
    asked = [each for each in addresses() if each.role in ROLES and set(each.arguments) <= objects.keys()]
    assert len(asked) > 30
    for address in asked:
        answer = client.post(address.url(objects), fields)
        assert answer.status_code < 500, address.route
        assert hidden(answer.headers.get("Location", "")), address.route
        answer.close()
    assert hidden(log.getvalue())
    assert hidden(str(list(Event.objects.values_list())))


def test_a_job_that_fails(
    run_jobs: Callable[[], int],
    client: Any,
    project: Any,
    owner: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    log: StringIO,
    capfd: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "planted_work.py").write_text(
        "import sys\n"
        "def work(*, value, progress):\n"
        "    print(value)\n"
        "    print(value, file=sys.stderr)\n"
        "    raise ValueError(value)\n"
    )
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{Path(urls.__file__).parents[2]}")
    monkeypatch.setitem(KINDS, "planted", Kind("planted_work:work"))
    enqueue("planted", {"value": SECRET}, user=owner, project=project, title="a title")
    assert run_jobs() == 1
    job = Job.objects.get()
    assert (job.state, job.sentence) == (Job.FAILED, "ValueError inside sfumato; this is a bug, please report it")
    for address in ("/jobs/", f"/jobs/{job.id}/", f"/p/{project.id}/"):
        assert hidden(client.get(address).content.decode())
    output = capfd.readouterr()
    assert hidden(output.out + output.err + log.getvalue())
    assert hidden(str(list(Event.objects.values_list())))
