"""Addresses of this page."""

from typing import Any

from django.urls import path

from sfumato.web.workbench.evaluation import downloads, run_page, views

urlpatterns: list[Any] = [
    path("", views.evaluate, name="evaluate"),
    path("form/", views.form_part, name="evaluate-form"),
    path("promise/", views.promise, name="evaluate-promise"),
    path("add/", views.add, name="evaluate-add"),
    path("add/<uuid:run_id>/", views.add_run, name="evaluate-add-run"),
    path("runs/<uuid:run_id>/rows/", run_page.rows, name="evaluate-rows"),
    path("runs/<uuid:run_id>/varying/", run_page.varying, name="evaluate-varying"),
    path("runs/<uuid:run_id>/attribute/", run_page.attribute, name="evaluate-attribute"),
    path("runs/<uuid:run_id>/chart/", downloads.chart, name="evaluate-chart"),
    path("runs/<uuid:run_id>/keep/<int:number>/", run_page.keep, name="evaluate-keep"),
]
