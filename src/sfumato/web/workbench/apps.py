"""The app."""

from django.apps import AppConfig

__all__ = ["Workbench"]


class Workbench(AppConfig):
    """Projects and what is in them."""

    name = "sfumato.web.workbench"
    label = "workbench"
