"""Single sign-on against a small identity provider on this machine."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
from allauth.socialaccount.models import SocialAccount
from cryptography.hazmat.primitives.asymmetric import rsa
from django.test import Client

from sfumato.web.accounts.invitations.making import invite
from sfumato.web.accounts.models import User

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


class Provider(BaseHTTPRequestHandler):
    """Discovery and tokens; `claims` is the identity that it vouches for."""

    claims: dict[str, Any]

    def do_GET(self) -> None:
        base = f"http://127.0.0.1:{self.server.server_port}"
        names = {"authorization_endpoint": "/authorize", "token_endpoint": "/token", "jwks_uri": "/keys"}
        self._answer({"issuer": base, **{name: base + path for name, path in names.items()}})

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        base = f"http://127.0.0.1:{self.server.server_port}"
        now = int(time.time())
        identity = {"iss": base, "aud": "client", "iat": now, "exp": now + 60, **self.claims}
        self._answer({"access_token": "x", "token_type": "Bearer", "id_token": jwt.encode(identity, KEY, "RS256")})

    def _answer(self, content: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(content).encode())

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(autouse=True)
def provider(settings: Any, db: Any) -> Iterator[type[Provider]]:
    server = HTTPServer(("127.0.0.1", 0), Provider)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    issuer = f"http://127.0.0.1:{server.server_port}"
    settings.SFUMATO_TEAM, settings.SFUMATO_OIDC_ISSUER, settings.SFUMATO_OIDC_PROVIDER = True, issuer, "oidc-test"
    app = {
        "provider_id": "oidc-test",
        "name": "Hospital",
        "client_id": "client",
        "secret": "s",
        "settings": {"server_url": issuer, "fetch_userinfo": False},
    }
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": [app]}}
    Provider.claims = {
        "sub": "subject-1",
        "preferred_username": "ann",
        "email": "ann@example.org",
        "email_verified": True,
    }
    yield Provider
    server.shutdown()
    server.server_close()
    thread.join()


def through(browser: Any, begin: str = "/sign-in/single/oidc-test/") -> Any:
    """Begin, come back from the provider, and return the answer."""
    page = browser.post(begin)
    assert page.status_code == 200
    address = urlsplit(page.context["target"])
    asked = parse_qs(address.query)
    assert address.path == "/authorize"
    assert asked["code_challenge_method"] == ["S256"]
    return browser.get(asked["redirect_uri"][0], {"code": "c", "state": asked["state"][0]})


def test_an_unknown_person_is_refused_also_with_a_known_e_mail(owner: Any) -> None:
    owner.email = "ann@example.org"
    owner.save()
    browser = Client()
    assert b"Sign in with Hospital" in browser.get("/sign-in/").content
    answer = through(browser)
    assert answer.status_code == 403
    assert b"no account here" in answer.content
    assert browser.get("/").status_code == 302
    assert list(User.objects.all()) == [owner]


def test_an_invited_person_gets_an_account_and_comes_again(owner: Any, provider: Any) -> None:
    owner.is_ita = True
    owner.save()
    _, token = invite(owner)
    browser = Client()
    browser.get(f"/invite/{token}/")
    assert through(browser).url == "/"
    person = User.objects.exclude(pk=owner.pk).get()
    assert (person.username, person.email, person.has_usable_password()) == ("ann-2", "", False)
    again = Client()
    assert through(again).url == "/"
    assert again.get("/").status_code == 200
    provider.claims["sub"] = "subject-2"
    assert through(Client()).status_code == 403


@pytest.mark.parametrize("wrong", [{"iss": "https://evil.example"}, {"aud": "another client"}, {"exp": 1}])
def test_an_identity_for_somebody_else_is_refused(owner: Any, provider: Any, wrong: dict[str, Any]) -> None:
    SocialAccount.objects.create(user=owner, provider="oidc-test", uid="subject-1")
    assert through(Client()).url == "/"
    provider.claims.update(wrong)
    browser = Client()
    assert through(browser).status_code in (401, 403)
    assert browser.get("/").status_code == 302


def test_an_account_is_connected_and_disconnected(client: Any, owner: Any) -> None:
    assert through(client, "/me/single/connect/").url == "/me/"
    account = SocialAccount.objects.get(user=owner)
    assert b"connected" in client.get("/me/").content
    assert client.post(f"/me/single/{account.pk}/disconnect/").url == "/me/"
    assert not SocialAccount.objects.exists()


def test_an_answer_that_nobody_asked_for_is_refused(owner: Any) -> None:
    answer = Client().get("/sign-in/single/oidc-test/answer/", {"code": "c", "state": "made-up"})
    assert answer.status_code in (401, 403)
    assert b"sfumato.css" in answer.content
    assert Client().post("/sign-in/single/another/").status_code == 404


def test_a_provider_that_does_not_answer_is_a_sentence(settings: Any) -> None:
    app = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"][0]
    app["settings"]["server_url"] = "http://127.0.0.1:1"
    answer = Client().post("/sign-in/single/oidc-test/")
    assert answer.status_code == 502
    assert b"does not answer" in answer.content
