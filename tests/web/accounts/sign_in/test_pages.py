"""Signing in by password: right, wrong, too often; where it leads; the language before signing in."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from sfumato.web.accounts.models import Event

PASSWORD = "correct horse battery"


@pytest.fixture
def team(settings: Any) -> None:
    settings.SFUMATO_TEAM = True


def sign_in(browser: Any, name: str = "ann", password: str = PASSWORD, **extra: Any) -> Any:
    return browser.post("/sign-in/", {"username": name, "password": password, **extra.pop("data", {})}, **extra)


@pytest.mark.usefixtures("team")
def test_the_right_password_opens_the_page_that_was_asked_for(owner: Any) -> None:
    browser = Client()
    asked = browser.get("/jobs/")
    assert asked.url == "/sign-in/?next=/jobs/"
    assert b'value="/jobs/"' in browser.get(asked.url).content
    assert sign_in(browser, data={"next": "/jobs/"}).url == "/jobs/"
    assert browser.get("/jobs/").status_code == 200
    assert Event.objects.get(verb="sign in").actor == owner


@pytest.mark.usefixtures("team")
@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_nobody_is_led_elsewhere(owner: Any, target: str) -> None:
    assert sign_in(Client(), data={"next": target}).url == "/"


@pytest.mark.usefixtures("team")
def test_a_wrong_password_an_unknown_name_and_a_closed_account_look_alike(owner: Any, django_user_model: Any) -> None:
    django_user_model.objects.create_user("gone", password=PASSWORD, is_active=False)
    answers = [
        sign_in(Client(), name, password)
        for name, password in (("ann", "wrong wrong wrong"), ("nobody", PASSWORD), ("gone", PASSWORD))
    ]
    assert {answer.status_code for answer in answers} == {403}
    pages = {answer.content.replace(_token(answer), b"") for answer in answers}
    assert len(pages) == 1


@pytest.mark.usefixtures("team")
def test_failures_are_limited_by_name_and_by_address(owner: Any) -> None:
    for _ in range(5):
        sign_in(Client(), password="wrong wrong wrong")
    refused = sign_in(Client())
    assert refused.status_code == 403
    assert b"Too many attempts" in refused.content
    for number in range(16):
        sign_in(Client(), f"name{number}", "wrong wrong wrong")
    assert b"Too many attempts" in sign_in(Client(), "somebody else").content
    assert b"Too many attempts" not in sign_in(Client(), "somebody else", REMOTE_ADDR="10.0.0.9").content


def test_one_persons_server_has_no_password_page(db: Any) -> None:
    assert b"This server is for one person" in Client().get("/sign-in/").content
    assert sign_in(Client()).status_code == 403
    for address in ("/sign-in/code/", "/sign-in/passkey/"):
        assert Client().get(address).status_code == 404


def test_the_one_time_link_signs_in_once(db: Any) -> None:
    from sfumato.web.accounts.one_time_links import new_link

    token = new_link()
    browser = Client()
    assert browser.get(f"/start/{token}/").url == "/"
    assert browser.get("/me/").status_code == 200
    assert browser.get("/desk/").status_code == 200
    assert Client().get(f"/start/{token}/").status_code == 404


def test_signing_out_ends_the_session(client: Any) -> None:
    assert client.get("/sign-out/").status_code == 405
    assert client.post("/sign-out/").url == "/sign-in/"
    assert client.get("/").status_code == 302


@pytest.mark.usefixtures("team")
def test_a_part_of_a_page_whose_session_has_ended_loads_the_page_anew(owner: Any) -> None:
    answer = Client().get("/jobs/", headers={"HX-Request": "true"}, follow=True)
    assert (answer.headers["HX-Refresh"], answer.content) == ("true", b"")


@pytest.mark.usefixtures("team")
def test_the_language_is_chosen_before_and_after_signing_in(owner: Any) -> None:
    browser = Client()
    assert b'<html lang="en"' in browser.get("/sign-in/").content
    assert browser.post("/language/", {"language": "el", "next": "/sign-in/"}).url == "/sign-in/"
    assert b'<html lang="el"' in browser.get("/sign-in/").content
    assert browser.post("/language/", {"language": "xx"}).status_code == 404
    owner.language = "en"
    owner.save()
    browser.force_login(owner)
    assert b'<html lang="en"' in browser.get("/").content


def _token(answer: Any) -> bytes:
    content: bytes = answer.content
    return content.split(b'name="csrfmiddlewaretoken" value="')[1].split(b'"')[0]
