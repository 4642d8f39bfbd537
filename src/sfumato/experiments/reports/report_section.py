"""A section of the report of a comparison: a part of the page, made from what the comparison found."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.params import Declared

if TYPE_CHECKING:
    from sfumato.experiments.comparison import Comparison
    from sfumato.experiments.reports.comparison_page import Picture

__all__ = ["ReportSection"]


@dataclass(frozen=True, kw_only=True)
class ReportSection(Declared):
    """A part of report.html.  A subclass names itself and implements `html`; it has no required parameters."""

    name: ClassVar[str]

    @abstractmethod
    def html(self, comparison: Comparison, charts: Mapping[str, Picture]) -> str:
        """The section as HTML, or an empty text where it has nothing to show.

        charts : the charts by name; none if they cannot be drawn.
        """
