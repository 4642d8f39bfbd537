"""Addresses of advice."""

from typing import Any

from django.urls import path

from sfumato.web.workbench.advising import views

urlpatterns: list[Any] = [
    path("", views.advise, name="advise"),
    path("run/", views.run_advice, name="advise-run"),
    path("<uuid:run_id>/take/", views.take, name="advise-take"),
]
