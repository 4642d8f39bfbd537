"""Addresses of this page."""

from typing import Any

from django.urls import path

from sfumato.web.workbench.runs import views

urlpatterns: list[Any] = [
    path("", views.runs, name="runs"),
    path("<uuid:run_id>/", views.run, name="run"),
    path("<uuid:run_id>/rename/", views.rename, name="runs-rename"),
    path("<uuid:run_id>/delete/", views.delete, name="runs-delete"),
]
