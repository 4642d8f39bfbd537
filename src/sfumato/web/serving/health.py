"""Addresses that a supervisor asks: whether the process answers, and whether the whole server can work."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, JsonResponse

from sfumato.web.accounts.access import anyone
from sfumato.web.jobs.models import Heartbeat
from sfumato.web.serving.starting import pending_migrations

__all__ = ["alive", "ready"]


@anyone
def alive(request: HttpRequest) -> JsonResponse:  # noqa: ARG001
    """This process answers."""
    return _answer({"alive": True})


@anyone
def ready(request: HttpRequest) -> JsonResponse:  # noqa: ARG001
    """Database, migrations, files and workers, each in order or not; an answer has no other details."""
    parts = {
        "database": _holds(_database),
        "migrations": _holds(lambda: not pending_migrations()),
        "files": _holds(lambda: os.access(Path(settings.SFUMATO_HOME), os.R_OK | os.W_OK | os.X_OK)),
        "worker": _holds(Heartbeat.any_alive),
    }
    return _answer({"ready": all(parts.values()), **parts}, 200 if all(parts.values()) else 503)


def _database() -> bool:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone() == (1,))


def _holds(check: Callable[[], bool]) -> bool:
    """Whether a check succeeds; an error of any kind means that it does not."""
    try:
        return check()
    except Exception:
        return False


def _answer(content: dict[str, bool], status: int = 200) -> JsonResponse:
    return JsonResponse(content, status=status, headers={"Cache-Control": "no-store"})
