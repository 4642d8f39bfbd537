"""Exports: CSV, Excel and SPSS files, read back; participants get own entries only."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

from sfumato.errors import ParameterError
from sfumato.web.studies.exporting.csv_files import unguarded
from sfumato.web.studies.exporting.spss_files import variable_names
from sfumato.web.studies.exporting.workbooks import workbook_parts


@pytest.fixture
def patients(enter: Any, bob: Any, eve: Any) -> None:
    enter(
        bob,
        {"name": "Ελένη", "age": "31", "gender": "f", "temperature": "38.5", "admitted": "2026-01-31", "drugs": "no"},
        episode=[{"diagnosis": "=1+1", "from": "2026-01-02", "dose": "2"}, {"diagnosis": "flu"}],
    )
    enter(eve, {"age": "62", "drugs": "yes", "drug": "-2", "organisms": ["pse", "can"]})


def taken(browser: Any, study: Any, **fields: Any) -> Any:
    answer = browser.post(f"/s/{study.id}/export/download/", {"format": "csv", **fields})
    assert answer.status_code == 200
    assert "private" in answer["Content-Disposition"]
    assert answer["Cache-Control"] == "no-store"
    return b"".join(answer.streaming_content)


def table(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def test_csv_has_a_file_for_entries_and_one_for_each_group(client: Any, study: Any, patients: None) -> None:
    with zipfile.ZipFile(io.BytesIO(taken(client, study))) as archive:
        assert archive.namelist() == ["entries.csv", "1-Episode.csv"]
        rows, episodes = (table(archive.read(name)) for name in archive.namelist())
    assert [row["Gender"] for row in rows] == ["female", ""]
    assert [row["Centre"] for row in rows] == ["Attiko", "Laiko"]
    assert rows[1]["Microorganisms"] == "Pseudomonas; Candida"
    assert "Patient name" not in rows[0]
    assert [row["Diagnosis"] for row in episodes] == ["'=1+1", "flu"]
    assert episodes[0]["Entry key"] == rows[0]["Entry key"]


def test_wide_files_codes_and_identifying_questions(client: Any, study: Any, patients: None) -> None:
    rows = table(taken(client, study, groups="wide", values="codes", identifying="on"))
    assert rows[0]["name"] == "Ελένη"
    assert rows[0]["gender"] == "f"
    assert rows[0]["episode 2: diagnosis"] == "flu"
    assert rows[1]["organisms"] == "pse can"


def test_a_participant_exports_own_entries_only(as_bob: Any, study: Any, patients: None) -> None:
    content = taken(as_bob, study, groups="wide")
    assert [row["Age"] for row in table(content)] == ["31"]
    assert b"Laiko" not in content
    assert "Author" not in table(content)[0]


def test_no_grant_no_export(as_bob: Any, bob: Any, study: Any) -> None:
    study.memberships.filter(user=bob).update(grants=["enter"])
    for page in ("", "codebook/", "codebook/csv/", "xlsform/"):
        assert as_bob.get(f"/s/{study.id}/export/{page}").status_code == 404
    assert as_bob.post(f"/s/{study.id}/export/download/", {"format": "csv"}).status_code == 404


def test_a_filter_exports_its_entries_and_columns(client: Any, study: Any, patients: None) -> None:
    fields = {"condition": '{"is": "age", "test": {"between": ["40", ""]}}', "column": ["age", "@centre"]}
    page = client.post(f"/s/{study.id}/export/", fields).content.decode()
    assert "1 entry" in page
    rows = table(taken(client, study, **fields))
    assert [list(row) for row in rows] == [["Entry key", "Centre", "Age"]]
    assert rows[0]["Age"] == "62"


def test_an_excel_file_keeps_texts_as_texts(client: Any, study: Any, patients: None) -> None:
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(taken(client, study, format="xlsx")))
    assert book.sheetnames == ["entries", "Episode", "codebook", "options"]
    heads = [cell.value for cell in book["entries"][1]]
    row = dict(zip(heads, book["entries"][2], strict=True))
    assert row["Temperature"].value == 38.5
    assert row["Admitted"].value.isoformat() == "2026-01-31T00:00:00"
    formula = book["Episode"]["C2"]
    assert (formula.value, formula.data_type) == ("=1+1", "s")
    assert dict(zip(heads, book["entries"][3], strict=True))["Drug name"].value == "-2"
    assert [cell.value for cell in book["options"][2]] == ["gender", "f", "female", None, None, "yes"]
    assert any(cell.value == "Received drugs = yes" for cell in book["codebook"]["J"] + book["codebook"]["K"])


def test_texts_that_a_spreadsheet_would_take_for_formulas(client: Any, study: Any, enter: Any, bob: Any) -> None:
    from openpyxl import load_workbook

    texts = ["=1+1", "+1", "-2", "@SUM(A1)", "'=x", "it's", "_x0041_", "<b>&amp;</b>", "x" * 10_000]
    for text in texts:
        enter(bob, {"drugs": "yes", "drug": text})
    shown = [row["Drug name"] for row in table(taken(client, study, groups="wide"))]
    assert shown == ["'=1+1", "'+1", "'-2", "'@SUM(A1)", "''=x", *texts[5:]]
    assert [unguarded(text) for text in shown] == texts
    assert [row["drug"] for row in table(taken(client, study, groups="wide", values="codes"))] == texts
    content = taken(client, study, format="xlsx")
    sheet = load_workbook(io.BytesIO(content))["entries"]
    place = [cell.value for cell in sheet[1]].index("Drug name")
    cells = [row[place] for row in sheet.iter_rows(min_row=2)]
    assert {cell.data_type for cell in cells} == {"s"}
    assert [cell.value.replace("_x005F_", "_") for cell in cells] == texts


def test_limits_of_excel() -> None:
    from openpyxl import load_workbook

    rows = [["x" * 40_000, 10**17, None, "a\x0bb"]]
    sheets = [("Drugs / doses", ["a", "a", "b", "c"], rows), ("drugs   doses", ["a"], [])]
    book = load_workbook(io.BytesIO(b"".join(workbook_parts(sheets))))
    assert book.sheetnames == ["Drugs   doses", "drugs   doses 2"]
    values = [cell.value for cell in book.worksheets[0][2]]
    assert (len(values[0]), values[0][-1], values[1:]) == (
        32_767,
        "…",
        [str(10**17), None, "a\N{REPLACEMENT CHARACTER}b"],
    )
    with pytest.raises(ParameterError, match="16384 columns"):
        workbook_parts([("a", ["a"] * 16_385, [])])


def test_an_spss_file_has_labels_dates_and_greek(client: Any, study: Any, patients: None, tmp_path: Path) -> None:
    import pyreadstat

    content = taken(client, study, format="sav", groups="wide", identifying="on", language="el")
    (tmp_path / "x.sav").write_bytes(content)
    frame, facts = pyreadstat.read_sav(tmp_path / "x.sav", output_format="polars")
    assert facts.column_names_to_labels["name"] == "Όνομα"
    assert frame["name"].to_list()[0] == "Ελένη"
    assert facts.variable_value_labels["gender"] == {1.0: "female", 2.0: "male"}
    assert frame["gender"].to_list() == [1.0, None]
    assert str(frame["admitted"].to_list()[0])[:10] == "2026-01-31"
    assert frame["organisms_pse"].to_list() == [None, 1.0]
    assert facts.variable_measure["age"] == "scale"
    assert facts.variable_measure["gender"] == "nominal"
    assert frame["drugs"].to_list() == [0.0, 1.0]


def test_names_of_variables_are_valid_and_unique() -> None:
    names = variable_names(["x" * 80, "x" * 80, "to", "1", "a b", "A-B"])
    assert len({name.casefold() for name in names}) == 6
    assert all(len(name) <= 60 and name[0].isalpha() for name in names)


def test_retired_questions_come_along_when_asked_for(client: Any, study: Any, owner: Any, patients: None) -> None:
    from sfumato.web.studies.design.versions import publish_version

    study.draft = {**study.draft, "questions": [row for row in study.draft["questions"] if row["key"] != "age"]}
    study.save()
    publish_version(study, owner)
    assert "Age" not in table(taken(client, study, groups="wide"))[0]
    rows = table(taken(client, study, groups="wide", retired="on"))
    assert [row["Age"] for row in rows] == ["31", "62"]


def test_the_codebook_names_every_question(client: Any, study: Any) -> None:
    page = client.get(f"/s/{study.id}/export/codebook/").content.decode()
    for text in ("Όνομα", "f = female", "0–120", "Received drugs = yes", "identifying", "°C"):  # noqa: RUF001
        assert text in page
    rows = table(b"".join(client.get(f"/s/{study.id}/export/codebook/csv/").streaming_content))
    assert rows[0]["Text (Ελληνικά)"] == "Όνομα"
    assert client.get(f"/s/{study.id}/export/").status_code == 200
