"""Counting queries: how many records hold these visits, these items, these values?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Self

from sfumato.data.labels.calendar_labels import Days, days_of, probability
from sfumato.errors import DataError, ParameterError, listed
from sfumato.params import JsonObject

__all__ = ["ESTIMATES", "Between", "OneOf", "Query", "require_estimate", "span_of"]

ESTIMATES = ("share", "subsets")
"""How a generalized item is counted; see ``Transactions.chances``."""


@dataclass(frozen=True)
class Between:
    """A number, or a day, from `low` to `high`, both included."""

    low: float | date
    high: float | date

    def share(self, cell: Any) -> float:
        """The probability that a number drawn uniformly from a range ``[19:22]``, or a day from a month, is in bounds.

        >>> Between(date(2024, 2, 1), date(2024, 2, 10)).share("2024-02") == 10 / 29
        True
        """
        if isinstance(self.low, date) or isinstance(self.high, date):
            return self._share_of_days(cell)
        span = span_of(cell)
        if span is None:
            return 0.0
        low, high, is_whole = span
        if is_whole:  # a range of whole numbers holds both ends and all numbers between them
            lowest, highest = max(low, -(-self.low // 1)), min(high, self.high // 1)
            return max(0.0, highest - lowest + 1) / (high - low + 1)
        if low == high:
            return float(self.low <= low <= self.high)
        return max(0.0, min(high, self.high) - max(low, self.low)) / (high - low)

    @property
    def asks_days(self) -> bool:
        """Whether the bounds are days."""
        return isinstance(self.low, date)

    @property
    def is_reversed(self) -> bool:
        """Whether the range ends before it begins."""
        if isinstance(self.low, date) and isinstance(self.high, date):
            return self.low > self.high
        return not (isinstance(self.low, date) or isinstance(self.high, date)) and self.low > self.high

    def _share_of_days(self, cell: Any) -> float:
        text = cell.isoformat() if isinstance(cell, date) else str(cell)
        days = days_of(text) or days_of(text[:10])  # a time lies in its day
        if days is None or not (isinstance(self.low, date) and isinstance(self.high, date)):
            return 0.0
        return days.within(Days(self.low.toordinal(), self.high.toordinal())) / len(days)

    def in_words(self) -> str:
        low, high = (end.isoformat() if isinstance(end, date) else f"{end:.6g}" for end in (self.low, self.high))
        return f"from {low} to {high}"

    def to_json(self) -> dict[str, float | str]:
        low, high = (end.isoformat() if isinstance(end, date) else end for end in (self.low, self.high))
        return {"from": low, "to": high}


@dataclass(frozen=True)
class OneOf:
    """One of these values."""

    values: tuple[str, ...]

    @property
    def asks_days(self) -> bool:
        """Whether the values are days, or times of days."""
        return bool(self.values) and all(len(value) >= 10 and days_of(value[:10]) for value in self.values)

    def share(self, cell: Any) -> float:
        """The probability that a cell, or a day drawn uniformly from a calendar label, is one of the values.

        >>> OneOf(("2024-02-28", "2024-02-29")).share("2024-02") == 2 / 29
        True
        """
        if cell is None or str(cell) in self.values:
            return float(cell is not None)
        if not self.asks_days:
            return 0.0
        return sum(probability(str(cell), value) for value in set(self.values))

    def in_words(self) -> str:
        return f"is {' or '.join(self.values)}"

    def to_json(self) -> list[str]:
        return list(self.values)


def require_estimate(estimate: str) -> None:
    """Refuse an estimate that is not one of `ESTIMATES`.

    >>> require_estimate("all")
    Traceback (most recent call last):
        ...
    sfumato.errors.ParameterError: estimate must be one of 'share', 'subsets', got 'all'
    """
    if estimate not in ESTIMATES:
        raise ParameterError(f"estimate must be one of {', '.join(map(repr, ESTIMATES))}, got {estimate!r}")


def span_of(cell: Any) -> tuple[float, float, bool] | None:
    """The ends of a number or of a range in brackets, and whether they are whole numbers."""
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return float(cell), float(cell), isinstance(cell, int)
    text = str(cell)
    bounds = text[1:-1].split(":") if text.startswith("[") and text.endswith("]") else [text, text]
    try:
        low, high = (float(end) for end in bounds)
    except ValueError:
        return None
    return low, high, all(end.strip().lstrip("+-").isdigit() for end in bounds)


@dataclass(frozen=True)
class Query:
    """How many records hold these `locations` in this order, all these `items`, and fit these conditions?

    A dataset answers the parts that concern its kind; see ``Dataset.expected_count``.

    >>> Query.from_json({"where": {"age": {"from": 20, "to": 30}, "town": ["Rome"]}}).where["town"]
    OneOf(values=('Rome',))
    """

    locations: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    where: Mapping[str, Between | OneOf] = field(default_factory=dict)

    def to_json(self) -> JsonObject:
        fields: JsonObject = {}
        if self.locations:
            fields["locations"] = list(self.locations)
        if self.items:
            fields["items"] = list(self.items)
        if self.where:
            fields["where"] = {column: condition.to_json() for column, condition in self.where.items()}
        return fields

    def in_words(self) -> str:
        """What the query asks for.

        >>> Query(items=("ale", "tea"), where={"age": Between(20, 29)}).in_words()
        'ale and tea, age from 20 to 29'
        """
        parts = [" then ".join(self.locations), " and ".join(self.items)]
        parts += [f"{column} {condition.in_words()}" for column, condition in self.where.items()]
        return ", ".join(filter(None, parts)) or "every record"

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Self:
        unknown_fields = set(fields) - {"locations", "items", "where"}
        if unknown_fields:
            raise DataError(f"a query: wanted locations, items or where, found {listed(sorted(unknown_fields))}")
        try:
            where = {str(column): _condition(value) for column, value in fields.get("where", {}).items()}
            return cls(_texts(fields.get("locations", ())), tuple(sorted(set(_texts(fields.get("items", ()))))), where)
        except (AttributeError, KeyError, TypeError, ValueError):
            raise DataError(
                "a query: wanted lists of names, and conditions as lists or as from and to, found another form"
            ) from None


def _texts(values: Any) -> tuple[str, ...]:
    if isinstance(values, str):
        raise TypeError(values)
    return tuple(str(value) for value in values)


def _condition(value: Any) -> Between | OneOf:
    return Between(_bound(value["from"]), _bound(value["to"])) if isinstance(value, Mapping) else OneOf(_texts(value))


def _bound(value: Any) -> float | date:
    """A number, or a day written ``2024-03-05``."""
    return date.fromisoformat(value) if isinstance(value, str) and value.count("-") == 2 else float(value)
