"""Invitations: to the server, to a project, as administrator, for a new password; once, for seven days."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from sfumato.errors import ParameterError
from sfumato.web.accounts.invitations.making import administrator_invitation, invite, join
from sfumato.web.accounts.models import Invitation, User

NEW = {"username": "bob", "first_name": "Bob", "last_name": "Bee", "password": "a long quiet sentence"}


@pytest.fixture(autouse=True)
def team(settings: Any) -> None:
    settings.SFUMATO_TEAM = True


@pytest.fixture
def owner(owner: Any) -> Any:
    """An owner who is also an IT administrator."""
    owner.is_ita = True
    owner.save()
    return owner


def test_an_invitation_makes_an_account_with_a_role_in_a_project(owner: Any, project: Any) -> None:
    _, token = invite(owner, project=project, role="viewer")
    assert token not in str(Invitation.objects.values())
    browser = Client()
    page = browser.get(f"/invite/{token}/").content.decode()
    assert "ann invites you to the project “Clinic” as viewer" in page
    assert browser.post(f"/invite/{token}/", NEW).url == f"/p/{project.id}/"
    assert browser.get(f"/p/{project.id}/").status_code == 200
    assert browser.get(f"/p/{project.id}/members/").status_code == 404
    again = Client().get(f"/invite/{token}/")
    assert again.status_code == 410
    assert b"used already" in again.content


def test_an_expired_invitation_names_the_inviter(owner: Any) -> None:
    row, token = invite(owner)
    Invitation.objects.filter(pk=row.pk).update(expires=timezone.now() - timedelta(seconds=1))
    answer = Client().post(f"/invite/{token}/", NEW)
    assert answer.status_code == 410
    assert b"Ask ann for another" in answer.content
    assert User.objects.count() == 1
    assert timezone.now() + timedelta(days=6) < row.expires < timezone.now() + timedelta(days=7, seconds=1)


def test_an_invitation_of_somebody_who_was_deactivated_is_over(owner: Any) -> None:
    _, token = invite(owner)
    owner.is_active = False
    owner.save()
    assert Client().get(f"/invite/{token}/").status_code == 410


def test_an_invitation_of_somebody_who_lost_the_role_is_over(owner: Any, project: Any, django_user_model: Any) -> None:
    _, to_project = invite(owner, project=project, role="owner")
    _, to_server = invite(owner, role="ita")
    assert (
        Client().get(f"/invite/{to_project}/").status_code == Client().get(f"/invite/{to_server}/").status_code == 200
    )
    project.owner = django_user_model.objects.create_user("bob")
    project.save()
    owner.is_ita = False
    owner.save()
    assert (
        Client().get(f"/invite/{to_project}/").status_code == Client().get(f"/invite/{to_server}/").status_code == 410
    )


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"username": "ANN"}, "Somebody has this name"),
        ({"username": "<b>"}, "Enter a valid username"),
        ({"password": "short"}, "too short"),
        ({"username": "quiet-sentence-x", "password": "quiet-sentence-x"}, "too similar"),
    ],
)
def test_what_is_wrong_stands_beside_its_field(owner: Any, changed: dict[str, str], sentence: str) -> None:
    _, token = invite(owner)
    answer = Client().post(f"/invite/{token}/", {**NEW, **changed})
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert NEW["password"] not in answer.content.decode()
    assert User.objects.count() == 1


def test_somebody_with_an_account_joins_with_a_click(owner: Any, project: Any, django_user_model: Any) -> None:
    bob = django_user_model.objects.create_user("bob")
    _, token = invite(owner, project=project, role="member")
    browser = Client()
    browser.force_login(bob)
    assert b"You are signed in as bob" in browser.get(f"/invite/{token}/").content
    assert browser.post(f"/invite/{token}/").url == f"/p/{project.id}/"
    assert project.role_of(bob) == "member"


def test_an_owner_who_opens_the_own_invitation_stays_owner(client: Any, owner: Any, project: Any) -> None:
    _, token = invite(owner, project=project, role="viewer")
    client.post(f"/invite/{token}/")
    assert project.role_of(owner) == "owner"
    assert not project.members.exists()


def test_two_people_cannot_use_one_invitation(owner: Any, django_user_model: Any) -> None:
    row, _ = invite(owner)
    join(row, django_user_model.objects.create_user("bob"))
    with pytest.raises(ParameterError, match="used already"):
        join(row, django_user_model.objects.create_user("eve"))


def test_the_server_invites_its_first_administrator_only(db: Any) -> None:
    token = administrator_invitation()
    browser = Client()
    assert b"first IT administrator" in browser.get(f"/invite/{token}/").content
    browser.post(f"/invite/{token}/", NEW)
    assert browser.get("/desk/").status_code == 200
    with pytest.raises(ParameterError, match="already"):
        administrator_invitation()


def test_a_link_for_a_new_password_ends_all_sessions(client: Any, owner: Any) -> None:
    _, token = invite(owner, account=owner)
    browser = Client()
    assert browser.post(f"/invite/{token}/", {"password": "another long sentence"}).url == "/"
    owner.refresh_from_db()
    assert owner.check_password("another long sentence")
    assert client.get("/").status_code == 302
    assert browser.get("/").status_code == 200


def test_an_unknown_token_and_one_persons_server_have_no_such_page(owner: Any, settings: Any) -> None:
    _, token = invite(owner)
    assert Client().get("/invite/nonsense/").status_code == 404
    settings.SFUMATO_TEAM = False
    assert Client().get(f"/invite/{token}/").status_code == 404
