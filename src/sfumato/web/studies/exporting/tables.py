"""The tables of an export: one of entries, and one for each recurring group unless episodes are columns."""

from __future__ import annotations

import pickle
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import IO, Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from sfumato.web.studies.entry.options import choices_of_form
from sfumato.web.studies.exporting.choosing import Choosing, Column, about_columns, columns_of, exported_form
from sfumato.web.studies.exporting.reading import Record, Typed, Written, most_episodes, read_entries
from sfumato.web.studies.filtering.compiling import form_of
from sfumato.web.studies.forms.tree import Form, Question
from sfumato.web.studies.models import Entry, Study

__all__ = ["Export", "ExportTable"]

_MEMORY = 8 * 2**20


@dataclass
class ExportTable:
    """A table of the export.  group : whose episodes are its rows; None for entries."""

    name: str
    columns: list[Column]
    group: Question | None = None

    @cached_property
    def titles(self) -> list[str]:
        """The headings, each once."""
        titles: dict[str, None] = {}
        counts: Counter[str] = Counter()
        for column in self.columns:
            title = column.title
            while title in titles:
                counts[column.title] += 1
                title = f"{column.title} ({counts[column.title] + 1})"
            titles[title] = None
        return list(titles)


class Export:
    """Entries of a study as tables, read when they are written."""

    def __init__(self, study: Study, entries: QuerySet[Entry], chosen: Choosing) -> None:
        self.study, self.entries, self.chosen = study, entries, chosen
        self.form: Form = form_of(study)
        self.exported = exported_form(study, chosen)
        self.choices = choices_of_form(self.exported)
        self.written = Written(study, self.choices, chosen.language, labels=chosen.labels)
        self.groups = [question for question in self.exported.questions if question.type == "group"]
        self._kept: dict[str, IO[bytes]] = {}
        self.tables = [self._entries(), *([] if chosen.wide else map(self._group, self.groups))]

    def _entries(self) -> ExportTable:
        columns = [*about_columns(self.chosen), *columns_of(self.exported.questions, self.chosen)]
        if self.chosen.wide and self.groups:
            most = most_episodes(self.entries, self.form)
            for group in self.groups:
                for number in range(1, most.get(group.key, 0) + 1):
                    columns += columns_of(group.questions, self.chosen, group=group, number=number)
        return ExportTable(_("entries") if self.chosen.labels else "entries", columns)

    def _group(self, group: Question) -> ExportTable:
        key = _("Entry key") if self.chosen.labels else "entry"
        number = _("Episode") if self.chosen.labels else "episode"
        columns = [Column("@entry", key), Column("@episode", number)]
        columns += columns_of(group.questions, self.chosen, group=group)
        return ExportTable(group.text(self.chosen.language) if self.chosen.labels else group.key, columns, group)

    def rows(self, table: ExportTable) -> Iterator[list[Typed]]:
        """The rows of a table; those of groups are kept in a temporary file while entries are read, as this is slow."""
        if table.group is not None and table.group.key in self._kept:
            yield from _unpickled(self._kept.pop(table.group.key))
            return
        others = {} if table.group is not None else {row.group.key: row for row in self.tables if row.group is not None}
        files: dict[str, IO[bytes]] = {key: tempfile.SpooledTemporaryFile(_MEMORY) for key in others}  # noqa: SIM115
        for record in read_entries(self.entries, self.form):
            for key, other in others.items():
                for row in self.rows_of(other, record):
                    pickle.dump(row, files[key])
            yield from self.rows_of(table, record)
        self._kept |= files

    def rows_of(self, table: ExportTable, record: Record) -> Iterator[list[Typed]]:
        """The rows of an entry: one, or one for each episode."""
        if table.group is None:
            yield self.written.row(table.columns, record)
            return
        for number, episode in enumerate(record.episodes.get(table.group.key, ()), 1):
            values: dict[str, Any] = episode
            yield [
                str(record.entry.pk),
                number,
                *self.written.row(table.columns[2:], record, values),
            ]


def _unpickled(file: IO[bytes]) -> Iterator[list[Typed]]:
    """The rows that this process wrote into a temporary file, which ends with them."""
    with file:
        end = file.tell()
        file.seek(0)
        while file.tell() < end:
            yield pickle.load(file)
