"""A passkey: added, used alone, used as a second factor, taken away; the authenticator is a few lines of Python."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from django.test import Client
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import (
    Aaguid,
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)

PASSWORD = "correct horse battery"
PRESENT = AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.UV


class Passkey:
    """A key that answers for https://testserver."""

    def __init__(self) -> None:
        self.key, self.id, self.uses, self.user = ec.generate_private_key(ec.SECP256R1()), b"key-1", 0, ""

    def create(self, page: str) -> str:
        """The answer to a page that adds a passkey."""
        options = _options(page)["creation_options"]["publicKey"]
        self.user = options["user"]["id"]
        credential = AttestedCredentialData.create(
            Aaguid(b"\0" * 16), self.id, ES256.from_cryptography_key(self.key.public_key())
        )
        data = AuthenticatorData.create(_site(), PRESENT | AuthenticatorData.FLAG.AT, 0, credential)
        return self._answer("webauthn.create", options, attestationObject=AttestationObject.create("none", data, {}))

    def get(self, content: dict[str, Any], origin: str = "https://testserver") -> str:
        """The answer to a page that asks for a passkey."""
        self.uses += 1
        options = content["request_options"]["publicKey"]
        data = AuthenticatorData.create(_site(), PRESENT, self.uses)
        client = CollectedClientData.create("webauthn.get", options["challenge"], origin)
        signature = self.key.sign(data + sha256(client).digest(), ec.ECDSA(SHA256()))
        parts = {"authenticatorData": data, "signature": signature, "userHandle": websafe_decode(self.user)}
        return self._answer("webauthn.get", options, origin, **parts)

    def _answer(self, kind: str, options: Any, origin: str = "https://testserver", **parts: bytes) -> str:
        client = CollectedClientData.create(kind, options["challenge"], origin)
        response = {"clientDataJSON": client, **parts}
        content = {name: websafe_encode(value) for name, value in response.items()}
        own = websafe_encode(self.id)
        extensions = {"credProps": {"rk": True}}
        return json.dumps(
            {"id": own, "rawId": own, "type": "public-key", "response": content, "clientExtensionResults": extensions}
        )


def _site() -> bytes:
    return sha256(b"testserver").digest()


def _options(page: str) -> Any:
    block = re.search(r'<script id="passkey-data" type="application/json">(.+?)</script>', page)
    assert block is not None
    return json.loads(block[1])


@pytest.fixture
def passkey(settings: Any, client: Any, owner: Any) -> Passkey:
    """One that was added to the account."""
    settings.SFUMATO_TEAM = True
    key = Passkey()
    client.post("/me/confirm/?next=/me/two-factor/passkey/", {"password": PASSWORD})
    page = client.get("/me/two-factor/passkey/").content.decode()
    answer = client.post(
        "/me/two-factor/passkey/", {"name": "my key", "passwordless": "on", "credential": key.create(page)}
    )
    assert answer.url == "/me/two-factor/codes/"
    assert b"my key" in client.get("/me/").content
    return key


def asked(browser: Any) -> dict[str, Any]:
    return dict(browser.get("/sign-in/passkey/", headers={"accept": "application/json"}).json())


def test_a_passkey_signs_in_alone(passkey: Passkey) -> None:
    browser = Client()
    credential = passkey.get(asked(browser))
    assert browser.post("/sign-in/passkey/", {"credential": credential}).url == "/"
    assert browser.get("/").status_code == 200
    thief = Client()
    asked(thief)
    thief.post("/sign-in/passkey/", {"credential": credential})  # an answer to another question
    assert thief.get("/").status_code == 302


def test_a_passkey_for_another_site_is_refused(passkey: Passkey) -> None:
    browser = Client()
    browser.post("/sign-in/passkey/", {"credential": passkey.get(asked(browser), "https://evil.example")})
    assert browser.get("/").status_code == 302


def test_a_passkey_is_a_second_factor(passkey: Passkey) -> None:
    browser = Client()
    assert browser.post("/sign-in/", {"username": "ann", "password": PASSWORD}).url == "/sign-in/code/"
    page = browser.get("/sign-in/code/").content.decode()
    assert browser.post("/sign-in/code/", {"credential": passkey.get(_options(page))}).url == "/"
    assert browser.get("/").status_code == 200


def test_a_passkey_is_taken_away(passkey: Passkey, client: Any, owner: Any) -> None:
    row = Authenticator.objects.get(user=owner, type="webauthn")
    assert client.post(f"/me/two-factor/passkey/{row.pk}/remove/").url == "/me/"
    browser = Client()
    browser.post("/sign-in/passkey/", {"credential": passkey.get(asked(browser))})
    assert browser.get("/").status_code == 302
