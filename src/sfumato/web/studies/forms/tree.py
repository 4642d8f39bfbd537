"""A form as a tree of questions, and its JSON.

>>> age = {"key": "q1", "type": "integer", "texts": {"en": "Age"}}
>>> form = Form.from_json({"languages": ["en"], "questions": [age]})
>>> form.question("q1").text("en")
'Age'
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sfumato.web.studies.forms.formula_kinds import kinds_of
from sfumato.web.studies.forms.order import order_of

__all__ = ["TYPES", "Choice", "Form", "Question", "Rule", "When"]

# type: whether it holds an answer
TYPES = {
    "string": True,
    "integer": True,
    "decimal": True,
    "date": True,
    "yes_no": True,
    "title": False,
    "one": True,  # multiple choice, one answer
    "many": True,  # multiple choice, several answers
    "list": True,  # one option of a named list
    "group": False,  # complex: questions that recur
    "calculated": True,
}


@dataclass(frozen=True)
class Choice:
    """An option of a multiple-choice question or of a list; `key` is permanent, `texts` are by language."""

    key: str
    texts: dict[str, str] = field(default_factory=dict)
    ancestors: tuple[str, ...] = ()
    retired: bool = False

    def text(self, language: str) -> str:
        """Its text in a language, or in the first language that has one."""
        return self.texts.get(language) or next((text for text in self.texts.values() if text), self.key)

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Choice:
        """The choice that `to_json` wrote."""
        ancestors = tuple(content.get("ancestors", ()))
        return cls(content["key"], dict(content.get("texts", {})), ancestors, bool(content.get("retired", False)))

    def to_json(self) -> dict[str, Any]:
        """JSON, without what is as usual."""
        content: dict[str, Any] = {"key": self.key, "texts": self.texts}
        if self.ancestors:
            content["ancestors"] = list(self.ancestors)
        if self.retired:
            content["retired"] = True
        return content


@dataclass(frozen=True)
class Rule:
    """A test of the answer to an enabling question: one of these values, between two numbers or days, or answered.

    values : texts as they are stored (keys of options, yes, no).  low, high : texts of a number or an ISO date; ""
    is open.  Without values, low and high, any answer enables.
    """

    question: str
    values: tuple[str, ...] = ()
    low: str = ""
    high: str = ""


@dataclass(frozen=True)
class When:
    """When a question is asked: all rules hold, or any of them.  No rules: always."""

    rules: tuple[Rule, ...] = ()
    join: str = "all"


@dataclass(frozen=True)
class Question:
    """A question (or title, or recurring group) of a form.

    key : permanent.  texts, hints : by language.  choices : of one and many.  choice_list : the id of a ChoiceList, of
    the type list.  low, high : least and greatest number or day, as text.  formula : of calculated.  questions : of a
    group.  starts, ends : keys of the date questions of a group that begin and end an episode.  most : how many
    episodes a group takes.  privacy : identifying, known, sensitive, items or "".
    """

    key: str
    type: str
    texts: dict[str, str] = field(default_factory=dict)
    hints: dict[str, str] = field(default_factory=dict)
    required: bool = False
    choices: tuple[Choice, ...] = ()
    choice_list: str = ""
    low: str = ""
    high: str = ""
    unit: str = ""
    formula: str = ""
    when: When = When()
    questions: tuple[Question, ...] = ()
    starts: str = ""
    ends: str = ""
    most: int | None = None
    privacy: str = ""

    def text(self, language: str) -> str:
        """Its text in a language, or in the first language that has one."""
        return self.texts.get(language) or next((text for text in self.texts.values() if text), self.key)

    @property
    def is_answered(self) -> bool:
        """Whether it holds an answer: not a title, not a group."""
        return TYPES[self.type]

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Question:
        """The question that `to_json` wrote."""
        values = dict(content)
        values["choices"] = tuple(map(Choice.from_json, content.get("choices", ())))
        values["questions"] = tuple(map(cls.from_json, content.get("questions", ())))
        when = content.get("when") or {}
        rules = (Rule(**{**rule, "values": tuple(rule.get("values", ()))}) for rule in when.get("rules", ()))
        values["when"] = When(tuple(rules), when.get("join", "all"))
        return cls(**values)

    def to_json(self) -> dict[str, Any]:
        """JSON, without what is as usual."""
        content: dict[str, Any] = {"key": self.key, "type": self.type, "texts": self.texts}
        for name in ("hints", "required", "choice_list", "low", "high", "unit", "formula", "starts", "ends", "most"):
            if getattr(self, name):
                content[name] = getattr(self, name)
        if self.privacy:
            content["privacy"] = self.privacy
        if self.choices:
            content["choices"] = [choice.to_json() for choice in self.choices]
        if self.questions:
            content["questions"] = [question.to_json() for question in self.questions]
        if self.when.rules:
            content["when"] = {"join": self.when.join, "rules": [_rule_json(rule) for rule in self.when.rules]}
        return content


@dataclass(frozen=True)
class Form:
    """The questions of a study in their order; `languages[0]` is the one that every text has."""

    languages: tuple[str, ...] = ("en",)
    questions: tuple[Question, ...] = ()

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Form:
        """The form that `to_json` wrote."""
        languages = tuple(content.get("languages", ("en",))) or ("en",)
        return cls(languages, tuple(map(Question.from_json, content.get("questions", ()))))

    def to_json(self) -> dict[str, Any]:
        """JSON."""
        return {"languages": list(self.languages), "questions": [question.to_json() for question in self.questions]}

    def walk(self) -> Iterator[tuple[Question, Question | None]]:
        """Every question with the group in which it is asked (None outside of groups), in the order of the form."""
        for question in self.questions:
            yield question, None
            for inner in question.questions:
                yield inner, question

    @cached_property
    def by_key(self) -> dict[str, tuple[Question, Question | None]]:
        """Each question and its group, by key."""
        return {question.key: (question, group) for question, group in self.walk()}

    @cached_property
    def order(self) -> tuple[str, ...]:
        """Keys of questions, each after those that it depends on; without those that depend on a circle."""
        return order_of(self)

    @cached_property
    def kinds(self) -> dict[str, str]:
        """The kind of the answers to each question: number, date, text, yes_no, options, or "" (no answer)."""
        return kinds_of(self)

    def question(self, key: str) -> Question:
        """The question with this key."""
        return self.by_key[key][0]

    def group_of(self, key: str) -> Question | None:
        """The recurring group in which a question is asked."""
        return self.by_key[key][1]


def _rule_json(rule: Rule) -> dict[str, Any]:
    content: dict[str, Any] = {"question": rule.question}
    if rule.values:
        content["values"] = list(rule.values)
    if rule.low:
        content["low"] = rule.low
    if rule.high:
        content["high"] = rule.high
    return content
