"""The pages from answers to the workbench, in a browser; and what others see of them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.urls import reverse

from sfumato.web.studies.filtering.conditions import Is, OneOf, to_json
from sfumato.web.studies.models import Snapshot, View


def post(client: Any, address: str, /, *args: Any, **fields: Any) -> Any:
    return client.post(reverse(address, args=args), fields)


def hidden(page: str, name: str) -> str:
    import html
    import re

    match = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert match is not None
    return html.unescape(match[1])


def test_roles_are_guessed_checked_and_sent(client: Any, filled: Any) -> None:
    page = client.get(reverse("study-release", args=[filled.id])).content.decode()
    assert "60 complete entries" in page
    assert "free text can name a person" not in page  # the form says what its strings are
    assert "its text says that it may be sensitive" in page
    answer = post(client, "study-release-preview", filled.id, **{"role-temperature": "out", "language": "en"})
    checked = answer.content.decode()
    assert answer.status_code == 200
    assert "60 people" in checked
    assert "are unique by what others may know" in checked
    assert "Free text is in it: Drug name, Episode: Diagnosis" in checked
    assert "Secretopoulou" not in page + checked
    definition = hidden(checked, "definition")
    assert json.loads(definition)["roles"] == {"temperature": "out"}
    again = post(client, "study-release", filled.id, definition=definition).content.decode()
    assert '<option value="out" selected>' in again
    answer = post(client, "study-release-send", filled.id, definition=definition)
    filled.refresh_from_db()
    assert answer.url == reverse("project", args=[filled.project_id])
    assert reverse("study-release", args=[filled.id]) in client.get(answer.url).content.decode()
    snapshot = Snapshot.objects.get()
    page = client.get(reverse("study-release", args=[filled.id])).content.decode()
    assert "Not evaluated yet" in page
    page = client.get(reverse("study-release-snapshot", args=[filled.id, snapshot.id])).content.decode()
    assert "Temperature" not in page
    assert "Gender" in page


def test_a_filter_leaves_as_a_release(client: Any, filled: Any, owner: Any) -> None:
    condition = to_json(Is("gender", OneOf(("f",))))
    assert "60 complete entries" in post(client, "study-release", filled.id, condition="").content.decode()
    page = post(client, "study-release", filled.id, condition=json.dumps(condition)).content.decode()
    assert "female" in page
    fields = {"who": "condition", "condition": hidden(page, "condition")}
    women = filled.entries.filter(answers__values__gender="f").count()
    assert f"{women} people" in post(client, "study-release-preview", filled.id, **fields).content.decode()
    view = View.objects.create(study=filled, owner=owner, name="Women", condition=condition)
    checked = post(client, "study-release-preview", filled.id, who=str(view.id)).content.decode()
    assert f"{women} people" in checked
    post(client, "study-release-send", filled.id, definition=hidden(checked, "definition"))
    assert Snapshot.objects.get().entries.count() == women


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}x",
        '{"roles": {"age": "king"}}',
        '{"roles": []}',
        '{"drafts": "x"}',
        '{"language": "xx"}',
        "[" * 5000,
    ],
)
def test_a_definition_that_somebody_made_up_is_refused(client: Any, study: Any, text: str) -> None:
    for address in ("study-release-send", "study-release"):
        assert post(client, address, study.id, definition=text).status_code == 422
    assert not Snapshot.objects.exists()


def test_refusals_keep_the_page(client: Any, study: Any, enter: Any, bob: Any) -> None:
    assert "no entries yet" in client.get(reverse("study-release", args=[study.id])).content.decode()
    enter(bob, {"age": "31"})
    answer = post(client, "study-release-preview", study.id)
    assert answer.status_code == 422
    assert "wanted at least one complete entry" in answer.content.decode()
    answer = post(client, "study-release-preview", study.id, who="11111111-1111-1111-1111-111111111111")
    assert "a filter that you have saved" in answer.content.decode()
    assert "1 person" in post(client, "study-release-preview", study.id, drafts="1").content.decode()


def test_participants_see_none_of_it(as_bob: Any, study: Any, enter: Any, bob: Any) -> None:
    for name in ("study-release", "study-release-meter", "study-release-rehearse"):
        assert as_bob.get(reverse(name, args=[study.id])).status_code == 404
    assert post(as_bob, "study-release-send", study.id, definition="{}").status_code == 404


def test_markup_in_names_stays_text(client: Any, study: Any, enter: Any, bob: Any, owner: Any) -> None:
    from sfumato.web.studies.design.versions import publish_version

    study.draft["questions"][2]["texts"]["en"] = "<script>alert(1)</script>\nAge*"
    study.save()
    publish_version(study, owner)
    enter(bob, {"age": "31"})
    for page in (
        client.get(reverse("study-release", args=[study.id])),
        post(client, "study-release-preview", study.id, drafts="1"),
        client.get(reverse("study-release-meter", args=[study.id])),
    ):
        assert page.status_code == 200
        assert b"<script>alert" not in page.content
