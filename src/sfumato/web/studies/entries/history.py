"""The history of an entry: who changed what, when and why, read from its revisions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from sfumato.web.studies.entry.options import choices_of_answers
from sfumato.web.studies.forms.answers import Stored
from sfumato.web.studies.forms.tree import Form, Question
from sfumato.web.studies.models import Entry, Revision

__all__ = ["Change", "Texts", "history_of", "revision_changes"]


@dataclass(frozen=True)
class Change:
    """A line of the history; before, after and declined are texts as the form shows them."""

    revision: Revision
    what: str
    question: str
    episode: str
    before: str
    after: str
    declined: str = ""
    order: str = ""
    restorable: bool = False


class Texts:
    """Answers as a reader knows them: options by their text, days as day/month/year."""

    def __init__(self, form: Form, language: str) -> None:
        self.form, self.language = form, language
        self._numbers: dict[str, int] = {}
        self._options: dict[tuple[str, str], str] = {}

    def learn(self, answers: list[tuple[str, Any]]) -> None:
        """Read the options that these answers (question, stored) name, all at once."""
        pairs = [(self.form.question(key), stored) for key, stored in answers if key in self.form.by_key]
        for key, choices in choices_of_answers(pairs).items():
            self._options |= {(key, choice.key): choice.text(self.language) for choice in choices}

    def number_episodes(self, entry: Entry) -> None:
        """Learn which episode of its group each one is, so that labels say so."""
        for rows in entry.answers.get("episodes", {}).values():
            self._numbers |= {row["key"]: number for number, row in enumerate(rows, start=1)}

    def label(self, key: str, episode: str = "") -> str:
        """The text of a question, of one of a group with the episode; its key if the form no longer has it."""
        if key not in self.form.by_key:
            return key
        question, group = self.form.by_key[key]
        text, number = question.text(self.language), self._numbers.get(episode)
        if number is None:
            return text
        return f"{group.text(self.language)} {number}: {text}" if group else f"{text} {number}"

    def value(self, key: str, stored: Stored | None) -> str:
        """The text of an answer."""
        if stored is None:
            return "\u2013"
        question = self.form.question(key) if key in self.form.by_key else Question(key, "string")
        if isinstance(stored, list):
            return ", ".join(self._options.get((key, option), option) for option in stored)
        if question.type == "yes_no":
            return {"yes": _("Yes"), "no": _("No")}.get(stored, stored)
        if question.type == "date" and stored.count("-") == 2:
            return "/".join(stored.split("-")[::-1])
        return self._options.get((key, stored), stored)


def revision_changes(revisions: list[Revision]) -> Iterator[tuple[Revision, dict[str, Any]]]:
    """Each change with its revision, the newest first."""
    for revision in revisions:
        for change in reversed(revision.patch):
            yield revision, change


def history_of(
    entry: Entry, revisions: list[Revision], form: Form, language: str, place: tuple[str, str] | None = None
) -> list[Change]:
    """The changes of these revisions, of one answer only if a place (question, episode) is given."""
    pairs = list(revision_changes(revisions))
    texts = Texts(form, language)
    texts.number_episodes(entry)
    texts.learn(
        [
            (change["question"], change.get(name))
            for _revision, change in pairs
            if "question" in change
            for name in ("value", "before", "declined")
        ]
    )
    present = {row["key"] for rows in entry.answers.get("episodes", {}).values() for row in rows}
    return [
        _line(revision, change, texts, present)
        for revision, change in pairs
        if place is None or (change.get("question"), change.get("episode", "")) == place
    ]


def _line(revision: Revision, change: dict[str, Any], texts: Texts, present: set[str]) -> Change:
    if "do" in change:
        words = {"add": _("added"), "retire": _("removed"), "restore": _("restored")}
        group, episode = change["group"], change["episode"]
        restorable = change["do"] == "retire" and episode not in present and group in texts.form.by_key
        label = texts.label(group, episode)
        return Change(revision, label, group, episode, "", words[change["do"]], "", change["do"], restorable)
    key = change["question"] or change.get("group", "")  # without a question a choice is about a whole episode
    declined = texts.value(key, change["declined"]) if "declined" in change else ""
    before, after = texts.value(key, change.get("before")), texts.value(key, change.get("value"))
    episode = change.get("episode", "")
    return Change(revision, texts.label(key, episode), key, episode, before, after, declined)
