"""The chosen columns of entries, as a table of texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from django.utils.formats import date_format
from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from sfumato.web.studies.entry.options import choices_of_form
from sfumato.web.studies.forms.answers import Answers, Stored
from sfumato.web.studies.forms.branching import asked
from sfumato.web.studies.forms.calculating import with_calculated
from sfumato.web.studies.forms.tree import Choice, Form, Question
from sfumato.web.studies.models import Entry

__all__ = ["ABOUT_COLUMNS", "heading", "records"]

# columns about the entry itself; no key of a question contains @
ABOUT_COLUMNS = ("@number", "@created", "@author", "@centre", "@state")


def records(
    entries: Iterable[Entry], form: Form, projection: Sequence[str], language: str
) -> tuple[list[str], Iterator[list[str]]]:
    """The headings of the chosen columns, and a row of texts for each entry.

    projection : keys of questions, and `ABOUT_COLUMNS`; what the form does not have is left out.  A question of a
    recurring group gives the answers of its episodes in their order, separated by semicolons.  Answers of questions
    that are not asked are empty.  Fetch `author` and `centre` with the entries if their columns are chosen.
    """
    keys = [key for key in projection if key in ABOUT_COLUMNS or key in form.by_key]
    choices = choices_of_form(form)
    return [heading(key, form, language) for key in keys], (
        _row(entry, form, keys, choices, language) for entry in entries
    )


def heading(key: str, form: Form, language: str) -> str:
    """The heading of a column."""
    if key in ABOUT_COLUMNS:
        names = (_("Entry"), _("Created"), _("Author"), _("Centre"), _("State"))
        return names[ABOUT_COLUMNS.index(key)]
    question, group = form.by_key[key]
    text = question.text(language)
    return text if group is None else f"{group.text(language)}: {text}"


def _row(
    entry: Entry, form: Form, keys: Sequence[str], choices: dict[str, tuple[Choice, ...]], language: str
) -> list[str]:
    answers = with_calculated(form, Answers.from_json(entry.answers), localdate(entry.created))
    places = asked(form, answers)
    row = []
    for key in keys:
        if key in ABOUT_COLUMNS:
            row.append(_about(entry, key))
            continue
        question, group = form.by_key[key]
        scopes = [("", answers.values)] if group is None else answers.episodes.get(group.key, [])
        texts = [
            _text(question, values.get(key), choices.get(key, ()), language) if (key, episode) in places else ""
            for episode, values in scopes
        ]
        row.append("; ".join(texts))
    return row


def _text(question: Question, stored: Stored | None, choices: Sequence[Choice], language: str) -> str:
    if stored is None:
        return ""
    if question.type in ("one", "many", "list"):
        texts = {choice.key: choice.text(language) for choice in choices}
        return ", ".join(texts.get(key, key) for key in ([stored] if isinstance(stored, str) else stored))
    text = stored if isinstance(stored, str) else ", ".join(stored)
    return {"yes": _("yes"), "no": _("no")}.get(text, text) if question.type == "yes_no" else text


def _about(entry: Entry, key: str) -> str:
    if key == "@number":
        return str(entry.number)
    if key == "@created":
        return date_format(entry.created, "Y-m-d")
    if key == "@author":
        return entry.author.get_full_name() or entry.author.username
    if key == "@centre":
        return "" if entry.centre is None else entry.centre.name
    if entry.withdrawn is not None:
        return _("withdrawn")
    return _("draft") if entry.complete is None else _("complete")
