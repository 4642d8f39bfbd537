"""The first page of a study: its state, figures of centres for administrators, own figures for participants."""

from __future__ import annotations

from typing import Any

import pytest

from sfumato.web.accounts.models import Event
from sfumato.web.studies.design.versions import publish_version
from sfumato.web.studies.entry.saving import save
from sfumato.web.studies.models import Study


def test_a_study_goes_from_design_to_closed_and_back(client: Any, study: Any) -> None:
    Study.objects.update(state=Study.DESIGN)
    states = []
    for pressed in ("open", "paused", "open", "closed", "open"):
        assert client.post(f"/s/{study.id}/state/", {"state": pressed}).url == f"/s/{study.id}/"
        study.refresh_from_db()
        states.append(study.state)
    assert states == ["open", "paused", "open", "closed", "open"]
    verbs = list(Event.objects.filter(object=f"study {study.id}").order_by("id").values_list("verb", flat=True))
    assert verbs == ["open", "pause", "open", "close", "open"]


@pytest.mark.parametrize(
    ("state", "pressed"), [("closed", "paused"), ("design", "closed"), ("open", ""), ("open", "x")]
)
def test_a_state_that_does_not_follow_is_refused(client: Any, study: Any, state: str, pressed: str) -> None:
    Study.objects.update(state=state)
    page = client.post(f"/s/{study.id}/state/", {"state": pressed})
    assert page.status_code == 422
    assert b"changed the state of the study meanwhile" in page.content
    assert Study.objects.get().state == state


def test_a_study_without_a_form_does_not_open(client: Any) -> None:
    address = client.post("/s/new/", {"name": "New"})
    assert address.status_code == 404  # who does not lead studies makes none


def test_a_new_study_opens_after_its_form_is_published(client: Any, owner: Any) -> None:
    owner.leads_studies = True
    owner.save()
    client.post("/s/new/", {"name": "New"})
    new = Study.objects.get()
    assert b"Write the questions first" in client.get(f"/s/{new.id}/").content
    page = client.post(f"/s/{new.id}/state/", {"state": "open"})
    assert (page.status_code, b"no form to fill in yet" in page.content) == (422, True)
    new.draft = {"languages": ["en"], "questions": [{"key": "age", "type": "integer", "texts": {"en": "Age"}}]}
    new.save()
    publish_version(new, owner)
    client.post(f"/s/{new.id}/state/", {"state": "open"})
    assert Study.objects.get().state == Study.OPEN


def test_a_participant_sees_own_figures_and_the_administrator_those_of_centres(
    client: Any, study: Any, bob: Any, eve: Any, as_bob: Any, enter: Any, owner: Any
) -> None:
    enter(bob, {"age": "63"})
    for _ in range(2):
        enter(eve, {"age": "50"})
    enter(owner, {"age": "40"})
    page = as_bob.get(f"/s/{study.id}/")
    assert page.context["figures"].entries == 1
    assert "Laiko" not in page.content.decode()
    assert "centres" not in page.context
    rows = client.get(f"/s/{study.id}/").context["centres"]
    assert [(name, people, figures.entries) for name, people, figures in rows] == [
        ("Attiko", 1, 1),
        ("Laiko", 1, 2),
        ("", 0, 1),
    ]
    assert client.get(f"/s/{study.id}/").context["figures"].entries == 4


def test_missing_required_answers_are_counted_as_they_are_asked(study: Any, owner: Any, bob: Any, enter: Any) -> None:
    for question in study.draft["questions"]:
        question["required"] = question["key"] in ("age", "drug", "drugs", "title", "episode")
        for inner in question.get("questions", ()):
            inner["required"] = inner["key"] == "dose"
    study.save()
    publish_version(study, owner)
    entry = enter(bob, {})
    assert entry.missing == 2  # age, drugs
    counts = []
    for changes in (
        [{"question": "drugs", "value": "yes"}],  # asks for the drug
        [{"question": "drug", "value": "x"}, {"question": "age", "value": "3"}],
        [{"group": "episode", "episode": "e1", "do": "add"}, {"group": "episode", "episode": "e2", "do": "add"}],
        [{"question": "dose", "episode": "e1", "value": "2"}],
    ):
        save(entry, changes, bob, base=entry.revision)
        entry.refresh_from_db()
        counts.append(entry.missing)
    assert counts == [2, 0, 2, 1]


def test_the_home_page_lists_studies_and_offers_a_new_one_to_who_leads(client: Any, as_bob: Any, study: Any) -> None:
    assert b"New study" in client.get("/").content
    page = as_bob.get("/").content
    assert b"Infections" in page
    assert b"New study" not in page
