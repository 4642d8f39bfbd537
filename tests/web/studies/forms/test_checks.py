"""Every problem of a form is named at its question."""

from __future__ import annotations

from typing import Any

import pytest

from sfumato.web.studies.forms.checks import problems
from sfumato.web.studies.forms.tree import Form

BASE: list[dict[str, Any]] = [
    {"key": "age", "type": "integer", "texts": {"en": "Age"}},
    {"key": "drugs", "type": "yes_no", "texts": {"en": "Drugs"}},
    {
        "key": "kind",
        "type": "one",
        "texts": {"en": "Kind"},
        "choices": [{"key": "x", "texts": {"en": "X"}}, {"key": "y", "texts": {"en": "Y"}}],
    },
    {
        "key": "g",
        "type": "group",
        "texts": {"en": "G"},
        "questions": [{"key": "day", "type": "date", "texts": {"en": "Day"}}],
    },
]


def found(*questions: dict[str, Any]) -> list[tuple[str, str]]:
    """The problems of BASE together with more questions, which have a text unless they say otherwise."""
    more = [{"texts": {"en": "Text"}, **question} for question in questions]
    return [tuple(problem) for problem in problems(Form.from_json({"languages": ["en"], "questions": [*BASE, *more]}))]


def test_a_sound_form_has_no_problems() -> None:
    assert not found(
        {"key": "name", "type": "string", "when": {"join": "any", "rules": [{"question": "drugs", "values": ["yes"]}]}},
        {"key": "old", "type": "calculated", "formula": "age > 60"},
        {"key": "n", "type": "string", "when": {"rules": [{"question": "age", "low": "1", "high": "2"}]}},
        {"key": "l", "type": "list", "choice_list": "7"},
    )


def rule(**content: Any) -> dict[str, Any]:
    """A question that is asked if the rule holds."""
    return {"key": "q", "type": "string", "when": {"rules": [content]}}


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ({"key": "age", "type": "string"}, "no other question"),
        ({"key": "ä", "type": "string"}, "a key of 1 to 40"),
        ({"key": "", "type": "string"}, "a key of 1 to 40"),
        ({"key": "x" * 41, "type": "string"}, "a key of 1 to 40"),
        ({"key": "q", "type": "string", "texts": {"en": " "}}, "first language (en)"),
        ({"key": "q", "type": "string", "texts": {"el": "Όνομα"}}, "first language (en)"),
        ({"key": "q", "type": "string", "texts": {"en": "x" * 2001}}, "at most 2000"),
        ({"key": "q", "type": "list"}, "a list from which"),
        ({"key": "q", "type": "one"}, "at least one option"),
        ({"key": "q", "type": "one", "choices": [{"key": "a", "texts": {"en": "A"}, "retired": True}]}, "at least one"),
        ({"key": "q", "type": "many", "choices": [{"key": "a", "texts": {"en": t}} for t in "AB"]}, "different keys"),
        ({"key": "q", "type": "many", "choices": [{"key": k, "texts": {"en": "A"}} for k in "ab"]}, "different texts"),
        ({"key": "q", "type": "many", "choices": [{"key": "a", "texts": {"en": ""}}]}, "a text for each"),
        ({"key": "q", "type": "string", "privacy": "public"}, "privacy role"),
        ({"key": "q", "type": "integer", "low": "5", "high": "4"}, "not greater"),
        ({"key": "q", "type": "integer", "low": "1.5"}, "bounds of the type"),
        ({"key": "q", "type": "date", "high": "31/12/2026"}, "bounds of the type"),
        ({"key": "q", "type": "group"}, "at least one question in the group"),
        ({"key": "q", "type": "string", "questions": [{"key": "r", "type": "date"}]}, "a group around"),
        (rule(question="gone", values=["yes"]), "not in the form"),
        (rule(question="g"), "has no answer"),
        (rule(question="day"), "another group"),
        (rule(question="q"), "comes later"),
        (rule(question="drugs", values=["true"]), "yes or no"),
        (rule(question="kind", values=["x", "z"]), "an option"),
        (rule(question="drugs", low="1"), "no number"),
        (rule(question="age", low="x"), "wanted bounds"),
        (rule(question="age", low="3", high="2"), "not greater"),
        ({"key": "q", "type": "calculated"}, "found the end"),
        ({"key": "q", "type": "calculated", "formula": "q + 1"}, "the question itself"),
        ({"key": "q", "type": "calculated", "formula": "day"}, "in each episode"),
        ({"key": "q", "type": "calculated", "formula": "age + drugs"}, "wanted a number, found yes or no"),
        ({"key": "q", "type": "calculated", "formula": "if(age, 1, 2)"}, "wanted yes or no, found a number"),
        ({"key": "q", "type": "calculated", "formula": "if(drugs, 1, 'x')"}, "wanted a number, found a text"),
        ({"key": "q", "type": "calculated", "formula": "exec(age)"}, "one of the functions"),
        ({"key": "q", "type": "calculated", "formula": "years(age)"}, "wanted 2 arguments, found 1"),
        ({"key": "q", "type": "calculated", "formula": "sum(age)"}, "questions of one group"),
        ({"key": "q", "type": "calculated", "formula": "(" * 40 + "1" + ")" * 40}, "at most 30 brackets"),
        ({"key": "q", "type": "calculated", "formula": "1 " * 600}, "at most 1000"),
        ({"key": "q", "type": "calculated", "formula": "age; 2"}, "at character 4"),
    ],
)
def test_each_problem_is_named(question: dict[str, Any], sentence: str) -> None:
    report = found(question)
    assert any(sentence in text and key == question["key"] for key, text in report), report


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"starts": "age"}, "as the start"),
        ({"ends": "n"}, "as the end"),
        ({"starts": "d", "ends": "d"}, "two different"),
        ({"most": -1}, "at least 1"),
    ],
)
def test_problems_of_a_group(fields: dict[str, Any], sentence: str) -> None:
    inner = [
        {"key": "d", "type": "date", "texts": {"en": "D"}},
        {"key": "n", "type": "string", "texts": {"en": "N"}},
    ]
    assert sentence in found({"key": "h", "type": "group", "questions": inner, **fields})[0][1]


def test_a_group_in_a_group_is_refused() -> None:
    inner = {"key": "i", "type": "group", "texts": {"en": "I"}, "questions": [{"key": "j", "type": "string"}]}
    assert ("i", "A group cannot be inside another group.") in found(
        {"key": "h", "type": "group", "questions": [inner]}
    )


def test_a_circle_is_shown_with_its_texts() -> None:
    report = found(
        {"key": "a", "type": "calculated", "texts": {"en": "First"}, "formula": "b + 1"},
        {
            "key": "b",
            "type": "integer",
            "texts": {"en": "Second"},
            "when": {"rules": [{"question": "a", "low": "1"}]},
        },
    )
    assert ("a", "Depends on itself: First needs Second needs First.") in report


def test_lists_that_are_not_available_are_named() -> None:
    form = Form.from_json({"questions": [{"key": "q", "type": "list", "texts": {"en": "Q"}, "choice_list": "7"}]})
    assert not problems(form)
    assert not problems(form, lists={"7"})
    assert "not available" in problems(form, lists=set())[0].sentence


def test_an_empty_form_has_a_problem() -> None:
    assert [problem.key for problem in problems(Form())] == [""]
