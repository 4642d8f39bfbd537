"""Queries drawn from all locations, items and values that occur, uniformly or by frequency."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from sfumato.data import Mixed, Table, Trajectories
from sfumato.data.base import Ints
from sfumato.data.queries import Query
from sfumato.data.ragged import Ragged
from sfumato.errors import DataError
from sfumato.utility.workloads.record_queries import condition, drawn_in_order

if TYPE_CHECKING:
    from sfumato.utility.workloads.drawn_queries import DrawnQueries

__all__ = ["domain_query"]

Draw = Callable[[np.random.Generator], Query]


@dataclass(frozen=True)
class _Domain:
    """What occurs, with the probability of each; None where all are equally probable."""

    entries: Sequence[Any]
    weights: npt.NDArray[np.float64] | None

    @classmethod
    def of(cls, entries: Sequence[Any], counts: Ints, rule: DrawnQueries) -> Self:
        return cls(entries, counts / counts.sum() if rule.draw == "frequency" and len(entries) else None)

    @classmethod
    def of_names(cls, data: Ragged, rule: DrawnQueries) -> Self:
        """The names of a dataset that occur, by the number of records with each."""
        n = max(1, len(data.names))
        counts = np.bincount(np.unique(data.record_of_element() * n + data.codes) % n, minlength=len(data.names))
        used = np.flatnonzero(counts)
        return cls.of([data.names[code] for code in used.tolist()], counts[used], rule)

    @classmethod
    def of_column(cls, table: Table, column: str, rule: DrawnQueries) -> Self:
        """The values of a column, by the number of rows with each."""
        counted = table[column].rename("value").drop_nulls().value_counts().sort("value")
        return cls.of(counted["value"].to_list(), counted["count"].to_numpy(), rule)

    def draw(self, size: int, rng: np.random.Generator, *, distinct: bool) -> list[Any]:
        drawn = rng.choice(len(self.entries), size, replace=not distinct, p=self.weights) if size else ()
        return [self.entries[position] for position in drawn]


def domain_query(data: Any, rule: DrawnQueries) -> Draw:
    """A function that draws one query from all names and values that occur."""
    if isinstance(data, Mixed):
        items, where = domain_query(data.items, rule), domain_query(data.table, rule)
        return lambda rng: Query(items=items(rng).items, where=where(rng).where)
    if isinstance(data, Table):
        return _table_query(data, rule)
    names = _Domain.of_names(data, rule)
    if isinstance(data, Trajectories):
        visits = _sizes(rule.visits, None if names.entries else 0, rule, "a location")
        return lambda rng: Query(locations=tuple(names.draw(visits(rng), rng, distinct=False)))
    items_drawn = _sizes(rule.items, len(names.entries), rule, "as many items")
    return lambda rng: Query(items=tuple(sorted(names.draw(items_drawn(rng), rng, distinct=True))))


def _table_query(data: Table, rule: DrawnQueries) -> Draw:
    domains = {column: _Domain.of_column(data, column, rule) for column in data.quasi_identifiers}
    columns = tuple(column for column, domain in domains.items() if domain.entries)
    size = _sizes(rule.values, len(columns), rule, "as many quasi-identifiers with values")

    def draw(rng: np.random.Generator) -> Query:
        chosen = {column: domains[column] for column in drawn_in_order(columns, size(rng), rng)}
        values = {column: domain.draw(1, rng, distinct=True)[0] for column, domain in chosen.items()}
        return Query(where={name: condition(data[name], value, rule.width, rng) for name, value in values.items()})

    return draw


def _sizes(
    exact: int | None, most: int | None, rule: DrawnQueries, wanted: str
) -> Callable[[np.random.Generator], int]:
    """A function that returns the exact size, or draws one from 1 to the largest and at most `most`, if given."""
    if exact is not None and most is not None and exact > most:
        raise DataError(f"a query of {exact}: wanted {wanted} in the data, found {most}")
    if exact is not None:
        return lambda rng: exact  # noqa: ARG005
    limit = rule.largest if most is None else most
    return lambda rng: min(limit, int(rng.integers(1, rule.largest + 1)))
