"""Single sign-on by OpenID Connect."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView, OAuth2LoginView
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import anyone, signed_in
from sfumato.web.interface.failures import page_of

__all__ = ["begin", "callback", "connect", "disconnect"]


@anyone
@require_POST
def begin(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Send the browser to the identity provider."""
    return _onward(request, provider_id)


@signed_in
@require_POST
def connect(request: HttpRequest) -> HttpResponse:
    """Connect the account of the user with one of the identity provider."""
    request.GET = request.GET.copy()
    request.GET["process"] = "connect"
    return _onward(request, settings.SFUMATO_OIDC_PROVIDER)


@signed_in
@require_POST
def disconnect(request: HttpRequest, account_id: int) -> HttpResponse:
    """Take the connection away, if the user can still sign in with a password."""
    from allauth.socialaccount.models import SocialAccount

    account = SocialAccount.objects.filter(user=request.user, pk=account_id).first()
    if account is None:
        raise Http404
    if not request.user.has_usable_password():
        return page_of(request, 422, _("Set a password first; otherwise you could not sign in any more."))
    account.delete()
    return redirect("me")


@anyone
def callback(request: HttpRequest, provider_id: str) -> HttpResponse:
    """What the identity provider answers."""
    try:
        view = OAuth2CallbackView.adapter_view(OpenIDConnectOAuth2Adapter(request, _known(provider_id)))
        answer: HttpResponse = view(request)
    except SocialApp.DoesNotExist as error:
        raise Http404 from error
    return answer


def _onward(request: HttpRequest, provider_id: str) -> HttpResponse:
    """A page that leads to the identity provider.

    A redirect as the answer to a form would need its address in the content security policy, and those of all pages to
    which it redirects in turn.
    """
    view = OAuth2LoginView.adapter_view(OpenIDConnectOAuth2Adapter(request, _known(provider_id)))
    try:
        answer: Any = view(request)
    except (OSError, ValueError, KeyError):  # no connection, or an answer that is not a description of a provider
        answer = None
    if answer is None or answer.status_code != 302 or answer.url.startswith("/"):
        return page_of(request, 502, _("The identity provider does not answer. Try again later."))
    host = urlsplit(answer.url).hostname
    return render(request, "accounts/onward.html", {"target": answer.url, "host": host, "back": reverse("sign-in")})


def _known(provider_id: str) -> str:
    if not (settings.SFUMATO_TEAM and settings.SFUMATO_OIDC_ISSUER) or provider_id != settings.SFUMATO_OIDC_PROVIDER:
        raise Http404
    return provider_id
