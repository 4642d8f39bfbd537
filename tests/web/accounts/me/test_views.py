"""One's own account: look, name, password, sessions, tokens, certificates, deletion."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest
from django.test import Client

from sfumato.web.accounts.models import Certificate, Event, Session, Token
from sfumato.web.accounts.sessions import public_id


@pytest.fixture(autouse=True)
def team(settings: Any) -> None:
    settings.SFUMATO_TEAM = True


def test_language_and_theme_are_kept(client: Any) -> None:
    assert client.post("/me/look/", {"language": "el", "theme": "dark"}).url == "/me/"
    page = client.get("/me/").content.decode()
    assert '<html lang="el" data-theme="dark">' in page
    assert client.post("/me/look/", {"language": "en", "theme": "pink"}).status_code == 404


def test_a_name_is_shown_as_text(client: Any, owner: Any) -> None:
    client.post("/me/name/", {"first_name": "<script>x</script>", "last_name": ""})
    assert b"<script>x" not in client.get("/me/").content


def test_a_new_password_ends_other_sessions(client: Any, owner: Any) -> None:
    other = Client()
    other.force_login(owner)
    wrong = client.post("/me/password/", {"old": "no", "new": "another long sentence"})
    assert (wrong.status_code, b"not your password" in wrong.content) == (422, True)
    weak = client.post("/me/password/", {"old": "correct horse battery", "new": "short"})
    assert (weak.status_code, b"too short" in weak.content) == (422, True)
    client.post("/me/password/", {"old": "correct horse battery", "new": "another long sentence"})
    assert client.get("/me/").status_code == 200
    assert other.get("/me/").status_code == 302


def test_guessing_the_old_password_is_limited(client: Any) -> None:
    for _ in range(5):
        client.post("/me/password/", {"old": "no", "new": "another long sentence"})
    answer = client.post("/me/password/", {"old": "correct horse battery", "new": "another long sentence"})
    assert b"Too many attempts" in answer.content


def test_sessions_are_listed_and_ended(client: Any, owner: Any, django_user_model: Any) -> None:
    phone, stranger = Client(HTTP_USER_AGENT="Mozilla/5.0 (Linux; Android 14) Chrome/1"), Client()
    phone.post("/sign-in/", {"username": "ann", "password": "correct horse battery"})
    stranger.force_login(django_user_model.objects.create_user("eve"))
    assert b"Chrome, Android" in client.get("/me/").content
    theirs = public_id(Session.objects.get(user__username="eve"))
    assert client.post("/me/sessions/end/", {"session": theirs}).status_code == 404
    client.post("/me/sessions/end/", {"session": public_id(Session.objects.get(agent="Chrome, Android"))})
    assert phone.get("/").status_code == 302
    assert stranger.get("/").status_code == client.get("/").status_code == 200


def test_a_token_is_shown_once_and_stored_as_a_digest(client: Any, owner: Any) -> None:
    page = client.post("/me/tokens/new/", {"name": "script", "days": "30"})
    secret = page.context["new_token"]
    token = Token.objects.get(user=owner)
    assert token.sha256 == sha256(secret.encode()).hexdigest()
    assert secret in page.content.decode()
    assert secret not in client.get("/me/").content.decode()
    assert not token.expired
    assert client.post("/me/tokens/new/", {"name": "", "days": "30"}).status_code == 422
    assert client.post("/me/tokens/new/", {"name": "x", "days": "9999"}).status_code == 422
    assert client.post(f"/me/tokens/{token.pk}/revoke/").url == "/me/"
    assert not Token.objects.exists()


def test_nobody_revokes_what_is_somebody_elses(client: Any, django_user_model: Any) -> None:
    eve = django_user_model.objects.create_user("eve")
    token = Token.objects.create(user=eve, name="x", sha256="0" * 64)
    certificate = Certificate.objects.create(user=eve, sha256="0" * 64)
    assert client.post(f"/me/tokens/{token.pk}/revoke/").status_code == 404
    assert client.post(f"/me/certificates/{certificate.pk}/revoke/").status_code == 404


def test_a_certificate_is_added_and_revoked_for_good(client: Any, owner: Any, settings: Any) -> None:
    settings.SFUMATO_PROXIES, settings.SFUMATO_PROXY_SECRET = ["10.1.1.1"], "shared"
    proxy = {
        "REMOTE_ADDR": "10.1.1.1",
        "HTTP_X_SFUMATO_PROXY_SECRET": "shared",
        "HTTP_X_SFUMATO_CERTIFICATE": "ab" * 32,
    }
    assert b"Add the certificate" in client.get("/me/", **proxy).content
    assert client.post("/me/certificates/new/", {"name": "card"}, **proxy).url == "/me/"
    row = Certificate.objects.get(user=owner)
    assert row.sha256 == "ab" * 32
    client.post(f"/me/certificates/{row.pk}/revoke/")
    assert client.post("/me/certificates/new/", **proxy).status_code == 422


def test_nobody_adds_a_certificate_without_having_it(client: Any) -> None:
    """A fingerprint of somebody else would sign them in to an account that is not theirs."""
    assert client.post("/me/certificates/new/", {"certificate": "ab" * 32}).status_code == 422
    assert not Certificate.objects.exists()


def test_an_account_is_deleted_once_it_owns_nothing(client: Any, owner: Any, project: Any) -> None:
    assert b"You own 1 project" in client.post("/me/delete/", {"username": "ann"}).content
    client.post(f"/p/{project.id}/members/delete/", {"name": "Clinic"})
    assert b"Type your sign-in name" in client.post("/me/delete/", {"username": "an"}).content
    assert client.post("/me/delete/", {"username": "ann"}).url == "/sign-in/"
    owner.refresh_from_db()
    assert (owner.is_active, owner.left is None) == (False, False)
    assert client.get("/").status_code == 302
    assert Event.objects.filter(verb="delete", object=f"user {owner.pk}").exists()


def test_the_last_administrator_stays(client: Any, owner: Any) -> None:
    owner.is_ita = True
    owner.save()
    assert b"only IT administrator" in client.post("/me/delete/", {"username": "ann"}).content


def test_one_persons_server_shows_no_password(client: Any, settings: Any) -> None:
    settings.SFUMATO_TEAM = False
    page = client.get("/me/").content.decode()
    assert "Theme" in page
    assert 'type="password"' not in page
    assert client.post("/me/password/", {"old": "", "new": "another long sentence"}).status_code == 404
