"""Groups of numbers and days, by which a chart counts them.

>>> number_groups([3, 17, 45], "20")[0]
['0–19', '20–39', '40–59']
>>> day_groups([738000, 738100], "year")[0]
['2021']
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from math import floor, log10

from django.utils.translation import gettext as _

from sfumato.web.studies.charting.definition import PERIODS, ChartRefused

__all__ = ["MOST_GROUPS", "day_groups", "number_groups"]

MOST_GROUPS = 60
_WANTED = 8


def number_groups(numbers: Sequence[float], width: str) -> tuple[list[str], list[int]]:
    """The labels of groups of equal width, and the group of each number.  width : "" chooses one."""
    if not numbers:
        return [], []
    whole = all(float(number).is_integer() for number in numbers)
    step = _width(width) if width else _nice(max(numbers) - min(numbers), whole)
    places = [
        int(Decimal(str(number)) // step) - (number < 0 and Decimal(str(number)) % step != 0) for number in numbers
    ]
    first, last = min(places), max(places)
    if last - first >= MOST_GROUPS:
        raise ChartRefused(_("Choose wider groups: there would be more than %(most)s.") % {"most": MOST_GROUPS})
    whole = whole and step == step.to_integral_value()
    labels = [_label(place * step, step, whole) for place in range(first, last + 1)]
    return labels, [place - first for place in places]


def day_groups(days: Sequence[int], period: str) -> tuple[list[str], list[int]]:
    """The labels of years, quarters or months, and the group of each day number.  period : "" chooses one."""
    if not days:
        return [], []
    if period and period not in PERIODS:
        raise ChartRefused(_("Choose years, quarters or months."))
    if not period:
        span = max(days) - min(days)
        period = "year" if span > 3 * 366 else "quarter" if span > 400 else "month"
    months = {"year": 12, "quarter": 3, "month": 1}[period]
    places = []
    for number in days:
        day = date.fromordinal(number)
        places.append((day.year * 12 + day.month - 1) // months)
    first, last = min(places), max(places)
    if last - first >= MOST_GROUPS:
        raise ChartRefused(_("Choose longer periods: there would be more than %(most)s.") % {"most": MOST_GROUPS})
    return [_period(place * months, period) for place in range(first, last + 1)], [place - first for place in places]


def _width(text: str) -> Decimal:
    try:
        width = Decimal(text.strip().replace(",", "."))
    except InvalidOperation:
        width = Decimal(0)
    if not width.is_finite() or not Decimal("1e-6") <= width <= Decimal("1e12"):
        raise ChartRefused(_("The width of groups is a number above 0, such as 10."))
    return width


def _nice(span: float, whole: bool) -> Decimal:
    """A width of 1, 2 or 5 times a power of ten that gives about eight groups."""
    raw = max(span / _WANTED, 1e-6)
    power = Decimal(10) ** floor(log10(raw))
    width = next((factor * power for factor in (1, 2, 5) if factor * float(power) >= raw), 10 * power)
    return max(width, Decimal(1)) if whole else width


def _label(low: Decimal, step: Decimal, whole: bool) -> str:
    if whole:
        high = low + step - 1
        return f"{low:f}" if step == 1 else f"{int(low)}\N{EN DASH}{int(high)}"
    return _("%(low)s to below %(high)s") % {"low": _plain(low), "high": _plain(low + step)}


def _plain(number: Decimal) -> str:
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _period(months: int, period: str) -> str:
    year, month = divmod(months, 12)
    if period == "year":
        return str(year)
    return f"{year} Q{month // 3 + 1}" if period == "quarter" else f"{year}-{month + 1:02}"
