"""Addresses of the chart tool."""

from django.urls import path

from sfumato.web.studies.charting import share_views, views

urlpatterns = [
    path("", views.chart, name="study-chart"),
    path("save/", views.save_view, name="study-chart-save"),
    path("download/", views.download, name="study-chart-download"),
    path("view/<uuid:view_id>/", views.open_view, name="study-chart-view"),
    path("view/<uuid:view_id>/delete/", views.delete_view, name="study-chart-delete"),
    path("share/", share_views.share_chart, name="study-chart-share"),
    path("shared/", share_views.shared, name="study-chart-shared"),
    path("shared/<uuid:chart_id>/", share_views.shared_file, name="study-chart-shared-file"),
]
