"""The app."""

from django.apps import AppConfig

__all__ = ["Jobs"]


class Jobs(AppConfig):
    """Long work."""

    name = "sfumato.web.jobs"
    label = "jobs"
