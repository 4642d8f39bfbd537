"""The second factor: authenticator app, passkey, recovery codes; views of allauth with our marks and templates."""

from __future__ import annotations

from typing import Any

from allauth.account.views import ReauthenticateView
from allauth.mfa.base.views import AuthenticateView
from allauth.mfa.base.views import ReauthenticateView as ReauthenticateByCode
from allauth.mfa.recovery_codes.views import GenerateRecoveryCodesView, ViewRecoveryCodesView
from allauth.mfa.totp.views import ActivateTOTPView, DeactivateTOTPView
from allauth.mfa.webauthn.views import (
    AddWebAuthnView,
    LoginWebAuthnView,
    ReauthenticateWebAuthnView,
    RemoveWebAuthnView,
)
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils.safestring import mark_safe

from sfumato.web.accounts.access import anyone, signed_in

__all__ = ["urlpatterns"]


class _App(ActivateTOTPView):
    """The picture of the key is part of the page: a data address would need an exception of the security policy."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """What the template needs."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        drawing = context["totp_svg"]
        return {**context, "picture": mark_safe(drawing[drawing.index("<svg") :])}


def _view(mark: Any, template: str, view: Any, **options: Any) -> Any:
    """A view of allauth with our template and mark, on a server of a team only."""
    shown = view.as_view(template_name=f"accounts/two_factor/{template}.html", **options)

    def team_only(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.SFUMATO_TEAM:
            raise Http404
        answer: HttpResponse = shown(request, *args, **kwargs)
        return answer

    return mark(team_only)


# the names are those under which allauth looks for these pages
urlpatterns = [
    path("sign-in/code/", _view(anyone, "authenticate", AuthenticateView), name="mfa_authenticate"),
    path("sign-in/passkey/", _view(anyone, "authenticate", LoginWebAuthnView), name="mfa_login_webauthn"),
    path("me/confirm/", _view(signed_in, "confirm", ReauthenticateView), name="account_reauthenticate"),
    path("me/confirm/code/", _view(signed_in, "confirm", ReauthenticateByCode), name="mfa_reauthenticate"),
    path(
        "me/confirm/passkey/",
        _view(signed_in, "confirm_passkey", ReauthenticateWebAuthnView),
        name="mfa_reauthenticate_webauthn",
    ),
    path("me/two-factor/app/", _view(signed_in, "app", _App), name="mfa_activate_totp"),
    path("me/two-factor/app/remove/", _view(signed_in, "remove", DeactivateTOTPView), name="mfa_deactivate_totp"),
    path("me/two-factor/passkey/", _view(signed_in, "passkey", AddWebAuthnView), name="mfa_add_webauthn"),
    path(
        "me/two-factor/passkey/<int:pk>/remove/",
        _view(signed_in, "remove", RemoveWebAuthnView, success_url="/me/"),
        name="mfa_remove_webauthn",
    ),
    path("me/two-factor/codes/", _view(signed_in, "codes", ViewRecoveryCodesView), name="mfa_view_recovery_codes"),
    path(
        "me/two-factor/codes/new/",
        _view(signed_in, "new_codes", GenerateRecoveryCodesView),
        name="mfa_generate_recovery_codes",
    ),
]
