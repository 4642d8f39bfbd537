"""Made-up answers fit their form: types, ranges, options, branching, starts before ends."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from sfumato.web.studies.forms.answers import Answers
from sfumato.web.studies.forms.branching import asked
from sfumato.web.studies.forms.calculating import with_calculated
from sfumato.web.studies.forms.tree import Choice, Form
from sfumato.web.studies.forms.values import canonical
from sfumato.web.studies.releasing.rehearsing import synthetic_answers
from sfumato.web.studies.releasing.vocabulary import topic_of

FORM: dict[str, Any] = {
    "questions": [
        {"key": "name", "type": "string", "texts": {"en": "Patient name"}, "required": True},
        {"key": "age", "type": "integer", "texts": {"en": "Age"}, "low": "0", "high": "120"},
        {"key": "least", "type": "integer", "texts": {"en": "Visits"}, "low": "3"},
        {"key": "none", "type": "integer", "texts": {"en": "Nothing fits"}, "low": "3", "high": "2"},
        {"key": "temperature", "type": "decimal", "texts": {"en": "Temperature"}, "low": "35.5", "high": "35.57"},
        {"key": "admitted", "type": "date", "texts": {"en": "Admitted"}, "high": "2026-01-01"},
        {"key": "drugs", "type": "yes_no", "texts": {"en": "Received drugs"}},
        {
            "key": "drug",
            "type": "string",
            "texts": {"en": "Drug name"},
            "required": True,
            "when": {"rules": [{"question": "drugs", "values": ["yes"]}]},
        },
        {
            "key": "chain",
            "type": "many",
            "texts": {"en": "Why"},
            "choices": [{"key": "a", "texts": {"en": "a"}}, {"key": "b", "texts": {"en": "b"}}],
            "when": {"rules": [{"question": "drug", "values": ["amoxicillin"]}]},
        },
        {"key": "place", "type": "list", "texts": {"en": "Town"}, "choice_list": "x"},
        {
            "key": "episode",
            "type": "group",
            "texts": {"en": "Episode"},
            "starts": "from",
            "ends": "to",
            "most": 2,
            "questions": [
                {"key": "to", "type": "date", "texts": {"en": "To"}, "high": "2025-06-30"},
                {"key": "from", "type": "date", "texts": {"en": "From"}},
            ],
        },
    ]
}
CHOICES = {
    "chain": (Choice("a"), Choice("b")),
    "place": (Choice("old", retired=True), Choice("v"), Choice("w")),
}


@pytest.fixture(scope="module")
def people() -> list[Answers]:
    return synthetic_answers(Form.from_json(FORM), CHOICES, 300, 1)


def test_every_answer_is_one_that_the_form_takes_and_asks(people: list[Answers]) -> None:
    form = Form.from_json(FORM)
    seen = set()
    for answers in people:
        places = asked(form, with_calculated(form, answers))
        scopes = [("", answers.values)] + [row for rows in answers.episodes.values() for row in rows]
        for episode, values in scopes:
            for key, stored in values.items():
                assert (key, episode) in places
                assert canonical(form.question(key), stored, CHOICES.get(key, ())) == stored
                seen.add(key)
    assert seen == {key for key, (question, _) in form.by_key.items() if question.is_answered} - {"none"}


def test_what_is_asked_and_required_is_answered(people: list[Answers]) -> None:
    assert all("name" in answers.values for answers in people)
    assert all(("drug" in answers.values) == (answers.values.get("drugs") == "yes") for answers in people)
    assert any("age" not in answers.values for answers in people)


def test_episodes_start_before_they_end_and_are_no_more_than_the_form_takes(people: list[Answers]) -> None:
    rows = [values for answers in people for _, values in answers.episodes.get("episode", ())]
    both = [row for row in rows if len(row) == 2]
    assert len(both) > 50
    assert all(date.fromisoformat(str(row["from"])) <= date.fromisoformat(str(row["to"])) for row in both)
    assert {len(answers.episodes.get("episode", ())) for answers in people} == {0, 1, 2}


def test_a_retired_option_is_not_chosen(people: list[Answers]) -> None:
    assert {answers.values.get("place") for answers in people} == {"v", "w", None}


def test_a_seed_repeats_and_another_seed_differs(people: list[Answers]) -> None:
    form = Form.from_json(FORM)
    assert synthetic_answers(form, CHOICES, 300, 1) == people
    assert synthetic_answers(form, CHOICES, 10, 1) == people[:10]
    assert synthetic_answers(form, CHOICES, 10, 2) != people[:10]


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("Όνομα", "name"),
        ("Patient ID", "number of a person"),
        ("Ηλικία", "age"),
        ("Language", ""),
        ("Διάγνωση εισόδου", "diagnosis"),
        ("Drug name", "drug"),
        ("Midnight", ""),
    ],
)
def test_topics(text: str, topic: str) -> None:
    assert topic_of(text) == topic
