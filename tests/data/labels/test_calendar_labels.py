"""Calendar labels against counting days one by one."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data.labels.calendar_labels import days_of, probability

DAYS = st.dates(dt.date(2, 1, 1), dt.date(9998, 12, 31))


def labels_of(day: dt.date) -> list[str]:
    """All labels over a day, written by Python's own calendar."""
    year, week, _ = day.isocalendar()
    return [
        day.isoformat(),
        f"{day.year:04d}-{day.month:02d}",
        f"{day.year:04d}-Q{(day.month + 2) // 3}",
        f"{day.year:04d}",
        f"{year:04d}-W{week:02d}",
    ]


@given(DAYS)
def test_a_label_has_just_its_days(day: dt.date) -> None:
    for label in labels_of(day):
        days = days_of(label)
        assert days is not None
        assert days.first <= day.toordinal() <= days.last
        assert len(days) == days.last - days.first + 1
        ends = [dt.date.fromordinal(number) for number in (days.first, days.last)]
        outside = [dt.date.fromordinal(number) for number in (days.first - 1, days.last + 1)]
        assert all(label in labels_of(end) for end in ends)
        assert not any(label in labels_of(end) for end in outside)
        assert probability(label, day.isoformat()) == 1 / len(days)
        assert probability(label, outside[0].isoformat()) == 0


def test_ranges_between_labels() -> None:
    weeks, first, last = days_of("[2024-W01:2024-W52]"), days_of("2024-W01"), days_of("2024-W52")
    assert weeks is not None
    assert first is not None
    assert last is not None
    assert (weeks.first, weeks.last) == (first.first, last.last)


@pytest.mark.parametrize(
    "text",
    ["", "Rome", "2024-13", "2024-00", "2024-W54", "2023-W53", "2024-Q5", "2023-02-29", "24-01-01", "[2019:2024]",
     "[2024-02:2024-01]", "2024-3", "0000", "2024-01-01T10:00:00", "٢٠٢٤", "*"],
)  # fmt: skip
def test_other_texts_are_no_labels(text: str) -> None:
    assert days_of(text) is None
