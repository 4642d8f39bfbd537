"""Addresses of audits and attacks."""

from typing import Any

from django.urls import path

from sfumato.web.workbench.auditing import audit_page, views

urlpatterns: list[Any] = [
    path("", views.audit, name="audit"),
    path("run/", views.run_audit, name="audit-run"),
    path("attack/", views.attack, name="audit-attack"),
    path("persons/<uuid:run_id>/", audit_page.persons, name="audit-persons"),
]
