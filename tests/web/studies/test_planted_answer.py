"""A planted secret appears in no log, address, event, error page or job of a study.

It is planted as an answer, a patient's name, a note, the value of a saved condition, and in what a browser sends.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from sfumato.web import urls
from sfumato.web.accounts.models import Event
from sfumato.web.jobs.models import Job
from web.every_url import addresses

SECRET = "Zyxomma-petiolatum"
ROLES = ("participant", "inspector", "administrator")
ADDRESS = re.compile(r'(?:href|src|action|hx-get|hx-post|content)="([^"]*)"')
PAGES_THAT_SHOW = {200, 202, 422}  # to somebody who may see it; a form keeps what was typed


def hidden(text: str) -> bool:
    """Whether a text holds nothing of the secret, in any case."""
    return SECRET.lower() not in text.lower()


@pytest.fixture(autouse=True)
def log() -> Iterator[StringIO]:
    """What the server logs."""
    (handler,) = (each for each in logging.root.handlers if each.filters)
    assert isinstance(handler, logging.StreamHandler)
    stream = handler.setStream(StringIO())
    yield handler.stream
    handler.setStream(stream)


@pytest.fixture
def planted(study: Any, bob: Any, owner: Any, enter: Any) -> dict[str, Any]:
    """Objects that hold the secret, by the names of arguments of addresses."""
    from sfumato.web.studies.models import ChoiceList, Note, Option, View

    entry = enter(bob, {"name": f"{SECRET} name", "drugs": "yes", "drug": SECRET}, episode=[{"diagnosis": SECRET}])
    enter(owner, {"name": f"{SECRET} of the administrator"})
    condition = {"is": "name", "test": {"one_of": [SECRET]}}
    views = [
        View.objects.create(study=study, owner=user, name="A view", condition=condition, projection=["name"])
        for user in (owner, bob)
    ]
    choices = ChoiceList.objects.create(owner=owner, name="Hospitals")
    Option.objects.create(choice_list=choices, key="h1", texts={"en": f"{SECRET} hospital"})
    return {
        "study_id": study.id,
        "entry_id": entry.id,
        "note_id": Note.objects.create(entry=entry, text=f"{SECRET} note", by=bob).id,
        "view_id": views[0].id,
        "list_id": choices.id,
        "option_key": "h1",
        "question_key": "drug",
        "episode_key": "episode0",
        "centre_id": study.centres.first().id,
        "user_id": bob.id,
        "number": 1,
    }


def nothing_kept(log: StringIO) -> None:
    """No log, event or job holds the secret."""
    assert hidden(log.getvalue())
    assert hidden(str(list(Event.objects.values_list())))
    assert hidden(str(list(Job.objects.values_list("title", "arguments", "sentence", "phase"))))


def test_every_address_that_pages_link_to(
    client: Any, as_bob: Client, study: Any, planted: dict[str, Any], log: StringIO
) -> None:
    """Follow links from the first page: who may read the answers sees them on pages, but no address holds them."""
    for browser in (client, as_bob):
        waiting, seen = [f"/s/{study.id}/"], set()
        while waiting and len(seen) < 60:
            address = waiting.pop()
            if address in seen:
                continue
            seen.add(address)
            answer = browser.get(address)
            assert answer.status_code < 500, address
            if answer.headers.get("Content-Type", "").startswith("text/html"):
                links = ADDRESS.findall(answer.content.decode())
                assert all(hidden(link) for link in links), address
                waiting += [link for link in links if link.startswith(f"/s/{study.id}/")]
            assert hidden(str(answer.headers)), address
            answer.close()
        assert f"/s/{study.id}/entries/" in seen
    nothing_kept(log)


def test_what_forms_send(client: Any, as_bob: Client, planted: dict[str, Any], log: StringIO) -> None:
    """Send the secret in every field of every form of a study: pages may show it again, nothing else keeps it."""
    templates = (Path(urls.__file__).parent / "studies").rglob("*.html")
    names = {name for path in templates for name in re.findall(r'name="([a-z_-]+)"', path.read_text("utf-8"))}
    # a reason is for the trail, a name of a view for its owner
    named = {"csrfmiddlewaretoken", "reason", "name"}
    fields = dict.fromkeys(names - named, f"{SECRET} typed")
    asked = [each for each in addresses() if each.role in ROLES and set(each.arguments) <= planted.keys()]
    assert len(asked) > 20
    for browser in (as_bob, client):
        browser.raise_request_exception = False
        for address in asked:
            url = address.url(planted)
            body = json.dumps({**fields, "condition": {"is": "name", "test": {"one_of": [SECRET]}}})
            for answer in (browser.post(url, fields), browser.post(url, body, content_type="application/json")):
                assert answer.status_code < 500, address.route
                assert hidden(str(answer.headers)), address.route
                if answer.status_code not in PAGES_THAT_SHOW:
                    assert hidden(answer.content.decode()), address.route
                answer.close()
    nothing_kept(log)


def test_another_centre_reads_nothing(as_eve: Client, planted: dict[str, Any], log: StringIO) -> None:
    """A participant of another centre, who asks for everything, is answered without the secret."""
    as_eve.raise_request_exception = False
    for address in addresses():
        if address.role not in (*ROLES, "leads-studies") or not set(address.arguments) <= planted.keys():
            continue
        for answer in (as_eve.get(address.url(planted)), as_eve.post(address.url(planted), {"question": "name"})):
            assert answer.status_code < 500, address.route
            content = b"".join(answer.streaming_content) if answer.streaming else answer.content
            assert hidden(content.decode("utf-8", "replace")), address.route
            assert hidden(str(answer.headers)), address.route
    nothing_kept(log)
