"""The builder's canvas: every button works by a plain POST, and by htmx without loading the page anew."""

from __future__ import annotations

from typing import Any

import pytest

from sfumato.web.accounts.models import Event
from sfumato.web.studies.forms.tree import TYPES, Form

HTMX = {"HX-Request": "true"}


@pytest.fixture
def press(client: Any, study: Any) -> Any:
    """press(button, **fields) presses a button of the canvas and returns the answer; `study` is fresh afterwards."""

    def pressed(button: str, *, htmx: bool = False, base: Any = None, **fields: Any) -> Any:
        sent = {"do": button, "base": study.draft_revision if base is None else base, **fields}
        answer = client.post(f"/s/{study.id}/design/edit/", sent, headers=HTMX if htmx else {})
        study.refresh_from_db()
        return answer

    return pressed


def order(study: Any) -> list[str]:
    """The keys of the draft outside of groups."""
    return [question.key for question in Form.from_json(study.draft).questions]


def inner(study: Any, group: str) -> list[str]:
    """The keys of a group of the draft."""
    return [question.key for question in Form.from_json(study.draft).question(group).questions]


def test_the_page_shows_palette_canvas_and_panel(client: Any, study: Any) -> None:
    page = client.get(f"/s/{study.id}/design/?q=drug").content.decode()
    for words in ("Recurring group", "Multiple choice, one answer", "Calculated", "Received drugs", "Save"):
        assert words in page
    assert 'id="q-drug"' in page
    assert "Enabling question" in page
    assert "<b>Received drugs</b>: yes" in page


@pytest.mark.parametrize("kind", TYPES)
def test_a_question_of_each_type_is_added_after_the_chosen_one(press: Any, study: Any, client: Any, kind: str) -> None:
    answer = press(f"add:{kind}", chosen="age")
    key = order(study)[order(study).index("age") + 1]
    assert Form.from_json(study.draft).question(key).type == kind
    assert answer.url.endswith(f"?q={key}#q-{key}")
    assert client.get(answer.url).status_code == 200


def test_a_question_is_added_into_a_chosen_group_and_after_its_questions(press: Any, study: Any) -> None:
    press("add:string", chosen="episode")
    assert len(inner(study, "episode")) == 5
    press("add:string", chosen="from")
    assert inner(study, "episode").index("from") == 1
    assert len(inner(study, "episode")) == 6
    press("add:group", chosen="from")  # not inside of a group
    assert len(inner(study, "episode")) == 6
    assert len(order(study)) == 11


def test_moving_says_where_the_question_is_now(press: Any, study: Any) -> None:
    answer = press("up:drugs", htmx=True)
    assert order(study).index("drugs") == 5
    page = answer.content.decode()
    assert "Received drugs: moved to position 6 of 10." in page
    assert 'data-focus="drugs"' in page
    assert answer["HX-Trigger"] == "form-changed"
    press("down:drugs")
    assert order(study).index("drugs") == 6
    press("to:drugs", place="1")
    assert order(study)[0] == "drugs"
    press("to:drugs", place="999")
    assert order(study)[-1] == "drugs"


def test_the_first_cannot_go_up_nor_the_last_down(press: Any, study: Any) -> None:
    before = study.draft
    press("up:title")
    press("down:episode")
    assert study.draft == before
    assert study.draft_revision == 0


def test_into_a_group_and_out(press: Any, study: Any) -> None:
    press("in:organisms")
    assert inner(study, "episode")[-1] == "organisms"
    press("out:organisms")
    assert order(study)[-1] == "organisms"


def test_copy_and_remove(press: Any, study: Any) -> None:
    press("duplicate:episode")
    copies = [question for question in Form.from_json(study.draft).questions if question.type == "group"]
    assert len(copies) == 2
    assert not {question.key for question in copies[0].questions} & {question.key for question in copies[1].questions}
    answer = press("remove:age")
    assert "age" not in order(study)
    assert answer.url.endswith("?q=gender#q-gender")
    assert study.questions.get(key="age").retired is None  # the form in use still asks it


