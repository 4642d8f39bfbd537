"""How often a person may send something to the pages of studies; counted by each web process for itself, in memory."""

from __future__ import annotations

import time
from typing import Any

from django.conf import settings
from django.core.cache import caches

__all__ = ["too_often"]

_SECONDS = 60


def too_often(user: Any) -> bool:
    """Count a request of a user; whether it is beyond what a minute allows."""
    minute = int(time.time()) // _SECONDS
    counts, key = caches["counts"], f"study-{user.pk}-{minute}"
    counts.add(key, 0, 2 * _SECONDS)
    try:
        return bool(counts.incr(key) > settings.SFUMATO_STUDY_RATE)
    except ValueError:  # forgotten at this moment, because there are many
        return False
