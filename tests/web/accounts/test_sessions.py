"""Sessions end after a time without a click."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

from django.utils import timezone

from sfumato.web.accounts.models import Session


def test_a_click_extends_the_session_and_silence_ends_it(client: Any, settings: Any) -> None:
    settings.SESSION_COOKIE_AGE = 1800
    client.get("/")
    first = Session.objects.get()
    assert first.expire_date - timezone.now() < timedelta(minutes=30)
    client.get("/")
    assert Session.objects.get().seen == first.seen  # one write a minute is enough
    session = client.session
    session["seen"] = int(time.time()) - 120
    session.save()
    Session.objects.update(expire_date=timezone.now() + timedelta(minutes=5))
    assert client.get("/").cookies["sfumato-session"]["max-age"] == 1800
    assert Session.objects.get().expire_date - timezone.now() > timedelta(minutes=29)
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert client.get("/").status_code == 302


def test_cookies_are_for_this_site_and_not_for_scripts(client: Any, owner: Any, settings: Any) -> None:
    settings.SFUMATO_TEAM = settings.SESSION_COOKIE_SECURE = True
    client.logout()
    client.post("/sign-in/", {"username": "ann", "password": "correct horse battery"})
    cookie = client.cookies["sfumato-session"]
    assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "Lax", True)
