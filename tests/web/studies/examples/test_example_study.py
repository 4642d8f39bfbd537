"""The demonstration study: the same for everybody, with something for every page; made by a job or a button."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from sfumato.web.accounts.models import User
from sfumato.web.jobs.models import Job
from sfumato.web.studies.entry.options import choices_of_form
from sfumato.web.studies.examples.making import draw_patients
from sfumato.web.studies.examples.patients import patients
from sfumato.web.studies.examples.study import EXAMPLE, example_of, first_example, new_example
from sfumato.web.studies.filtering.compiling import entries_where
from sfumato.web.studies.filtering.conditions import from_json
from sfumato.web.studies.forms.branching import cycle
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.forms.values import canonical
from sfumato.web.studies.models import Cell, Conflict, Entry, Note, Question, Revision, Study


@pytest.fixture
def leader(owner: Any) -> Any:
    """A study administrator."""
    owner.leads_studies = True
    owner.save()
    return owner


@pytest.fixture
def example(leader: Any) -> Study:
    """The demonstration study with few patients."""
    return new_example(leader, draw_patients(count=30))


def test_patients_are_the_same_for_the_same_seed() -> None:
    assert [patient.to_json() for patient in patients(50, 1)] == [patient.to_json() for patient in patients(50, 1)]
    assert [patient.to_json() for patient in patients(50, 1)] != [patient.to_json() for patient in patients(50, 2)]


def test_everything_that_pages_show_is_there(leader: Any) -> None:
    example = example_of(leader)
    entries = Entry.objects.filter(study=example)
    assert entries.count() == 400
    assert 10 < entries.filter(complete=None).count() < 60
    assert {entry.centre.name for entry in entries} == {"Attikon", "Laiko"}
    assert Revision.objects.filter(entry__study=example, conflict_with__isnull=False).count() == 1
    assert Conflict.objects.filter(entry__study=example, resolved=None).count() == 1
    assert Note.objects.filter(entry__study=example).count() == 3
    assert Question.objects.get(study=example, key="smoker").retired is not None
    assert {"smoker" in entry.answers["values"] for entry in entries} == {True, False}
    assert Cell.objects.filter(entry__study=example, question__key="age", number__gt=40).count() > 200
    assert not Cell.objects.filter(entry__study=example, question__key="smoker").exists()
    results = {
        view.name: entries_where(example, from_json(view.condition), entries).count() for view in example.views.all()
    }
    assert {name for name, count in results.items() if count} == set(results)
    assert len(results) >= 3


def test_every_answer_is_a_valid_one_of_its_question(example: Study) -> None:
    form = Form.from_json(example.form_version.tree)
    assert cycle(form) == []
    choices = choices_of_form(form)
    for entry in Entry.objects.filter(study=example):
        answers = (
            entry.answers["values"],
            *(row["values"] for rows in entry.answers["episodes"].values() for row in rows),
        )
        for key, stored in ((key, stored) for values in answers for key, stored in values.items() if key != "smoker"):
            assert canonical(form.question(key), stored, choices.get(key, ())) == stored


def test_history_leads_to_the_answers(example: Study) -> None:
    for entry in Entry.objects.filter(study=example).prefetch_related("revisions"):
        values: dict[tuple[str, str], Any] = {}
        for revision in sorted(entry.revisions.all(), key=lambda revision: revision.number):
            for change in revision.patch:
                if "question" in change:
                    place = change["question"], change["episode"]
                    assert change["before"] == values.get(place)
                    values[place] = change["value"]
        assert entry.revision == revision.number
        assert {key: value for (key, episode), value in values.items() if not episode} == entry.answers["values"]


def test_a_new_server_gets_it_by_a_job(leader: Any, run_jobs: Callable[[], int]) -> None:
    first_example(leader)
    first_example(leader)
    assert run_jobs() == 1
    job = Job.objects.get()
    assert (job.state, job.result) == (Job.DONE, {})
    assert Study.objects.get().role_of(leader) == "administrator"
    Study.objects.update(deleted=timezone.now())
    first_example(leader)
    assert run_jobs() == 0  # it was deleted


def test_the_button_makes_it_once(client: Any, leader: Any) -> None:
    answer = client.post("/s/example/")
    study = Study.objects.get()
    assert answer.url == f"/s/{study.id}/"
    assert client.post("/s/example/", {"page": "nonsense"}).url == answer.url
    assert (study.example, study.state) == (EXAMPLE, Study.OPEN)
    assert client.get("/s/example/").status_code == 405
    Study.objects.update(deleted=timezone.now())
    assert client.post("/s/example/").url != answer.url  # with the same lists and people


def test_only_study_administrators_make_it(client: Any) -> None:
    assert client.post("/s/example/").status_code == 404
    assert not Study.objects.exists()


def test_its_participants_cannot_sign_in(example: Study) -> None:
    people = User.objects.filter(username__startswith="example-")
    assert len(people) == 2
    assert not any(user.is_active or user.has_usable_password() for user in people)
    browser = Client()
    for user in people:
        assert not browser.login(username=user.username, password="")
