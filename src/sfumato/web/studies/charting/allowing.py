"""What a chart that leaves the study may be about, and what it must not state of everybody in a group."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from sfumato.web.studies.charting.definition import ENTRIES, Chart, ChartRefused
from sfumato.web.studies.charting.linking import SharedTable
from sfumato.web.studies.charting.suppressing import LEAST_K
from sfumato.web.studies.filtering.tree import Condition, Has, Is, nodes
from sfumato.web.studies.forms.order import dependencies
from sfumato.web.studies.forms.tree import Form

__all__ = ["read_by", "require_allowed", "require_other_people", "require_varied"]


def read_by(form: Form, keys: Iterable[str]) -> frozenset[str]:
    """The questions, and all that their answers follow from: those of formulas, and those that enable them."""
    depends = dependencies(form)
    reached, queue = set[str](), list(keys)
    while queue:
        key = queue.pop()
        if key not in reached:
            reached.add(key)
            queue += depends.get(key, ())
    return frozenset(reached)


def require_allowed(form: Form, chart: Chart, k: int) -> None:
    """Refuse charts whose labels or counts could be about single people."""
    if not LEAST_K <= k <= 100:
        raise ChartRefused(
            _("The smallest count that is shown is a number from %(least)s to 100.") % {"least": LEAST_K}
        )
    if chart.counting != ENTRIES:
        raise ChartRefused(_("A shared chart counts entries: a person may have many episodes."))
    for variable in chart.variables:
        if variable.key == "@author":
            raise ChartRefused(_("Authors of entries do not leave the study."))
        if variable.key in form.by_key and _is_typed(form, variable.key):
            raise ChartRefused(_("Texts that people typed do not leave the study; choose a question with options."))


def _is_typed(form: Form, key: str) -> bool:
    """Whether answers are texts that people typed, or were put together from such texts."""
    if form.question(key).type != "calculated":
        return form.question(key).type == "string"
    return form.kinds.get(key) not in ("number", "date", "yes_no") and any(
        form.question(other).type == "string" for other in read_by(form, [key])
    )


def _is_sensitive(form: Form, key: str) -> bool:
    return any(
        form.question(other).privacy in ("sensitive", "items") for other in read_by(form, [key]) if other in form.by_key
    )


def _sensitive_parts(form: Form, condition: Condition) -> frozenset[str]:
    """The sensitive questions that a condition tests, and those that it tests which follow from them."""
    keys = {node.question for node in nodes(condition) if isinstance(node, Is)}
    keys |= {node.group for node in nodes(condition) if isinstance(node, Has)}
    return frozenset(key for key in keys if _is_sensitive(form, key))


def require_varied(form: Form, chart: Chart, lines: Sequence[Sequence[int]]) -> None:
    """Refuse where everybody of a group gave the same sensitive answer, which would state it of each of them."""
    for number, variable in enumerate(chart.variables):
        if not _is_sensitive(form, variable.key):
            continue
        groups = [[line[0] for line in lines]] if len(chart.variables) == 1 else [list(line) for line in lines]
        if len(chart.variables) == 2 and number == 0:
            groups = [list(column) for column in zip(*lines, strict=True)]
        if any(sum(1 for count in group if count) == 1 for group in groups):
            raise ChartRefused(
                _("This chart cannot be shared: everybody of a group gave the same answer to a sensitive question.")
            )


def require_other_people(
    form: Form, new: SharedTable, condition: Condition, others: Iterable[tuple[Condition, SharedTable]]
) -> None:
    """Refuse a chart about people with a sensitive answer that counts a whole group of a chart without this condition.

    others : charts with their conditions, of which one may be about a sensitive question as well.
    """
    for other, table in others:
        tested = _sensitive_parts(form, condition) ^ _sensitive_parts(form, other)
        if not tested or tested & (new.questions | table.questions):
            continue
        groups = {number.people for number in table.numbers}
        if any(number.people in groups for number in new.numbers):
            raise ChartRefused(
                _("This chart cannot be shared: everybody of a group gave the same answer to a sensitive question.")
            )
