"""The tables of an experiment file about charts: what is drawn, and what is claimed about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from sfumato.experiments.definition.field_types import Tables, Texts
from sfumato.experiments.definition.sections import Section, SectionError
from sfumato.params import param

__all__ = ["ChartTable", "ExpectsTable"]


@dataclass(frozen=True, kw_only=True)
class ChartTable(Section):
    """A chart."""

    title: str | None = param(None, help="its title; the label without it")
    y: str = param(help="the figure: a measure, seconds, a phase (seconds.verifying) or a count (counts.added_visits)")
    label: str | None = param(None, help="the label of the axis")
    of: Texts | None = param(None, help="the configurations that it shows; all of them without it")
    x_scale: str = param("linear", choices=("linear", "log"), help="the scale of the varying parameter")
    y_scale: str = param("linear", choices=("linear", "log"), help="the scale of the figure")
    claim: str = param("", help="a claim in words")
    expects: Tables = param(Tables(), help="the same claim as tables that are judged")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.of is not None and not self.of:
            raise SectionError("of must name at least one configuration, or be left out")


@dataclass(frozen=True, kw_only=True)
class ExpectsTable(Section):
    """A claim about a chart that is judged by the medians."""

    spelled: ClassVar[Mapping[str, str]] = {"start": "from", "end": "to"}

    ordering: Texts | None = param(None, help="configurations, the best first")
    equal: Texts | None = param(None, help="configurations that are alike")
    monotone: str | None = param(None, choices=("rising", "falling"), help="the direction in which the figure goes")
    at_least: float | None = param(None, help="the lowest value of the figure")
    at_most: float | None = param(None, help="the highest value of the figure")
    better: str | None = param(None, choices=("lower", "higher"), help="which value of an ordering is better")
    factor: float = param(1.0, at_least=1, help="how many times better each of an ordering is")
    within: float = param(0.0, at_least=0, help="the share of the first by which equal ones may differ")
    of: Texts | None = param(None, help="the configurations of monotone, at_least and at_most")
    start: float | None = param(None, help="the varying parameter's value from which on the claim is judged")
    end: float | None = param(None, help="the varying parameter's value up to which the claim is judged")
    claim: str = param("", help="the claim in words")

    def __post_init__(self) -> None:
        super().__post_init__()
        kinds = self.kinds
        if not kinds or (len(kinds) > 1 and set(kinds) != {"at_least", "at_most"}):
            wanted = "one of ordering, equal, monotone, and at_least or at_most"
            raise SectionError(f"wanted {wanted}, found {len(kinds) or 'none'}")
        for name, kind in (("better", "ordering"), ("factor", "ordering"), ("within", "equal")):
            if kinds != [kind]:
                self.require_defaults((name,), f"is allowed only with {kind}")
        several = {"ordering": "the best first, each once", "equal": "each once"}
        if kinds[0] in several:
            self.require_defaults(("of",), "is allowed only with monotone, at_least and at_most")
            if len(self.compared) < 2 or len(set(self.compared)) < len(self.compared):
                raise SectionError(f"{kinds[0]} must name at least two configurations, {several[kinds[0]]}")

    @property
    def kinds(self) -> list[str]:
        """What is claimed."""
        claims = ("ordering", "equal", "monotone", "at_least", "at_most")
        return [name for name in claims if getattr(self, name) is not None]

    @property
    def compared(self) -> tuple[str, ...]:
        """The configurations of an ordering, or those that are alike."""
        return tuple(self.ordering or self.equal or ())
