"""Limits of jobs, from the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping

from sfumato.errors import ParameterError

__all__ = ["job_limits", "whole_number"]

_SHARE = 0.8  # of the memory of the machine, if no limit is given
_SECONDS = 24 * 3600


def whole_number(environment: Mapping[str, str], name: str, default: int) -> int:
    """The value of a variable: a whole number of at least 1.

    >>> whole_number({"DAYS": "7"}, "DAYS", 30), whole_number({}, "DAYS", 30)
    (7, 30)
    """
    text = environment.get(name, "")
    if not text:
        return default
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise ParameterError(f"{name}: wanted a whole number of at least 1, found another value")
    return int(text)


def job_limits(environment: Mapping[str, str]) -> dict[str, int]:
    """The memory in bytes and the seconds that a job may use.

    >>> job_limits({"SFUMATO_JOB_MEMORY_MB": "512", "SFUMATO_JOB_SECONDS": "60"})
    {'seconds': 60, 'memory': 536870912}
    """
    limits = {"seconds": whole_number(environment, "SFUMATO_JOB_SECONDS", _SECONDS)}
    memory = whole_number(environment, "SFUMATO_JOB_MEMORY_MB", 0) << 20 or int(_SHARE * _machine())
    return {**limits, "memory": memory} if memory else limits


def _machine() -> int:
    """The bytes of memory of this machine; 0 where the system does not say."""
    names = getattr(os, "sysconf_names", {})
    if "SC_PHYS_PAGES" not in names or "SC_PAGE_SIZE" not in names:
        return 0
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
