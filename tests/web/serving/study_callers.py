"""People who enter answers into a study over HTTP, one save after the other; for tests and figures about web processes.

A save that is not answered is sent again, as the page of an entry does.
"""

from __future__ import annotations

import http.client
import json
import threading
import time
import uuid
from typing import Any

__all__ = ["PREPARE", "Caller"]

# lines for a process with Django ready: prepared(count) makes a study with participants and prints how to sign in
PREPARE = """
import json
from django.conf import settings
from django.test import Client
from sfumato.web.accounts.models import User
from sfumato.web.studies.design.versions import publish_version
from sfumato.web.studies.models import Centre, Membership, Study
from web.studies.conftest import FORM

def prepared(count):
    owner = User.objects.create_user("owner", leads_studies=True)
    study = Study.objects.create(name="Infections", languages=["en"], draft=FORM, state=Study.OPEN)
    Membership.objects.create(study=study, user=owner, role="administrator", grants=list(Membership.GRANTS))
    publish_version(study, owner)
    people = []
    for number in range(count):
        user = User.objects.create_user(f"person-{number}")
        centre = Centre.objects.create(study=study, name=f"Centre {number}")
        Membership.objects.create(
            study=study, user=user, role="participant", centre=centre, grants=list(Membership.GRANTS)
        )
        browser = Client()
        browser.force_login(user)
        name = settings.SESSION_COOKIE_NAME
        people.append([user.username, str(user.pk), name, browser.cookies[name].value])
    return json.dumps({"study": str(study.id), "people": people})
"""
_EACH = 20  # saves of an entry, before the next entry begins
_TOKEN = "a" * 32  # the cookie and the header of a form must be alike; a browser gets them from the page


class Caller:
    """A participant.

    acknowledged : the answers that the server said it saved, in order, by the key of the entry.  failures : requests
    without an answer.  seconds : how long each acknowledged save took, without those that were sent again.
    """

    def __init__(self, port: int, study: str, name: str, user: str, cookie: str, session: str) -> None:
        self.port, self.study, self.name, self.user = port, study, name, user
        self.headers = {
            "Host": "sfumato.example",
            "Content-Type": "application/json",
            "X-CSRFToken": _TOKEN,
            "Cookie": f"{cookie}={session}; csrftoken={_TOKEN}",
        }
        self.acknowledged: dict[str, list[str]] = {}
        self.failures = 0
        self.seconds: list[float] = []
        self._connection: http.client.HTTPConnection | None = None

    def work(self, over: threading.Event) -> None:
        """Save until it is over."""
        number = 0
        while not over.is_set():
            if number % _EACH == 0:
                key, revision = uuid.uuid4().hex, 0
            value = f"{self.name} {number}"
            begun, answer, sent = time.perf_counter(), None, 0
            while answer is None and not over.is_set():
                answer = self._save(key, value, revision)
                sent += 1
            if answer is not None:
                revision = answer["revision"]
                self.acknowledged.setdefault(key, []).append(value)
                if sent == 1:
                    self.seconds.append(time.perf_counter() - begun)
            number += 1
        self._hang_up()

    def _save(self, key: str, value: str, base: int) -> dict[str, Any] | None:
        """What the server says about a save; None if it says nothing."""
        change = {"question": "name", "value": value, "base": base}
        body = json.dumps({"user": self.user, "client_key": key, "changes": [change]})
        try:
            if self._connection is None:
                self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
            self._connection.request("POST", f"/s/{self.study}/enter/save/", body, self.headers)
            answer = self._connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException):
            self.failures += 1
            self._hang_up()
            time.sleep(0.05)
            return None
        assert answer.status == 200, (answer.status, content[:300])
        outcome: dict[str, Any] = json.loads(content)
        assert outcome["refused"] == outcome["conflicts"] == [], outcome
        return outcome

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None
