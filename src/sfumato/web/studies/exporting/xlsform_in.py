"""An XLSForm as a form of a study; what our forms do not have is named, one sentence each."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext as _

from sfumato.errors import DataError
from sfumato.web.studies.choice_lists.lines import read_groups
from sfumato.web.studies.entry.words import searchable
from sfumato.web.studies.exporting.matching import NO, YES
from sfumato.web.studies.exporting.xlsform_expressions import (
    ExpressionRefused,
    bounds_of,
    formula_of,
    when_of,
)
from sfumato.web.studies.forms.checks import LONGEST_KEY
from sfumato.web.studies.forms.editing import new_key, with_keys
from sfumato.web.studies.forms.tree import Choice, Form, Question, Rule, When

__all__ = ["ReadForm", "is_xlsform", "read_xlsform", "with_own_keys"]

_TYPES = {
    "text": "string",
    "string": "string",
    "integer": "integer",
    "int": "integer",
    "decimal": "decimal",
    "date": "date",
    "note": "title",
    "calculate": "calculated",
}
_METADATA = {
    "start",
    "end",
    "today",
    "deviceid",
    "username",
    "phonenumber",
    "email",
    "audit",
    "simserial",
    "subscriberid",
}
_UNREAD = ("choice_filter", "default", "readonly", "trigger", "parameters", "constraint_message", "appearance")
_MOST_ROWS = 10_000
Row = Mapping[str, str]


@dataclass
class ReadForm:
    """A form and what was left out of it.  form_id : the name by which its writer knows it again."""

    form: Form
    problems: list[str] = field(default_factory=list)
    title: str = ""
    form_id: str = ""


def is_xlsform(sheets: Mapping[str, object]) -> bool:
    """Whether a workbook has the sheets of an XLSForm."""
    return {"survey", "choices"} <= {name.strip().lower() for name in sheets}


def read_xlsform(sheets: Mapping[str, Sequence[Sequence[str]]], language: str, lists: Collection[str] = ()) -> ReadForm:
    """The form of a workbook.

    sheets : rows of texts by the name of the sheet, the first row with the headings.  language : of texts whose column
    does not name one.  lists : ids of the lists that the form may use.
    """
    tables = {name.strip().lower(): _rows(rows) for name, rows in sheets.items()}
    if not tables.get("survey"):
        raise DataError(_("wanted an XLSForm with a sheet 'survey' that has rows, found none"))
    settings = (tables.get("settings") or [{}])[0]
    if settings.get("default_language"):
        language = _code(settings["default_language"])
    reader = _Reader(tables["survey"][:_MOST_ROWS], tables.get("choices", []), language, lists)
    questions = reader.questions()
    form = Form(tuple(reader.languages), tuple(questions))
    form = _without_unknown_rules(form, reader.problems)
    return ReadForm(form, reader.problems, settings.get("form_title", "")[:200], settings.get("form_id", ""))


def with_own_keys(form: Form, known: Form) -> Form:
    """The form with new keys for questions that only by chance have the key of another question of a study.

    known : every question of the study.  A key stays if the question is the same: of the same type, with a text that
    both have, and so for its options; otherwise stored answers would be read as answers to another question.
    """
    keys = {
        question.key: new_key(known)
        if question.key in known.by_key and not _is_same(question, known.question(question.key))
        else question.key
        for question, _group in form.walk()
    }
    return replace(form, questions=tuple(with_keys(question, keys) for question in form.questions))


def _is_same(question: Question, other: Question) -> bool:
    if question.type != other.type or not set(question.texts.items()) & set(other.texts.items()):
        return False
    texts = {choice.key: set(choice.texts.items()) for choice in other.choices}
    return all(choice.key not in texts or texts[choice.key] & set(choice.texts.items()) for choice in question.choices)


def _rows(rows: Sequence[Sequence[str]]) -> list[dict[str, str]]:
    """The rows of a sheet by heading; headings in lower case with one colon or two as they are."""
    rows = [row for row in rows if any(row)]
    if not rows:
        return []
    heads = [head.strip() for head in rows[0]]
    heads = [head.partition(":")[0].lower() + head[len(head.partition(":")[0]) :] for head in heads]
    return [dict(zip(heads, (cell.strip() for cell in row), strict=False)) for row in rows[1:]]


def _texts(row: Row, name: str, language: str) -> dict[str, str]:
    """The texts of a column by language, such as of label, label::en and label::Ελληνικά (el)."""
    texts: dict[str, str] = {}
    for head, text in row.items():
        if not text:
            continue
        if head == name:
            texts[language] = text
        elif head.startswith((f"{name}::", f"{name}:")):
            texts[_code(head.removeprefix(name).lstrip(":"))] = text
    return texts


def _code(heading: str) -> str:
    """The code of a language: that in brackets, or a short name itself."""
    inside = re.search(r"\(([A-Za-z-]{2,10})\)\s*$", heading)
    if inside:
        return inside[1].lower()
    known = {"english": "en", "ελληνικά": "el", "greek": "el"}
    return known.get(heading.strip().lower(), heading.strip()[:10] or "en")


def _is_yes_no(name: str, choices: Sequence[Choice]) -> bool:
    """Whether a list of choices says no more than yes and no."""
    if {choice.key for choice in choices} != {"yes", "no"} or any(choice.ancestors for choice in choices):
        return False
    words = {searchable(text) for choice in choices for text in choice.texts.values()}
    return name == "yes_no" or words <= YES | NO


def _with_keys(survey: Iterable[dict[str, str]]) -> dict[str, str]:
    """Write the key of each row under "@key": its name, or where our forms do not take that another one; by name."""
    keys: dict[str, str] = {}
    taken: set[str] = set()
    for row in survey:
        name = row.get("name", "")
        wanted = re.sub(r"[^A-Za-z0-9_.-]", "_", row.get("key") or name)[:LONGEST_KEY].lstrip(".-") or "q"
        key, number = wanted, 1
        while key in taken:
            number += 1
            key = f"{wanted[: LONGEST_KEY - 1 - len(str(number))]}_{number}"
        row["@key"] = key
        keys.setdefault(name, key)
        taken.add(key)
    return keys


class _Reader:
    def __init__(
        self, survey: list[dict[str, str]], choices: list[dict[str, str]], language: str, lists: Collection[str]
    ) -> None:
        self.survey, self.language, self.lists, self.problems = survey, language, lists, list[str]()
        self.languages = self._languages([*survey, *choices])
        self.choices: dict[str, dict[str, Choice]] = {}
        for row in choices:
            key = (row.get("name") or row.get("value") or "")[:LONGEST_KEY]
            name = row.get("list_name") or row.get("list name") or ""
            if name and key:
                self.choices.setdefault(name, {}).setdefault(key, self._choice(key, row))
        self.keys = _with_keys(row for row in survey if not row.get("type", "").lower().startswith("end"))

    def _languages(self, rows: list[dict[str, str]]) -> list[str]:
        heads = list(dict.fromkeys(head for row in rows for head in row))
        used = {head for row in rows for head, text in row.items() if text}
        codes = [_code(head.removeprefix("label").lstrip(":")) for head in heads if head.startswith("label:")]
        if "label" in used or not codes:
            codes.insert(0, self.language)
        return sorted(dict.fromkeys(codes), key=lambda code: code != self.language)

    def _choice(self, key: str, row: Row) -> Choice:
        texts = _texts(row, "label", self.languages[0]) or {self.languages[0]: key}
        is_retired = row.get("retired", "").lower() in ("yes", "true", "1")
        return Choice(key, texts, read_groups(row.get("ancestors", "")), is_retired)

    def questions(self) -> list[Question]:
        """The questions of the survey; groups that do not repeat become titles."""
        top: list[Question] = []
        repeats: list[tuple[Question, list[Question]]] = []
        depth_of_groups: list[When] = []
        for row in self.survey:
            kind = (
                re.sub(r"\s+", " ", row.get("type", ""))
                .strip()
                .lower()
                .replace("_group", " group")
                .replace("_repeat", " repeat")
            )
            target = repeats[-1][1] if repeats else top
            if kind == "begin repeat":
                question = self._question(row, "group", depth_of_groups)
                if repeats:
                    self._say(_("The group '%(name)s' is inside another group; its questions are asked there."), row)
                    repeats.append((question, target))
                else:
                    repeats.append((question, []))
            elif kind == "end repeat" and repeats:
                group, inner = repeats.pop()
                if not repeats:
                    top.append(replace(group, questions=tuple(inner)))
            elif kind == "begin group":
                depth_of_groups.append(self._when(row))
                if _texts(row, "label", self.languages[0]):
                    target.append(self._question(row, "title", depth_of_groups[:-1]))
            elif kind == "end group" and depth_of_groups:
                depth_of_groups.pop()
            elif kind and kind not in _METADATA:
                question_or_none = self._leaf(row, kind, depth_of_groups)
                if question_or_none is not None:
                    target.append(question_or_none)
        while repeats:
            group, inner = repeats.pop()
            if not repeats:
                top.append(replace(group, questions=tuple(inner)))
        return top

    def _leaf(self, row: Row, kind: str, outer: list[When]) -> Question | None:
        word, _space, rest = row.get("type", "").strip().partition(" ")
        word = word.lower()
        if word in ("select_one", "select_multiple"):
            name = rest.strip().partition(" ")[0]
            if "or_other" in rest:
                self._say(_("'%(name)s' takes other answers; add an option for them."), row)
            choices = tuple(self.choices.get(name, {}).values())
            if word == "select_one" and row.get("choice_list") in self.lists:
                return replace(self._question(row, "list", outer), choice_list=row["choice_list"])
            if not choices:
                self._say(_("'%(name)s' was left out: its list of choices is not in this file."), row)
                return None
            if word == "select_one" and _is_yes_no(name, choices):
                return self._question(row, "yes_no", outer)
            return replace(self._question(row, "one" if word == "select_one" else "many", outer), choices=choices)
        if kind not in _TYPES:
            self._say(_("'%(name)s' was left out: the type '%(kind)s' is not supported."), row, kind=kind[:40])
            return None
        return self._question(row, _TYPES[kind], outer)

    def _question(self, row: Row, kind: str, outer: list[When]) -> Question:
        low, high = "", ""
        if row.get("constraint") and kind in ("integer", "decimal", "date"):
            try:
                low, high = bounds_of(row["constraint"], kind)
            except ExpressionRefused:
                self._say(_("The constraint of '%(name)s' was left out: only ranges are supported."), row)
        elif row.get("constraint"):
            self._say(_("The constraint of '%(name)s' was left out: only ranges are supported."), row)
        formula = ""
        if kind == "calculated":
            formula = row.get("formula") or formula_of(row.get("calculation", ""), self.keys)
            if not formula:
                self._say(_("The calculation of '%(name)s' is not supported; write its formula."), row)
        for name in _UNREAD:
            if row.get(name):
                self._say(_("'%(column)s' of '%(name)s' was left out."), row, column=name)
        most = row.get("repeat_count", "")
        return Question(
            key=row["@key"],
            type=kind,
            texts=_texts(row, "label", self.languages[0]) or {self.languages[0]: row.get("name", "") or kind},
            hints=_texts(row, "hint", self.languages[0]),
            required=row.get("required", "").lower() in ("yes", "true", "true()", "1"),
            low=low,
            high=high,
            unit=row.get("unit", "")[:40],
            formula=formula,
            when=self._joined([*outer, self._when(row)], row),
            starts=row.get("starts", ""),
            ends=row.get("ends", ""),
            most=int(most) if most.isdecimal() and int(most[:9]) > 0 else None,
            privacy=row.get("privacy", "")
            if row.get("privacy", "") in ("identifying", "known", "sensitive", "items")
            else "",
        )

    def _when(self, row: Row) -> When:
        if not row.get("relevant"):
            return When()
        try:
            when = when_of(row["relevant"])
        except ExpressionRefused as refusal:
            self._say(_("The branching of '%(name)s' was left out: %(reason)s."), row, reason=str(refusal))
            return When()
        return replace(when, rules=tuple(map(self._rule, when.rules)))

    def _rule(self, rule: Rule) -> Rule:
        key = self.keys.get(rule.question, rule.question)
        return replace(rule, question=key, values=tuple(value[:LONGEST_KEY] for value in rule.values))

    def _joined(self, whens: list[When], row: Row) -> When:
        """Branching of a question and of the groups around it, all of which must hold."""
        parts = [when for when in whens if when.rules]
        if len(parts) <= 1:
            return parts[0] if parts else When()
        if any(when.join == "any" and len(when.rules) > 1 for when in parts):
            self._say(_("The branching of the group around '%(name)s' was left out: it mixes 'and' with 'or'."), row)
            return parts[-1]
        return When(tuple(rule for when in parts for rule in when.rules))

    def _say(self, sentence: str, row: Row, **words: str) -> None:
        self.problems.append(sentence % {"name": row.get("name", "")[:60], **words})


def _without_unknown_rules(form: Form, problems: list[str]) -> Form:
    """The form without branching by questions that it does not have."""

    def mended(question: Question) -> Question:
        known = tuple(rule for rule in question.when.rules if rule.question in form.by_key)
        if len(known) < len(question.when.rules):
            name = question.key
            problems.append(
                _("'%(name)s' depends on a question that was left out; it is always asked.") % {"name": name}
            )
            known = ()
        inner = tuple(map(mended, question.questions))
        return replace(question, when=When(known, question.when.join), questions=inner)

    return replace(form, questions=tuple(map(mended, form.questions)))
