"""Client certificates: known by fingerprint, from a trusted proxy or from the connection itself."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import timezone

from sfumato.web.accounts.models import Certificate
from sfumato.web.accounts.sign_in.client_certificates import fingerprint_from

DER = b"\x30\x82 a certificate"
PEM = f"-----BEGIN CERTIFICATE-----\n{b64encode(DER).decode()}\n-----END CERTIFICATE-----\n"
DIGEST = sha256(DER).hexdigest()
PROXY = {"REMOTE_ADDR": "10.1.1.1", "HTTP_X_SFUMATO_PROXY_SECRET": "shared", "HTTP_X_SFUMATO_CERTIFICATE": DIGEST}


@pytest.fixture(autouse=True)
def team(settings: Any, owner: Any) -> None:
    settings.SFUMATO_TEAM = True
    settings.SFUMATO_PROXIES = ["10.1.1.1"]
    settings.SFUMATO_PROXY_SECRET = "shared"
    Certificate.objects.create(user=owner, sha256=DIGEST)


class Connection:
    """A TLS connection."""

    def __init__(self, certificate: bytes | None) -> None:
        self.certificate = certificate

    def getpeercert(self, binary_form: bool) -> bytes | None:
        assert binary_form
        return self.certificate


def enters(**extra: Any) -> bool:
    browser = Client()
    answer = browser.post("/sign-in/certificate/", **extra)
    assert answer.status_code in (302, 403)
    return bool(browser.get("/").status_code == 200)


def test_a_trusted_proxy_names_the_certificate() -> None:
    assert b"Use my certificate" in Client().get("/sign-in/", **PROXY).content
    assert enters(**PROXY)
    assert enters(**{**PROXY, "HTTP_X_SFUMATO_CERTIFICATE": quote(PEM)})


@pytest.mark.parametrize(
    "changed",
    [
        {"REMOTE_ADDR": "10.1.1.2"},
        {"HTTP_X_SFUMATO_PROXY_SECRET": "guess"},
        {"HTTP_X_SFUMATO_PROXY_SECRET": ""},
        {"HTTP_X_SFUMATO_CERTIFICATE": "ab" * 32},
        {"HTTP_X_SFUMATO_CERTIFICATE": ""},
    ],
)
def test_nobody_else_names_a_certificate(changed: dict[str, str]) -> None:
    assert not enters(**{**PROXY, **changed})


def test_without_a_secret_no_proxy_is_trusted(settings: Any) -> None:
    settings.SFUMATO_PROXY_SECRET = ""
    assert not enters(**{**PROXY, "HTTP_X_SFUMATO_PROXY_SECRET": ""})


def test_the_connection_itself_has_the_certificate() -> None:
    assert enters(**{"gunicorn.socket": Connection(DER)})
    assert not enters(**{"gunicorn.socket": Connection(None)})
    assert not enters(**{"gunicorn.socket": Connection(b"\x30 another")})


def test_a_revoked_certificate_and_a_closed_account_stay_out(owner: Any) -> None:
    owner.is_active = False
    owner.save()
    assert not enters(**PROXY)
    owner.is_active = True
    owner.save()
    assert enters(**PROXY)
    Certificate.objects.update(revoked=timezone.now())
    assert not enters(**PROXY)


def test_the_address_of_a_client_comes_from_a_trusted_proxy_only(rf: Any) -> None:
    from sfumato.web.accounts.proxies import TrustedProxies

    seen: list[tuple[str, bool]] = []
    middleware = TrustedProxies(lambda request: seen.append((request.META["REMOTE_ADDR"], request.is_secure())))
    forwarded = {"HTTP_X_FORWARDED_FOR": "6.6.6.6, 7.7.7.7", "HTTP_X_FORWARDED_PROTO": "https"}
    middleware(rf.get("/", **PROXY, **forwarded))
    middleware(rf.get("/", **{**PROXY, "REMOTE_ADDR": "8.8.8.8"}, **forwarded))
    assert seen == [("7.7.7.7", True), ("8.8.8.8", False)]


def test_a_text_that_is_no_certificate_has_no_fingerprint() -> None:
    assert fingerprint_from(PEM) == DIGEST
    assert fingerprint_from(b64encode(DER).decode()) == DIGEST
    assert [fingerprint_from(text) for text in ("", "ab", "hello world", b64encode(b"text").decode())] == [""] * 4
