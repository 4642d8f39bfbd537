"""Addresses of the ledger."""

from typing import Any

from django.urls import path

from sfumato.web.workbench.ledger import views

urlpatterns: list[Any] = [
    path("", views.ledger, name="ledger"),
    path("plan/", views.plan, name="ledger-plan"),
]
