"""Workloads: lists of counting queries, drawn from data, read from a file or written to one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data import Dataset, Mixed, Table, Trajectories, Transactions
from sfumato.data.labels.calendar_labels import days_of
from sfumato.data.queries import Between, Query
from sfumato.data.ragged import Ragged
from sfumato.data.tables.dates import is_temporal
from sfumato.errors import DataError, FileError, ParameterError, a_or_an, did_you_mean, either, listed, shortened
from sfumato.io.atomic_writes import write_json
from sfumato.io.files import read_bytes, suffix_of
from sfumato.io.frames import read_csv, write_frame
from sfumato.io.published.strict_json import parse_json
from sfumato.params import Declared, JsonObject
from sfumato.utility.workloads.drawn_queries import DrawnQueries
from sfumato.utility.workloads.query_rows import queries_of_rows, rows_of_queries

__all__ = ["Workload", "require_no_rule"]

_GIVEN = "given"  # the rule of queries that a person wrote
_PARTS = {
    "trajectories": ("locations",),
    "transactions": ("items",),
    "table": ("where",),
    "mixed": ("items", "where"),
}


@dataclass(frozen=True)
class Workload:
    """Counting queries, and the rule that generated them.

    >>> walks = Trajectories.from_lists([["a", "b", "c"], ["a", "c"]])
    >>> workload = Workload.of(walks, number=3, largest=2, seed=1)
    >>> len(workload), all(walks.expected_count(query) >= 1 for query in workload)
    (3, True)
    """

    queries: tuple[Query, ...]
    rule: str = _GIVEN

    @property
    def private(self) -> bool:
        """Whether the queries were drawn from data, so that they name what occurs there."""
        return self.rule != _GIVEN

    @classmethod
    def of(cls, data: Dataset, *, number: int = 100, **rule: Any) -> Self:
        """Queries drawn from the data.

        rule : the parameters of `DrawnQueries`, such as ``largest=3``, ``items=2`` or ``draw="uniform"``.

        >>> baskets = Transactions.from_lists([["ale", "bread"], ["ale", "tea"], ["ale"]])
        >>> pairs = Workload.of(baskets, number=20, items=2, draw="uniform")
        >>> pairs.rule, {len(query.items) for query in pairs}
        ('20 drawn uniformly, 2 items, seed 0', {2})
        """
        drawn = DrawnQueries.from_json(rule)
        return cls(drawn.queries_from(data, number), drawn.rule(data.kind, number))

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
        """Read a CSV file, or a JSON file: an object with `rule` and `queries`, or a list of queries.

        A CSV file has the columns query, part, column, value, from, to, and rule where the queries were drawn.
        """
        if suffix_of(path) == ".csv":
            frame, source = read_csv(path)
            rules = frame["rule"].unique().to_list() if "rule" in frame.columns else [_GIVEN]
            if len(frame) == 0 or len(rules) != 1 or not rules[0]:
                raise source.error("wanted at least one query, and the same rule in every row, found others")
            return cls(queries_of_rows(frame, source), rules[0])
        content = parse_json(read_bytes(path), path)
        rule, queries = (
            (content.get("rule", _GIVEN), content.get("queries")) if isinstance(content, dict) else (_GIVEN, content)
        )
        if not isinstance(queries, list) or not all(isinstance(query, dict) for query in queries):
            raise FileError(path, "wanted a list of queries, found something else")
        try:
            return cls(tuple(Query.from_json(query) for query in queries), str(rule))
        except DataError as error:
            raise FileError(path, str(error)) from None

    def save(self, path: str | Path) -> None:
        """Write the file that `load` reads, CSV or JSON by its ending, for its owner alone."""
        if suffix_of(path) == ".csv":
            write_frame(self.to_rows().with_columns(pl.col(pl.String).replace("", None)), path)
        else:
            write_json(self.to_json(), path)

    def to_rows(self) -> pl.DataFrame:
        """A row for each location, item, value or range of the queries, and their rule if they were drawn from data.

        >>> Workload((Query(items=("ale", "tea")),)).to_rows().rows()[1]
        (1, 'item', '', 'tea', '', '')
        """
        if not self.queries:
            raise DataError("the workload: wanted at least one query to write as rows, found none")
        rows = rows_of_queries(self.queries)
        return rows.with_columns(rule=pl.lit(self.rule)) if self.private else rows

    def with_query(self, query: Query, number: int | None = None) -> Self:
        """The workload with a further query, or with another one in place of that of this number, from 1.

        >>> Workload((Query(items=("ale",)),)).with_query(Query(items=("tea",)), 1).queries[0].items
        ('tea',)
        """
        position = len(self) if number is None else self._position(number)
        return self._edited((*self.queries[:position], query, *self.queries[position + 1 :]))

    def without_query(self, number: int) -> Self:
        """The workload without the query of this number, from 1."""
        position = self._position(number)
        return self._edited((*self.queries[:position], *self.queries[position + 1 :]))

    def _position(self, number: int) -> int:
        if not 1 <= number <= len(self):
            raise DataError(f"the workload: wanted the number of a query from 1 to {len(self):,}, found another")
        return number - 1

    def _edited(self, queries: tuple[Query, ...]) -> Self:
        mark = ", edited"
        return type(self)(queries, self.rule.removesuffix(mark) + mark if self.private else self.rule)

    def to_json(self) -> JsonObject:
        """The rule, whether the queries are private, and the queries."""
        queries = [query.to_json() for query in self.queries]
        return {"rule": self.rule, "private": self.private, "queries": queries}

    def to_polars(self) -> pl.DataFrame:
        """A row a query: its number, and what it asks for in words."""
        rows = [(number, query.in_words()) for number, query in enumerate(self.queries, start=1)]
        return pl.DataFrame(rows, schema={"query": pl.Int64, "asks_for": pl.String}, orient="row")

    def __len__(self) -> int:
        return len(self.queries)

    def __iter__(self) -> Iterator[Query]:
        return iter(self.queries)

    def counts(self, data: Dataset, estimate: str = "share") -> npt.NDArray[np.float64]:
        """The (expected) answer to each query.  estimate : how generalized items are counted, share or subsets."""
        return data.expected_counts(self.queries, estimate)

    def require_kind(self, kind: str) -> None:
        """Refuse queries that data of a kind cannot answer, such as one for items about trajectories."""
        fitting = _PARTS.get(kind, ())
        for number, query in enumerate(self.queries, start=1):
            part = next(
                (part for part in ("locations", "items", "where") if part not in fitting and getattr(query, part)), ""
            )
            if part:
                raise DataError(
                    f"the workload: wanted queries with {either(fitting) or 'nothing'} for data of the kind {kind}, "
                    f"found {part} in query {number}"
                )

    def require(self, data: Dataset) -> None:
        """Refuse queries about places, items or columns that the data do not have, and ranges of texts."""
        self.require_kind(data.kind)
        if isinstance(data, Trajectories):
            _refuse_unknown("location", (n for query in self for n in query.locations), data.names)
        if isinstance(data, Transactions | Mixed):
            names = data.names if isinstance(data, Transactions) else data.items.names
            _refuse_unknown("item", (name for query in self for name in query.items), names)
        if isinstance(data, Table | Mixed):
            table = data if isinstance(data, Table) else data.table
            _refuse_unknown("column", (name for query in self for name in query.where), table.frame.columns)
            self._require_ranges(table)

    def _require_ranges(self, table: Table) -> None:
        """Refuse a range of another type than its column, and one that ends before it begins: both count nothing."""
        for number, query in enumerate(self.queries, start=1):
            for column, condition in query.where.items():
                if not isinstance(condition, Between):
                    continue
                dtype = table[column].dtype
                if not (_has_days(table[column]) if condition.asks_days else dtype.is_numeric()):
                    kind = "dates" if is_temporal(dtype) else "numbers" if dtype.is_numeric() else "texts"
                    ends = "days" if condition.asks_days else "numbers"
                    raise DataError(
                        f"the workload: wanted values of {shortened(column)!r}, a column of {kind}, found a range of "
                        f"{ends} in query {number}"
                    )
                if condition.is_reversed:
                    raise DataError(
                        f"the workload: wanted a range of {shortened(column)!r} from its lower end to its higher "
                        f"end, found the reverse in query {number}"
                    )


def _has_days(column: pl.Series) -> bool:
    """Whether a column holds dates, also as texts: a column with a hierarchy keeps its texts."""
    if column.dtype != pl.String:
        return is_temporal(column.dtype)
    return all(days_of(value) for value in column.drop_nulls().unique())


def require_no_rule(measure: Declared, drawing: Iterable[str]) -> None:
    """Refuse parameters of drawn queries beside a workload file, which would have no effect."""
    declared = {parameter.name: parameter for parameter in measure.parameters()}
    given = [name for name in drawing if getattr(measure, name) != declared[name].default]
    if given:
        raise ParameterError(
            f"{type(measure).__name__}: wanted a workload file or a rule for drawing, found both: {listed(given)} "
            f"{'has' if len(given) == 1 else 'have'} no effect on the queries of a file; leave out one of the two"
        )


def _refuse_unknown(noun: str, requested: Iterable[str], available: Iterable[str]) -> None:
    names = set(available)
    unknown = next((name for name in requested if name not in names), None)
    if unknown is not None and noun == "column":
        raise DataError(f"the workload: wanted columns of the data, found {unknown!r}; {did_you_mean(unknown, names)}")
    if unknown is not None:
        raise DataError(f"the workload: wanted {a_or_an(noun)} of the data in each query, found an unknown one")
