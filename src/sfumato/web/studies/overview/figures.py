"""How far a study is: entries, complete ones, missing answers and the last change, for each centre or for a person."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Count, Max, Q, QuerySet, Sum

from sfumato.web.studies.models import Entry, Study

__all__ = ["Figures", "by_centre", "by_person", "figures_of", "together"]


class Figures(NamedTuple):
    """entries : that are not deleted.  missing : required questions that are asked and not answered, in all of them."""

    entries: int = 0
    complete: int = 0
    missing: int = 0
    last: datetime | None = None


_COUNTS = {
    "entries": Count("id"),
    "complete": Count("id", filter=Q(complete__isnull=False)),
    "missing": Sum("missing", default=0),
    "last": Max("changed"),
}


def figures_of(entries: QuerySet[Entry]) -> Figures:
    """The figures of these entries."""
    return Figures(**entries.order_by().aggregate(**_COUNTS))


def by_centre(study: Study) -> list[tuple[str, int, Figures]]:
    """The name, the number of participants and the figures of each centre, for who may see the whole study.

    The last row, with the name "", is of entries without a centre; it is there if it is not empty.
    """
    people = Count("memberships", filter=Q(memberships__ended=None))
    counted = _grouped(Entry.counted_in(study, None, "administrator"), "centre_id")
    rows = [
        (centre.name, centre.people, counted.get(centre.pk, Figures()))
        for centre in study.centres.annotate(people=people)
    ]
    if None in counted:
        rows.append(("", 0, counted[None]))
    return rows


def by_person(study: Study) -> dict[Any, Figures]:
    """The figures of each person who made entries, also second ones of a pair, by the id of the person."""
    return _grouped(Entry.visible_in(study, None, "administrator"), "author_id")


def together(rows: list[tuple[str, int, Figures]]) -> Figures:
    """The figures of all centres."""
    figures = [row for _name, _people, row in rows]
    lasts = [row.last for row in figures if row.last is not None]
    return Figures(
        sum(row.entries for row in figures),
        sum(row.complete for row in figures),
        sum(row.missing for row in figures),
        max(lasts, default=None),
    )


def _grouped(entries: QuerySet[Entry], field: str) -> dict[Any, Figures]:
    return {row.pop(field): Figures(**row) for row in entries.order_by().values(field).annotate(**_COUNTS)}
