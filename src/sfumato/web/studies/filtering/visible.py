"""What a person sees of a study when filtering: own entries only, and only the words that these entries hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import QuerySet

from sfumato.web.studies.entry.indexing import question_rows
from sfumato.web.studies.entry.options import choices_of_form
from sfumato.web.studies.filtering.compiling import form_of
from sfumato.web.studies.forms.tree import Choice, Form
from sfumato.web.studies.models import Cell, Entry, Study

__all__ = ["Visible"]


@dataclass
class Visible:
    """A study as one person sees it.

    entries : those that count for filters.  author : the person, if a participant; then every query is restricted to
    own rows.  form : the form in use.
    """

    study: Study
    entries: QuerySet[Entry]
    author: Any
    form: Form

    @classmethod
    def of(cls, request: Any, study: Study) -> Visible:
        """What the person of a request sees."""
        entries = Entry.counted_in(study, request.user, request.study_role)
        author = request.user if request.study_role == "participant" else None
        return cls(study, entries, author, form_of(study))

    @cached_property
    def choices(self) -> Mapping[str, Sequence[Choice]]:
        """The options by question: those on offer, and of retired ones only those that visible entries hold."""
        every = choices_of_form(self.form)
        retired = {choice.key for choices in every.values() for choice in choices if choice.retired}
        if self.author is None or not retired:
            return every
        rows = {number: key for key, number in question_rows(self.study).items()}
        cells = Cell.objects.filter(author=self.author, question__in=rows, word__in=retired)
        held = {(rows[number], word) for number, word in cells.values_list("question", "word").distinct()}
        return {
            key: [choice for choice in choices if not choice.retired or (key, choice.key) in held]
            for key, choices in every.items()
        }

    @cached_property
    def authors(self) -> dict[str, str]:
        """The names of authors by id; nothing for a participant."""
        if self.author is not None:
            return {}
        people = self.study.memberships.select_related("user").order_by("user__username")
        return {str(person.user.pk): person.user.get_full_name() or person.user.username for person in people}

    @cached_property
    def centres(self) -> dict[str, str]:
        """The names of centres by id; nothing for a participant."""
        return {} if self.author is not None else {str(place.pk): place.name for place in self.study.centres.all()}

    @cached_property
    def names(self) -> dict[str, str]:
        """The names of authors and centres by id."""
        return self.authors | self.centres
