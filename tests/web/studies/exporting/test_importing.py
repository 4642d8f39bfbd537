"""Import of spreadsheets: a preview first, every cell checked, the same row only once."""

from __future__ import annotations

import base64
import zlib
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from sfumato.web.studies.exporting.guessing import guess_form

SHEET = (
    "Patient name;Age;Gender;Received drugs;Microorganisms;Admitted;Episode 1: Diagnosis;Remarks\n"
    "Ελένη;31;Female;ναι;Candida, Pseudomonas;31/12/2025;flu;x\n"  # noqa: RUF001
    "Maria;200;f;no;;2026-01-02;;y\n"
    "Nikos;44;other;yes;Candida;;cold;z\n"
)


def uploaded(text: str | bytes = SHEET, name: str = "patients.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode() if isinstance(text, str) else text)


def sent(browser: Any, study: Any, page: Any, **fields: str) -> Any:
    """Send the form of a preview with other fields."""
    columns = {f"column-{column['number']}": column["target"] for column in page.context["columns"]}
    return browser.post(f"/s/{study.id}/export/import/", {"rows": page.context["rows"], **columns, **fields})


def test_a_preview_matches_columns_and_counts_errors(as_bob: Any, study: Any) -> None:
    page = as_bob.post(f"/s/{study.id}/export/import/", {"file": uploaded()})
    assert [column["target"] for column in page.context["columns"]] == [
        "name", "age", "gender", "drugs", "organisms", "admitted", "episode:1:diagnosis", "",
    ]  # fmt: skip
    text = page.content.decode()
    assert "2 cells cannot be imported" in text
    assert "wanted at most 120" in text
    assert not study.entries.exists()
    refused = sent(as_bob, study, page, do="import")
    assert refused.status_code == 200
    assert not study.entries.exists()


def test_good_rows_become_entries_with_a_history_once(as_bob: Any, bob: Any, study: Any) -> None:
    page = as_bob.post(f"/s/{study.id}/export/import/", {"file": uploaded()})
    assert sent(as_bob, study, page, do="import-good").status_code == 302
    entry = study.entries.get()
    assert entry.author == bob
    assert entry.centre.name == "Attiko"
    assert entry.answers["values"]["organisms"] == ["pse", "can"]
    assert entry.answers["values"]["admitted"] == "2025-12-31"
    assert entry.answers["values"]["gender"] == "f"
    assert entry.answers["episodes"]["episode"][0]["values"] == {"diagnosis": "flu"}
    revision = entry.revisions.get()
    assert (revision.reason, revision.by) == ("imported", bob)
    assert entry.cells.filter(word="f").exists()
    again = as_bob.post(f"/s/{study.id}/export/import/", {"file": uploaded()})
    assert again.context["before_count"] == 1
    assert sent(as_bob, study, again, do="import-good").status_code == 200
    assert study.entries.count() == 1


def test_equal_rows_are_different_people_and_a_column_can_be_changed(client: Any, study: Any, bob: Any) -> None:
    sheet = "Years,Hospital\n40,Attiko\n40,Attiko\n41,\n"
    page = client.post(f"/s/{study.id}/export/import/", {"file": uploaded(sheet)})
    assert "No heading of the file" in page.content.decode()
    page = sent(client, study, page, **{"column-0": "age", "column-1": "@centre"})
    assert page.context["new_count"] == 3
    assert sent(client, study, page, do="import").status_code == 302
    assert sorted(row.centre.name if row.centre else "" for row in study.entries.all()) == ["", "Attiko", "Attiko"]


def test_two_columns_for_one_question_are_refused(as_bob: Any, study: Any) -> None:
    page = as_bob.post(f"/s/{study.id}/export/import/", {"file": uploaded("Age,B\n40,41\n")})
    page = sent(as_bob, study, page, do="import", **{"column-1": "age"})
    assert "Two columns fill the same question" in page.content.decode()
    assert not study.entries.exists()


def test_our_own_export_comes_back(client: Any, study: Any, enter: Any, bob: Any, as_eve: Any) -> None:
    entry = enter(
        bob, {"age": "31", "gender": "f", "organisms": ["pse"]}, episode=[{"diagnosis": "flu", "dose": "2.5"}]
    )
    answer = client.post(f"/s/{study.id}/export/download/", {"format": "xlsx", "groups": "wide"})
    file = uploaded(b"".join(answer.streaming_content), "x.xlsx")
    page = as_eve.post(f"/s/{study.id}/export/import/", {"file": file})
    assert sent(as_eve, study, page, do="import").status_code == 302
    copy = study.entries.exclude(pk=entry.pk).get()
    assert copy.answers["values"] == entry.answers["values"]
    assert copy.answers["episodes"]["episode"][0]["values"] == {"diagnosis": "flu", "dose": "2.5"}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "found none"),
        (b"x" * (5 * 2**20 + 1), "at most 5 MB"),
        (b"PK\x03\x04nonsense", "cannot be read as a workbook"),
        (b"\x00\x01\x02", ".csv or .xlsx"),
        (b"Age\n", "at least one row"),
        (b"Age\n" + b"1\n" * 5002, "at most 5000 rows"),
        (b"a," * 600 + b"\n1\n", "at most 500 columns"),
    ],
)
def test_files_that_are_refused(as_bob: Any, study: Any, content: bytes, sentence: str) -> None:
    page = as_bob.post(f"/s/{study.id}/export/import/", {"file": uploaded(content)})
    assert page.status_code == 422
    assert sentence in page.content.decode()


