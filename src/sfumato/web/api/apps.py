"""The app."""

from django.apps import AppConfig

__all__ = ["Api"]


class Api(AppConfig):
    """The JSON interface."""

    name = "sfumato.web.api"
    label = "api"
