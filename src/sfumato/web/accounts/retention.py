"""The day on which a project or study is deleted, as a person types it."""

from __future__ import annotations

from datetime import date, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from sfumato.errors import ParameterError
from sfumato.web.accounts.housekeeping import ANNOUNCED_DAYS

__all__ = ["retention_day"]


def retention_day(text: str) -> date | None:
    """The day, None for an empty text; refused if it is not a day, or too soon to be announced."""
    try:
        day = date.fromisoformat(text) if text else None
    except ValueError:
        raise ParameterError(_("Give a day as 2031-12-31.")) from None
    if day is not None and day < timezone.now().date() + timedelta(days=ANNOUNCED_DAYS):
        sentence = _("Give a day at least %(days)s days from now, so that it can be announced.")
        raise ParameterError(sentence % {"days": ANNOUNCED_DAYS})
    return day
