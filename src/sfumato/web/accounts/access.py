"""Who may open a page.  Every view has one of these marks, and a test reads them.

anyone      without signing in
signed_in   every user
ita         IT administrators
project_page("viewer" | "member" | "owner")   people of a project with at least this role; for others the page is 404
study_page("participant" | "inspector" | "administrator", grant=...)   people of a study, likewise
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from sfumato.web.accounts.rates import too_often
from sfumato.web.interface.failures import page_of

__all__ = [
    "ROLES",
    "STUDY_ROLES",
    "anyone",
    "ita",
    "leads_studies",
    "project_page",
    "role_in",
    "signed_in",
    "study_page",
    "study_role_in",
]

View = Callable[..., HttpResponse]
ROLES = ("viewer", "member", "owner")
STUDY_ROLES = ("participant", "inspector", "administrator")
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


def leads_studies(view: View) -> View:
    """A page for study administrators, and IT administrators."""
    return _marked(
        view,
        "leads-studies",
        lambda request: request.user.is_authenticated and (request.user.leads_studies or request.user.is_ita),
    )


def study_page(role: str, *, grant: str = "") -> Callable[[View], View]:
    """A page of a study, for people who have at least this role in it; a participant also needs the grant.

    The view gets the study in place of its id, and finds the role of the user in `request.study_role`, the grants of a
    participant in `request.grants`.  An IT administrator is an inspector while a reason that the study sees is valid.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, study_id: Any, *args: Any, **kwargs: Any) -> HttpResponse:
            request.study, request.study_role, request.grants = study_role_in(request.user, study_id, role, grant)
            if request.method == "POST" and too_often(request.user):
                return _slower(request)
            return view(request, request.study, *args, **kwargs)

        guarded.role = role  # type: ignore[attr-defined]
        guarded.grant = grant  # type: ignore[attr-defined]
        return guarded

    return decorate


def _slower(request: HttpRequest) -> HttpResponse:
    sentence = _("You sent more in a minute than this server takes. Nothing of this was kept; wait a minute.")
    answer = page_of(request, 429, sentence)
    answer["Retry-After"] = "60"
    return answer


def study_role_in(user: Any, study_id: Any, least: str, grant: str = "") -> tuple[Any, str, frozenset[str]]:
    """A study, the role of a user in it, and the grants; 404 without them."""
    from sfumato.web.studies.models import Membership, Study

    study = Study.visible_to(user).filter(id=study_id).first()
    role = None if study is None else study.role_of(user)
    if study is None or role is None or STUDY_ROLES.index(role) < STUDY_ROLES.index(least):
        raise Http404
    grants = frozenset(Membership.GRANTS)
    if role == "participant":
        grants &= set(study.memberships.get(user=user).grants)
    if grant and grant not in grants:
        raise Http404
    return study, role, grants


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
