"""Count entries or episodes by the answers to one or two questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from sfumato.web.studies.charting.bins import day_groups, number_groups
from sfumato.web.studies.charting.definition import ENTRIES, Chart, Variable
from sfumato.web.studies.entry.indexing import question_rows
from sfumato.web.studies.entry.options import choices_of_form
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import Cell, Entry, Episode, Study

__all__ = ["Axis", "CountedTable", "counted"]

_MOST_WORDS = 40
Unit = Any


@dataclass
class Axis:
    """The values of a variable.

    title : of the question.  labels : of its values, in order.  groups : the values of each counted entry or episode;
    several where it has several answers.  has_missing : whether the last value is "not answered".
    """

    title: str
    labels: list[str]
    groups: dict[Unit, set[int]] = field(default_factory=dict)
    has_missing: bool = False

    @property
    def is_multiple(self) -> bool:
        """Whether an entry may be counted more than once."""
        return any(len(places) > 1 for places in self.groups.values())


@dataclass
class CountedTable:
    """Counts by one or two axes.

    units : what is counted, each with its entry.  counts : a row for each value of the first axis, in it a count for
    each value of the second (one if there is only one axis).
    """

    axes: list[Axis]
    units: dict[Unit, Any]

    @property
    def total(self) -> int:
        """How many entries or episodes there are."""
        return len(self.units)

    def members(self) -> dict[tuple[int, int], list[Unit]]:
        """The entries or episodes of each place of the table."""
        second = self.axes[1].groups if len(self.axes) > 1 else None
        places: dict[tuple[int, int], list[Unit]] = {}
        for unit in self.units:
            for row in self.axes[0].groups[unit]:
                for column in {0} if second is None else second[unit]:
                    places.setdefault((row, column), []).append(unit)
        return places

    @property
    def counts(self) -> list[list[int]]:
        """The table."""
        members = self.members()
        width = len(self.axes[1].labels) if len(self.axes) > 1 else 1
        return [
            [len(members.get((row, column), ())) for column in range(width)] for row in range(len(self.axes[0].labels))
        ]


def counted(study: Study, form: Form, chart: Chart, entries: QuerySet[Entry], author: Any = None) -> CountedTable:
    """The table of a chart.

    entries : those for which the condition holds.  author : the user, if a participant; then no row of another author
    is read.
    """
    own = {} if author is None else {"author": author}
    rows = question_rows(study)
    if chart.counting == ENTRIES:
        units = {key: key for key in entries.order_by().values_list("pk", flat=True)}
    else:
        episodes = Episode.objects.filter(group=rows[chart.counting], entry__in=entries.order_by().values("pk"), **own)
        units = dict(episodes.order_by().values_list("pk", "entry_id"))
    axes = []
    for variable in chart.variables:
        if variable.key.startswith("@"):
            axes.append(_about(variable.key, entries, units))
            continue
        question, group = form.by_key[variable.key]
        by_episode = chart.counting != ENTRIES and group is not None
        cells = Cell.objects.filter(question=rows[variable.key], entry__in=entries.order_by().values("pk"), **own)
        stored = cells.order_by().values_list("episode_id" if by_episode else "entry_id", "word", "number", "day")
        values = _values(list(stored), {unit: unit if by_episode else entry for unit, entry in units.items()})
        labels, groups = _grouped(form, variable, values)
        axes.append(_with_missing(Axis(question.text(get_language() or "en"), labels, groups), units))
    return CountedTable(axes, units)


def _values(stored: Iterable[tuple[Any, Any, Any, Any]], places: Mapping[Unit, Any]) -> dict[Unit, list[Any]]:
    """The answers of each unit: words, or numbers, or days as ("day", number)."""
    by_place: dict[Any, list[Any]] = {}
    for place, word, number, day in stored:
        value = word if word is not None else number if number is not None else ("day", day)
        by_place.setdefault(place, []).append(value)
    return {unit: by_place[place] for unit, place in places.items() if place in by_place}


def _grouped(form: Form, variable: Variable, values: dict[Unit, list[Any]]) -> tuple[list[str], dict[Unit, set[int]]]:
    distinct = {value for parts in values.values() for value in parts}
    if distinct and all(isinstance(value, float) for value in distinct):
        order = sorted(distinct)
        labels, places = number_groups(order, variable.bins)
    elif distinct and all(isinstance(value, tuple) for value in distinct):
        order = sorted(distinct)
        labels, places = day_groups([day for _name, day in order], variable.bins)
    else:
        labels, order, places = _words(form, variable.key, values)
    place_of = dict(zip(order, places, strict=True))
    return labels, {unit: {place_of[value] for value in parts} for unit, parts in values.items()}


def _words(form: Form, key: str, values: dict[Unit, list[Any]]) -> tuple[list[str], list[Any], list[int]]:
    """The options of a question in their order, or the most frequent words and the others together."""
    question, language = form.question(key), get_language() or "en"
    counts = Counter(value for parts in values.values() for value in set(parts))
    known = {choice.key: choice.text(language) for choice in choices_of_form(form).get(key, ())}
    if question.type == "yes_no":
        known = {"yes": _("yes"), "no": _("no")}
    few = len(known) <= _MOST_WORDS
    retired = {choice.key for choice in choices_of_form(form).get(key, ()) if choice.retired}
    order = [word for word in known if counts[word] or (few and word not in retired)]
    order += [word for word, _count in counts.most_common() if word not in known]
    labels = [known.get(word, str(word)) for word in order]
    if len(order) <= _MOST_WORDS:
        return labels, order, list(range(len(order)))
    kept = {word for word, _count in counts.most_common(_MOST_WORDS - 1)}
    shown = [word for word in order if word in kept]
    position = {word: place for place, word in enumerate(shown)}
    names = [known.get(word, str(word)) for word in shown]
    return [*names, _("other values")], order, [position.get(word, len(shown)) for word in order]


def _about(key: str, entries: QuerySet[Entry], units: dict[Unit, Any]) -> Axis:
    """The centre or the author of each entry."""
    if key == "@centre":
        title, rows = _("Centre"), entries.order_by().values_list("pk", "centre__name")
    else:
        title, rows = _("Author"), entries.order_by().values_list("pk", "author__username")
    names = {entry: name for entry, name in rows if name}
    labels = sorted(set(names.values()))
    place = {name: number for number, name in enumerate(labels)}
    groups = {unit: {place[names[entry]]} for unit, entry in units.items() if entry in names}
    return _with_missing(Axis(title, labels, groups), units)


def _with_missing(axis: Axis, units: dict[Unit, Any]) -> Axis:
    """The axis with a last value for what is not answered, where there is some."""
    absent = [unit for unit in units if unit not in axis.groups]
    if absent:
        axis.groups |= {unit: {len(axis.labels)} for unit in absent}
        axis.labels.append(_("not answered"))
        axis.has_missing = True
    return axis
