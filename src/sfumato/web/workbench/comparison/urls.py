"""Addresses of comparisons."""

from django.urls import path

from sfumato.web.workbench.comparison import downloads, run_page, views

urlpatterns = [
    path("", views.compare, name="compare"),
    path("new/", views.configuration, name="compare-new"),
    path("fields/", views.fields, name="compare-fields"),
    path("list/<uuid:identity>/", views.configuration, name="compare-edit"),
    path("<uuid:run_id>/part/", run_page.part, name="compare-part"),
    path("<uuid:run_id>/continue/", run_page.go_on, name="compare-continue"),
    path("<uuid:run_id>/keep/", run_page.keep, name="compare-keep"),
    path("<uuid:run_id>/chart/", downloads.chart, name="compare-chart"),
    path("<uuid:run_id>/charts/", downloads.charts, name="compare-charts"),
    path("<uuid:run_id>/table/", downloads.table, name="compare-table"),
    path("<uuid:run_id>/report/", downloads.report, name="compare-report"),
    path("<uuid:run_id>/archive/", downloads.archive, name="compare-archive"),
]
