"""Addresses of what can be taken away."""

from django.urls import path

from sfumato.web.workbench.exporting import views

urlpatterns = [
    path("", views.export, name="export"),
    path("data/<uuid:version_id>/", views.dataset, name="export-data"),
    path("asset/<uuid:asset_id>/", views.asset, name="export-asset"),
    path("release/<uuid:release_id>/", views.release, name="export-release"),
    path("project/", views.project_archive, name="export-project"),
]
