"""The list of entries: those that a person sees, by number, state and centre, a page at a time."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef, Q, QuerySet

from sfumato.web.studies.models import Conflict, Entry

__all__ = ["STATES", "page_of_entries"]

STATES = ("draft", "finished", "conflict")
_AT_ONCE = 50


def page_of_entries(entries: QuerySet[Entry], query: Any) -> Page:
    """A page of entries, the newest first.

    query : `number` (of the entry), `state`, `centre` (an id), `page`; what cannot be read restricts nothing.
    """
    waiting = Conflict.objects.filter(entry=OuterRef("pk"), resolved=None)
    chosen = entries.annotate(has_conflict=Exists(waiting)).filter(_restriction(query)).defer("answers")
    ordered = chosen.select_related("author", "centre", "double_of").order_by("-created", "-number")
    return Paginator(ordered, _AT_ONCE).get_page(query.get("page"))


def _restriction(query: Any) -> Q:
    restriction = Q()
    number = query.get("number", "").strip()
    if number:
        is_number = number.isascii() and number.isdecimal() and len(number) < 10
        restriction &= Q(number=int(number)) if is_number else Q(pk=None)
    state = query.get("state", "")
    if state == "draft":
        restriction &= Q(complete=None)
    elif state == "finished":
        restriction &= Q(complete__isnull=False)
    elif state == "conflict":
        restriction &= Q(has_conflict=True)
    if query.get("centre"):
        restriction &= Q(centre_id=query["centre"])
    return restriction
