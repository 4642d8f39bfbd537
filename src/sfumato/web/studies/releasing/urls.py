"""Addresses of releases, rehearsals and withdrawals."""

from typing import Any

from django.urls import path

from sfumato.web.studies.releasing import rehearsal_views, views, withdrawal_views

urlpatterns: list[Any] = [
    path("", views.release, name="study-release"),
    path("check/", views.preview, name="study-release-preview"),
    path("send/", views.send, name="study-release-send"),
    path("meter/", views.meter, name="study-release-meter"),
    path("snapshots/<uuid:snapshot_id>/", views.snapshot, name="study-release-snapshot"),
    path("rehearsal/", rehearsal_views.rehearsal, name="study-release-rehearse"),
    path("rehearsal/remove/", rehearsal_views.remove, name="study-release-rehearse-remove"),
    path("withdrawals/<uuid:entry_id>/", withdrawal_views.withdrawal, name="study-release-withdrawal"),
    path("withdrawals/<uuid:entry_id>/undo/", withdrawal_views.undo, name="study-release-withdrawal-undo"),
]
