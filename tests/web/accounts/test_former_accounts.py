"""Accounts of people who left: removed, or emptied where a study rests on them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from sfumato.web.accounts.housekeeping import housekeeping
from sfumato.web.accounts.models import Event, Token, User
from sfumato.web.studies.models import Entry, FormVersion, Membership, Revision, Study

LONG_AGO = timedelta(days=31)


@pytest.fixture
def author(db: Any) -> User:
    """Somebody with an entry who left a month ago."""
    study = Study.objects.create(name="Infections")
    version = FormVersion.objects.create(study=study, number=1, tree={})
    user = User.objects.create_user(
        "bob", "bob@example.org", "correct horse battery", first_name="Bob", is_active=False
    )
    user.left = timezone.now() - LONG_AGO
    user.save()
    Membership.objects.create(study=study, user=user, role="participant")
    entry = Entry.objects.create(study=study, author=user, form_version=version, number=1, client_key="1")
    Revision.objects.create(entry=entry, number=1, by=user)
    Token.objects.create(user=user, name="script", sha256="1" * 64)
    return user


def test_an_author_stays_without_a_name_and_without_a_way_in(author: User) -> None:
    housekeeping()
    housekeeping()
    author.refresh_from_db()
    assert author.username == f"former-{author.pk.hex[:12]}"
    assert (author.first_name, author.email, author.has_usable_password(), author.is_active) == ("", "", False, False)
    assert not author.tokens.exists()
    entry = Entry.objects.get()
    assert entry.author == entry.revisions.get().by == author
    assert Membership.objects.get().ended is not None
    assert Event.objects.filter(verb="remove").count() == 1


def test_the_account_is_removed_with_the_last_study_that_rests_on_it(author: User) -> None:
    housekeeping()
    Study.objects.update(deleted=timezone.now() - LONG_AGO)
    housekeeping()
    assert not Study.objects.exists()
    assert not User.objects.exists()


def test_a_study_is_announced_deleted_and_removed(author: User) -> None:
    today = timezone.now().date()
    Study.objects.update(retention=today)
    housekeeping()
    assert Event.objects.get(verb="announce").project_id == Study.objects.get().id
    assert Study.objects.get().deleted is None
    Event.objects.filter(verb="announce").update(at=timezone.now() - timedelta(days=14))
    housekeeping()
    assert Study.objects.get().deleted is not None
    Study.objects.update(deleted=timezone.now() - timedelta(days=29))
    housekeeping()
    assert Entry.objects.exists()
    Study.objects.update(deleted=timezone.now() - LONG_AGO)
    housekeeping()
    assert not Entry.objects.exists()
    assert Event.objects.filter(verb="remove", object__startswith="study").count() == 1


def test_the_only_administrator_of_a_study_cannot_leave(client: Any, owner: Any, settings: Any) -> None:
    settings.SFUMATO_TEAM = True
    study = Study.objects.create(name="Infections")
    Membership.objects.create(study=study, user=owner, role="administrator")
    page = client.post("/me/delete/", {"username": owner.username})
    assert (page.status_code, b"only administrator of 1 study" in page.content) == (422, True)
    other = User.objects.create_user("dora", leads_studies=True)
    Membership.objects.create(study=study, user=other, role="administrator")
    assert client.post("/me/delete/", {"username": owner.username}).status_code == 302
    assert Client().post("/sign-in/", {"username": "ann", "password": "correct horse battery"}).status_code != 302