def test_dragging(press: Any, study: Any) -> None:
    press("drop:", dragged="age", target="diagnosis", where="before")
    assert inner(study, "episode")[0] == "age"
    press("drop:", dragged="age", target="title", where="after")
    assert order(study)[1] == "age"
    press("drop:", dragged="type:date", target="episode", where="inside")
    assert Form.from_json(study.draft).question(inner(study, "episode")[-1]).type == "date"
    refused = press("drop:", htmx=True, dragged="type:group", target="diagnosis", where="before")
    assert refused.status_code == 422
    assert "a group cannot be inside another group" in refused.content.decode()


def test_undo_takes_back_edits_one_by_one(press: Any, study: Any) -> None:
    first = study.draft
    press("remove:age")
    second = study.draft
    press("up:drugs")
    press("undo")
    assert study.draft == second
    press("undo")
    assert study.draft == first
    assert "nothing left to undo" in press("undo", htmx=True).content.decode()


def test_the_last_edits_are_kept_for_undo(press: Any, study: Any) -> None:
    for _ in range(12):
        press("up:drugs")
        press("down:drugs")
    assert study.draft_edits.count() == 20


@pytest.mark.parametrize("htmx", [True, False])
def test_two_administrators_do_not_overwrite_each_other(press: Any, study: Any, client: Any, htmx: bool) -> None:
    base = study.draft_revision
    press("remove:age")
    after = study.draft
    answer = press("up:drugs", base=base, htmx=htmx)
    assert study.draft == after
    page = answer.content.decode() if htmx else client.get(answer.url).content.decode()
    assert "changed elsewhere meanwhile" in page
    assert f'value="{study.draft_revision}"' in page


def test_an_edit_is_recorded_without_texts(press: Any, study: Any) -> None:
    press("remove:age")
    event = Event.objects.first()
    assert (event.verb, event.object, event.project_id) == ("edit form", "draft 1: remove", study.id)


@pytest.mark.parametrize("button", ["up:none", "fly:age", "add:poem", "template:9f1c", "", "drop:"])
def test_unknown_buttons_are_not_found_and_change_nothing(press: Any, study: Any, button: str) -> None:
    assert press(button).status_code == 404
    assert study.draft_revision == 0


def test_the_address_names_a_question_of_the_form_or_none(press: Any, study: Any) -> None:
    assert press("undo", chosen="age").url == f"/s/{study.id}/design/?q=age#q-age"
    assert press("undo", chosen="secret&x=<b>").url == f"/s/{study.id}/design/"


def test_participants_see_nothing_of_the_design(as_bob: Any, study: Any) -> None:
    for page in ("", "branching/", "changes/", "preview/", "preview/form/", "settings/", "start/", "question/age/"):
        assert as_bob.get(f"/s/{study.id}/design/{page}").status_code == 404
    assert as_bob.post(f"/s/{study.id}/design/edit/", {"do": "up:drugs", "base": 0}).status_code == 404


def test_markup_in_a_text_stays_text(press: Any, study: Any, client: Any) -> None:
    study.draft["questions"][1]["texts"]["en"] = "<script>alert(1)</script>"
    study.save()
    page = client.get(f"/s/{study.id}/design/?q=name").content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


def test_an_empty_form_says_what_to_do(client: Any, study: Any) -> None:
    study.draft = {"languages": ["en"], "questions": []}
    study.save()
    assert "no questions yet" in client.get(f"/s/{study.id}/design/").content.decode()


def test_a_form_of_5000_questions_shows_a_part_and_finds_the_rest(press: Any, study: Any, client: Any) -> None:
    questions = [
        {"key": f"q{number}", "type": "string", "texts": {"en": f"Question no {number}"}} for number in range(5000)
    ]
    study.draft = {"languages": ["en"], "questions": questions}
    study.save()
    page = client.get(f"/s/{study.id}/design/?q=q3120")
    text = page.content.decode()
    assert len(page.content) < 350_000
    assert text.count('class="line"') == 50
    assert "Question no 3120" in text
    found = client.post(f"/s/{study.id}/design/find/", {"text": "no 4711"}).content.decode()
    assert "?q=q4711" in found
    press("to:q3120", place="1")
    assert order(study)[0] == "q3120"
