"""A query as a form, and the form as a query: names one a line, and conditions on columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sfumato.data.queries import Between, OneOf, Query
from sfumato.errors import DataError
from sfumato.utility.workloads.query_rows import bound_of

__all__ = ["Condition", "QueryForm", "form_of", "query_of"]

_SPARE = 2  # empty conditions at the end of a form


@dataclass(frozen=True)
class Condition:
    """A condition on a column: values, one a line, or the ends of a range."""

    column: str = ""
    values: str = ""
    low: str = ""
    high: str = ""


@dataclass(frozen=True)
class QueryForm:
    """The texts of a form."""

    locations: str
    items: str
    conditions: list[Condition]


def form_of(query: Query | None, columns: Sequence[str]) -> QueryForm:
    """The form of a query; an empty one without it."""
    query = query or Query()
    conditions = [_condition(column, condition) for column, condition in query.where.items()]
    spare = min(_SPARE, max(0, len(columns) - len(conditions)))
    return QueryForm("\n".join(query.locations), "\n".join(query.items), [*conditions, *[Condition()] * spare])


def _condition(column: str, condition: Between | OneOf) -> Condition:
    if isinstance(condition, OneOf):
        return Condition(column, "\n".join(condition.values))
    ends = condition.to_json()
    return Condition(column, low=_plain(ends["from"]), high=_plain(ends["to"]))


def _plain(end: Any) -> str:
    return str(int(end)) if isinstance(end, float) and end.is_integer() and abs(end) < 2**53 else str(end)


def query_of(post: Any) -> Query:
    """The query that a form holds; refuses a condition that is neither values nor a range."""
    where: dict[str, Between | OneOf] = {}
    texts = (post.getlist(name) for name in ("column", "values", "low", "high"))
    for number, (column, values, low, high) in enumerate(zip(*texts, strict=False), start=1):
        names, low, high = _lines(values), low.strip(), high.strip()
        if not column and not names and not low and not high:
            continue
        if not column or column in where or bool(names) == bool(low or high) or bool(low) != bool(high):
            raise DataError(
                f"condition {number}: wanted a column, once in a query, with values or with both ends of a range"
            )
        try:
            where[column] = OneOf(names) if names else Between(bound_of(low), bound_of(high))
        except ValueError:
            raise DataError(
                f"condition {number}: wanted numbers, or days such as 2024-03-05, as ends of the range, found others"
            ) from None
    locations, items = _lines(post.get("locations", "")), _lines(post.get("items", ""))
    return Query(locations, tuple(sorted(set(items))), where)


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())
