"""What the methods for tables have in common: k, no keys among the published columns, and who is in a class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from sfumato.data import Table
from sfumato.data.base import missing
from sfumato.data.tables.encoding import Coding
from sfumato.errors import Infeasible, MissingKnowledge
from sfumato.methods.base import Method, Outcome
from sfumato.methods.relational.frequency_sets import FrequencySet
from sfumato.methods.relational.safe_classes import ClassRequirement
from sfumato.params import exact, param
from sfumato.privacy import KAnonymity, PrivacyModel
from sfumato.privacy.l_diversity import LDiversity
from sfumato.privacy.t_closeness import TCloseness

__all__ = ["GlobalRecoding", "TableMethod", "recoded", "refuse_keys", "require_rows"]


@dataclass(frozen=True, kw_only=True)
class TableMethod(Method[Table]):
    """A method that generalizes the quasi-identifiers of a table until k share every combination."""

    kind: ClassVar[str] = "table"
    labels_are_nodes: ClassVar[bool] = True
    promises: ClassVar[tuple[str, ...]] = ("k-anonymity",)
    promises_if: ClassVar[Mapping[str, str]] = {"l-diversity": "l > 1", "t-closeness": "t < 1"}
    takes: ClassVar[tuple[str, ...]] = ("hierarchies",)

    k: int = param(at_least=2, help="smallest equivalence class of the quasi-identifiers")
    l: int = param(  # noqa: E741
        1, at_least=1, help="how many different sensitive values every equivalence class must have; 1 for no such limit"
    )
    t: float = param(
        1.0,
        at_least=0,
        at_most=1,
        help=(
            "largest distance of the sensitive values of an equivalence class from the whole table; 1 for no such limit"
        ),
    )
    allow_keys: bool = param(
        False,
        help="publish a column unchanged even if no two rows share a value in it, so that it identifies every row",
    )

    @property
    def guarantees(self) -> tuple[PrivacyModel, ...]:
        diverse = (LDiversity(l=self.l),) if self.l > 1 else ()
        close = (TCloseness(t=self.t),) if self.t < 1 else ()
        return (KAnonymity(k=self.k), *diverse, *close)

    def coding(self, table: Table) -> Coding:
        """The quasi-identifiers as numbers, after the refusals that all methods for tables share."""
        require_rows(self, self.k, table)
        if not self.allow_keys:
            refuse_keys(self.name, table)
        if (self.l > 1 or self.t < 1) and not table.sensitive:
            raise MissingKnowledge(
                f"{self.name}: l and t are about sensitive columns, these data name none", remedy="name-sensitive"
            )
        return self._coded(table)

    def _coded(self, table: Table) -> Coding:
        return Coding.of(table)


@dataclass(frozen=True, kw_only=True)
class GlobalRecoding(TableMethod):
    """A method that publishes a value under one label in all rows, and may leave out the rows of unsafe classes."""

    suppression: float = param(
        0.0,
        at_least=0,
        at_most=1,
        grid=(0.0, 0.02, 0.05),
        help="largest share of the rows that may be suppressed; none with a t below 1",
    )

    intervals: str = param(
        "width",
        choices=("width", "quantiles"),
        help=(
            "how intervals are derived for numbers without a hierarchy: of equal width, or with about equally many rows"
        ),
    )

    def _coded(self, table: Table) -> Coding:
        return Coding.of(table, quantiles=self.intervals == "quantiles")

    def limit(self, coding: Coding) -> int:
        """How many rows may be suppressed; none where that would change the distribution that t speaks of."""
        return int(exact(self.suppression) * coding.total) if self.t >= 1 else 0

    def requirement(self, coding: Coding) -> ClassRequirement:
        """What every class must have."""
        return ClassRequirement.of(coding.table, self.k, self.l, self.t, coding.times)

    def require_root(self, classes: FrequencySet, requirement: ClassRequirement) -> None:
        """Refuse what even one label for everything would not make safe."""
        if not requirement.safe(classes).all():
            raise Infeasible(
                f"{self.name}: k={self.k} and l={self.l} are too large for these data: even with one label for all "
                "values, there are too few persons with different sensitive values; lower them"
            )


def require_rows(method: Method[Table], k: int, table: Table) -> None:
    """Refuse a k above the number of persons, or of rows where persons are not known."""
    present = len(table) if table.persons is None else len(np.unique(table.units))
    if present < k:
        what = "rows" if table.persons is None else "persons"
        raise Infeasible(f"{method.name}: k={k} needs at least {k} {what}, these data have {present}")


def refuse_keys(who: str, table: Table) -> None:
    """Refuse a published column that is a key: no two persons (or rows, where persons are not known) share a value.

    Quasi-identifiers are generalized until k share them; any other column is published as it is.
    """
    for column in table.frame.columns:
        if table.role(column) == "quasi-identifier":
            continue
        known = ~missing(table[column])
        if table.persons is None and table[column].filter(known).n_unique() < known.sum():
            continue
        pairs = table.frame.select(column).with_columns(pl.Series("\0unit", table.units)).filter(known).unique()
        if pairs["\0unit"].n_unique() > 1 and pairs[column].n_unique() == len(pairs):
            crowd = "rows" if table.persons is None else "persons"
            raise Infeasible(
                f"{who}: no two {crowd} share a value of the column {column!r}, so it would identify every row",
                remedy="allow-keys",
            )


def recoded(coding: Coding, nodes: np.ndarray, rows: np.ndarray | None = None, **counts: int) -> Outcome[Table]:
    """The outcome in which these rows (all, where none are named) are published as these nodes.

    nodes : int[columns, len(rows)].  What is not among the rows is suppressed, and counted.
    """
    rows = np.arange(len(coding)) if rows is None else np.asarray(rows)
    hidden, times = 0, np.ones(len(coding), dtype=np.int64) if coding.times is None else coding.times
    for attribute, cells in zip(coding.attributes, nodes, strict=True):
        inner = np.ones(len(attribute.names), dtype=bool)
        inner[attribute.leaf_node] = False
        hidden += int(times[rows][inner[cells]].sum())
    figures = {"suppressed_records": coding.total - int(times[rows].sum()), "generalized_cells": hidden, **counts}
    return Outcome(coding.published(nodes, rows), rows, figures)
