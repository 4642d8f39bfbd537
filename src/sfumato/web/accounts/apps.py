"""The app."""

from typing import Any

from django.apps import AppConfig

__all__ = ["Accounts"]


class Accounts(AppConfig):
    """Users and the audit trail."""

    name = "sfumato.web.accounts"
    label = "accounts"

    def ready(self) -> None:
        """Note who signs in, and in which browser."""
        from allauth.account.signals import user_logged_in as let_in
        from django.contrib.auth.signals import user_logged_in

        from sfumato.web.accounts.sessions import remember_browser

        user_logged_in.connect(remember_browser, dispatch_uid="remember_browser")
        let_in.connect(_record, dispatch_uid="record_sign_in")


def _record(user: Any, **_: Any) -> None:
    from sfumato.web.accounts.models import Event

    Event.record(user, "sign in")
