"""The panel of a question: each field is saved, refused fields say why, and keys never change."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from sfumato.web.studies.design.drafts import seen_of
from sfumato.web.studies.forms.tree import Form, Question
from sfumato.web.studies.models import ChoiceList, Membership

HTMX = {"HX-Request": "true"}


def fields(question: Question) -> dict[str, Any]:
    """What the panel of a question posts if nothing is changed."""
    sent: dict[str, Any] = {"type": question.type, "privacy": question.privacy}
    sent |= {f"text-{code}": text for code, text in question.texts.items()}
    sent |= {name: getattr(question, name) for name in ("low", "high", "unit", "formula", "starts", "ends")}
    sent |= {f"option-{c.key}-{code}": text for c in question.choices for code, text in c.texts.items()}
    for number, rule in enumerate(question.when.rules):
        sent |= {f"rule-{number}-question": rule.question, f"rule-{number}-was": rule.question}
        sent |= {f"rule-{number}-values": list(rule.values), f"rule-{number}-low": rule.low}
    return sent


@pytest.fixture
def save(client: Any, study: Any) -> Any:
    """save(key, **changed fields) posts the panel of a question and returns the answer and the question after it."""

    def saved(key: str, *, htmx: bool = True, base: Any = None, **changed: Any) -> tuple[Any, Question]:
        sent = fields(Form.from_json(study.draft).question(key)) | {
            "base": study.draft_revision if base is None else base
        }
        sent |= {name.replace("__", "-"): value for name, value in changed.items()}
        sent = {name: value for name, value in sent.items() if value is not None}
        answer = client.post(f"/s/{study.id}/design/question/{key}/", sent, headers=HTMX if htmx else {})
        study.refresh_from_db()
        return answer, Form.from_json(study.draft).question(key)

    return saved


def test_nothing_changed_saves_nothing(save: Any, study: Any) -> None:
    for key in Form.from_json(study.draft).by_key:
        save(key)
    assert study.draft_revision == 0


def test_texts_hints_required_unit_and_role(save: Any, study: Any) -> None:
    answer, question = save(
        "temperature",
        text__en="Fever",
        text__el="Πυρετός",
        hint__en="In the morning",
        required="on",
        unit="°F",
        privacy="sensitive",
    )
    assert answer.status_code == 200
    assert answer["HX-Reswap"] == "none"  # the panel stays as it is while somebody types
    assert (question.texts, question.hints) == ({"en": "Fever", "el": "Πυρετός"}, {"en": "In the morning"})
    assert (question.required, question.unit, question.privacy) == (True, "°F", "sensitive")
    page = answer.content.decode()
    assert 'id="q-temperature"' in page
    assert f'id="base-canvas" value="{study.draft_revision}"' in page


def test_a_text_in_the_first_language_is_needed_and_the_rest_is_saved(save: Any) -> None:
    answer, question = save("temperature", text__en=" ", unit="K")
    assert answer.status_code == 422
    assert "Every question needs a text" in answer.content.decode()
    assert (question.texts["en"], question.unit) == ("Temperature", "K")


@pytest.mark.parametrize(
    ("key", "changed", "sentence"),
    [
        ("age", {"low": "young"}, "wanted a whole number such as 12"),
        ("age", {"low": "90", "high": "20"}, "The greatest is less than the least."),
        ("admitted", {"high": "31/31/2026"}, "such as 31/12/2026"),
        ("episode", {"most": "0"}, "Wanted a whole number from 1 to 10,000"),
        ("episode", {"most": "many"}, "Wanted a whole number from 1 to 10,000"),
    ],
)
def test_a_refused_field_has_its_sentence_and_keeps_what_was_typed(
    save: Any, study: Any, key: str, changed: dict[str, str], sentence: str
) -> None:
    before = study.draft
    answer, _question = save(key, htmx=False, **changed)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert sentence in page
    assert f'value="{[*changed.values()][-1]}"' in page
    assert study.draft == before


def test_a_range_of_days_is_kept_as_dates(save: Any) -> None:
    _answer, question = save("admitted", low="1/2/2020", high="2026-12-31")
    assert (question.low, question.high) == ("2020-02-01", "2026-12-31")


def test_the_type_changes_and_the_panel_with_it(save: Any) -> None:
    answer, question = save("temperature", type="string")
    assert question.type == "string"
    assert "HX-Reswap" not in answer
    assert "p-unit" not in answer.content.decode()
    _answer, question = save("episode", type="string")
    assert question.type == "group"


def test_options_are_added_renamed_moved_removed_and_keep_their_keys(save: Any) -> None:
    _answer, question = save("gender", do="option-add", new__options="other\n\nfemale\n unknown ")
    assert [choice.text("en") for choice in question.choices] == ["female", "male", "other", "unknown"]
    fresh = question.choices[2].key
    _answer, question = save("gender", do=f"option-up:{fresh}")
    assert [choice.text("en") for choice in question.choices] == ["female", "other", "male", "unknown"]
    _answer, question = save("gender", **{"option-f-en": "woman"})
    assert question.choices[0].key == "f"
    assert question.choices[0].text("en") == "woman"
    _answer, question = save("gender", do=f"option-remove:{fresh}")
    assert fresh not in [choice.key for choice in question.choices]  # nobody can have chosen it
    _answer, question = save("gender", do="option-remove:m")
    assert [choice.key for choice in question.choices if choice.retired] == ["m"]
    _answer, question = save("gender", do="option-restore:m")
    assert not any(choice.retired for choice in question.choices)


def test_a_list_is_one_of_the_persons_own_or_shared(save: Any, study: Any, owner: Any, django_user_model: Any) -> None:
    stranger = django_user_model.objects.create_user("mallory")
    own, hidden = (ChoiceList.objects.create(owner=user, name="hospitals") for user in (owner, stranger))
    save("name", type="list")
    _answer, question = save("name", choice_list=str(hidden.id))
    assert question.choice_list == ""
    answer, question = save("name", choice_list=str(own.id))
    assert question.choice_list == str(own.id)
    assert "hospitals" in answer.content.decode() or answer["HX-Reswap"] == "none"


def test_a_group_has_start_end_and_a_most(save: Any) -> None:
    _answer, question = save("episode", starts="to", ends="from", most="12")
    assert (question.starts, question.ends, question.most) == ("to", "from", 12)
    _answer, question = save("episode", starts="dose", ends="", most="")
    assert (question.starts, question.ends, question.most) == ("to", "", None)


def test_a_formula_is_written_with_texts_kept_with_keys_and_checked_at_once(save: Any, client: Any, study: Any) -> None:
    save("name", type="calculated")
    answer, question = save("name", formula="round({Age} * 2, 0)")
    assert question.formula == "round({age} * 2, 0)"
    answer, question = save("name", formula="round({Age} *, 0)")
    assert "Formula: " in answer.content.decode()
    page = client.get(f"/s/{study.id}/design/?q=name").content.decode()
    assert "round({Age} *, 0)" in page


def test_rules_chains_and_circles(save: Any) -> None:
    answer, question = save("drug", **{"rule-new": "gender"})
    assert [rule.question for rule in question.when.rules] == ["drugs", "gender"]
    assert "HX-Reswap" not in answer  # the panel shows the options of the new enabling question
    _answer, question = save("drug", join="any", **{"rule-1-values": ["f", "nobody"]})
    assert (question.when.join, question.when.rules[1].values) == ("any", ("f",))
    _answer, question = save("drug", do="rule-remove:0")
    assert [rule.question for rule in question.when.rules] == ["gender"]
    _answer, question = save("organisms", **{"rule-new": "drug"})  # a chain: gender, drug, organisms
    assert [rule.question for rule in question.when.rules] == ["drug"]
    answer, question = save("gender", **{"rule-new": "organisms"})
    assert answer.status_code == 422
    assert not question.when.rules
    page = answer.content.decode()
    assert "wait for each other" in page
    for name in ("“Gender”", "“Drug name”", "“Microorganisms”"):
        assert name in page


def test_rules_inside_a_group_read_the_same_group_or_outside(save: Any) -> None:
    _answer, question = save("dose", **{"rule-new": "diagnosis"})
    assert [rule.question for rule in question.when.rules] == ["diagnosis"]
    answer, question = save("organisms", **{"rule-new": "diagnosis"})
    assert answer.status_code == 422
    assert "same group" in answer.content.decode()
    answer, _question = save("age", **{"rule-new-number": "7"})
    assert "comes after" in answer.content.decode()
    answer, _question = save("age", **{"rule-new-number": "77"})
    assert "no question with this number" in answer.content.decode()


def test_a_rule_that_reads_a_removed_question_stays_until_it_is_removed(save: Any, client: Any, study: Any) -> None:
    client.post(f"/s/{study.id}/design/edit/", {"do": "remove:drugs", "base": 0})
    study.refresh_from_db()
    _answer, question = save("drug", text__en="Drug")
    assert [rule.question for rule in question.when.rules] == ["drugs"]
    page = client.get(f"/s/{study.id}/design/?q=drug").content.decode()
    assert "a removed question" in page
    assert "depends on a question that is not in the form" in page
    _answer, question = save("drug", do="rule-remove:0")
    assert not question.when.rules


def test_a_rule_on_a_number_has_a_range(save: Any) -> None:
    save("drugs", **{"rule-new": "age"})
    _answer, question = save("drugs", **{"rule-0-low": "18", "rule-0-high": "65"})
    assert (question.when.rules[0].low, question.when.rules[0].high) == ("18", "65")
    answer, _question = save("drugs", **{"rule-0-low": "old"})
    assert answer.status_code == 422
    assert "wanted a whole number" in answer.content.decode()


def test_a_formula_that_reads_itself_is_refused_beside_the_formula(save: Any, study: Any) -> None:
    study.draft["questions"].append({"key": "sum", "type": "calculated", "texts": {"en": "Sum"}, "formula": "age + 1"})
    study.save()
    answer, question = save("sum", formula="{Sum} + 1")
    assert (answer.status_code, question.formula) == (422, "age + 1")
    sentence = re.search(r'id="error-formula"[^>]*>([^<]*)<', answer.content.decode())
    assert sentence is not None
    assert "“Sum” → “Sum”" in sentence[1]


def test_a_list_is_made_in_the_panel(save: Any, study: Any, owner: Any) -> None:
    study.draft["questions"].append({"key": "place", "type": "list", "texts": {"en": "Place"}})
    study.save()
    lines = "Attiko;Athens\nLaiko;Athens"
    answer, question = save("place", do="list-new", new__list="", new__lines=lines)
    page = answer.content.decode()
    assert (answer.status_code, question.choice_list) == (422, "")
    assert "Wanted a name for the list." in page
    assert lines in page
    answer, question = save("place", do="list-new", new__list="Places", new__lines="")
    assert (answer.status_code, ChoiceList.objects.filter(name="Places").exists()) == (422, False)
    answer, question = save("place", do="list-new", new__list="Places", new__lines=lines)
    created = ChoiceList.objects.get(name="Places", owner=owner)
    assert (answer.status_code, question.choice_list) == (200, str(created.id))
    assert [option.texts for option in created.options.all()] == [{"en": "Attiko"}, {"en": "Laiko"}]


@pytest.mark.parametrize("htmx", [True, False])
def test_what_was_typed_is_kept_if_the_question_changed_meanwhile(save: Any, study: Any, htmx: bool) -> None:
    before = seen_of(Form.from_json(study.draft), "gender")
    save("gender", text__en="Sex")
    typed = {"text-en": "Gender at birth", "new-options": "unknown", "do": "option-add"}
    answer, question = save("gender", base=0, seen=before, htmx=htmx, **typed)
    page = answer.content.decode()
    assert (answer.status_code, question.text("en"), len(question.choices)) == (422, "Sex", 2)
    assert "This question was changed elsewhere meanwhile." in page
    assert "Gender at birth</textarea>" in page
    assert "unknown</textarea>" in page
    assert "Save what you typed</button>" in page
    shown = {name: re.search(rf'id="{name}-panel" value="(\w+)"', page) for name in ("base", "seen")}
    hidden = {name: field[1] for name, field in shown.items() if field is not None}
    answer, question = save("gender", htmx=htmx, **typed, **hidden)  # what the page shows is saved
    assert question.text("en") == "Gender at birth"
    assert question.choices[-1].text("en") == "unknown"


def test_two_administrators_change_different_questions_at_once(
    save: Any, study: Any, client: Any, django_user_model: Any
) -> None:
    zoe = django_user_model.objects.create_user("zoe", leads_studies=True)
    Membership.objects.create(study=study, user=zoe, role="administrator")
    other = Client()
    other.force_login(zoe)
    form, base = Form.from_json(study.draft), study.draft_revision
    sent = fields(form.question("gender")) | {"base": base, "seen": seen_of(form, "gender"), "text-en": "Sex"}
    answer, _question = save("age", text__en="Years", seen=seen_of(form, "age"))
    assert answer.status_code == 200
    answer = other.post(f"/s/{study.id}/design/question/gender/", sent, headers=HTMX)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "Somebody else changed other questions" in page
    assert 'id="base-canvas"' not in page  # the other cards are old: a button beside them is refused
    study.refresh_from_db()
    after = Form.from_json(study.draft)
    assert (after.question("age").text("en"), after.question("gender").text("en")) == ("Years", "Sex")
    moved = other.post(f"/s/{study.id}/design/edit/", {"do": "remove:age", "base": base}, headers=HTMX)
    assert moved.status_code == 422
    study.refresh_from_db()
    assert Form.from_json(study.draft) == after


def test_a_panel_of_a_removed_question_is_not_found(client: Any, study: Any) -> None:
    assert client.get(f"/s/{study.id}/design/question/none/").status_code == 404
    assert client.post(f"/s/{study.id}/design/question/none/", {"base": 0}).status_code == 404
    assert client.get(f"/s/{study.id}/design/question/age/").status_code == 302
    assert client.get(f"/s/{study.id}/design/question/age/", headers=HTMX).status_code == 200


def test_long_texts_are_cut_and_control_characters_left_out(save: Any) -> None:
    _answer, question = save("age", text__en="x" * 100_000)
    assert len(question.texts["en"]) == 1000
    _answer, question = save("age", text__en="Age\x00\x1b of\r\nthe patient\n")
    assert question.texts["en"] == "Age of\nthe patient"
    _answer, question = save("gender", do="option-add", new__options="oth\x00er")
    assert question.choices[-1].text("en") == "other"
