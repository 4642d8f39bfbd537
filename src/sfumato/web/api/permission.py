"""Who may call an operation: a token, or the session of a browser with its CSRF token; and the role in the project."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja.security import HttpBearer
from ninja.utils import check_csrf

from sfumato.web.accounts.access import project_page
from sfumato.web.accounts.models import Token, User

__all__ = ["Permission", "any_user", "member", "sender", "user_of_token", "viewer"]

_USED = timedelta(minutes=1)  # how exactly the last use of a token is known


def user_of_token(text: str) -> User | None:
    """The user whose token this is, if it has not expired."""
    now = timezone.now()
    valid = Q(expires=None) | Q(expires__gt=now)
    token = Token.objects.filter(valid, sha256=sha256(text.encode()).hexdigest(), user__is_active=True).first()
    if token is None:
        return None
    if token.used is None or now - token.used > _USED:
        Token.objects.filter(pk=token.pk).update(used=now)
    user: User = token.user
    return user


class Permission(HttpBearer):
    """A user with at least this role in the project that the address names; without a role, every user.

    session : whether the session of a browser is accepted in place of a token.  The operation finds the project in
    `request.project` and the role of the user in `request.role`.  What a user may not see is 404.
    """

    def __init__(self, role: str = "", *, session: bool = True) -> None:
        super().__init__()
        self.role, self.session = role, session
        self._enter = project_page(role)(_nothing) if role else None

    def __call__(self, request: HttpRequest) -> Any:
        """The user, or None."""
        user = super().__call__(request) or (_user_of_session(request) if self.session else None)
        if user is None:
            return None
        request.user = user
        if self._enter is not None:
            project_id = _uuid(request.resolver_match.kwargs["project_id"])
            if project_id is not None:  # otherwise the operation refuses what is no UUID
                self._enter(request, project_id)
        return user

    def authenticate(self, request: HttpRequest, token: str) -> User | None:  # noqa: ARG002
        """The user of a token."""
        return user_of_token(token)


def _user_of_session(request: HttpRequest) -> User | None:
    """The user who is signed in in the browser that sends this; a change needs the CSRF token."""
    if "Authorization" in request.headers or not request.user.is_authenticated or check_csrf(request) is not None:
        return None
    user: User = request.user
    return user


def _nothing(request: HttpRequest, project: Any) -> HttpResponse:  # noqa: ARG001
    """In place of a page: its decorator finds the project or refuses."""
    return HttpResponse()


def _uuid(text: object) -> UUID | None:
    try:
        return UUID(str(text))
    except ValueError:
        return None


any_user, viewer, member = Permission(), Permission("viewer"), Permission("member")
sender = Permission("member", session=False)
"""A member with a token; the CSRF token of a session is looked for in the body, which a large file must not fill."""
