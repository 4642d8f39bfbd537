"""Addresses of entries."""

from typing import Any

from django.urls import path

from sfumato.web.studies.entries import history_views, pair_views, views

urlpatterns: list[Any] = [
    path("", views.entries, name="study-entries"),
    path("deleted/", history_views.deleted, name="study-entries-deleted"),
    path("pairs/", pair_views.pairs, name="study-entries-pairs"),
    path("pairs/<uuid:entry_id>/", pair_views.pair, name="study-entries-pair"),
    path("<uuid:entry_id>/", views.entry, name="study-entry"),
    path("<uuid:entry_id>/save/", views.save_entry, name="study-entry-save"),
    path("<uuid:entry_id>/history/", history_views.history, name="study-entry-history"),
    path("<uuid:entry_id>/note/", history_views.note, name="study-entry-note"),
    path("<uuid:entry_id>/conflicts/", history_views.conflicts, name="study-entry-conflicts"),
    path("<uuid:entry_id>/restore-episode/", history_views.restore_episode, name="study-entry-restore-episode"),
    path("<uuid:entry_id>/delete/", history_views.delete, name="study-entry-delete"),
    path("<uuid:entry_id>/restore/", history_views.restore, name="study-entry-restore"),
]
