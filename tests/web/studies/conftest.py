"""A study of two hospitals: its administrator, two participants of different centres, a published form."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

FORM: dict[str, Any] = {
    "languages": ["en", "el"],
    "questions": [
        {"key": "title", "type": "title", "texts": {"en": "Patient", "el": "Ασθενής"}},
        {"key": "name", "type": "string", "texts": {"en": "Patient name", "el": "Όνομα"}, "privacy": "identifying"},
        {"key": "age", "type": "integer", "texts": {"en": "Age"}, "low": "0", "high": "120", "privacy": "known"},
        {
            "key": "gender",
            "type": "one",
            "texts": {"en": "Gender"},
            "choices": [{"key": "f", "texts": {"en": "female"}}, {"key": "m", "texts": {"en": "male"}}],
            "privacy": "known",
        },
        {"key": "temperature", "type": "decimal", "texts": {"en": "Temperature"}, "unit": "°C"},
        {"key": "admitted", "type": "date", "texts": {"en": "Admitted"}},
        {"key": "drugs", "type": "yes_no", "texts": {"en": "Received drugs"}},
        {
            "key": "drug",
            "type": "string",
            "texts": {"en": "Drug name"},
            "when": {"rules": [{"question": "drugs", "values": ["yes"]}]},
        },
        {
            "key": "organisms",
            "type": "many",
            "texts": {"en": "Microorganisms"},
            "choices": [
                {"key": "pse", "texts": {"en": "Pseudomonas"}},
                {"key": "can", "texts": {"en": "Candida"}},
                {"key": "sal", "texts": {"en": "Salmonella"}},
            ],
            "privacy": "items",
        },
        {
            "key": "episode",
            "type": "group",
            "texts": {"en": "Episode"},
            "starts": "from",
            "ends": "to",
            "questions": [
                {"key": "diagnosis", "type": "string", "texts": {"en": "Diagnosis"}, "privacy": "sensitive"},
                {"key": "from", "type": "date", "texts": {"en": "From"}},
                {"key": "to", "type": "date", "texts": {"en": "To"}},
                {"key": "dose", "type": "decimal", "texts": {"en": "Dose"}, "unit": "mg"},
            ],
        },
    ],
}


@pytest.fixture
def study(db: Any, owner: Any) -> Any:
    """An open study; `owner` of the workbench's tests, who is signed in in `client`, is its administrator."""
    from sfumato.web.studies.design.versions import publish_version
    from sfumato.web.studies.models import Membership, Study

    owner.leads_studies = True
    owner.save()
    made = Study.objects.create(name="Infections", languages=["en", "el"], draft=FORM, state=Study.OPEN)
    Membership.objects.create(study=made, user=owner, role="administrator", grants=list(Membership.GRANTS))
    publish_version(made, owner)
    return made


@pytest.fixture
def participants(study: Any, django_user_model: Any) -> list[Any]:
    """Bob of Attiko and Eve of Laiko."""
    from sfumato.web.studies.models import Centre, Membership

    people = []
    for name, centre in (("bob", "Attiko"), ("eve", "Laiko")):
        user = django_user_model.objects.create_user(name)
        place = Centre.objects.create(study=study, name=centre)
        Membership.objects.create(
            study=study, user=user, role="participant", centre=place, grants=list(Membership.GRANTS)
        )
        people.append(user)
    return people


@pytest.fixture
def bob(participants: list[Any]) -> Any:
    """The participant of Attiko."""
    return participants[0]


@pytest.fixture
def eve(participants: list[Any]) -> Any:
    """The participant of Laiko."""
    return participants[1]


@pytest.fixture
def as_bob(bob: Any) -> Client:
    """A browser in which Bob is signed in."""
    browser = Client()
    browser.force_login(bob)
    return browser


@pytest.fixture
def as_eve(eve: Any) -> Client:
    """A browser in which Eve is signed in."""
    browser = Client()
    browser.force_login(eve)
    return browser


@pytest.fixture
def enter(study: Any) -> Any:
    """enter(user, {question: value}, episode=[{question: value}, ...]) makes an entry and returns it."""
    from sfumato.web.studies.entry.saving import new_entry, save

    def made(user: Any, values: dict[str, Any], **groups: list[dict[str, Any]]) -> Any:
        membership = study.memberships.get(user=user)
        entry = new_entry(study, user, client_key=f"{user.pk}-{study.entries.count()}", centre=membership.centre)
        changes: list[dict[str, Any]] = [{"question": key, "value": value} for key, value in values.items()]
        for group, rows in groups.items():
            for number, row in enumerate(rows):
                key = f"{group}{number}"
                changes.append({"group": group, "episode": key, "do": "add"})
                changes += [{"question": name, "episode": key, "value": value} for name, value in row.items()]
        outcome = save(entry, changes, user, base=0)
        assert not outcome.refused
        assert not outcome.conflicts
        entry.refresh_from_db()
        return entry

    return made
