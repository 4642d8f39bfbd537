"""Who may open a page.  Every view has one of these marks, and a test reads them.

anyone      without signing in
signed_in   every user
ita         IT administrators
project_page("viewer" | "member" | "owner")   people of a project with at least this role; for others the page is 404
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse

__all__ = ["ROLES", "anyone", "ita", "project_page", "role_in", "signed_in"]

View = Callable[..., HttpResponse]
ROLES = ("viewer", "member", "owner")
_SMALL = 2**20  # bytes; the room of a project is not counted for every form


def anyone(view: View) -> View:
    """A page that needs no sign-in."""
    marked = login_not_required(view)
    marked.role = "anyone"
    return marked


def signed_in(view: View) -> View:
    """A page for every user."""
    return _marked(view, "signed-in", lambda request: request.user.is_authenticated)


def ita(view: View) -> View:
    """A page for IT administrators."""
    return _marked(view, "ita", lambda request: request.user.is_authenticated and request.user.is_ita)


def project_page(role: str) -> Callable[[View], View]:
    """A page of a project, for people who have at least this role in it.

    The view gets the project in place of its id, and finds the role of the user in `request.role`.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, project_id: Any, *args: Any, **kwargs: Any) -> HttpResponse:
            project, request.role = role_in(request.user, project_id, role)
            request.project = project
            _require_room_for(request, project)
            return view(request, project, *args, **kwargs)

        guarded.role = role  # type: ignore[attr-defined]
        return guarded

    return decorate


def role_in(user: Any, project_id: Any, least: str) -> tuple[Any, str]:
    """A project and the role of a user in it; 404 without a role, or with a role below the least."""
    from sfumato.web.workbench.models import Project

    project = Project.visible_to(user).filter(id=project_id).first()
    role = None if project is None else project.role_of(user)
    if project is None or role is None or ROLES.index(role) < ROLES.index(least):
        raise Http404
    return project, role


def _require_room_for(request: HttpRequest, project: Any) -> None:
    """Refuse an upload for which the project has no room."""
    from sfumato.web.accounts.quotas import require_room

    length = request.META.get("CONTENT_LENGTH") or "0"
    if request.method == "POST" and length.isdecimal() and int(length) > _SMALL:
        require_room(project, int(length))


def _marked(view: View, role: str, allowed: Callable[[HttpRequest], bool]) -> View:
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not allowed(request):
            raise Http404
        return view(request, *args, **kwargs)

    guarded.role = role  # type: ignore[attr-defined]
    return guarded
