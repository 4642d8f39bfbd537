"""Addresses of the configuration editor."""

from django.urls import path

from sfumato.web.workbench.configuration import adding, asset_pages, policy_pages, row_pages, tree_pages, views

urlpatterns = [
    path("", views.overview, name="config"),
    path("<uuid:dataset_id>/add/<slug:kind>/", adding.add, name="config-add"),
    path("<uuid:dataset_id>/add/<slug:kind>/<int:number>/", adding.add, name="config-add-column"),
    path("asset/<uuid:asset_id>/", asset_pages.asset, name="config-asset"),
    path("asset/<uuid:asset_id>/save/", asset_pages.save_changes, name="config-save"),
    path("asset/<uuid:asset_id>/undo/", asset_pages.undo_change, name="config-undo"),
    path("asset/<uuid:asset_id>/discard/", asset_pages.discard_changes, name="config-discard"),
    path("asset/<uuid:asset_id>/use/", asset_pages.use, name="config-use"),
    path("asset/<uuid:asset_id>/leave-out/", asset_pages.leave_out, name="config-leave-out"),
    path("asset/<uuid:asset_id>/download/<slug:form>/", asset_pages.download, name="config-download"),
    path("asset/<uuid:asset_id>/branch/", tree_pages.branch, name="config-branch"),
    path("asset/<uuid:asset_id>/node/", tree_pages.node, name="config-node"),
    path("asset/<uuid:asset_id>/find/", tree_pages.find, name="config-find"),
    path("asset/<uuid:asset_id>/edit-tree/", tree_pages.edit, name="config-edit-tree"),
    path("asset/<uuid:asset_id>/edit-rows/", row_pages.edit, name="config-edit-rows"),
    path("asset/<uuid:asset_id>/edit-policy/", policy_pages.edit, name="config-edit-policy"),
    path("asset/<uuid:asset_id>/check/", policy_pages.check, name="config-check"),
]
