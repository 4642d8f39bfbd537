"""Workloads: lists of counting queries, drawn from data, read from a file or written to one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np

from sfumato.data import Dataset, Mixed, Table, Trajectories, Transactions
from sfumato.data.queries import Between, OneOf, Query
from sfumato.data.ragged import Ragged
from sfumato.errors import DataError, FileError, a_or_an, did_you_mean
from sfumato.io.atomic_writes import write_json
from sfumato.io.files import read_bytes
from sfumato.io.published.strict_json import parse_json

__all__ = ["Workload"]


@dataclass(frozen=True)
class Workload:
    """Counting queries, and the rule that generated them.

    >>> walks = Trajectories.from_lists([["a", "b", "c"], ["a", "c"]])
    >>> workload = Workload.of(walks, number=3, largest=2, seed=1)
    >>> len(workload), all(walks.expected_count(query) >= 1 for query in workload)
    (3, True)
    """

    queries: tuple[Query, ...]
    rule: str = "given"

    @classmethod
    def of(cls, data: Dataset, *, number: int = 100, largest: int = 2, seed: int = 0, about: str = "both") -> Self:
        """Queries that at least one record answers, drawn from the data.

        Trajectories: a size from 1 to `largest`, a record with at least as many visits, and that many of its visits in
        their order, each drawn uniformly.  Transactions: the same with distinct items.  Tables: a row and 1 to
        `largest` quasi-identifiers, each with the row's value, or for numbers with a range around it that is a tenth of
        the column's range wide.  Mixed data: both together, or `about` the "rows" or the "items" alone.
        """
        rng = np.random.default_rng(seed)
        if isinstance(data, Mixed) and about != "both":
            data = data.table if about == "rows" else data.items
        draw = _DRAW[data.kind]
        queries = tuple(draw(data, largest, rng) for _ in range(number)) if len(data) else ()
        return cls(queries, f"{number} drawn from the data, sizes 1 to {largest}, seed {seed}")

    @classmethod
    def every_name(cls, data: Ragged) -> Self:
        """One query for each location or item of the data."""
        make: Callable[[str], Query] = (
            (lambda name: Query(locations=(name,)))
            if isinstance(data, Trajectories)
            else (lambda name: Query(items=(name,)))
        )
        return cls(tuple(make(name) for name in data.with_used_names().names), f"every {data.attribute}")

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a JSON file: an object with `rule` and `queries`, or a list of queries."""
        content = parse_json(read_bytes(path), path)
        rule, queries = (
            (content.get("rule", "given"), content.get("queries")) if isinstance(content, dict) else ("given", content)
        )
        if not isinstance(queries, list) or not all(isinstance(query, dict) for query in queries):
            raise FileError(path, "wanted a list of queries, found something else")
        try:
            return cls(tuple(Query.from_json(query) for query in queries), str(rule))
        except DataError as error:
            raise FileError(path, str(error)) from None

    def save(self, path: str | Path) -> None:
        """Write the file that `load` reads."""
        write_json({"rule": self.rule, "queries": [query.to_json() for query in self.queries]}, path)

    def __len__(self) -> int:
        return len(self.queries)

    def __iter__(self) -> Iterator[Query]:
        return iter(self.queries)

    def counts(self, data: Dataset) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """The (expected) answer to each query."""
        return data.expected_counts(self.queries)

    def require(self, data: Dataset) -> None:
        """Refuse queries about places, items or columns that the data do not have."""
        if isinstance(data, Trajectories):
            _refuse_unknown("location", (n for query in self for n in query.locations), data.names)
        if isinstance(data, Transactions | Mixed):
            names = data.names if isinstance(data, Transactions) else data.items.names
            _refuse_unknown("item", (name for query in self for name in query.items), names)
        if isinstance(data, Table | Mixed):
            table = data if isinstance(data, Table) else data.table
            _refuse_unknown("column", (name for query in self for name in query.where), table.frame.columns)


def _refuse_unknown(noun: str, requested: Iterable[str], available: Iterable[str]) -> None:
    names = set(available)
    unknown = next((name for name in requested if name not in names), None)
    if unknown is not None and noun == "column":
        raise DataError(f"the workload: wanted columns of the data, found {unknown!r}; {did_you_mean(unknown, names)}")
    if unknown is not None:
        raise DataError(f"the workload: wanted {a_or_an(noun)} of the data in each query, found an unknown one")


def _sequence_query(data: Trajectories, largest: int, rng: np.random.Generator) -> Query:
    return Query(locations=_draw_names(data, largest, rng))


def _itemset_query(data: Transactions, largest: int, rng: np.random.Generator) -> Query:
    return Query(items=_draw_names(data, largest, rng))


def _draw_names(data: Ragged, largest: int, rng: np.random.Generator) -> tuple[str, ...]:
    size = int(rng.integers(1, largest + 1))
    size = min(size, int(data.lengths.max(initial=0)))
    record = int(rng.choice(np.flatnonzero(data.lengths >= size)))
    return _draw_in_order(data.labels(record), size, rng)


def _draw_in_order(labels: tuple[str, ...], size: int, rng: np.random.Generator) -> tuple[str, ...]:
    return (
        tuple(labels[position] for position in np.sort(rng.choice(len(labels), size, replace=False))) if labels else ()
    )


def _table_query(data: Table, largest: int, rng: np.random.Generator, row: int | None = None) -> Query:
    row = int(rng.integers(len(data))) if row is None else row
    present = [column for column in data.quasi_identifiers if data[column][row] is not None]
    size = min(len(present), int(rng.integers(1, largest + 1)))
    where: dict[str, Between | OneOf] = {}
    for column in _draw_in_order(tuple(present), size, rng):
        value = data[column][row]
        if data[column].dtype.is_numeric():
            low, high = float(data[column].min()), float(data[column].max())  # type: ignore[arg-type]
            shift = float(rng.random()) * (high - low) / 10
            where[column] = Between(float(value) - shift, float(value) - shift + (high - low) / 10)
        else:
            where[column] = OneOf((str(value),))
    return Query(where=where)


def _mixed_query(data: Mixed, largest: int, rng: np.random.Generator) -> Query:
    row = int(rng.integers(len(data)))
    items = data.items.labels(row)
    size = min(len(items), int(rng.integers(1, largest + 1)))
    return Query(items=_draw_in_order(items, size, rng), where=_table_query(data.table, largest, rng, row).where)


_DRAW: dict[str, Callable[[Any, int, np.random.Generator], Query]] = {
    "trajectories": _sequence_query,
    "transactions": _itemset_query,
    "table": _table_query,
    "mixed": _mixed_query,
}
