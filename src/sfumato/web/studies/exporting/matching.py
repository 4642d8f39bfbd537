"""Match the columns of a spreadsheet to the questions of a form, and its cells to answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from sfumato.web.studies.entry.words import searchable
from sfumato.web.studies.exporting.csv_files import unguarded
from sfumato.web.studies.forms.answers import Stored
from sfumato.web.studies.forms.tree import Choice, Form, Question
from sfumato.web.studies.forms.values import AnswerRefused, canonical

__all__ = ["CENTRE", "NO", "YES", "CheckedRows", "Target", "check_rows", "guess_targets", "targets_of"]

CENTRE = "@centre"
YES = frozenset({"yes", "y", "true", "1", "ναι", "nai"})  # noqa: RUF001
NO = frozenset({"no", "n", "false", "0", "οχι", "oxi"})
_EPISODE = re.compile(r"(.{1,200}) (\d{1,3}): (.{1,500})", re.DOTALL)
_MOST_SHOWN, _MOST_EPISODES = 20, 200
_WITH_TIME = re.compile(r"(\S+)[ T]\d{1,2}:\d\d(:\d\d(\.\d+)?)?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")


@dataclass(frozen=True)
class Target:
    """What a column fills: a question, or that of a numbered episode, or the centre.

    name : as the form of the page sends it: the key, or group:number:key.
    """

    name: str
    text: str


@dataclass
class CheckedRows:
    """answers : of each good row, by target.  centres : of each, where a column names them.  errors : the first ones.

    bad : the numbers of rows with a cell that was refused.
    """

    answers: dict[int, dict[str, Stored]] = field(default_factory=dict)
    centres: dict[int, str] = field(default_factory=dict)
    errors: list[dict[str, Any]] = field(default_factory=list)
    error_count: int = 0
    bad: set[int] = field(default_factory=set)


def targets_of(form: Form, language: str, *, whole_study: bool) -> list[Target]:
    """The questions outside of groups that a column can fill, and the centre for who sees the whole study."""
    targets = [Target(CENTRE, _("Centre"))] if whole_study else []
    return targets + [
        Target(question.key, question.text(language))
        for question in form.questions
        if question.is_answered and question.type != "calculated"
    ]


def guess_targets(heads: Sequence[str], form: Form, language: str, *, whole_study: bool) -> list[Target | None]:
    """For each column the question whose key or text, in any language, is its heading; each question once."""
    by_heading: dict[str, Target] = {}
    for target in targets_of(form, language, whole_study=whole_study):
        names = [target.name, target.text]
        if target.name in form.by_key:
            names += form.question(target.name).texts.values()
        for name in names:
            by_heading.setdefault(searchable(name.strip()), target)
    guessed: list[Target | None] = []
    taken: set[Target] = set()
    for head in map(unguarded, heads):
        target_or_none = by_heading.get(searchable(head.strip())) or _episode_target(head, form, language)
        guessed.append(None if target_or_none in taken else target_or_none)
        taken |= {target_or_none} if target_or_none else set()
    return guessed


def _episode_target(head: str, form: Form, language: str) -> Target | None:
    """The question of an episode that a heading such as "Treatment 2: Dose" names."""
    parts = _EPISODE.fullmatch(head.strip())
    if parts is None:
        return None
    for group in form.questions:
        if (
            not 0 < int(parts[2]) <= (group.most or _MOST_EPISODES)
            or group.type != "group"
            or searchable(parts[1]) not in map(searchable, (group.key, *group.texts.values()))
        ):
            continue
        for question in group.questions:
            if question.type != "calculated" and searchable(parts[3]) in map(
                searchable, (question.key, *question.texts.values())
            ):
                text = f"{group.text(language)} {parts[2]}: {question.text(language)}"
                return Target(f"{group.key}:{int(parts[2])}:{question.key}", text)
    return None


def question_of(target: str, form: Form) -> Question | None:
    """The question that a target fills; None if the form has no such question."""
    key = target.rpartition(":")[2]
    question, group = form.by_key.get(key, (None, None))
    if question is None or not question.is_answered or question.type == "calculated":
        return None
    parts = target.split(":")
    if group is None:
        return question if len(parts) == 1 else None
    is_episode = len(parts) == 3 and parts[0] == group.key and parts[1].isdecimal()
    is_episode = is_episode and 0 < int(parts[1][:4]) <= (group.most or _MOST_EPISODES)
    return question if is_episode else None


def check_rows(
    rows: Sequence[Sequence[str]],
    targets: Sequence[str],
    form: Form,
    choices: Mapping[str, Sequence[Choice]],
    centres: Mapping[str, str],
    head: int = 1,
) -> CheckedRows:
    """Check every cell below the headings, which are row `head`; the first row has the number 1.

    targets : for each column its target, "" for none.  centres : ids by name.
    """
    checked = CheckedRows()
    unclear = {
        place for place, target in enumerate(targets) if target and _is_unclear(row[place] for row in rows[head:])
    }
    used = [
        (place, target, question_of(target, form), dict[str, Stored | AnswerRefused | None]())
        for place, target in enumerate(targets)
        if target
    ]
    labels = {key: _by_label(options) for key, options in choices.items()}
    by_name = {searchable(name): key for name, key in centres.items()}
    for number, row in enumerate(rows[head:], head + 1):
        answers: dict[str, Stored] = {}
        for place, target, question, known in used:
            cell = row[place]
            if not cell:
                continue
            try:
                if target == CENTRE:
                    checked.centres[number] = _centre(cell, by_name)
                elif question is not None:
                    if cell not in known:  # the same answers come again and again
                        is_unclear = place in unclear and question.type == "decimal"
                        known[cell] = _tried(question, cell, choices, labels, is_unclear=is_unclear)
                    stored = known[cell]
                    if isinstance(stored, AnswerRefused):
                        raise stored
                    if stored is not None:
                        answers[target] = stored
            except AnswerRefused as refusal:
                checked.bad.add(number)
                checked.error_count += 1
                if len(checked.errors) < _MOST_SHOWN:
                    error = {
                        "row": number,
                        "column": rows[head - 1][place],
                        "cell": cell[:80],
                        "sentence": str(refusal),
                    }
                    checked.errors.append(error)
        if number not in checked.bad and answers:
            checked.answers[number] = answers
    return checked


def _tried(
    question: Question,
    cell: str,
    choices: Mapping[str, Sequence[Choice]],
    labels: Mapping[str, Mapping[str, str]],
    *,
    is_unclear: bool,
) -> Stored | AnswerRefused | None:
    """The answer of a cell, or why the cell is refused.  is_unclear : whether commas may be those of thousands."""
    if is_unclear and _THOUSANDS.fullmatch(cell):
        return AnswerRefused(_("the comma can be read in two ways; write 1234 or 1.234"))
    try:
        return _stored(question, cell, choices.get(question.key, ()), labels.get(question.key, {}))
    except AnswerRefused as refusal:
        return refusal


def _is_unclear(cells: Iterable[str]) -> bool:
    """Whether every comma of a column may be one of thousands."""
    return not any("," in cell and not _THOUSANDS.fullmatch(cell) for cell in cells)


def _centre(cell: str, by_name: Mapping[str, str]) -> str:
    key = by_name.get(searchable(cell))
    if key is None:
        raise AnswerRefused(_("wanted the name of a centre of this study"))
    return key


def _by_label(choices: Sequence[Choice]) -> dict[str, str]:
    """The keys of options by their texts in all languages and by themselves."""
    keys: dict[str, str] = {}
    for choice in choices:
        for text in (*choice.texts.values(), choice.key):
            keys.setdefault(searchable(text.strip()), choice.key)
    return keys


def _stored(question: Question, cell: str, choices: Sequence[Choice], labels: Mapping[str, str]) -> Stored | None:
    cell = unguarded(cell)
    if question.type == "yes_no":
        word = searchable(cell)
        return canonical(question, "yes" if word in YES else "no" if word in NO else cell, choices)
    if question.type in ("one", "list"):
        return canonical(question, labels.get(searchable(cell), cell), choices)
    if question.type == "many":
        whole = labels.get(searchable(cell))
        return canonical(question, [whole] if whole else list(_several(cell, labels)), choices)
    if question.type == "integer" and re.fullmatch(r"[+-]?\d+[.,]0{1,2}", cell):  # 1.000 may be a thousand
        cell = re.split(r"[.,]", cell)[0]
    if question.type == "date" and (day := _WITH_TIME.fullmatch(cell)):
        cell = day[1]
    return canonical(question, cell, choices)


def _several(cell: str, labels: Mapping[str, str]) -> Iterator[str]:
    """The keys of several options, which semicolons, commas or, between keys, blanks separate."""
    parts = re.split(r"\s*[;|\n]\s*", cell)
    if len(parts) == 1:
        parts = re.split(r"\s*,\s*", cell)
    if len(parts) == 1 and searchable(cell) not in labels:
        parts = cell.split()
    for part in parts:
        if part:
            yield labels.get(searchable(part), part)
