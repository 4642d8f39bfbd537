"""Sign in by password, or by the one-time link of a server for one person; sign out; choose the language."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import perform_password_login
from allauth.account.models import Login
from django.conf import settings
from django.contrib.auth import login, logout
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import anyone, signed_in
from sfumato.web.accounts.models import Event
from sfumato.web.accounts.one_time_links import use_link
from sfumato.web.accounts.sign_in.client_certificates import fingerprint_of

__all__ = ["inside", "language", "leave", "page", "start"]


@anyone
@sensitive_post_parameters("password")
def page(request: HttpRequest) -> HttpResponse:
    """The form; a wrong name, a wrong password and a closed account look alike."""
    if not settings.SFUMATO_TEAM:
        return render(request, "accounts/link_used.html", status=403 if request.method == "POST" else 200)
    if request.user.is_authenticated:
        return redirect("home")
    if request.htmx:  # a part of a page whose session has ended: the whole page leads here
        return HttpResponse(headers={"HX-Refresh": "true"})
    sentence = ""
    target = inside(request, request.POST.get("next") or request.GET.get("next") or "")
    if request.method == "POST":
        credentials = {"username": request.POST.get("username", ""), "password": request.POST.get("password", "")}
        try:
            user = get_adapter(request).authenticate(request, **credentials)
        except ValidationError:
            user, sentence = None, _("Too many attempts failed. Wait five minutes, then try again.")
        if user is not None and user.is_active:
            answer: HttpResponse = perform_password_login(
                request, credentials, Login(user=user, redirect_url=target or "/")
            )
            return answer
        sentence = sentence or _("The name or the password is wrong.")
    context = {
        "sentence": sentence,
        "next": target,
        "certificate": bool(fingerprint_of(request)),
        "single_sign_on": bool(settings.SFUMATO_OIDC_ISSUER),
        "provider": settings.SFUMATO_OIDC_PROVIDER,
        "single_sign_on_name": settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"][0]["name"]
        if settings.SFUMATO_OIDC_ISSUER
        else "",
    }
    return render(request, "accounts/sign_in.html", context, status=403 if sentence else 200)


@anyone
def start(request: HttpRequest, token: str) -> HttpResponse:
    """The link that `sfumato serve` opens: it signs in once."""
    user = None if settings.SFUMATO_TEAM else use_link(token)
    if user is None:
        raise Http404
    login(request, user)
    return redirect("home")


@signed_in
@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    """Sign out."""
    Event.record(request.user, "sign out")
    logout(request)
    answer = redirect("sign-in")
    answer.headers["Clear-Site-Data"] = '"storage"'  # answers of studies that wait in this browser
    return answer


@anyone
@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Show pages in another language, remembered by the account or, before signing in, by the browser."""
    chosen = request.POST.get("language", "")
    if chosen not in dict(settings.LANGUAGES):
        raise Http404
    if request.user.is_authenticated:
        request.user.language = chosen
        request.user.save(update_fields=["language"])
    answer = redirect(inside(request, request.POST.get("next", "")) or "/")
    answer.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        chosen,
        max_age=365 * 86400,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return answer


def inside(request: HttpRequest, target: str) -> str:
    """The address, if it is one of this server; otherwise an empty text."""
    return target if url_has_allowed_host_and_scheme(target, {request.get_host()}, request.is_secure()) else ""
