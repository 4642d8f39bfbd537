"""Addresses of the queries editor."""

from django.urls import path

from sfumato.web.workbench.queries import views, workload_pages

urlpatterns = [
    path("", views.overview, name="queries"),
    path("<uuid:dataset_id>/new/", views.new, name="queries-new"),
    path("workload/<uuid:asset_id>/", workload_pages.workload, name="queries-workload"),
    path("workload/<uuid:asset_id>/edit/", workload_pages.edit, name="queries-edit"),
    path("workload/<uuid:asset_id>/save/", workload_pages.save_changes, name="queries-save"),
    path("workload/<uuid:asset_id>/undo/", workload_pages.undo_change, name="queries-undo"),
    path("workload/<uuid:asset_id>/discard/", workload_pages.discard_changes, name="queries-discard"),
    path("workload/<uuid:asset_id>/use/", workload_pages.use, name="queries-use"),
    path("workload/<uuid:asset_id>/count/", workload_pages.count, name="queries-count"),
    path("workload/<uuid:asset_id>/default/", views.use_by_default, name="queries-default"),
    path("workload/<uuid:asset_id>/leave-out/", views.leave_out, name="queries-leave-out"),
    path("workload/<uuid:asset_id>/download/", views.download, name="queries-download"),
]
