"""XLSForm: ours converts with pyxform and comes back the same; what is not supported is named."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from sfumato.web.studies.exporting.spreadsheets import read_spreadsheet
from sfumato.web.studies.exporting.workbooks import workbook_parts
from sfumato.web.studies.exporting.xlsform_expressions import ExpressionRefused, bounds_of, formula_of, when_of
from sfumato.web.studies.exporting.xlsform_in import read_xlsform
from sfumato.web.studies.exporting.xlsform_out import xlsform
from sfumato.web.studies.forms.tree import Form, Question, Rule, When

BRANCHED = {
    "languages": ["en", "el"],
    "questions": [
        {"key": "head", "type": "title", "texts": {"en": "Patient", "el": "Ασθενής"}},
        {
            "key": "born",
            "type": "date",
            "texts": {"en": "Born", "el": "Γέννηση"},
            "low": "1900-01-01",
            "required": True,
        },
        {"key": "admitted", "type": "date", "texts": {"en": "Admitted", "el": "Εισαγωγή"}},
        {
            "key": "age",
            "type": "calculated",
            "texts": {"en": "Age", "el": "Ηλικία"},
            "formula": "years(born, admitted)",
        },
        {"key": "smokes", "type": "yes_no", "texts": {"en": "Smokes", "el": "Καπνίζει"}, "privacy": "known"},
        {
            "key": "signs",
            "type": "many",
            "texts": {"en": "Signs", "el": "Σημεία"},
            "choices": [
                {"key": "a", "texts": {"en": "cough", "el": "βήχας"}},
                {"key": "b", "texts": {"en": "fever", "el": "πυρετός"}, "retired": True},
            ],
            "when": {"join": "any", "rules": [{"question": "smokes", "values": ["yes"]}, {"question": "born"}]},
        },
        {
            "key": "packs",
            "type": "decimal",
            "texts": {"en": "Packs", "el": "Πακέτα"},
            "hints": {"en": "a day"},
            "low": "0",
            "high": "9.5",
            "unit": "packs",
            "when": {
                "join": "all",
                "rules": [
                    {"question": "smokes", "values": ["yes"]},
                    {"question": "signs", "values": ["a", "b"]},
                    {"question": "admitted", "low": "2020-01-01", "high": "2026-12-31"},
                ],
            },
        },
        {
            "key": "visit",
            "type": "group",
            "texts": {"en": "Visit", "el": "Επίσκεψη"},
            "starts": "day",
            "most": 5,
            "questions": [
                {"key": "day", "type": "date", "texts": {"en": "Day", "el": "Ημέρα"}},
                {
                    "key": "drug",
                    "type": "one",
                    "texts": {"en": "Drug", "el": "Φάρμακο"},
                    "choices": [
                        {"key": "x", "texts": {"en": "X", "el": "Χ"}},  # noqa: RUF001
                        {"key": "y", "texts": {"en": "Y", "el": "Υ"}},  # noqa: RUF001
                    ],
                },
                {
                    "key": "dose",
                    "type": "integer",
                    "texts": {"en": "Dose", "el": "Δόση"},
                    "low": "1",
                    "when": {"rules": [{"question": "drug", "values": ["x", "y"]}, {"question": "packs", "low": "2"}]},
                },
            ],
        },
    ],
}


def workbook(form: Form) -> bytes:
    choices = {question.key: question.choices for question, _group in form.walk() if question.choices}
    return b"".join(workbook_parts(xlsform(form, choices, "Πρώτη", "1f-2")))


def test_our_form_converts_with_pyxform(tmp_path: Any) -> None:
    from pyxform.xls2xform import convert

    path = tmp_path / "form.xlsx"
    path.write_bytes(workbook(Form.from_json(BRANCHED)))
    xform = convert(xlsform=path).xform
    for part in ("Πρώτη", "Γέννηση", "selected(", "<repeat", "jr:count", "365.2425"):
        assert part in xform


def test_our_form_comes_back_the_same() -> None:
    form = Form.from_json(BRANCHED)
    sheets = read_spreadsheet(SimpleUploadedFile("form.xlsx", workbook(form)))
    content = read_xlsform(sheets, "en")
    assert content.problems == []
    assert content.title == "Πρώτη"
    assert content.form.to_json() == form.to_json()


def test_the_form_of_a_study_is_downloaded_and_becomes_a_draft(client: Any, study: Any, as_bob: Any) -> None:
    content = b"".join(client.get(f"/s/{study.id}/export/xlsform/").streaming_content)
    before = study.draft
    study.draft = {"languages": ["en"], "questions": []}
    study.save()
    upload = SimpleUploadedFile("form.xlsx", content)
    assert as_bob.post(f"/s/{study.id}/export/form/", {"file": upload}).status_code == 404
    upload.seek(0)
    assert client.post(f"/s/{study.id}/export/form/", {"file": upload}).status_code == 302
    study.refresh_from_db()
    assert [row["key"] for row in study.draft["questions"]] == [row["key"] for row in before["questions"]]
    assert study.draft_edits.get().draft["questions"] == []
    upload.seek(0)
    refused = client.post(f"/s/{study.id}/export/form/", {"file": upload})
    assert "tick that they are replaced" in refused.content.decode()


def test_a_form_of_elsewhere_takes_no_key_of_another_question(client: Any, study: Any) -> None:
    survey = ["type,name,label", "integer,age,Age", "text,name,Town", "select_one list_gender,gender,Gender"]
    choices = ["list_name,name,label", "list_gender,f,male", "list_gender,m,female"]
    sheets = [
        (name, lines[0].split(","), [line.split(",") for line in lines[1:]])
        for name, lines in (("survey", survey), ("choices", choices))
    ]
    upload = SimpleUploadedFile("form.xlsx", b"".join(workbook_parts(sheets)))
    assert client.post(f"/s/{study.id}/export/form/", {"file": upload, "replace": "on"}).status_code == 302
    study.refresh_from_db()
    keys = [row["key"] for row in study.draft["questions"]]
    assert keys[0] == "age"
    assert not {"name", "gender"} & set(keys)


def test_names_that_are_long_or_stand_twice() -> None:
    long = "household_members_who_were_ill_in_the_last_month"
    survey = [
        ["type", "name", "label", "relevant", "calculation"],
        ["integer", long, "A", "", ""],
        ["text", "b", "B", f"${{{long}}} > 3", ""],
        ["begin repeat", "r", "R", "", ""],
        ["text", "b", "B", "", ""],
        ["end repeat", "r", "", "", ""],
        ["calculate", "c", "C", "", f"${{{long}}} + 1"],
    ]
    form = read_xlsform({"survey": survey, "choices": []}, "en").form
    assert [row.key for row, _group in form.walk()] == [long[:40], "b", "r", "b_2", "c"]
    assert form.question("b").when.rules == (Rule(long[:40], low="4"),)
    assert form.question("c").formula == f"{{{long[:40]}}} + 1"


def test_what_is_not_supported_is_named() -> None:
    survey = [
        ["type", "name", "label", "relevant", "constraint", "calculation", "choice_filter"],
        ["geopoint", "place", "Where", "", "", "", ""],
        ["select_one sex", "sex", "Sex", "", "", "", "x = 1"],
        ["select_one nothing", "lost", "Lost", "", "", "", ""],
        ["begin group", "g", "Group", "${sex} = 'f'", "", "", ""],
        ["integer", "n", "Number", "${place} = 'x'", ". != 3", "", ""],
        ["end group", "", "", "", "", "", ""],
        ["text", "t", "Text", "not(${n} > 3)", "", "", ""],
        ["calculate", "c", "", "", "", "concat(${t}, 'x')", ""],
        ["calculate", "d", "", "", "", "${n} div 2", ""],
        ["start", "start", "", "", "", "", ""],
    ]
    choices = [["list_name", "name", "label"], ["sex", "f", "female"], ["sex", "m", "male"]]
    content = read_xlsform({"survey": survey, "choices": choices}, "en")
    keys = [question.key for question in content.form.questions]
    assert keys == ["sex", "g", "n", "t", "c", "d"]
    assert content.form.question("d").formula == "{n} / 2"
    text = "\n".join(content.problems)
    for part in ("geopoint", "'lost'", "choice_filter", "constraint of 'n'", "branching of 't'", "calculation of 'c'"):
        assert part in text
    assert "'n' depends on a question that was left out" in text


def test_expressions() -> None:
    assert when_of("${a} = 'x'") == When((Rule("a", ("x",)),))
    assert when_of("(${a} > 3) and ${b} != ''") == When((Rule("a", low="4"), Rule("b")))
    assert when_of("selected(${a}, 'x') or selected(${a}, 'y')") == When((Rule("a", ("x", "y")),))
    assert bounds_of(". >= 0 and . < 10", "integer") == ("0", "9")
    assert formula_of("if(${a} > 3, 'x', 'y')") == "if({a} > 3, 'x', 'y')"
    for text in ("${a} = 'x' and ${b} = 'y' or ${c} = 'z'", "count(${a}) > 3", "", "${a} < 2.5", "(" * 50):
        with pytest.raises(ExpressionRefused):
            when_of(text)


def test_a_question_with_a_key_that_xlsform_does_not_take_has_another_name() -> None:
    form = Form(("en",), (Question("1 a", "string", {"en": "A"}),))
    assert xlsform(form, {}, "t", "i")[0][2][0][1] == "q_1_1a"
