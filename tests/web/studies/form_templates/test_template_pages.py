"""Templates: a part of a form is saved, edited, shared, and used again with fresh keys."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from django.utils.translation import override

from sfumato.web.studies.form_templates.starters import STARTERS, starter_form
from sfumato.web.studies.form_templates.using import available, template_form
from sfumato.web.studies.forms.checks import problems
from sfumato.web.studies.forms.editing import insert_template
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import ChoiceList, Study, Template


@pytest.fixture
def drugs(study: Any, client: Any) -> Template:
    """A template with two questions, one enabling the other, and the episodes."""
    answer = client.post(
        reverse("template-save", args=[study.id]), {"name": "Drugs", "keys": ["drugs", "drug", "episode"]}
    )
    row = Template.objects.get(name="Drugs")
    assert answer["Location"] == reverse("template", args=[row.id])
    return row


def keys(row: Template) -> list[str]:
    """The keys of its questions."""
    row.refresh_from_db()
    return [question.key for question, _group in Form.from_json(row.tree).walk()]


@pytest.mark.parametrize("name", STARTERS)
def test_templates_of_the_product_are_sound(name: str) -> None:
    form, fresh = insert_template(Form(("fr",)), starter_form(name))
    needs_list = {fresh["hospital"]} if name == "demographics" else set()
    assert {problem.key for problem in problems(form)} == needs_list
    assert not set(starter_form(name).by_key) & set(form.by_key)


def test_demographics_are_those_of_the_paper() -> None:
    assert [question.text("en") for question in starter_form("demographics").questions] == [
        "Demographic data",
        "Hospital",
        "Clinic",
        "Patient ID",
        "Name",
        "Last name",
        "Gender",
        "Town",
        "Date of birth",
        "Date of introduction to clinic",
    ]


def test_templates_of_the_product_are_read_in_greek(owner: Any) -> None:
    with override("el"):
        rows = {row.id: (row.name, row.texts) for row in available(owner)}
    assert rows["laboratory"][0] == "Εργαστήριο"
    assert "Κρεατινίνη" in rows["laboratory"][1]


def test_a_part_is_saved_and_used_in_another_study(drugs: Template, owner: Any) -> None:
    other = Study.objects.create(name="Other", languages=["en"], draft={"languages": ["en"], "questions": []})
    name, template = template_form(owner, str(drugs.id)) or pytest.fail("not available")
    form, fresh = insert_template(Form.from_json(other.draft), template)
    assert name == "Drugs"
    assert not problems(form)
    assert form.question(fresh["drug"]).when.rules[0].question == fresh["drugs"]
    assert form.question(fresh["episode"]).starts == fresh["from"]


def test_the_pages_show_what_there_is(drugs: Template, study: Any, client: Any) -> None:
    page = client.get(reverse("templates")).content.decode()
    assert "Drugs" in page
    assert "Demographic data" in page
    page = client.get(reverse("template", args=[drugs.id])).content.decode()
    assert "asked if Received drugs is yes" in page
    assert "they keep their own questions" in page
    assert "Last name" in client.get(reverse("template-starter", args=["demographics"])).content.decode()
    assert client.get(reverse("template-starter", args=["nothing"])).status_code == 404
    page = client.get(reverse("template-save", args=[study.id]) + "?key=age").content.decode()
    assert 'value="age" checked' in page


def test_mistakes_have_a_sentence(drugs: Template, study: Any, client: Any) -> None:
    url = reverse("template-save", args=[study.id])
    for fields, sentence in (
        ({"name": "Drugs", "keys": ["age"]}, "with this name already"),
        ({"name": " ", "keys": ["age"]}, "Type a name"),
        ({"name": "New"}, "at least one question"),
        ({"name": "New", "keys": ["gone"]}, "at least one question"),
    ):
        answer = client.post(url, fields)
        assert answer.status_code == 422
        assert sentence in answer.content.decode()
    assert Template.objects.count() == 1


def test_a_calculated_question_comes_with_what_it_reads(study: Any, client: Any) -> None:
    form = Form.from_json(study.draft).to_json()
    form["questions"].append({"key": "old", "type": "calculated", "texts": {"en": "Old"}, "formula": "age > 60"})
    study.draft = form
    study.save()
    url = reverse("template-save", args=[study.id])
    assert "did not choose: Age" in client.post(url, {"name": "Old", "keys": ["old"]}).content.decode()
    client.post(url, {"name": "Old", "keys": ["old", "age"]})
    assert keys(Template.objects.get()) == ["age", "old"]


def test_a_template_is_edited_and_studies_keep_their_form(drugs: Template, study: Any, client: Any) -> None:
    draft = Study.objects.get(pk=study.pk).draft

    def post(key: str, **fields: str) -> Any:
        return client.post(reverse("template-question", args=[drugs.id, key]), fields)

    post("drug", do="save", text_en="Medicine", text_el="Φάρμακο", required="on", type="string")
    changed = Form.from_json(Template.objects.get().tree).question("drug")
    assert (changed.text("el"), changed.required, changed.when.rules[0].question) == ("Φάρμακο", True, "drugs")
    post("episode", do="up")
    assert keys(drugs)[:2] == ["drugs", "episode"]
    assert post("drug", do="up").status_code == 302
    assert post("drugs", do="down").status_code == 422, "the question that it enables would come first"
    assert post("drug", do="save", text_en="").status_code == 422
    assert post("gone", do="up").status_code == 404
    client.post(reverse("template-add", args=[drugs.id]), {"text": "Notes", "type": "string"})
    assert client.post(reverse("template-add", args=[drugs.id]), {"text": "x", "type": "group"}).status_code == 422
    post("drugs", do="remove")
    form = Form.from_json(Template.objects.get().tree)
    assert "drugs" not in form.by_key
    assert not form.question("drug").when.rules
    assert form.questions[-1].text("en") == "Notes"
    assert Study.objects.get(pk=study.pk).draft == draft


def test_sharing_a_template_shares_its_lists(drugs: Template, owner: Any, bob: Any, as_bob: Any, client: Any) -> None:
    used = ChoiceList.objects.create(owner=owner, name="Drugs")
    form = Form.from_json(drugs.tree).to_json()
    form["questions"].append({"key": "l", "type": "list", "texts": {"en": "L"}, "choice_list": str(used.id)})
    drugs.tree = form
    drugs.save()
    bob.leads_studies = True
    bob.save()
    page = reverse("template", args=[drugs.id])
    assert as_bob.get(page).status_code == 404
    assert template_form(bob, str(drugs.id)) is None
    client.post(reverse("template-change", args=[drugs.id]), {"name": "Drugs", "shared": "on"})
    assert ChoiceList.visible_to(bob).count() == 1
    assert as_bob.get(page).status_code == 200
    for name in ("template-change", "template-add", "template-delete"):
        assert as_bob.post(reverse(name, args=[drugs.id]), {"name": "x"}).status_code == 404
    assert as_bob.post(reverse("template-question", args=[drugs.id, "drug"]), {"do": "remove"}).status_code == 404
    as_bob.post(reverse("template-copy", args=[drugs.id]))
    as_bob.post(reverse("template-starter-copy", args=["laboratory"]))
    as_bob.post(reverse("template-starter-copy", args=["laboratory"]))
    names = [row.name for row in available(bob) if row.owner == bob]
    assert names == ["Drugs", "Laboratory", "Laboratory 2"]


def test_a_template_is_deleted(drugs: Template, client: Any) -> None:
    client.post(reverse("template-delete", args=[drugs.id]))
    assert not Template.objects.exists()


def test_a_part_of_a_study_is_for_its_administrator(study: Any, as_bob: Any, bob: Any) -> None:
    bob.leads_studies = True
    bob.save()
    url = reverse("template-save", args=[study.id])
    assert as_bob.get(url).status_code == 404
    assert as_bob.post(url, {"name": "x", "keys": ["age"]}).status_code == 404
    assert template_form(bob, "not an id") is None
