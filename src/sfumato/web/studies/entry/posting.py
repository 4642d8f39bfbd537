"""The changes that a form carries which was sent whole, without a script."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from typing import Any

from sfumato.web.studies.entry.changes import Malformed, read_changes
from sfumato.web.studies.entry.options import choices_of_questions
from sfumato.web.studies.forms.answers import Stored
from sfumato.web.studies.forms.tree import Choice, Form, Question
from sfumato.web.studies.forms.values import AnswerRefused, canonical

__all__ = ["posted_changes"]

_PARTS = ("day", "month", "year")


def posted_changes(form: Form, post: Any) -> list[dict[str, Any]]:
    """What differs from the answers that the page showed, and what its button asks for.

    post : the fields, named ``a|question|episode``; `shown` holds the answers that the page showed, as JSON; `do` is
    ``add|group``, ``retire|group|episode``, ``clear|question|episode`` or the name of another button.
    """
    shown, base = _shown(post.get("shown", "")), post.get("base", "0")
    fields = _fields(form, post)
    questions = [form.question(key) for key, _episode in fields]
    choices = choices_of_questions(questions)
    changes = [
        {"question": key, "episode": episode, "value": value}
        for (key, episode), texts in fields.items()
        if _differs(
            form.question(key), shown.get(f"{key}|{episode}"), value := _value(form.question(key), texts, choices)
        )
    ]
    for place in shown:  # a box that is not checked is not sent
        key, _bar, episode = place.partition("|")
        if key in form.by_key and form.question(key).type == "many" and (key, episode) not in fields:
            changes.append({"question": key, "episode": episode, "value": None})
    order, *names = post.get("do", "").split("|")
    if order == "add" and len(names) == 1:
        changes.append({"group": names[0], "episode": uuid.uuid4().hex[:16], "do": "add"})
    elif order == "retire" and len(names) == 2:
        changes.append({"group": names[0], "episode": names[1], "do": "retire"})
    elif order == "clear" and len(names) == 2:
        changes = [change for change in changes if (change.get("question"), change["episode"]) != tuple(names)]
        changes.append({"question": names[0], "episode": names[1], "value": None})
    if not base.isdecimal() or len(base) > 9:
        raise Malformed("wanted the number of a revision")
    return read_changes([{**change, "base": int(base)} for change in changes])


def _shown(text: str) -> Mapping[str, Stored]:
    try:
        content = json.loads(text or "{}")
    except ValueError:
        raise Malformed("wanted the answers that the page showed") from None
    if not isinstance(content, dict):
        raise Malformed("wanted the answers that the page showed")
    return content


def _fields(form: Form, post: Any) -> dict[tuple[str, str], dict[str, list[str]]]:
    """The texts of each field by their part ("" where it has no parts), by question and episode."""
    fields: dict[tuple[str, str], dict[str, list[str]]] = {}
    for name in post:
        mark, *parts = name.split("|")
        if mark != "a" or len(parts) not in (2, 3) or parts[0] not in form.by_key:
            continue
        part = parts[2] if len(parts) == 3 else ""
        fields.setdefault((parts[0], parts[1]), {})[part] = post.getlist(name)
    return fields


def _value(question: Question, texts: dict[str, list[str]], choices: dict[str, tuple[Choice, ...]]) -> Stored | None:
    if question.type == "date":
        parts = [(texts.get(part) or [""])[0].strip() for part in _PARTS]
        return "/".join(parts) if any(parts) else None
    typed = texts.get("", [])
    if question.type == "many":
        return typed or None
    text = typed[0] if typed else ""
    if question.type in ("one", "list") and text:
        offered = choices.get(question.key, ())
        if all(choice.key != text for choice in offered):
            text = next((choice.key for choice in offered if text in choice.texts.values()), text)
    return text or None


def _differs(question: Question, shown: Stored | None, typed: Stored | None) -> bool:
    if question.type == "many":
        return sorted(typed or []) != sorted([shown] if isinstance(shown, str) else shown or [])
    if question.type == "date" and isinstance(typed, str):
        try:
            return canonical(question, typed) != shown
        except AnswerRefused:
            return True
    return typed != shown
