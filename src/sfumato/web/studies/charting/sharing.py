"""Charts that leave the study: small counts are hidden, differences of a few people to earlier ones are refused."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from sfumato.errors import Infeasible
from sfumato.web.accounts.models import Event
from sfumato.web.studies.charting.allowing import (
    read_by,
    require_allowed,
    require_other_people,
    require_varied,
)
from sfumato.web.studies.charting.counting import CountedTable, counted
from sfumato.web.studies.charting.definition import Chart, ChartRefused
from sfumato.web.studies.charting.linking import Number, SharedTable, reveals
from sfumato.web.studies.charting.options import hidden_options
from sfumato.web.studies.charting.suppressing import LEAST_K, Place, Table, suppressed
from sfumato.web.studies.filtering.compiling import entries_where
from sfumato.web.studies.filtering.conditions import from_json, to_json
from sfumato.web.studies.filtering.tree import EVERYTHING, Condition
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import Entry, SharedChart, Study
from sfumato.web.studies.releasing.people import people_in

__all__ = ["USUAL_K", "share"]

USUAL_K = 5
_MOST_CELLS = 400


def share(
    study: Study, form: Form, user: Any, chart: Chart, condition: Condition, *, title: str, k: int
) -> SharedChart:
    """Hide small counts, compare with every chart that was shared before, and keep what is shown.

    Only complete entries of people who have not withdrawn are counted.  Refuses with a sentence.
    """
    chart.require(form, whole_study=True)
    require_allowed(form, chart, k)
    with transaction.atomic():
        Study.objects.select_for_update().get(pk=study.pk)
        entries = entries_where(study, condition, people_in(study, Entry.objects.filter(study=study)), None, form)
        table = counted(study, form, chart, entries)
        hidden = _hidden(form, chart, table, k)
        new, rows = _shared_table(form, chart, table, hidden), list(study.shared_charts.all())
        earlier = [_stored_table(row) for row in rows]
        everybody = _shared_table(form, chart, counted(study, form, chart, people_in(study)), frozenset())
        others = [(from_json(row.definition["condition"]), table) for row, table in zip(rows, earlier, strict=True)]
        require_other_people(form, new, condition, [(EVERYTHING, everybody), *others])
        least = max([k, *(row.definition.get("k", LEAST_K) for row in rows)])
        if sentence := reveals(new, earlier, least):
            raise ChartRefused(_("This chart cannot be shared: %(reason)s.") % {"reason": sentence})
        row = SharedChart.objects.create(
            study=study,
            by=user,
            title=title[:200],
            definition={"chart": chart.to_json(), "condition": to_json(condition), "k": k},
            shown=_shown(table, hidden),
            counts=_private(new),
        )
        Event.record(user, "share chart", f"chart {row.id}", project=study)
    return row


def _hidden(form: Form, chart: Chart, table: CountedTable, k: int) -> frozenset[Place]:
    """The places of the table that are hidden."""
    counts = table.counts
    if sum(map(len, counts)) > _MOST_CELLS:
        raise ChartRefused(_("This table is too large to be shared; choose wider groups."))
    if not table.total:
        raise ChartRefused(_("No complete entry is counted, so there is nothing to share."))
    multiple = [axis.is_multiple for axis in table.axes]
    if any(multiple) and len(table.axes) > 1:
        raise ChartRefused(
            _("A question with several answers can be shared by itself only, not together with a second question.")
        )
    try:
        if any(multiple):
            options = [line[0] for line in counts]
            absent = options.pop() if table.axes[0].has_missing else 0
            return hidden_options(options, absent, table.total, k)
        require_varied(form, chart, table.counts)
        return suppressed(Table(tuple(map(tuple, counts))), k)
    except Infeasible as refusal:
        raise ChartRefused(_("This chart cannot be shared: %(reason)s.") % {"reason": str(refusal)}) from None


def _numbers(table: CountedTable) -> dict[Place, frozenset[str]]:
    """The people of every count and total, by short ids of their entries."""
    members = table.members()
    people: dict[Place, frozenset[str]] = {}
    rows, width = len(table.axes[0].labels), len(table.axes[1].labels) if len(table.axes) > 1 else 1
    for row in range(rows):
        for column in range(width):
            people[row, column] = frozenset(map(_short, members.get((row, column), ())))
    everybody = frozenset(map(_short, table.units))
    if width > 1:
        for row in range(rows):
            people[row, None] = frozenset().union(*(people[row, column] for column in range(width)))
        for column in range(width):
            people[None, column] = frozenset().union(*(people[row, column] for row in range(rows)))
    people[None, None] = everybody
    return people


def _short(entry: Any) -> str:
    return entry.hex[:16] if hasattr(entry, "hex") else str(entry)


def _shared_table(form: Form, chart: Chart, table: CountedTable, hidden: frozenset[Place]) -> SharedTable:
    people = _numbers(table)
    numbers = tuple(Number(persons, place not in hidden) for place, persons in people.items() if persons)
    return SharedTable(read_by(form, (row.key for row in chart.variables)), people[None, None], numbers)


def _private(table: SharedTable) -> dict[str, Any]:
    return {
        "questions": sorted(table.questions),
        "people": sorted(table.people),
        "numbers": [{"people": sorted(number.people), "shown": number.shown} for number in table.numbers],
    }


def _stored_table(row: SharedChart) -> SharedTable:
    content = row.counts
    numbers = tuple(Number(frozenset(number["people"]), bool(number["shown"])) for number in content["numbers"])
    return SharedTable(frozenset(content["questions"]), frozenset(content["people"]), numbers)


def _shown(table: CountedTable, hidden: frozenset[Place]) -> dict[str, Any]:
    """The table as it is published: None stands for a hidden count."""
    people = _numbers(table)

    def count(place: Place) -> int | None:
        return None if place in hidden else len(people[place])

    rows, width = len(table.axes[0].labels), len(table.axes[1].labels) if len(table.axes) > 1 else 1
    content: dict[str, Any] = {
        "titles": [axis.title for axis in table.axes],
        "labels": [axis.labels for axis in table.axes],
        "counts": [[count((row, column)) for column in range(width)] for row in range(rows)],
        "total": table.total,
        "several": any(axis.is_multiple for axis in table.axes),
    }
    if width > 1:
        content["rows"] = [count((row, None)) for row in range(rows)]
        content["columns"] = [count((None, column)) for column in range(width)]
    return content
