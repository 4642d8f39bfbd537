"""Which questions are asked: the paper's table, groups, chains, and agreement with a literal reading."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sfumato.web.studies.forms.answers import Answers
from sfumato.web.studies.forms.branching import asked, cycle
from sfumato.web.studies.forms.calculating import with_calculated
from sfumato.web.studies.forms.tree import Form
from twins.branching import literally_asked, world

VECTORS = Path(__file__).with_name("branching_vectors.json")


def evaluated(form: dict[str, Any], answers: dict[str, Any]) -> tuple[Answers, set[tuple[str, str]]]:
    """The answers with the calculated ones, and what is asked."""
    tree = Form.from_json(form)
    complete = with_calculated(tree, Answers.from_json(answers))
    return complete, asked(tree, complete)


def test_figure_2_of_the_paper() -> None:
    enabled = {"when": {"rules": [{"question": "received", "values": ["yes"]}]}}
    form = Form.from_json(
        {
            "questions": [
                {"key": "title", "type": "title"},
                {"key": "name", "type": "string"},
                {"key": "hospital", "type": "list", "choice_list": "hospitals"},
                {"key": "received", "type": "yes_no"},
                {"key": "drug", "type": "string", **enabled},
                {"key": "dosage", "type": "decimal", **enabled},
                {"key": "days", "type": "integer"},
            ]
        }
    )
    always = {("title", ""), ("name", ""), ("hospital", ""), ("received", ""), ("days", "")}
    assert asked(form, Answers()) == always
    assert asked(form, Answers({"received": "no", "drug": "Amikacin"})) == always
    assert asked(form, Answers({"received": "yes"})) == always | {("drug", ""), ("dosage", "")}


def test_an_answer_that_is_not_asked_enables_nothing() -> None:
    chain = [
        {"key": f"q{i}", "type": "yes_no", "when": {"rules": [{"question": f"q{i - 1}", "values": ["yes"]}]}}
        for i in range(1, 5000)
    ]
    form = Form.from_json({"questions": [{"key": "q0", "type": "yes_no"}, *chain]})
    answers = Answers({f"q{i}": "yes" for i in range(5000)})
    assert len(asked(form, answers)) == 5000
    assert not cycle(form)
    answers.values["q0"] = "no"
    assert asked(form, answers) == {("q0", "")}


def test_a_circle_is_found_among_thousands() -> None:
    chain = [
        {"key": f"q{i}", "type": "yes_no", "when": {"rules": [{"question": f"q{(i + 1) % 5000}"}]}} for i in range(5000)
    ]
    assert len(cycle(Form.from_json({"questions": chain}))) == 5000


def test_random_worlds_agree_with_a_literal_reading() -> None:
    sizes = set()
    for seed in range(600):
        form, answers = world(seed)
        complete, places = evaluated(form, answers)
        assert places == literally_asked(form, complete.to_json()), seed
        sizes.add(len(places))
    assert len(sizes) > 12, "worlds of many shapes"


def test_the_vectors_for_other_implementations_are_right() -> None:
    vectors = json.loads(VECTORS.read_text(encoding="utf-8"))
    assert len(vectors) == 150
    for vector in vectors:
        complete, places = evaluated(vector["form"], vector["answers"])
        assert complete.to_json() == vector["calculated"]
        assert sorted(places) == [tuple(place) for place in vector["asked"]]


@pytest.mark.parametrize("join", ["all", "any"])
def test_rules_are_joined(join: str) -> None:
    rules = [{"question": "a", "values": ["yes"]}, {"question": "b", "low": "2", "high": "3"}]
    form = Form.from_json(
        {
            "questions": [
                {"key": "a", "type": "yes_no"},
                {"key": "b", "type": "decimal"},
                {"key": "c", "type": "string", "when": {"join": join, "rules": rules}},
            ]
        }
    )
    for first in ("yes", "no"):
        for second, inside in (("1.9", False), ("2.0", True), ("3", True), ("3.01", False)):
            expected = (any if join == "any" else all)((first == "yes", inside))
            assert (("c", "") in asked(form, Answers({"a": first, "b": second}))) is expected
