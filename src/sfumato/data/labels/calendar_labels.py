"""Calendar labels: ISO weeks, months, quarters and years as texts, and the days that each of them stands for."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

__all__ = ["Days", "days_of", "probability"]

_LABEL = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?|-Q([1-4])|-W(\d{2}))?", re.ASCII)
_SECONDS_OF_DAY = 86_400


@dataclass(frozen=True)
class Days:
    """The days from the first to the last, both included, as day numbers of the proleptic Gregorian calendar."""

    first: int
    last: int

    def __len__(self) -> int:
        return self.last - self.first + 1

    def within(self, other: Days) -> int:
        """How many of these days lie in another range of days."""
        return max(0, min(self.last, other.last) - max(self.first, other.first) + 1)


def days_of(label: object) -> Days | None:
    """The days of a calendar label or of a range between two of them; None for any other text.

    >>> len(days_of("2024-02")), len(days_of("2024-Q1")), len(days_of("2024")), len(days_of("2024-W07"))
    (29, 91, 366, 7)
    >>> len(days_of("[2024-W01:2024-W52]")), days_of("2024-02-30"), days_of("Rome")
    (364, None, None)
    """
    text = label.isoformat() if isinstance(label, date) else str(label)
    if text.startswith("[") and text.endswith("]") and text.count(":") == 1:
        first, last = (days_of(end) for end in text[1:-1].split(":"))
        if first is None or last is None or last.last < first.first or _is_year(text[1:-1]):
            return None
        return Days(first.first, last.last)
    match = _LABEL.fullmatch(text)
    try:
        return None if match is None else _days(*match.groups())
    except ValueError:  # no such day, month or week
        return None


def _is_year(ends: str) -> bool:
    """Whether a range could as well be one of numbers."""
    return all(end.isdigit() for end in ends.split(":"))


def _days(year: str, month: str | None, day: str | None, quarter: str | None, week: str | None) -> Days:
    number = int(year)
    if day is not None and month is not None:
        only = date(number, int(month), int(day)).toordinal()
        return Days(only, only)
    if week is not None:
        monday = date.fromisocalendar(number, int(week), 1).toordinal()
        return Days(monday, monday + 6)
    first_month, last_month = 1, 12
    if quarter is not None:
        first_month, last_month = 3 * int(quarter) - 2, 3 * int(quarter)
    elif month is not None:
        first_month = last_month = int(month)
    first = date(number, first_month, 1)
    length = monthrange(number, last_month)[1]
    return Days(first.toordinal(), (date(number, last_month, 1) + timedelta(days=length - 1)).toordinal())


def probability(label: str, value: str) -> float:
    """The probability that a calendar label stands for a day, or for a second, if all of them are equally probable.

    >>> probability("2024-02", "2024-02-29") == 1 / 29, probability("2024-02", "2024-03-01")
    (True, 0.0)
    >>> probability("2024-02-29", "2024-02-29T10:00:00") == 1 / 86_400
    True
    """
    outer, inner = days_of(label), days_of(value[:10])
    if outer is None or inner is None or not inner.within(outer) or len(inner) > 1:
        return 0.0
    return 1 / (len(outer) * (_SECONDS_OF_DAY if len(value) > 10 else 1))
