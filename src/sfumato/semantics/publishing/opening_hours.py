"""Opening hours as texts of OpenStreetMap and schema.org, read into stretches of the week."""

from __future__ import annotations

import re

from sfumato.semantics.publishing.place_facts import WEEK_S

__all__ = ["opening_hours"]

_DAYS = ("mo", "tu", "we", "th", "fr", "sa", "su")
_DAY_S = 86_400
_DAY = "|".join(_DAYS)
_RULE = re.compile(
    rf"(?P<days>(?:(?:{_DAY})(?:\s*-\s*(?:{_DAY}))?)(?:\s*,\s*(?:{_DAY})(?:\s*-\s*(?:{_DAY}))?)*)?[\s:]*"
    r"(?P<times>off|closed|\d\d?:\d\d\s*-\s*\d\d?:\d\d(?:\s*,\s*\d\d?:\d\d\s*-\s*\d\d?:\d\d)*)"
)
_HOLIDAYS = re.compile(r"(ph|sh)(\s*,\s*(ph|sh))*\s+\S.*")


def opening_hours(text: str) -> list[tuple[int, int]] | None:
    """The stretches of the week, in seconds since Monday 0:00, in which a place is open; None where not understood.

    Days, ranges of days, times, ``24/7``, ``off`` and several rules are understood; a later rule replaces earlier ones
    on its days.  Rules for holidays are left out.  Months, weeks, sunrise, comments and open ends are not understood.

    >>> opening_hours("Mo,We 09:00-12:00")
    [(32400, 43200), (205200, 216000)]
    >>> opening_hours("24/7"), opening_hours("sunrise-sunset")
    ([(0, 604800)], None)
    """
    cleaned = text.strip().lower()
    if cleaned in ("24/7", "mo-su 24/7"):
        return [(0, WEEK_S)]
    by_day: dict[int, list[tuple[int, int]]] = {}
    rules = [rule.strip() for rule in cleaned.split(";") if rule.strip()]
    for rule in rules:
        if _HOLIDAYS.fullmatch(rule):
            continue
        match = _RULE.fullmatch(rule)
        spans = None if match is None else _spans(match["times"])
        if match is None or spans is None:
            return None
        by_day.update({day: [(day * _DAY_S + opens, day * _DAY_S + closes) for opens, closes in spans]
                       for day in _days(match["days"])})  # fmt: skip
    return [span for day in sorted(by_day) for span in by_day[day]] if by_day else None


def _days(text: str | None) -> list[int]:
    """The days that a rule is about; all where it names none."""
    if not text:
        return list(range(7))
    days = []
    for part in text.split(","):
        ends = [_DAYS.index(name.strip()) for name in part.split("-")]
        first, last = ends[0], ends[-1]
        days += [day % 7 for day in range(first, last + 1 if last >= first else last + 8)]
    return days


def _spans(text: str) -> list[tuple[int, int]] | None:
    """Pairs of seconds of the day; an hour that ends before it begins ends on the next day."""
    if text in ("off", "closed"):
        return []
    spans = []
    for part in text.split(","):
        ends = [_seconds(time.strip()) for time in part.split("-")]
        if None in ends:
            return None
        opens, closes = (int(end or 0) for end in ends)
        spans.append((opens, closes if closes > opens else closes + _DAY_S))
    return spans


def _seconds(text: str) -> int | None:
    hour, minute = (int(part) for part in text.split(":"))
    return 3600 * hour + 60 * minute if hour <= 30 and minute < 60 else None  # 26:00 is 2:00 on the next day
