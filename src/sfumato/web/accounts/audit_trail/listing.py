"""Events of the audit trail as rows of a page and as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import datetime, time
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from django.utils import timezone

from sfumato.web.accounts.models import Event

__all__ = ["SHOWN", "Filter", "as_csv"]

SHOWN = 200


class Filter(forms.Form):
    """What to look for; empty fields ask nothing."""

    person = forms.CharField(required=False, max_length=150)
    verb = forms.CharField(required=False, max_length=40)
    project = forms.UUIDField(required=False)
    since = forms.DateField(required=False)
    until = forms.DateField(required=False)

    def events(self) -> QuerySet[Event]:
        """The events that match, newest first; none if a field cannot be read."""
        if not self.is_valid():
            return Event.objects.none()
        wanted = self.cleaned_data
        events = Event.objects.all()
        if wanted["person"]:
            events = events.filter(actor_name__iexact=wanted["person"])
        if wanted["verb"]:
            events = events.filter(verb=wanted["verb"])
        if wanted["project"]:
            events = events.filter(project_id=wanted["project"])
        if wanted["since"]:
            events = events.filter(at__gte=timezone.make_aware(datetime.combine(wanted["since"], time.min)))
        if wanted["until"]:
            events = events.filter(at__lte=timezone.make_aware(datetime.combine(wanted["until"], time.max)))
        return events


class _Line:
    """A file for the CSV writer that hands each line back."""

    def write(self, line: str) -> str:
        """The line itself."""
        return line


def as_csv(events: QuerySet[Event]) -> StreamingHttpResponse:
    """A download of the events, oldest first."""
    answer = StreamingHttpResponse(_lines(events), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="audit-trail.csv"'
    return answer


def _lines(events: QuerySet[Event]) -> Iterator[Any]:
    writer = csv.writer(_Line())
    yield writer.writerow(["id", "at", "person", "verb", "object", "project", "reason"])
    for event in events.order_by("id").iterator():
        fields = [
            event.id,
            event.at.isoformat(),
            event.actor_name,
            event.verb,
            event.object,
            event.project_id,
            event.reason,
        ]
        yield writer.writerow([_harmless(field) for field in fields])


def _harmless(field: Any) -> str:
    """The field as a text that a spreadsheet does not take for a formula.

    >>> _harmless("=1+1")
    "'=1+1"
    """
    text = "" if field is None else str(field)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
