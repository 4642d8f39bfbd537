"""The impact of a draft on stored answers: counted, allowed or refused, and enforced when it is published."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from sfumato.web.studies.design.impact import all_questions, impact
from sfumato.web.studies.design.versions import PublishRefused, problems_of_draft, publish_version
from sfumato.web.studies.entry.saving import save
from sfumato.web.studies.forms.editing import change, move, remove
from sfumato.web.studies.forms.tree import Choice, Form, Question, Rule, When
from sfumato.web.studies.models import Cell, ChoiceList, FormVersion, Option

ENTRIES = (
    {"name": "12", "age": "63", "gender": "f", "temperature": "38.5", "drugs": "yes", "drug": "Amikacin"},
    {"name": "7", "age": "41", "gender": "m", "temperature": "39", "organisms": ["pse"]},
    {"name": "1", "age": "20", "admitted": "1/2/2020", "organisms": ["pse", "can"]},
)


@pytest.fixture
def filled(study: Any, bob: Any, enter: Any) -> Any:
    """The study with three entries."""
    for number, values in enumerate(ENTRIES):
        enter(bob, values, episode=[{"diagnosis": f"d{number}", "from": "1/2/2020", "dose": "2"}])
    return study


def draft(study: Any, *edits: Any) -> list[Any]:
    """Edit the draft and return its impact."""
    form = Form.from_json(study.draft)
    for edit in edits:
        form = edit(form)
    study.draft = form.to_json()
    study.save()
    return impact(study)


def parts(changes: list[Any]) -> list[tuple[str, str, int, bool]]:
    """The changes without their sentences."""
    return [(row.key, row.kind, row.answers, row.allowed) for row in changes]


def test_nothing_changes_without_edits(filled: Any, owner: Any) -> None:
    assert impact(filled) == []
    assert publish_version(filled, owner).number == 1
    assert FormVersion.objects.filter(study=filled).count() == 1


@pytest.mark.parametrize(
    ("key", "fields", "answers", "allowed"),
    [
        ("age", {"type": "decimal"}, 3, True),
        ("age", {"type": "string"}, 3, True),
        ("temperature", {"type": "string"}, 2, True),
        ("admitted", {"type": "string"}, 1, True),
        ("drugs", {"type": "string"}, 1, True),
        ("gender", {"type": "many", "choices": None}, 2, True),
        ("name", {"type": "integer"}, 3, True),  # all three names are numbers
        ("name", {"type": "date"}, 3, False),
        ("drug", {"type": "integer"}, 1, False),
        ("temperature", {"type": "integer"}, 1, False),
        ("gender", {"type": "string"}, 2, False),  # the text is a key, not what was chosen
        ("gender", {"type": "yes_no"}, 2, False),
        ("organisms", {"type": "one", "choices": None}, 1, False),
        ("age", {"type": "title"}, 3, False),
        ("age", {"type": "calculated", "formula": "1 + 1"}, 3, False),
        ("diagnosis", {"type": "decimal"}, 3, False),
        ("dose", {"type": "string"}, 3, True),
    ],
)
def test_types(filled: Any, owner: Any, key: str, fields: dict[str, Any], answers: int, allowed: bool) -> None:
    question = Form.from_json(filled.draft).question(key)
    if "choices" in fields:
        fields = {**fields, "choices": question.choices}
    changes = [row for row in draft(filled, lambda form: change(form, key, **fields)) if row.kind == "type"]
    assert parts(changes) == [(key, "type", answers, allowed)]
    assert changes[0].structural
    if allowed:
        before = list(filled.entries.order_by("pk").values_list("answers", flat=True))
        assert publish_version(filled, owner).number == 2
        assert list(filled.entries.order_by("pk").values_list("answers", flat=True)) == before
    else:
        assert "in the way" in changes[0].sentence
        with pytest.raises(PublishRefused, match="in the way") as refusal:
            publish_version(filled, owner)
        assert parts(refusal.value.changes) == parts(changes)
        assert FormVersion.objects.filter(study=filled).count() == 1


def test_the_papers_example_patient_name_does_not_become_an_integer(filled: Any, bob: Any, enter: Any) -> None:
    enter(bob, {"name": "Ann"})
    (row,) = draft(filled, lambda form: change(form, "name", type="integer"))
    assert not row.allowed
    assert row.sentence == (
        "Its type changes from text to whole number. 1 answer is in the way: it would be read differently."
    )


def test_a_text_with_leading_zeros_is_no_number(filled: Any, bob: Any, enter: Any) -> None:
    enter(bob, {"name": "007"})
    assert not draft(filled, lambda form: change(form, "name", type="integer"))[0].allowed


def test_a_removed_question_keeps_its_answers_and_may_come_back(filled: Any, owner: Any) -> None:
    age = Form.from_json(filled.draft).question("age")
    changes = draft(filled, lambda form: remove(form, "age"))
    assert [(row.kind, row.sentence) for row in changes] == [
        ("removed", "No longer asked. 3 answers stay and can be exported.")
    ]
    publish_version(filled, owner)
    assert not Cell.objects.filter(question__key="age").exists()
    assert filled.entries.filter(answers__values__age="63").count() == 1
    assert all_questions(filled).question("age").text("en") == "Age"
    back = replace(age, type="date", low="", high="")
    assert parts(draft(filled, lambda form: replace(form, questions=(*form.questions, back)))) == [
        ("age", "returned", 3, True),
        ("age", "type", 3, False),
        ("age", "range", 0, True),
    ]
    draft(filled, lambda form: change(form, "age", type="decimal"))
    publish_version(filled, owner)
    assert sorted(Cell.objects.filter(question__key="age").values_list("number", flat=True)) == [20, 41, 63]


def test_branching_hides_and_shows_answers(filled: Any, owner: Any) -> None:
    changes = draft(
        filled,
        lambda form: change(form, "age", when=When((Rule("gender", ("f",)),))),
        lambda form: change(form, "drug", when=When()),
        lambda form: move(form, "gender", before="age"),
    )
    assert parts(changes) == [
        ("gender", "order", 0, True),
        ("age", "branching", 2, True),
        ("drug", "branching", 0, True),
    ]
    publish_version(filled, owner)
    assert Cell.objects.get(question__key="age").number == 63


def test_hidden_answers_hide_what_they_enable(filled: Any, owner: Any) -> None:
    changes = draft(
        filled,
        lambda form: change(form, "drug", when=When((Rule("drugs", ("yes",)),))),
        lambda form: change(form, "drugs", when=When((Rule("gender", ("m",)),))),
    )
    assert parts(changes) == [("drugs", "branching", 1, True), ("drug", "branching", 1, True)]
    publish_version(filled, owner)
    assert not Cell.objects.filter(question__key__in=["drugs", "drug"]).exists()


def test_a_group_that_is_hidden_hides_its_answers(filled: Any, owner: Any) -> None:
    changes = draft(filled, lambda form: change(form, "episode", when=When((Rule("drugs", ("yes",)),))))
    assert ("diagnosis", "branching", 2, True) in parts(changes)
    publish_version(filled, owner)
    assert Cell.objects.get(question__key="diagnosis").word == "d0"


def test_options_are_retired_and_keep_their_text(filled: Any, owner: Any) -> None:
    organisms = Form.from_json(filled.draft).question("organisms").choices
    fewer = (replace(organisms[1], texts={"en": "Candida albicans"}), organisms[2], Choice("new", {"en": "New"}))
    changes = draft(filled, lambda form: change(form, "organisms", choices=fewer))
    assert parts(changes) == [
        ("organisms", "options", 2, True),
        ("organisms", "options", 1, True),
        ("organisms", "options", 0, True),
    ]
    publish_version(filled, owner)
    published = Form.from_json(filled.form_version.tree).question("organisms").choices
    assert [(choice.key, choice.retired) for choice in published] == [
        ("can", False),
        ("sal", False),
        ("new", False),
        ("pse", True),
    ]
    assert impact(filled) == []


def test_a_narrower_range_is_allowed_and_counted(filled: Any) -> None:
    assert parts(draft(filled, lambda form: change(form, "age", low="30", high="60"))) == [("age", "range", 2, True)]


def test_a_question_with_answers_stays_in_its_group(filled: Any, owner: Any) -> None:
    assert parts(draft(filled, lambda form: move(form, "dose", after="age"))) == [("dose", "place", 3, False)]
    with pytest.raises(PublishRefused):
        publish_version(filled, owner)
    assert parts(draft(filled, lambda form: move(form, "dose", group="episode"))) == []
    assert ("to", "place", 0, True) in parts(
        draft(filled, lambda form: change(move(form, "to", after="age"), "episode", ends=""))
    )


def test_a_list_is_exchanged_only_where_answers_mean_the_same(filled: Any, owner: Any, bob: Any, enter: Any) -> None:
    lists = [ChoiceList.objects.create(owner=owner, name=name) for name in ("towns", "cities", "others")]
    for row, text in zip(lists, ("Athens", "athens ", "Patras"), strict=True):
        Option.objects.create(choice_list=row, key="a", texts={"en": text})
    town = Question("town", "list", {"en": "Town"}, choice_list=str(lists[0].id))
    draft(filled, lambda form: replace(form, questions=(*form.questions, town)))
    publish_version(filled, owner)
    enter(bob, {"town": "a"})
    for row, allowed in ((lists[1], True), (lists[2], False)):
        changes = draft(filled, lambda form, row=row: change(form, "town", choice_list=str(row.id)))
        assert parts(changes) == [("town", "type", 1, allowed)]


def test_a_formula_counts_what_it_changes(filled: Any, owner: Any) -> None:
    old = Question("old", "calculated", {"en": "Old"}, formula="age > 40")
    draft(filled, lambda form: replace(form, questions=(*form.questions, old)))
    publish_version(filled, owner)
    assert sorted(Cell.objects.filter(question__key="old").values_list("word", flat=True)) == ["no", "yes", "yes"]
    changes = draft(filled, lambda form: change(form, "old", formula="age > 50"))
    assert parts(changes) == [("old", "formula", 1, True)]
    publish_version(filled, owner)
    assert sorted(Cell.objects.filter(question__key="old").values_list("word", flat=True)) == ["no", "no", "yes"]


def test_problems_are_refused(study: Any, owner: Any, bob: Any) -> None:
    other = ChoiceList.objects.create(owner=bob, name="of Bob")
    draft(study, lambda form: change(form, "drug", type="list", choice_list=str(other.id)))
    assert [problem.key for problem in problems_of_draft(study, owner)] == ["drug"]
    with pytest.raises(PublishRefused, match="not available") as refusal:
        publish_version(study, owner)
    assert refusal.value.problems
    other.shared = True
    other.save()
    assert publish_version(study, owner).number == 2
    other.shared = False  # still in use
    other.save()
    assert problems_of_draft(study, owner) == []


def test_an_answer_that_is_saved_meanwhile_counts(filled: Any, owner: Any, bob: Any) -> None:
    assert draft(filled, lambda form: change(form, "name", type="integer"))[0].allowed
    stale = copy.copy(filled)
    entry = filled.entries.first()
    save(entry, [{"question": "name", "value": "Ann"}], bob, base=1)
    with pytest.raises(PublishRefused):
        publish_version(stale, owner)
