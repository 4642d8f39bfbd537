"""Headers of every answer, also of failures and of static files."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings as actual
from django.test import Client

POLICY = "default-src 'none'"


@pytest.mark.parametrize(
    ("address", "status"),
    [("/", 200), ("/me/", 200), ("/nowhere/", 404), ("/static/interface/sfumato.css", 200), ("/start/x/", 404)],
)
def test_every_answer_has_them(client: Any, address: str, status: int, settings: Any) -> None:
    settings.WHITENOISE_AUTOREFRESH = False  # static files as a server has them
    answer = client.get(address)
    if answer.streaming:
        answer.close()
    assert answer.status_code == status
    assert POLICY in answer["Content-Security-Policy"]
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["Cross-Origin-Opener-Policy"] == answer["Cross-Origin-Resource-Policy"] == "same-origin"
    assert answer["Permissions-Policy"]
    if "static" not in address:
        assert answer["Cache-Control"] == "no-store"
        assert answer["X-Frame-Options"] == "DENY"


def test_an_unknown_host_and_a_missing_csrf_token_are_refused(client: Any, owner: Any) -> None:
    answer = client.get("/", headers={"host": "evil.example"})
    assert answer.status_code == 400
    assert POLICY in answer["Content-Security-Policy"]
    assert b"evil" not in answer.content
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(owner)
    refused = careful.post("/me/name/", {"first_name": "x"})
    assert refused.status_code == 403
    assert POLICY in refused["Content-Security-Policy"]
    assert b"sfumato.css" in refused.content


def test_passwords_are_kept_by_argon2() -> None:
    from importlib import reload

    from sfumato.web import settings

    assert reload(settings).PASSWORD_HASHERS == ["django.contrib.auth.hashers.Argon2PasswordHasher"]
    assert actual.SESSION_COOKIE_SAMESITE == "Lax"


def test_the_page_of_a_failure_needs_no_database(rf: Any, django_assert_num_queries: Any, owner: Any) -> None:
    from sfumato.web.interface.failures import broken

    with django_assert_num_queries(0):
        answer = broken(rf.get("/"))
    assert answer.status_code == 500
    assert b"the log says where" in answer.content
