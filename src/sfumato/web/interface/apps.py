"""The app."""

from django.apps import AppConfig

__all__ = ["Interface"]


class Interface(AppConfig):
    """Templates, style and scripts."""

    name = "sfumato.web.interface"
    label = "interface"
