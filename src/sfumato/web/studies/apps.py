"""The app of studies, as Django knows it."""

from django.apps import AppConfig

__all__ = ["Studies"]


class Studies(AppConfig):
    """Studies of several centres."""

    name = "sfumato.web.studies"
    label = "studies"
