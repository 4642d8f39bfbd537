"""What every template knows."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from sfumato import __version__
from sfumato.web.accounts.housekeeping import ANNOUNCED_DAYS
from sfumato.web.studies.pages import rail_of as study_rail
from sfumato.web.workbench.pages import rail_of

__all__ = ["everywhere"]


def everywhere(request: HttpRequest) -> dict[str, Any]:
    """The version, the kind of server, the theme, and the project or study whose page this is."""
    user = getattr(request, "user", None)
    project, role = getattr(request, "project", None), getattr(request, "role", "")
    study = getattr(request, "study", None)
    return {
        "sfumato_version": __version__,
        "team": settings.SFUMATO_TEAM,
        "theme": getattr(user, "theme", "") or "",
        "languages": settings.LANGUAGES,
        "ends_on": _ends_on(project or study),
        "project": project,
        "role": role,
        "rail": [] if project is None else rail_of(request, project, role),
        "study": study,
        "study_role": getattr(request, "study_role", ""),
        "grants": getattr(request, "grants", frozenset()),
        "study_rail": [] if study is None else study_rail(request, study),
    }


def _ends_on(project: Any) -> date | None:
    """The day on which the project or study is deleted, once that is announced."""
    if project is None or project.retention is None:
        return None
    announced = project.retention <= timezone.now().date() + timedelta(days=ANNOUNCED_DAYS)
    return project.retention if announced else None
