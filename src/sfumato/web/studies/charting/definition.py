"""What a chart shows, and its JSON.

    {"kind": "column", "variables": [{"key": "gender"}, {"key": "age", "bins": "10"}], "counting": "entries"}

>>> Chart.from_json({"kind": "pie", "variables": [{"key": "gender"}]}).to_json()
{'kind': 'pie', 'variables': [{'key': 'gender'}], 'counting': 'entries'}
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from sfumato.errors import ParameterError
from sfumato.web.studies.forms.tree import Form, Question

__all__ = ["ABOUT", "ENTRIES", "KINDS", "PERIODS", "Chart", "ChartRefused", "Variable", "is_binned", "may_be_variable"]

KINDS = ("column", "bar", "pie", "donut")
PERIODS = ("year", "quarter", "month")
ABOUT = ("@centre", "@author")
ENTRIES = "entries"


class ChartRefused(ParameterError):
    """A chart that cannot be drawn; the sentence is shown beside its fields."""


@dataclass(frozen=True)
class Variable:
    """A question by its key, or @centre or @author.  bins : the width of groups of numbers, or a period of dates."""

    key: str
    bins: str = ""


@dataclass(frozen=True)
class Chart:
    """kind : of KINDS.  variables : one or two.  counting : "entries", or the key of a group whose episodes count."""

    kind: str = KINDS[0]
    variables: tuple[Variable, ...] = ()
    counting: str = ENTRIES

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Chart:
        """The chart that `to_json` wrote."""
        variables = tuple(Variable(str(row["key"]), str(row.get("bins", ""))) for row in content.get("variables", ()))
        return cls(str(content.get("kind", KINDS[0])), variables, str(content.get("counting", ENTRIES)))

    def to_json(self) -> dict[str, Any]:
        """JSON."""
        rows = [{"key": row.key, **({"bins": row.bins} if row.bins else {})} for row in self.variables]
        return {"kind": self.kind, "variables": rows, "counting": self.counting}

    def require(self, form: Form, *, whole_study: bool) -> None:
        """Refuse a chart that the form, or what the user may see, does not allow."""
        if self.kind not in KINDS:
            raise ChartRefused(_("Choose a pie, donut, column or bar chart."))
        keys = [row.key for row in self.variables]
        if not 1 <= len(keys) <= 2 or len(set(keys)) != len(keys):
            raise ChartRefused(_("Choose one question, or two different ones."))
        if self.counting != ENTRIES and (
            self.counting not in form.by_key or form.question(self.counting).type != "group"
        ):
            raise ChartRefused(_("Choose what is counted: entries, or the episodes of a recurring group."))
        for key in keys:
            if key in ABOUT and whole_study:
                continue
            if key not in form.by_key or not may_be_variable(form.question(key)):
                raise ChartRefused(_("Choose a question of the form that can be counted."))
            group = form.group_of(key)
            if self.counting != ENTRIES and group is not None and group.key != self.counting:
                raise ChartRefused(_("Episodes can be counted by questions of the same group, or of the whole entry."))


def may_be_variable(question: Question) -> bool:
    """Whether entries can be counted by the answers of a question; an identifying one would count single people."""
    return question.is_answered and question.privacy != "identifying"


def is_binned(question: Question) -> bool:
    """Whether answers are numbers or days, which are counted in groups."""
    return question.type in ("integer", "decimal", "date", "calculated")
