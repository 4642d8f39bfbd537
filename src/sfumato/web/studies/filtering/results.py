"""The entries that a condition selects, page by page, and the columns that can be chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.urls import NoReverseMatch, reverse
from django.utils.translation import get_language

from sfumato.web.studies.filtering.compiling import entries_where
from sfumato.web.studies.filtering.records import ABOUT_COLUMNS, heading, records
from sfumato.web.studies.filtering.tree import Condition, ConditionRefused
from sfumato.web.studies.filtering.visible import Visible
from sfumato.web.studies.forms.tree import Form

__all__ = ["Results", "columns_of", "first_columns", "posted_columns", "results_of"]

ROWS = 25
_FIRST = 5


@dataclass
class Results:
    """A page of the table: rows are pairs of the entry's address ("" without one) and texts."""

    headings: list[str] = field(default_factory=list)
    rows: list[tuple[str, list[str]]] = field(default_factory=list)
    page: int = 1
    pages: int = 1
    count: int = 0


def columns_of(visible: Visible) -> list[str]:
    """The keys of all columns that a person can choose; a participant needs no author."""
    about = [key for key in ABOUT_COLUMNS if visible.author is None or key != "@author"]
    return about + [question.key for question, _group in visible.form.walk() if question.is_answered]


def first_columns(form: Form) -> list[str]:
    """The columns that are chosen at first: the number of the entry, and questions that do not name the person."""
    keys = [
        question.key
        for question, group in form.walk()
        if question.is_answered and group is None and question.privacy != "identifying"
    ]
    return ["@number", *keys[:_FIRST]]


def posted_columns(post: Any, visible: Visible) -> list[str]:
    """The chosen columns, in the order of the form."""
    chosen = set(post.getlist("column"))
    return [key for key in columns_of(visible) if key in chosen]


def results_of(visible: Visible, condition: Condition, columns: Sequence[str], page: int) -> Results | None:
    """A page of the entries that a condition selects; None if the condition does not fit the form."""
    try:
        entries = entries_where(visible.study, condition, visible.entries, visible.author, visible.form)
    except ConditionRefused:
        return None
    count = entries.count()
    pages = max(1, -(-count // ROWS))
    page = min(max(1, page), pages)
    shown = list(entries.select_related("author", "centre")[(page - 1) * ROWS : page * ROWS])
    keys = list(columns) or ["@number"]
    headings, rows = records(shown, visible.form, keys, get_language() or "en")
    addresses = [_address(visible, entry.pk) for entry in shown]
    return Results(headings, list(zip(addresses, rows, strict=True)), page, pages, count)


def _address(visible: Visible, entry_id: Any) -> str:
    try:
        return reverse("study-entry", args=[visible.study.pk, entry_id])
    except NoReverseMatch:
        return ""


def column_rows(visible: Visible, draft_keys: set[str], chosen: Sequence[str]) -> list[dict[str, Any]]:
    """The lines of the table of questions: what can be exported (E) and filtered (F)."""
    language = get_language() or "en"
    lines: list[dict[str, Any]] = []
    for key in columns_of(visible):
        if key in ABOUT_COLUMNS:
            field_name = key[1:]
            add = "" if key == "@number" or (visible.author and key == "@centre") else f"about:{field_name}"
            lines.append({"key": key, "text": heading(key, visible.form, language), "add": add, "inner": False})
    for question, group in visible.form.walk():
        line: dict[str, Any] = {"key": question.key, "text": question.text(language), "inner": group is not None}
        if question.type == "title":
            lines.append({**line, "title": True})
        else:
            add = f"has:{question.key}" if question.type == "group" else f"is:{question.key}"
            lines.append({**line, "add": add, "group": question.type == "group"})
    for line in lines:
        line["chosen"] = line["key"] in chosen
        line["used"] = line["key"].removeprefix("@") in draft_keys
    return lines
