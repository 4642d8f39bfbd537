"""A chart as the page asks for it: read from the form that was sent, counted, and ready for the template."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from sfumato.web.studies.charting.counting import CountedTable, counted
from sfumato.web.studies.charting.definition import (
    ABOUT,
    ENTRIES,
    Chart,
    Variable,
    is_binned,
    may_be_variable,
)
from sfumato.web.studies.charting.drawing import spec
from sfumato.web.studies.filtering.compiling import entries_where
from sfumato.web.studies.filtering.tree import Condition
from sfumato.web.studies.filtering.visible import Visible
from sfumato.web.studies.forms.tree import Form

__all__ = ["Drawn", "drawn", "first_chart", "posted_chart", "variables_of"]


@dataclass
class Drawn:
    """A chart with its table and its title."""

    chart: Chart
    table: CountedTable
    title: str
    unit: str

    @property
    def spec(self) -> dict[str, Any]:
        """The specification of the picture."""
        return spec(self.chart.kind, self.titles, self.labels, [list(row) for row in self.table.counts], self.unit)

    @property
    def titles(self) -> list[str]:
        """The titles of the questions."""
        return [axis.title for axis in self.table.axes]

    @property
    def labels(self) -> list[list[str]]:
        """The labels of their values."""
        return [axis.labels for axis in self.table.axes]

    @property
    def is_multiple(self) -> bool:
        """Whether sums are larger than the total."""
        return any(axis.is_multiple for axis in self.table.axes)

    @property
    def heads(self) -> list[str]:
        """The headings of the columns of counts."""
        columns = self.labels[1] if len(self.labels) > 1 else [self.unit]
        return [*columns, _("Total")] if len(columns) > 1 and not self.is_multiple else columns

    @property
    def rows(self) -> list[tuple[str, list[int]]]:
        """The rows of the table: a label, its counts, and their sum where there are several."""
        return [
            (label, [*line, sum(line)] if len(line) > 1 and not self.is_multiple else line)
            for label, line in zip(self.labels[0], self.table.counts, strict=True)
        ]

    @property
    def sums(self) -> list[int]:
        """The last row of the table; empty where an entry has several answers."""
        return (
            [] if self.is_multiple else [sum(column) for column in zip(*(line for _n, line in self.rows), strict=True)]
        )


def posted_chart(post: Any) -> Chart:
    """The chart that a form asks for."""
    variables = []
    for name in ("first", "second"):
        key = post.get(name, "")[:40]
        if key:
            variables.append(Variable(key, post.get(f"{name}_bins", "").strip()[:20]))
    return Chart(post.get("kind", "column")[:10], tuple(variables), post.get("counting", ENTRIES)[:40] or ENTRIES)


def first_chart(form: Form) -> Chart:
    """The chart that the page shows at first: the first question with options, or the first that can be counted."""
    questions = [question for question, group in form.walk() if group is None and may_be_variable(question)]
    chosen = next((row for row in questions if row.type in ("one", "yes_no")), questions[0] if questions else None)
    return Chart(variables=() if chosen is None else (Variable(chosen.key),))


def variables_of(form: Form, *, whole_study: bool) -> list[dict[str, Any]]:
    """The questions that can be chosen, with the kind of their groups: "" (none), number or date."""
    language = get_language() or "en"
    names = {"@centre": _("Centre"), "@author": _("Author of the entry")}
    rows = [{"key": key, "text": names[key], "bins": ""} for key in ABOUT] if whole_study else []
    for question, group in form.walk():
        if may_be_variable(question):
            text = question.text(language)
            bins = ("date" if question.type == "date" else "number") if is_binned(question) else ""
            rows.append(
                {"key": question.key, "text": f"{group.text(language)}: {text}" if group else text, "bins": bins}
            )
    return rows


def drawn(request: HttpRequest, visible: Visible, chart: Chart, condition: Condition) -> Drawn:
    """Count a chart for the person of a request."""
    chart.require(visible.form, whole_study=request.study_role != "participant")
    entries = entries_where(visible.study, condition, visible.entries, visible.author, visible.form)
    table = counted(visible.study, visible.form, chart, entries, visible.author)
    titles = [axis.title for axis in table.axes]
    unit = (
        _("entries")
        if chart.counting == ENTRIES
        else visible.form.question(chart.counting).text(get_language() or "en")
    )
    title = titles[0] if len(titles) == 1 else _("%(first)s by %(second)s") % {"first": titles[0], "second": titles[1]}
    return Drawn(chart, table, title, unit)
