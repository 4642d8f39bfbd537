"""A second factor: an authenticator app and recovery codes (passkeys are tried in a browser)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.test import Client

PASSWORD = "correct horse battery"


@pytest.fixture(autouse=True)
def team(settings: Any) -> None:
    settings.SFUMATO_TEAM = True


def code_of(key: str) -> str:
    counters = list(yield_hotp_counters_from_time())
    return str(format_hotp_value(hotp_value(key, counters[len(counters) // 2])))


def with_app(browser: Any) -> str:
    """Turn the authenticator app on and return its key."""
    assert browser.get("/me/two-factor/app/").url.startswith("/me/confirm/")
    assert browser.post("/me/confirm/?next=/me/two-factor/app/", {"password": PASSWORD}).status_code == 302
    page = browser.get("/me/two-factor/app/").content.decode()
    assert "<svg" in page
    assert "style=" not in page
    assert "data:" not in page
    key = re.search(r'<code class="key">(\w+)</code>', page)
    assert key is not None
    assert browser.post("/me/two-factor/app/", {"code": "000"}).status_code == 200
    assert browser.post("/me/two-factor/app/", {"code": code_of(key[1])}).url == "/me/two-factor/codes/"
    return key[1]


def test_with_an_app_the_password_is_not_enough(client: Any, owner: Any) -> None:
    key = with_app(client)
    assert key not in str(list(Authenticator.objects.values_list("data", flat=True)))
    browser = Client()
    assert browser.post("/sign-in/", {"username": "ann", "password": PASSWORD}).url == "/sign-in/code/"
    assert browser.get("/").status_code == 302
    assert b"Second factor" in browser.get("/sign-in/code/").content
    assert b"Incorrect code" in browser.post("/sign-in/code/", {"code": "123"}).content
    codes = client.get("/me/two-factor/codes/").content.decode()
    recovery = re.findall(r"<li><code>(\w+)</code></li>", codes)
    assert len(recovery) == 10
    assert browser.post("/sign-in/code/", {"code": recovery[0]}).url == "/"
    assert browser.get("/").status_code == 200
    assert recovery[0] not in client.get("/me/two-factor/codes/").content.decode()


def test_the_app_is_removed_and_pages_are_in_our_style(client: Any, owner: Any) -> None:
    with_app(client)
    pages = ("/me/", "/me/two-factor/passkey/", "/me/two-factor/app/remove/", "/me/two-factor/codes/new/")
    for address in pages:
        page = client.get(address)
        assert page.status_code == 200
        assert b"sfumato.css" in page.content
    assert client.post("/me/two-factor/app/remove/").status_code == 302
    assert not Authenticator.objects.filter(user=owner, type="totp").exists()


def test_no_page_of_allauth_is_reachable_but_those_we_route() -> None:
    for address in ("/accounts/login/", "/accounts/signup/", "/signup/", "/password/reset/", "/accounts/2fa/"):
        assert Client().get(address).status_code == 404
