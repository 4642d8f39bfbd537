"""Opening hours: texts as they occur, and those that are not understood."""

from __future__ import annotations

import pytest

from sfumato.semantics.publishing.opening_hours import opening_hours

DAY = 86_400


def hours(*spans: tuple[int, float, float]) -> list[tuple[int, int]]:
    return [(int(day * DAY + opens * 3600), int(day * DAY + closes * 3600)) for day, opens, closes in spans]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("24/7", [(0, 7 * DAY)]),
        ("Mo-Su 09:00-18:30", hours(*((day, 9, 18.5) for day in range(7)))),
        ("10:00-12:00,14:00-16:00", hours(*((day, *span) for day in range(7) for span in ((10, 12), (14, 16))))),
        ("Mo-Fr 08:00-20:00; Sa off; PH off", hours(*((day, 8, 20) for day in range(5)))),
        ("Mo-Su 08:00-20:00; Su 10:00-12:00", hours(*((day, 8, 20) for day in range(6)), (6, 10, 12))),
        ("Fr-Mo 18:00-02:00", hours((0, 18, 26), (4, 18, 26), (5, 18, 26), (6, 18, 26))),
        ("Mo,Th 9:00-10:00", hours((0, 9, 10), (3, 9, 10))),
        ("Su 00:00-24:00", hours((6, 0, 24))),
        ("Su 20:00-26:00", hours((6, 20, 26))),
    ],
)
def test_what_is_understood(text: str, expected: list[tuple[int, int]]) -> None:
    assert opening_hours(text) == expected


@pytest.mark.parametrize(
    "text",
    ["", "sunrise-sunset", "Mo-Fr 18:00+", "Apr-Oct Mo 09:00-10:00", "Mo[1] 09:00-10:00", '"by appointment"',
     "Mo 09:00-99:00", "Mo 9-17", "PH 10:00-12:00"],
)  # fmt: skip
def test_what_is_not_understood_is_unknown(text: str) -> None:
    assert opening_hours(text) is None
