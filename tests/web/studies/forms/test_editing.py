"""Changes of a form: each gives a new form, and keys follow in branching and formulas."""

from __future__ import annotations

from typing import Any

import pytest

from sfumato.web.studies.forms.checks import problems
from sfumato.web.studies.forms.editing import (
    EditRefused,
    add,
    change,
    duplicate,
    insert_template,
    move,
    new_key,
    part_of,
    remove,
)
from sfumato.web.studies.forms.tree import Choice, Form, Question

CONTENT: dict[str, Any] = {
    "languages": ["en"],
    "questions": [
        {"key": "a", "type": "yes_no", "texts": {"en": "A"}},
        {
            "key": "b",
            "type": "string",
            "texts": {"en": "B"},
            "when": {"rules": [{"question": "a", "values": ["yes"]}]},
        },
        {
            "key": "g",
            "type": "group",
            "texts": {"en": "G"},
            "starts": "d",
            "questions": [
                {"key": "d", "type": "date", "texts": {"en": "D"}},
                {
                    "key": "e",
                    "type": "integer",
                    "texts": {"en": "E"},
                    "low": "1",
                    "unit": "mg",
                    "when": {"rules": [{"question": "d"}, {"question": "a", "values": ["no"]}]},
                },
                {"key": "f", "type": "calculated", "texts": {"en": "F"}, "formula": "e * 2 + {e}"},
            ],
        },
        {"key": "z", "type": "calculated", "texts": {"en": "Z"}, "formula": "sum(e) + count(g)"},
    ],
}
FORM = Form.from_json(CONTENT)
NEW = Question("n", "string", {"en": "N"})


def shape(form: Form) -> str:
    """The keys in order, with those of groups in brackets."""
    return " ".join(
        question.key + (f"({' '.join(inner.key for inner in question.questions)})" if question.questions else "")
        for question in form.questions
    )


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ({}, "a b g(d e f) z n"),
        ({"after": ""}, "n a b g(d e f) z"),
        ({"after": "a"}, "a n b g(d e f) z"),
        ({"before": "a"}, "n a b g(d e f) z"),
        ({"after": "g"}, "a b g(d e f) n z"),
        ({"after": "d"}, "a b g(d n e f) z"),
        ({"before": "d"}, "a b g(n d e f) z"),
        ({"group": "g"}, "a b g(d e f n) z"),
        ({"group": "g", "after": ""}, "a b g(n d e f) z"),
        ({"group": ""}, "a b g(d e f) z n"),
    ],
)
def test_a_question_goes_where_it_should(place: dict[str, str], expected: str) -> None:
    assert shape(add(FORM, NEW, **place)) == expected
    elsewhere = add(FORM, NEW, after="b")
    assert shape(move(elsewhere, "n", **place)) == expected
    assert Form.from_json(CONTENT) == FORM, "the input is untouched"


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (lambda: add(FORM, Question("a", "string")), "no other question"),
        (lambda: add(FORM, NEW, after="gone"), "no longer in the form"),
        (lambda: add(FORM, NEW, group="a"), "a group to put"),
        (lambda: add(FORM, Question("h", "group"), group="g"), "inside another group"),
        (lambda: move(FORM, "g", after="d"), "into itself"),
        (lambda: move(FORM, "g", group="g"), "into itself"),
        (lambda: change(FORM, "g", type="string"), "without questions"),
        (lambda: change(FORM, "d", type="group"), "inside another group"),
        (lambda: change(FORM, "a", questions=()), "fields of a question"),
        (lambda: change(FORM, "a", type="photo"), "types of questions"),
        (lambda: remove(FORM, "gone"), "no longer in the form"),
    ],
)
def test_refusals_have_a_sentence(edit: Any, sentence: str) -> None:
    with pytest.raises(EditRefused, match=sentence):
        edit()


def test_a_question_stays_if_it_is_moved_beside_itself() -> None:
    assert move(FORM, "a", after="a") == FORM


def test_a_changed_type_empties_the_fields_that_it_does_not_use() -> None:
    changed = change(FORM, "e", type="string").question("e")
    assert (changed.low, changed.unit) == ("", "")
    assert changed.when == FORM.question("e").when
    options = (Choice("x", {"en": "x"}),)
    assert change(FORM, "b", type="one", choices=options).question("b").choices == options


def test_removal_keeps_rules_to_be_corrected() -> None:
    assert [problem.key for problem in problems(remove(FORM, "a"))] == ["b", "e"]


def test_a_copy_of_a_group_reads_itself() -> None:
    copied, key = duplicate(FORM, "g")
    group = copied.question(key)
    day, number, formula = (inner.key for inner in group.questions)
    assert shape(copied) == f"a b g(d e f) {key}({day} {number} {formula}) z"
    assert group.starts == day
    assert [rule.question for rule in copied.question(number).when.rules] == [day, "a"]
    assert copied.question(formula).formula == f"{{{number}}} * 2 + {{{number}}}"
    assert not problems(copied)


def test_a_template_comes_with_fresh_keys_twice() -> None:
    template = part_of(FORM, ["g", "a", "z"])
    form, first = insert_template(FORM, template)
    form, second = insert_template(form, template, after="b")
    assert not problems(form)
    assert len({*first.values(), *second.values(), *FORM.by_key}) == 3 * 6 + 1
    assert form.question(first["z"]).formula == f"sum({{{first['e']}}}) + count({{{first['g']}}})"


def test_a_part_leaves_out_rules_that_lead_outside() -> None:
    part = part_of(FORM, ["e", "b"])
    assert shape(part) == "b g(e)"
    assert not part.question("b").when.rules
    assert not part.question("e").when.rules
    assert part.question("g").starts == ""
    assert shape(part_of(FORM, ["g"])) == "g(d e f)"


def test_a_template_in_another_language_has_the_texts_of_the_form() -> None:
    greek = Form(("el",), (Question("q", "one", {"el": "Φύλο"}, choices=(Choice("f", {"el": "γυναίκα"}),)),))
    form, keys = insert_template(FORM, greek)
    question = form.question(keys["q"])
    assert question.texts == {"el": "Φύλο", "en": "Φύλο"}
    assert question.choices[0].text("en") == "γυναίκα"


def test_new_keys_differ() -> None:
    assert len({new_key(FORM) for _ in range(500)}) == 500
