"""The branching table of Figure 2: its columns, its rows, and rules that are edited in place."""

from __future__ import annotations

import re
from typing import Any

from sfumato.web.studies.forms.tree import Form

FIGURE_2 = [
    ("title", "title", "Form title"),
    ("name", "string", "Patient name"),
    ("hospital", "list", "Hospital"),
    ("received", "yes_no", "Received drugs"),
    ("drug", "string", "Drug name"),
    ("dosage", "decimal", "Dosage"),
    ("days", "integer", "Hospital days"),
]


def rows(page: str) -> list[list[str]]:
    """The cells of the table, as text."""
    body = page.split("<tbody>")[1].split("</tbody>")[0]
    return [
        [" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)]
        for row in body.split("<tr id=")[1:]
    ]


def test_the_table_of_figure_2(client: Any, study: Any) -> None:
    when = {"rules": [{"question": "received", "values": ["yes"]}]}
    questions = [{"key": key, "type": kind, "texts": {"en": text}} for key, kind, text in FIGURE_2]
    for question in questions[4:6]:
        question["when"] = when  # type: ignore[assignment]
    study.draft = {"languages": ["en"], "questions": questions}
    study.save()
    table = rows(client.get(f"/s/{study.id}/design/branching/").content.decode())
    assert [row[0] for row in table] == ["1", "2", "3", "4", "5", "6", "7"]
    assert table[1][:4] == ["2", "Patient name", "Text", "Enabled"]
    assert table[4][:6] == ["5", "Drug name", "Text", "Disabled", "Received drugs", "yes"]
    assert table[5][:6] == ["6", "Dosage", "Decimal number", "Disabled", "Received drugs", "yes"]


def test_rules_are_edited_in_the_table(client: Any, study: Any) -> None:
    page = f"/s/{study.id}/design/branching/"
    assert 'name="rule-new"' in client.get(f"{page}?q=organisms").content.decode()
    answer = client.post(page, {"question": "organisms", "base": 0, "rule-new": "gender"})
    assert answer.status_code == 302
    fields = {"question": "organisms", "base": 1, "rule-0-question": "gender", "rule-0-values": ["f"]}
    answer = client.post(page, fields, headers={"HX-Request": "true"})
    study.refresh_from_db()
    assert Form.from_json(study.draft).question("organisms").when.rules[0].values == ("f",)
    assert ["9", "Microorganisms", "Multiple choice, several answers", "Disabled", "Gender", "female"] in [
        row[:6] for row in rows(answer.content.decode())
    ]
    client.post(page, {"question": "organisms", "base": 2, "rule-0-question": "gender", "do": "rule-remove:0"})
    study.refresh_from_db()
    assert not Form.from_json(study.draft).question("organisms").when.rules


def test_circles_old_drafts_and_unknown_questions_are_refused(client: Any, study: Any) -> None:
    page, before = f"/s/{study.id}/design/branching/", study.draft
    circle = client.post(page, {"question": "drugs", "base": 0, "rule-new": "drug"})
    assert circle.status_code == 422
    assert "“Received drugs” → “Drug name” → “Received drugs”" in circle.content.decode()
    old = client.post(page, {"question": "organisms", "base": 7, "rule-new": "gender"})
    assert (old.status_code, "changed elsewhere" in old.content.decode()) == (422, True)
    assert client.post(page, {"question": "none", "base": 0}).status_code == 404
    study.refresh_from_db()
    assert study.draft == before


def test_a_long_form_is_shown_in_pages(client: Any, study: Any) -> None:
    questions = [{"key": f"q{number}", "type": "integer", "texts": {"en": f"Q {number}"}} for number in range(5000)]
    study.draft = {"languages": ["en"], "questions": questions}
    study.save()
    page = client.get(f"/s/{study.id}/design/branching/?q=q4321")
    table = rows(page.content.decode())
    assert (len(table), table[0][0], table[-1][0]) == (100, "4301", "4400")
    assert len(page.content) < 200_000
    client.post(f"/s/{study.id}/design/branching/", {"question": "q4321", "base": 0, "rule-new-number": "12"})
    study.refresh_from_db()
    assert Form.from_json(study.draft).question("q4321").when.rules[0].question == "q11"
