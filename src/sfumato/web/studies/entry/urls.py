"""Addresses of a new entry."""

from typing import Any

from django.urls import path

from sfumato.web.studies.entry import views

urlpatterns: list[Any] = [
    path("", views.enter, name="study-enter"),
    path("save/", views.save_new, name="study-enter-save"),
    path("token/", views.token, name="study-enter-token"),
    path("worker.js", views.worker, name="study-enter-worker"),
]
