"""The addresses that a supervisor asks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from sfumato.web.jobs.models import Heartbeat
from sfumato.web.serving import health


def test_a_server_is_ready_when_all_of_its_parts_are(db: Any, home: Path) -> None:
    assert Client().get("/healthz").json() == {"alive": True}
    answer = Client().get("/readyz")
    assert answer.status_code == 503
    parts = {"ready": False, "database": True, "migrations": True, "files": False, "worker": False}
    assert answer.json() == parts
    home.mkdir()
    Heartbeat.objects.create(worker="w", at=timezone.now())
    answer = Client().get("/readyz")
    assert (answer.status_code, answer.json()["ready"], answer["Cache-Control"]) == (200, True, "no-store")


def test_an_error_is_no_more_than_a_false(db: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> bool:
        raise OSError("at db.example with the password x")

    monkeypatch.setattr(health, "_database", fail)
    answer = Client().get("/readyz")
    assert answer.json()["database"] is False
    assert b"password" not in answer.content
