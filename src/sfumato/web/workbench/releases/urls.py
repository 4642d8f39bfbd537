"""Addresses of releases."""

from typing import Any

from django.urls import path

from sfumato.web.workbench.releases import downloads, views

urlpatterns: list[Any] = [
    path("", views.releases, name="releases"),
    path("make/<uuid:run_id>/", views.make, name="releases-make"),
    path("<uuid:release_id>/", views.release, name="release"),
    path("<uuid:release_id>/publish/", views.publish, name="release-publish"),
    path("<uuid:release_id>/verify/", views.verify, name="release-verify"),
    path("<uuid:release_id>/report/", views.report, name="release-report"),
    path("<uuid:release_id>/withdraw/", views.withdraw, name="release-withdraw"),
    path("<uuid:release_id>/sign/", views.sign, name="release-sign"),
    path("<uuid:release_id>/signer/", downloads.signer, name="release-signer"),
    path("<uuid:release_id>/discard/", views.discard, name="release-discard"),
    path("<uuid:release_id>/zip/", downloads.archive, name="release-zip"),
    path("<uuid:release_id>/board-report/", downloads.board_report, name="release-board-report"),
]
