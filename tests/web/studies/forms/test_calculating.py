"""Calculated answers: repeatable, decimal, without an answer where an input is missing."""

from __future__ import annotations

import copy
from datetime import date
from typing import Any

import pytest

from sfumato.web.studies.forms.answers import Answers
from sfumato.web.studies.forms.branching import asked
from sfumato.web.studies.forms.calculating import with_calculated
from sfumato.web.studies.forms.tree import Form

QUESTIONS: list[dict[str, Any]] = [
    {"key": "born", "type": "date"},
    {"key": "admitted", "type": "date"},
    {"key": "weight", "type": "decimal"},
    {"key": "height", "type": "decimal"},
    {"key": "smokes", "type": "yes_no"},
    {"key": "packs", "type": "integer", "when": {"rules": [{"question": "smokes", "values": ["yes"]}]}},
    {"key": "organisms", "type": "many", "choices": [{"key": "pse"}, {"key": "can"}]},
    {"key": "gender", "type": "one", "choices": [{"key": "f"}, {"key": "m"}]},
    {
        "key": "treatment",
        "type": "group",
        "questions": [
            {"key": "dose", "type": "decimal"},
            {"key": "from", "type": "date"},
            {"key": "to", "type": "date"},
            {"key": "length", "type": "calculated", "formula": "days({from}, {to}) + 1"},
            {"key": "share", "type": "calculated", "formula": "round(dose / sum(dose), 2)"},
        ],
    },
]
ANSWERS = {
    "values": {
        "born": "1960-03-01",
        "admitted": "2026-02-28",
        "weight": "80",
        "height": "1.6",
        "smokes": "no",
        "packs": "3",
        "organisms": ["pse"],
        "gender": "f",
    },
    "episodes": {
        "treatment": [
            {"key": "a", "values": {"dose": "1", "from": "2026-01-01", "to": "2026-01-10"}},
            {"key": "b", "values": {"dose": "2.5"}},
            {"key": "c", "values": {}},
        ]
    },
}


def calculated(formula: str, **extra: Any) -> str | None:
    """The answer of a question with this formula beside QUESTIONS."""
    form = Form.from_json({"questions": [*QUESTIONS, {"key": "x", "type": "calculated", "formula": formula, **extra}]})
    answers = Answers.from_json(copy.deepcopy(ANSWERS))
    complete = with_calculated(form, answers, date(2026, 11, 16))
    assert answers == Answers.from_json(ANSWERS), "the input is untouched"
    value = complete.values.get("x")
    assert value is None or isinstance(value, str)
    return value


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("years(born, admitted)", "65"),
        ("years({born}, {entered})", "66"),
        ("years(admitted, born)", "-65"),
        ("days(admitted, entered)", "261"),
        ("round(weight / (height * height), 1)", "31.3"),
        ("weight / height / 2", "25"),
        ("1 - 2 - 3", "-4"),
        ("-weight + 2 * 3", "-74"),
        ("0.1 + 0.2", "0.3"),
        ("1 / 3", "0.3333333333"),
        ("round(2.5)", "3"),
        ("round(-2.5)", "-3"),
        ("round(0.5 - 0.5)", "0"),
        ("abs(1 - weight)", "79"),
        ("min(weight, 3, 90)", "3"),
        ("max(born, admitted)", "2026-02-28"),
        ("sum(dose)", "3.5"),
        ("mean(dose)", "1.75"),
        ("max(dose * 2)", "5"),
        ("min(from)", "2026-01-01"),
        ("count(treatment)", "3"),
        ("count(dose)", "2"),
        ("count(organisms)", "1"),
        ("sum(length)", "10"),
        ('if(weight > 70, "heavy", "light")', "heavy"),
        ("if(gender = 'f', 1, 2)", "1"),
        ("weight >= 80", "yes"),
        ("not smokes", "yes"),
        ('has(organisms, "can")', "no"),
        ("answered(packs)", "no"),  # it is not asked
        ("smokes and packs > 3", "no"),
        ("not smokes or packs > 3", "yes"),
    ],
)
def test_formulas(formula: str, value: str) -> None:
    assert calculated(formula) == value


@pytest.mark.parametrize(
    "formula",
    [
        "packs + 1",  # stored, but not asked
        "weight / 0",
        "weight / (height - height)",
        "unknown + 1",
        "dose + 1",  # many episodes, no single answer
        "weight +",
        "born + 1",
        "smokes and packs > 3 or packs > 2",
        " * ".join(["99999999999999999999"] * 4),
        "mean(to) + 1",
    ],
)
def test_a_missing_input_gives_no_answer(formula: str) -> None:
    assert calculated(formula) is None


def test_calculated_in_a_group_reads_its_episode() -> None:
    form = Form.from_json({"questions": QUESTIONS})
    complete = with_calculated(form, Answers.from_json(ANSWERS))
    assert [values.get("share") for _key, values in complete.episodes["treatment"]] == ["0.29", "0.71", None]
    assert [values.get("length") for _key, values in complete.episodes["treatment"]] == ["10", None, None]


def test_calculated_and_branching_depend_on_each_other() -> None:
    form = Form.from_json(
        {
            "questions": [
                {"key": "c", "type": "calculated", "formula": "b * 2"},
                {"key": "d", "type": "string", "when": {"rules": [{"question": "c", "low": "10"}]}},
                {"key": "b", "type": "calculated", "formula": "a + 1"},
                {"key": "a", "type": "integer"},
            ]
        }
    )
    for number, shown in (("3", False), ("4", True)):
        complete = with_calculated(form, Answers({"a": number, "d": "text", "c": "stale"}))
        assert complete.values["c"] == str(2 * (int(number) + 1))
        assert (("d", "") in asked(form, complete)) is shown


def test_a_circle_gives_no_answer_and_does_not_hang() -> None:
    form = Form.from_json(
        {
            "questions": [
                {"key": "a", "type": "calculated", "formula": "b + 1"},
                {"key": "b", "type": "calculated", "formula": "a + 1"},
                {"key": "c", "type": "calculated", "formula": "1 + 1"},
            ]
        }
    )
    assert with_calculated(form, Answers()).values == {"c": "2"}


def test_thousands_of_chained_questions_are_calculated() -> None:
    chain = [{"key": f"q{i}", "type": "calculated", "formula": f"q{i - 1} + 1"} for i in range(1, 5000)]
    form = Form.from_json({"questions": [{"key": "q0", "type": "integer"}, *reversed(chain)]})
    assert with_calculated(form, Answers({"q0": "1"})).values["q4999"] == "5000"