def test_rows_that_were_made_up_are_refused(as_bob: Any, study: Any) -> None:
    bomb = base64.b64encode(zlib.compress(b" " * 61 * 2**20, 1)).decode()
    for rows in ("", "!!", bomb, base64.b64encode(zlib.compress(b"[[1]]")).decode()):
        assert as_bob.post(f"/s/{study.id}/export/import/", {"rows": rows}).status_code == 422


def test_who_may_not_enter_may_not_import(as_bob: Any, bob: Any, study: Any) -> None:
    study.memberships.filter(user=bob).update(grants=["export"])
    assert as_bob.get(f"/s/{study.id}/export/import/").status_code == 404


def test_a_closed_study_imports_nothing(as_bob: Any, study: Any) -> None:
    page = as_bob.post(f"/s/{study.id}/export/import/", {"file": uploaded("Age\n40\n")})
    study.state = study.CLOSED
    study.save()
    assert sent(as_bob, study, page, do="import").status_code == 422
    assert not study.entries.exists()


def test_a_form_is_guessed_from_answers() -> None:
    rows = [["Name", "Age", "Weight", "Born", "Smokes", "City", "Zip", "Signs", ""]]
    rows += [
        [f"P{n}", str(30 + n), f"{60 + n}.5", "1990-01-02", "yes" if n % 2 else "no", "Athens" if n % 3 else "Patras",
         "08032", "a; b" if n % 2 else "a", ""]
        for n in range(12)
    ]  # fmt: skip
    form = guess_form(rows, "en")
    assert [question.type for question in form.questions] == [
        "string", "integer", "decimal", "date", "yes_no", "one", "one", "many",
    ]  # fmt: skip
    assert [choice.texts["en"] for choice in form.questions[7].choices] == ["a", "b"]


def test_titles_above_the_table_are_left_out_and_errors_name_the_row(as_bob: Any, study: Any) -> None:
    sheet = "Patients of 2024;;\n;;\nAge;Temperature;Admitted\n\n31;38,5;2026-01-02 10:30\nx;;\n"
    page = as_bob.post(f"/s/{study.id}/export/import/", {"file": uploaded(sheet)})
    assert (page.context["head"], page.context["row_count"], page.context["empty_count"]) == (3, 2, 0)
    assert [row["row"] for row in page.context["checked"].errors] == [6]
    other = sent(as_bob, study, page, head="1", guessed="3")
    assert [column["target"] for column in other.context["columns"]] == ["", "", ""]
    assert sent(as_bob, study, page, do="import-good").status_code == 302
    values = study.entries.get().answers["values"]
    assert values == {"age": "31", "temperature": "38.5", "admitted": "2026-01-02"}


def test_numbers_that_can_be_read_in_two_ways_are_refused(as_bob: Any, study: Any) -> None:
    for sheet, count in (
        ("Temperature;Age\n1,500;\n2,250;\n", 2),  # a thousand and a half, or one and a half?
        ("Temperature;Age\n1,500;\n2,2;\n", 0),
        ("Temperature;Age\n38;1.000\n", 1),
        ("Temperature;Age\n38;31.0\n", 0),
        ("Drug name;Age\n" + "x" * 10_001 + ";31\n", 1),
    ):
        page = as_bob.post(f"/s/{study.id}/export/import/", {"file": uploaded(sheet)})
        assert page.context["checked"].error_count == count, sheet[:50]


def test_entries_that_were_deleted_can_be_imported_again(as_bob: Any, bob: Any, study: Any) -> None:
    from sfumato.web.studies.entries.removing import delete_entry

    for _time in range(3):
        page = as_bob.post(f"/s/{study.id}/export/import/", {"file": uploaded("Age\n40\n")})
        assert sent(as_bob, study, page, do="import").status_code == 302
        delete_entry(study.entries.get(deleted=None), bob, "wrong file")
    assert study.entries.count() == 3


def test_entries_without_missing_answers_are_finished_if_that_is_ticked(as_bob: Any, study: Any, owner: Any) -> None:
    from sfumato.web.studies.design.versions import publish_version

    questions = [{**row, "required": row["key"] == "age"} for row in study.draft["questions"]]
    study.draft = {**study.draft, "questions": questions}
    study.save()
    publish_version(study, owner)
    page = as_bob.post(f"/s/{study.id}/export/import/", {"file": uploaded("Age;Gender\n40;f\n;m\n")})
    assert page.context["finish"]
    sent(as_bob, study, page, do="import", finish="on")
    assert [entry.complete is None for entry in study.entries.order_by("number")] == [False, True]


def test_no_more_episodes_than_a_group_takes() -> None:
    from sfumato.web.studies.exporting.matching import guess_targets, question_of
    from sfumato.web.studies.forms.tree import Form, Question

    dose = Question("dose", "integer", {"en": "Dose"})
    form = Form(("en",), (Question("drug", "group", {"en": "Drug"}, questions=(dose,), most=2),))
    heads = ["Drug 1: Dose", "drug 2: dose", "Drug 3: Dose", "Drug 0: Dose"]
    targets = guess_targets(heads, form, "en", whole_study=False)
    assert [target and target.name for target in targets] == ["drug:1:dose", "drug:2:dose", None, None]
    assert question_of("drug:3:dose", form) is None
