"""What the template of the form shows: sections, fields, cards of episodes, and what its script needs to know.

`form_of_entry` and `preview_of` return the context of `entry/form.html`.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from sfumato.web.studies.design.words import LANGUAGES
from sfumato.web.studies.entry.options import choices_of_questions
from sfumato.web.studies.entry.sections import EPISODES_AT_ONCE, Section, fits_one_page, sections_of
from sfumato.web.studies.forms.answers import Answers, Stored
from sfumato.web.studies.forms.branching import asked
from sfumato.web.studies.forms.calculating import with_calculated
from sfumato.web.studies.forms.tree import Choice, Form, Question

__all__ = ["BLANK", "Shown", "form_page", "preview_of"]

BLANK = "__episode__"  # the key of the empty card that the script copies
_MOST_RADIOS, _MOST_IN_SELECT = 7, 25


@dataclass
class Shown:
    """What is shown besides the form itself.

    typed : texts that were refused, by place; they stay in their fields.  errors : sentences by place.  window : the
    first episode that is shown, by group.  numbers : how many notes there are by place.
    """

    language: str = "en"
    section: int = 0
    typed: dict[tuple[str, str], Stored] = field(default_factory=dict)
    errors: dict[tuple[str, str], str] = field(default_factory=dict)
    window: dict[str, int] = field(default_factory=dict)
    notes: dict[tuple[str, str], int] = field(default_factory=dict)
    editable: bool = True


def preview_of(form: Form, choices: dict[str, tuple[Choice, ...]], language: str, section: int = 0) -> dict[str, Any]:
    """The context of `entry/form.html` for a preview of a form; nothing is stored."""
    page = form_page(form, Answers(), Shown(language, section), choices=choices)
    return {"entry_form": {**page, "preview": True}}


def form_page(
    form: Form,
    answers: Answers,
    shown: Shown,
    *,
    entered: date | None = None,
    choices: dict[str, tuple[Choice, ...]] | None = None,
) -> dict[str, Any]:
    """Sections with their fields, links to the others, and the data of the script."""
    language = shown.language if shown.language in form.languages else form.languages[0]
    shown.language = language
    every = sections_of(form)
    whole = fits_one_page(form)
    number = min(max(shown.section, 0), len(every) - 1)
    chosen = every if whole else [every[number]]
    answers = with_calculated(form, answers, entered)
    drawing = _Drawing(form, answers, shown, chosen, choices)
    return {
        "sections": [drawing.section(section) for section in chosen],
        "links": [
            {"number": section.number, "title": _title(section, language), "here": section.number == number}
            for section in every
        ],
        "whole": whole,
        "number": number,
        "last": len(every) - 1,
        "language": language,
        "languages": [(code, LANGUAGES.get(code, code)) for code in form.languages],
        "lists": drawing.lists,
        "data": drawing.data(),
        "editable": shown.editable,
        "shown_values": drawing.shown_values,
        "client_key": uuid.uuid4().hex,
    }


def _title(section: Section, language: str) -> str:
    title = section.text(language) or _("Section %(number)s") % {"number": section.number + 1}
    return f"{title} ({section.part})" if section.part else title


class _Drawing:
    """The fields of some sections."""

    def __init__(
        self,
        form: Form,
        answers: Answers,
        shown: Shown,
        sections: list[Section],
        choices: dict[str, tuple[Choice, ...]] | None,
    ) -> None:
        self.form, self.answers, self.shown, self.language = form, answers, shown, shown.language
        self.places = asked(form, answers)
        self.questions = [question for section in sections for question in section.questions]
        inner = [part for question in self.questions for part in (question, *question.questions)]
        self.choices = choices_of_questions(inner) if choices is None else choices
        self.titles = [section.title for section in sections if section.title]
        self.lists: list[dict[str, Any]] = []
        self.shown_values: dict[str, Stored] = {}
        self.episodes: dict[str, list[str]] = {}

    def section(self, section: Section) -> dict[str, Any]:
        title = section.title
        return {
            "number": section.number,
            "title": _title(section, self.language),
            "key": title.key if title else "",
            "hint": _hint(title, self.language) if title else "",
            "asked": title is None or (title.key, "") in self.places,
            "items": [
                self.group(question) if question.type == "group" else self.field(question, "", self.answers.values)
                for question in section.questions
            ],
        }

    def group(self, question: Question) -> dict[str, Any]:
        rows = self.answers.episodes.get(question.key, [])
        default = max(len(rows) - EPISODES_AT_ONCE, 0)
        start = min(max(self.shown.window.get(question.key, default), 0), max(len(rows) - 1, 0))
        visible = rows[start : start + EPISODES_AT_ONCE]
        self.episodes[question.key] = [key for key, _values in visible]
        earlier, later = max(start - EPISODES_AT_ONCE, 0), start + EPISODES_AT_ONCE
        return {
            "type": "group",
            "key": question.key,
            "label": question.text(self.language),
            "hint": _hint(question, self.language),
            "asked": (question.key, "") in self.places,
            "total": len(rows),
            "first": start + 1,
            "until": start + len(visible),
            "earlier": self._window(question.key, earlier) if start else "",
            "later": self._window(question.key, later) if later < len(rows) else "",
            "full": question.most is not None and len(rows) >= question.most,
            "most": question.most or "",
            "cards": [
                {
                    "key": key,
                    "number": start + position + 1,
                    "fields": [self.field(inner, key, values) for inner in question.questions],
                }
                for position, (key, values) in enumerate(visible)
            ],
            "blank": {"key": BLANK, "fields": [self.field(inner, BLANK, {}) for inner in question.questions]},
        }

    def _window(self, group: str, start: int) -> str:
        return urlencode({"section": self.shown.section, "language": self.language, "group": group, "from": start})

    def field(self, question: Question, episode: str, values: dict[str, Stored]) -> dict[str, Any]:
        place = (question.key, episode)
        stored = values.get(question.key)
        value = self.shown.typed.get(place, stored)
        widget = self._widget(question)
        content: dict[str, Any] = {
            "type": question.type,
            "widget": widget,
            "key": question.key,
            "episode": episode,
            "name": f"a|{question.key}|{episode}",
            "id": f"f-{question.key}-{episode}",
            "label": question.text(self.language),
            "hint": _hint(question, self.language),
            "unit": question.unit,
            "range": _range(question),
            "required": question.required,
            "asked": episode == BLANK or place in self.places,
            "value": value if isinstance(value, str) else "",
            "answered": value is not None,
            "error": self.shown.errors.get(place, ""),
            "notes": self.shown.notes.get(place, 0),
        }
        if stored is not None and question.type != "calculated":
            self.shown_values[f"{question.key}|{episode}"] = stored
        if widget == "date":
            content["date"] = _parts_of_date(content["value"])
        if widget in ("radios", "checkboxes", "select", "search"):
            self._choose(question, content, value)
        return content

    def _widget(self, question: Question) -> str:
        offered = len(self.choices.get(question.key, ()))
        if question.type == "many":
            return "checkboxes"
        if question.type == "one" and offered <= _MOST_RADIOS:
            return "radios"
        if question.type in ("one", "list"):
            return "select" if offered <= _MOST_IN_SELECT else "search"
        return "text" if question.type in ("string", "integer", "decimal") else question.type

    def _choose(self, question: Question, content: dict[str, Any], value: Stored | None) -> None:
        chosen = {value} if isinstance(value, str) else set(value or ())
        offered = [
            choice for choice in self.choices.get(question.key, ()) if not choice.retired or choice.key in chosen
        ]
        if content["widget"] != "search":
            content["choices"] = [
                {"key": choice.key, "text": choice.text(self.language), "chosen": choice.key in chosen}
                for choice in offered
            ]
            return
        content["list"] = f"list-{question.choice_list or question.key}"
        if all(known["id"] != content["list"] for known in self.lists):
            options = [(choice.key, choice.text(self.language)) for choice in offered]
            self.lists.append({"id": content["list"], "options": options})
        content["value"] = next(
            (choice.text(self.language) for choice in offered if choice.key in chosen), content["value"]
        )

    def data(self) -> dict[str, Any]:
        """What the script needs to know: the questions that decide what is asked on this page, and their answers."""
        wanted, waiting = set[str](), [question.key for question in (*self.questions, *self.titles)]
        waiting += [inner.key for question in self.questions for inner in question.questions]
        while waiting:
            key = waiting.pop()
            if key in wanted or key not in self.form.by_key:
                continue
            wanted.add(key)
            question, group = self.form.by_key[key]
            waiting += [rule.question for rule in question.when.rules] + ([group.key] if group else [])
        return {
            "form": {
                "questions": [_rules(question, wanted) for question in self.form.questions if question.key in wanted]
            },
            "values": {key: text for key, text in self.answers.values.items() if key in wanted},
            "episodes": {
                group: [
                    {"key": key, "values": {name: text for name, text in values.items() if name in wanted}}
                    for key, values in self.answers.episodes.get(group, ())
                    if key in visible
                ]
                for group, visible in self.episodes.items()
            },
        }


def _rules(question: Question, wanted: set[str]) -> dict[str, Any]:
    """The part of a question that decides what is asked."""
    whole = question.to_json()
    content: dict[str, Any] = {name: whole[name] for name in ("key", "type", "when", "formula") if name in whole}
    if question.questions:
        content["questions"] = [_rules(inner, wanted) for inner in question.questions if inner.key in wanted]
    return content


def _hint(question: Question, language: str) -> str:
    return question.hints.get(language) or next((text for text in question.hints.values() if text), "")


def _range(question: Question) -> str:
    low, high = question.low, question.high
    if question.type == "date":  # as days are typed
        low, high = ("/".join(reversed(day.split("-"))) for day in (low, high))
    if low and high:
        return _("from %(low)s to %(high)s") % {"low": low, "high": high}
    if low:
        return _("at least %(low)s") % {"low": low}
    return _("at most %(high)s") % {"high": high} if high else ""


def _parts_of_date(text: str) -> dict[str, str]:
    """Day, month and year of an ISO date, or of what was typed with slashes."""
    parts = text.split("-")[::-1] if text.count("-") == 2 else text.split("/")
    parts += [""] * (3 - len(parts))
    return {"day": parts[0], "month": parts[1], "year": parts[2], "iso": text if text.count("-") == 2 else ""}
