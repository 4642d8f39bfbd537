"""The answers of a study as a frame that the workbench reads, with the hierarchies of its columns and items."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import polars as pl
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from sfumato.data import Taxonomy
from sfumato.errors import CallerError
from sfumato.prepare.hierarchies import HierarchyRule
from sfumato.web.studies.entry.options import choices_of_form
from sfumato.web.studies.forms.tree import Choice, Form
from sfumato.web.studies.models import Entry
from sfumato.web.studies.releasing.definition import CENTRE, Definition, Part, parts_of
from sfumato.web.studies.releasing.hierarchies import item_name, labels_of, tree_of_options, tree_of_paths, whole_range
from sfumato.web.studies.releasing.people import ID_TEXT, Answer, answers_of, frequent_texts

__all__ = ["PERSON", "Content", "content_of"]

PERSON = "person"
_YES_NO = (Choice("yes"), Choice("no"))


@dataclass(frozen=True)
class Content:
    """A frame, how `sfumato.read` reads it, and its side knowledge.

    people : the ids of the entries, in the order of the rows.  trees : hierarchies by column.
    """

    parts: list[Part]
    people: list[Any]
    frame: pl.DataFrame
    reading: dict[str, Any]
    trees: Mapping[str, Taxonomy] = field(default_factory=dict)
    taxonomy: Taxonomy | None = None


def content_of(form: Form, definition: Definition, entries: QuerySet[Entry], salt: str) -> Content:
    """The answers of entries in the columns and items that the definition chooses.

    Questions that are left out are not read.  salt : of the pseudonyms of persons, which are the same in all snapshots
    of a study, so that the ledger knows who is in several releases.
    """
    rows = list(entries.order_by("created", "id").values_list("id", ID_TEXT, "centre__name"))
    centres = sorted({centre for _, _, centre in rows if centre})
    parts = parts_of(form, definition, centres)
    chosen = [part for part in parts if not part.left_out]
    if not chosen:
        raise CallerError(_("release: wanted at least one question that is not left out, found none"))
    if not rows:
        raise CallerError(_("release: wanted at least one complete entry, found none"))
    choices = _choices(form, parts)
    labels = {key: labels_of(options, definition.language) for key, options in choices.items()}
    answers = answers_of(entries, [part.question for part in chosen if part.question.key != CENTRE], labels)
    for part in chosen:
        if part.coarser == "frequent":
            answers[part.question.key] = frequent_texts(answers[part.question.key], definition.language)
    answers[CENTRE] = {entry: [Answer((True, 0, 0), centre)] for _, entry, centre in rows if centre}
    people = [entry for _, entry, _ in rows]
    ids = [entry for entry, _, _ in rows]
    columns = {part.name: _column(part, answers[part.question.key], people) for part in chosen if part.in_table}
    tokens = pl.Series(PERSON, [_pseudonym(salt, entry) for entry in ids], dtype=pl.String)
    frame = pl.DataFrame([tokens, *columns.values()])
    trees = {
        part.name: tree
        for part in chosen
        if part.in_table
        and (tree := _tree(part, columns[part.name], choices.get(part.question.key, ()), definition.language))
        is not None
    }
    reading: dict[str, Any] = {
        "kind": "table",
        "columns": {"person": PERSON},
        "quasi_identifiers": [part.name for part in chosen if part.is_known],
        "sensitive": [part.name for part in chosen if part.in_table and part.is_sensitive],
    }
    content = Content(parts, ids, frame, reading, trees)
    sets = [part for part in chosen if part.in_items]
    return _with_items(content, people, sets, answers, choices, definition.language) if sets else content


def _choices(form: Form, parts: list[Part]) -> dict[str, tuple[Choice, ...]]:
    choices = choices_of_form(form)
    for part in parts:
        if part.question.type == "yes_no":
            choices[part.question.key] = _YES_NO
        elif part.question.key == CENTRE:
            choices[CENTRE] = part.question.choices
    return choices


def _pseudonym(salt: str, entry: object) -> str:
    return hashlib.sha256(f"{salt}:{entry}".encode()).hexdigest()[:20]


def _column(part: Part, answers: Mapping[str, list[Answer]], people: list[str]) -> pl.Series:
    """The column of a question: one value for each entry, None where there is no answer."""
    if part.summary == "count":
        return pl.Series(part.name, [len({a.place for a in answers.get(entry, ())}) for entry in people], pl.Int64)
    values = [_single(part, answers.get(entry, [])) for entry in people]
    if part.question.type == "calculated":
        numeric = all(not isinstance(value, str) for value in values)
        kind: Any = pl.Float64 if numeric else pl.String
        values = values if numeric else [None if value is None else str(value) for value in values]
    else:
        kind = _dtype(part)
    return pl.Series(part.name, values, dtype=kind)


def _single(part: Part, answers: list[Answer]) -> Any:
    """The answer, or the first or last of several; several options of one episode are joined."""
    if not answers:
        return None
    place = answers[-1 if part.summary == "last" else 0].place
    values = [_coarsened(part, answer.value) for answer in answers if answer.place == place]
    return values[0] if len(values) == 1 else ", ".join(sorted(map(str, values)))


def _coarsened(part: Part, value: Any) -> Any:
    if part.coarser in ("", "frequent"):
        return value
    if isinstance(value, date):
        return value.year if part.coarser == "year" else f"{value:%Y-%m}"
    step = int(part.coarser)
    return int(value // step) * step


def _dtype(part: Part) -> Any:
    if part.coarser:
        return pl.String if part.coarser in ("month", "frequent") else pl.Int64
    return {"integer": pl.Int64, "decimal": pl.Float64, "date": pl.Date}.get(part.question.type, pl.String)


def _tree(part: Part, column: pl.Series, choices: tuple[Choice, ...], language: str) -> Taxonomy | None:
    """The hierarchy of a column: of the options of the form, of the range of numbers, or of the values that occur.

    Dates have the calendar as their hierarchy, and a column that others do not know needs no hierarchy.
    """
    if choices and part.summary != "count" and part.question.type != "many":
        return tree_of_options(choices, language)
    if not part.is_known or column.dtype == pl.Date or column.null_count() == len(column):
        return None
    if part.coarser == "month":
        months = sorted(set(column.drop_nulls()))
        return tree_of_paths([(month, month[:4]) for month in months], private=True)
    span = None if part.coarser or part.summary == "count" else whole_range(part.question)
    if span is not None:
        low, high = map(int, span[0].rsplit(":", 1))
        if column.drop_nulls().is_between(low, high).all():
            return HierarchyRule(rule="intervals", width=span[1], fanout=2, domain=span[0]).of_column(column)
    return HierarchyRule().of_column(column)


def _with_items(
    content: Content,
    people: list[str],
    sets: list[Part],
    answers: Mapping[str, Mapping[str, list[Answer]]],
    choices: Mapping[str, tuple[Choice, ...]],
    language: str,
) -> Content:
    """The content with the set of items of each entry and their taxonomy."""
    texts = {part.question.key: _texts(part, answers[part.question.key], choices, language) for part in sets}
    counts = Counter("_".join(text.split()) for several in texts.values() for text in several)
    counts.update(dict.fromkeys((*content.frame.columns, *content.reading["sensitive"]), 2))
    name_of: dict[tuple[str, str], str] = {}
    paths, sensitive = [], []
    for part in sets:
        for text, above in texts[part.question.key].items():
            name = name_of[part.question.key, text] = item_name(text, part.name, counts)
            paths.append((name, *above, *([part.name] if len(sets) > 1 else [])))
            if part.is_sensitive:
                sensitive.append(name)
    of_person = [
        sorted(
            {
                name_of[part.question.key, _item(part)(answer.value)]
                for part in sets
                for answer in answers[part.question.key].get(entry, ())
            }
        )
        for entry in people
    ]
    occurring = {item for items in of_person for item in items}
    private = any(part.question.key not in choices for part in sets)
    reading = {**content.reading, "sensitive": [*content.reading["sensitive"], *sorted(set(sensitive) & occurring)]}
    trees = {"taxonomy": tree_of_paths(paths, private=private, blank="_")} if paths else {}
    if content.frame.width == 1:
        return _transactions(content, of_person, reading, trees)
    column = sets[0].name if len(sets) == 1 else "Items"
    frame = content.frame.with_columns(pl.Series(column, [" ".join(items) for items in of_person], pl.String))
    reading |= {"kind": "mixed", "items": column}
    return Content(content.parts, content.people, frame, reading, content.trees, **trees)


def _transactions(
    content: Content, of_person: list[list[str]], reading: dict[str, Any], trees: Mapping[str, Taxonomy]
) -> Content:
    """Sets of items alone: a row for each item of a person."""
    tokens = content.frame[PERSON].to_list()
    rows = [(number + 1, item, tokens[number]) for number, items in enumerate(of_person) for item in items]
    if not rows:
        raise CallerError(_("release: wanted at least one answer to the chosen questions, found none"))
    frame = pl.DataFrame(rows, schema={"record": pl.Int64, "item": pl.String, PERSON: pl.String}, orient="row")
    chosen = {"kind": "transactions", "columns": reading["columns"], "sensitive": reading["sensitive"]}
    return Content(content.parts, content.people, frame, chosen, {}, **trees)


def _texts(
    part: Part, answers: Mapping[str, list[Answer]], choices: Mapping[str, tuple[Choice, ...]], language: str
) -> dict[str, tuple[str, ...]]:
    """The texts of the items of a question with their ancestors: of all options, or of the answers that occur."""
    text = _item(part)
    if part.question.key in choices and part.question.type != "yes_no":
        options = choices[part.question.key]
        labels = labels_of(options, language)
        return {text(labels[choice.key]): choice.ancestors for choice in options}
    return {text(answer.value): () for several in answers.values() for answer in several}


def _item(part: Part) -> Callable[[Any], str]:
    """The text of an item: an option or a text itself, a number, a date or yes and no with the name of its question."""

    def text(value: Any) -> str:
        shown = _coarsened(part, value)
        if part.question.type in ("one", "many", "list", "string"):
            return str(shown)
        words = f"{shown:g}" if isinstance(shown, float) else str(shown)
        return f"{part.name}={words}"

    return text
