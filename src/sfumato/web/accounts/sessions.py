"""Sessions in the database: whose they are, when they were last used, and their end after a time without a click."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

__all__ = ["Activity", "SessionStore", "end_sessions", "public_id", "remember_browser"]

_EVERY_S = 60  # between two notes that a session is in use


class SessionStore(DatabaseStore):
    """Writes beside the data of a session whose it is, so that people can see and end their sessions."""

    @classmethod
    def get_model_class(cls) -> Any:
        """The table."""
        from sfumato.web.accounts.models import Session

        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Any:
        """The row of this session."""
        row = super().create_model_instance(data)
        row.user_id = data.get(SESSION_KEY)
        row.created = datetime.fromtimestamp(data.get("created", time.time()), UTC)
        row.seen = timezone.now()
        row.agent = data.get("agent", "")
        return row


class Activity:
    """Middleware: a click extends the session, and the page is in the language of the user."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated:
            now = int(time.time())
            if now - request.session.get("seen", 0) >= _EVERY_S:
                request.session["seen"] = now
            if request.user.language:
                translation.activate(request.user.language)
                request.LANGUAGE_CODE = translation.get_language()
        return self.get_response(request)


def remember_browser(request: HttpRequest, **_: Any) -> None:
    """Note when a session began, and in which browser."""
    request.session["created"] = int(time.time())
    request.session["agent"] = _browser(request.META.get("HTTP_USER_AGENT", ""))


def public_id(row: Any) -> str:
    """A name for a session that does not open it."""
    return sha256(row.session_key.encode()).hexdigest()[:32]


def end_sessions(user: Any, *, but: str | None = None) -> int:
    """Sign a user out everywhere, except in the session `but`."""
    count, _ = user.sessions.exclude(session_key=but or "").delete()
    return int(count)


def _browser(agent: str) -> str:
    """The browser and the system in two words, as far as they name themselves."""
    browsers = ("Edg", "Firefox", "Chrome", "Safari", "curl")
    systems = ("Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux")
    words = [next((name for name in names if name in agent), "") for names in (browsers, systems)]
    return ", ".join(word.replace("Edg", "Edge") for word in words if word)
