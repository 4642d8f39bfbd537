"""A study whose 60 entries are made up, with names, notes and a retired question that must not leave it."""

from __future__ import annotations

import copy
from typing import Any

import pytest

SECRET = "Aspasia Secretopoulou"


@pytest.fixture
def form(study: Any) -> dict[str, Any]:
    """The form of the tests with a list that carries groups, as the draft of the study."""
    from sfumato.web.studies.models import ChoiceList, Option

    towns = ChoiceList.objects.create(owner=study.memberships.get().user, name="Towns")
    places = {"ath": ("Athens", "Attica"), "pir": ("Piraeus", "Attica"), "vol": ("Volos", "Thessaly")}
    for position, (key, (text, region)) in enumerate(places.items()):
        Option.objects.create(
            choice_list=towns, key=key, texts={"en": text}, ancestors=[region, "Greece"], position=position
        )
    tree = copy.deepcopy(study.draft)
    tree["questions"].insert(
        3, {"key": "town", "type": "list", "texts": {"en": "Town"}, "choice_list": str(towns.id), "privacy": "known"}
    )
    tree["questions"].append({"key": "old", "type": "string", "texts": {"en": "Old question"}, "privacy": "known"})
    return tree


@pytest.fixture
def filled(study: Any, form: dict[str, Any], bob: Any) -> Any:
    """The study with 60 complete entries; each name, note and answer to a retired question holds the secret."""
    from django.utils import timezone

    from sfumato.web.studies.design.versions import publish_version
    from sfumato.web.studies.entry.indexing import index_entries, question_rows
    from sfumato.web.studies.entry.options import choices_of_form
    from sfumato.web.studies.forms.tree import Form
    from sfumato.web.studies.models import Entry, Note
    from sfumato.web.studies.releasing.rehearsing import synthetic_answers

    study.draft = form
    study.save()
    administrator = study.memberships.get(role="administrator").user
    version = publish_version(study, administrator)
    centre = study.centres.first()
    tree = Form.from_json(form)
    people = synthetic_answers(tree, choices_of_form(tree), 60, 1)
    for number, answers in enumerate(people, start=1):
        answers.values["name"] = f"{SECRET} {number}"
        answers.values["old"] = SECRET
    people[0].values |= {"drugs": "yes", "drug": f"{SECRET} Syrup"}
    entries = [
        Entry(
            study=study,
            number=number,
            author=bob,
            centre=centre,
            form_version=version,
            answers=answers.to_json(),
            client_key=str(number),
            complete=timezone.now(),
        )
        for number, answers in enumerate(people, start=1)
    ]
    Entry.objects.bulk_create(entries)
    index_entries(entries, tree, question_rows(study))
    Note.objects.create(entry=entries[0], text=SECRET, by=bob)
    study.draft = {**form, "questions": [question for question in form["questions"] if question["key"] != "old"]}
    study.save()
    publish_version(study, administrator)
    return study
