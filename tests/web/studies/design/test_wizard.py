"""The steps of a new study: each is a page that can be left, and the next one follows from what is there."""

from __future__ import annotations

from typing import Any

import pytest

from sfumato.web.studies.models import ChoiceList, Membership, Study


@pytest.fixture
def new(client: Any, owner: Any) -> Any:
    """A study with nothing in it."""
    created = Study.objects.create(name="Untitled", languages=["en"], draft={"languages": ["en"], "questions": []})
    Membership.objects.create(study=created, user=owner, role="administrator", grants=list(Membership.GRANTS))
    return created


def next_step(client: Any, study: Any) -> str:
    """The page with which the wizard goes on."""
    return client.get(f"/s/{study.id}/design/start/").url.removeprefix(f"/s/{study.id}/design/")


def settings_of(study: Any, **changed: Any) -> dict[str, Any]:
    """What the page of settings posts."""
    fields = {"base": study.draft_revision, "name": study.name, "first": study.languages[0]}
    return fields | {"other": study.languages[1:], "target": study.target or ""} | changed


def test_from_nothing_to_a_published_form(client: Any, new: Any, owner: Any) -> None:
    address = f"/s/{new.id}/design/"
    assert next_step(client, new) == "settings/"
    answer = client.post(
        f"{address}settings/", settings_of(new, name="Antibiotics", first="el", new="en", target="500")
    )
    assert answer.url == f"{address}start/template/"
    new.refresh_from_db()
    assert (new.name, new.languages, new.target) == ("Antibiotics", ["el", "en"], 500)
    assert new.draft["languages"] == ["el", "en"]
    assert next_step(client, new) == "start/template/"
    page = client.get(f"{address}start/template/").content.decode()
    assert "Demographic" in page
    answer = client.post(f"{address}edit/", {"do": "template:demographics", "base": new.draft_revision})
    assert answer.url.startswith(address)
    assert next_step(client, new) == "start/people/"
    assert "Next: branching" in client.get(address).content.decode()
    assert "Next: centres" in client.get(f"{address}branching/").content.decode()
    client.post(f"{address}start/people/", {"centres": "Attiko\n\n Laiko \nAttiko"})
    assert sorted(new.centres.values_list("name", flat=True)) == ["Attiko", "Laiko"]
    assert next_step(client, new) == "changes/"
    assert "Wanted a list" in client.get(f"{address}changes/").content.decode()
    hospitals = ChoiceList.objects.create(owner=owner, name="hospitals")
    new.refresh_from_db()
    for question in new.draft["questions"]:
        if question["type"] == "list":
            question["choice_list"] = str(hospitals.id)
    new.save()
    answer = client.post(f"{address}changes/", {"base": new.draft_revision})
    assert answer.url == f"/s/{new.id}/"
    assert new.form_version.number == 1
    assert 'class="steps"' not in client.get(address).content.decode()


def test_every_step_shows_the_steps(client: Any, new: Any) -> None:
    for page in ("settings/", "start/template/", "", "branching/", "start/people/", "changes/"):
        content = client.get(f"/s/{new.id}/design/{page}").content.decode()
        assert content.count('aria-current="step"') == 1


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"name": " "}, "Wanted a name of 1 to 200 characters."),
        ({"name": "x" * 201}, "Wanted a name of 1 to 200 characters."),
        ({"target": "many"}, "Wanted a whole number such as 500"),
        ({"target": "0"}, "Wanted a whole number such as 500"),
        ({"first": "xx"}, "Wanted a first language"),
        ({"base": 12}, "changed elsewhere"),
    ],
)
def test_settings_that_cannot_be_saved(client: Any, new: Any, changed: dict[str, Any], sentence: str) -> None:
    answer = client.post(f"/s/{new.id}/design/settings/", settings_of(new, offline="on", **changed))
    assert answer.status_code == 422
    page = answer.content.decode()
    assert sentence in page
    assert 'name="offline" checked' in page
    new.refresh_from_db()
    assert (new.name, new.offline) == ("Untitled", False)


def test_settings_of_a_study_in_use(client: Any, study: Any) -> None:
    answer = client.post(f"/s/{study.id}/design/settings/", settings_of(study, offline="on", double="on", other=[]))
    assert answer.url == f"/s/{study.id}/design/settings/"
    study.refresh_from_db()
    assert (study.offline, study.double, study.languages) == (True, True, ["en"])
    assert study.draft["questions"][0]["texts"]["el"] == "Ασθενής"  # a text is kept when its language is not asked


def test_settings_of_two_administrators_and_undo(client: Any, study: Any) -> None:
    page, fields = f"/s/{study.id}/design/settings/", settings_of(study)
    client.post(f"/s/{study.id}/design/edit/", {"do": "remove:age", "base": 0})
    study.refresh_from_db()
    assert client.post(page, settings_of(study, target="300", first="el", other=["en"])).status_code == 302
    assert client.post(page, fields | {"target": "9"}).status_code == 422  # the page is older than the other's
    study.refresh_from_db()
    assert (study.target, study.languages) == (300, ["el", "en"])
    client.post(f"/s/{study.id}/design/edit/", {"do": "undo", "base": study.draft_revision})
    study.refresh_from_db()
    assert study.draft["languages"] == ["el", "en"]  # undo is about questions
    assert any(question["key"] == "age" for question in study.draft["questions"])
