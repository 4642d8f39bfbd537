"""A form guessed from a spreadsheet of answers: a question for each column, its type from the cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from sfumato.web.studies.entry.words import searchable
from sfumato.web.studies.exporting.spreadsheets import heading_row
from sfumato.web.studies.forms.answers import Stored
from sfumato.web.studies.forms.editing import new_key
from sfumato.web.studies.forms.tree import Choice, Form, Question
from sfumato.web.studies.forms.values import AnswerRefused, canonical

__all__ = ["guess_form"]

_YES_NO = ({"yes", "no"}, {"ναι", "οχι"}, {"true", "false"}, {"y", "n"})  # noqa: RUF001
_MOST_OPTIONS = 25


def guess_form(rows: Sequence[Sequence[str]], language: str) -> Form:
    """The form of a table with the texts of its questions above the answers.

    Keys are new ones: answers that a study has under others are never read as those of the table.
    """
    questions = []
    first = heading_row(rows)
    for place, head in enumerate(rows[first]):
        cells = [row[place] for row in rows[first + 1 :] if row[place]]
        if head or cells:
            questions.append(_question(new_key(), head or f"{place + 1}", cells, language))
    return Form((language,), tuple(questions))


def _question(key: str, head: str, cells: list[str], language: str) -> Question:
    texts = {language: head[:1000]}
    words = {searchable(cell) for cell in cells}
    if words and any(words <= pair for pair in _YES_NO):
        return Question(key, "yes_no", texts)
    for kind in ("integer", "decimal", "date"):
        if cells and all(_takes(Question(key, kind), cell) for cell in cells):
            return Question(key, kind, texts)
    counts = Counter(cells)
    repeats = len(cells) >= 4 and len(counts) <= min(_MOST_OPTIONS, len(cells) // 2)
    if repeats and max(map(len, counts)) <= 80:
        parts = {part for cell in counts for part in re.split(r"\s*;\s*", cell) if part}
        kind = "many" if any(";" in cell for cell in counts) else "one"
        options = sorted(parts if kind == "many" else counts, key=searchable)
        return Question(key, kind, texts, choices=tuple(_choices(options, language)))
    return Question(key, "string", texts)


def _takes(question: Question, cell: str) -> bool:
    try:
        stored: Stored | None = canonical(question, cell)
    except AnswerRefused:
        return False
    # a postal code such as 08032 is not a number
    return stored is not None and not (question.type != "date" and re.match(r"[+-]?0\d", cell))


def _choices(options: Sequence[str], language: str) -> list[Choice]:
    return [Choice(f"c{number}", {language: text}) for number, text in enumerate(options, 1)]
