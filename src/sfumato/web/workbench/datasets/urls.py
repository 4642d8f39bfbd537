"""Addresses of the dataset editor."""

from django.urls import path

from sfumato.web.workbench.datasets import (
    edit_views,
    exports,
    figure_views,
    generate_views,
    grid_views,
    new_views,
    row_views,
    version_views,
)

urlpatterns = [
    path("", grid_views.datasets, name="data"),
    path("new/", new_views.new, name="data-new"),
    path("new/<uuid:job_id>/", new_views.uploaded, name="data-uploaded"),
    path("generate/<slug:generator>/", generate_views.generate, name="data-generate"),
    path("generated/<uuid:job_id>/", generate_views.generated, name="data-generated"),
    path("<uuid:dataset_id>/", grid_views.dataset, name="data-edit"),
    path("<uuid:dataset_id>/do/", edit_views.do, name="data-do"),
    path("<uuid:dataset_id>/look/", edit_views.look, name="data-look"),
    path("<uuid:dataset_id>/row/", row_views.add_row, name="data-add-row"),
    path("<uuid:dataset_id>/row/<int:number>/", row_views.row, name="data-row"),
    path("<uuid:dataset_id>/save/", edit_views.save, name="data-save"),
    path("<uuid:dataset_id>/figures/", figure_views.figures, name="data-figures"),
    path("<uuid:dataset_id>/map.svg", figure_views.map_picture, name="data-map"),
    path("<uuid:dataset_id>/versions/", version_views.versions, name="data-versions"),
    path("<uuid:dataset_id>/versions/<uuid:version_id>/", version_views.version, name="data-version"),
    path("<uuid:dataset_id>/versions/<uuid:version_id>/restore/", version_views.restore, name="data-restore"),
    path("<uuid:dataset_id>/versions/<uuid:version_id>/export/", exports.export, name="data-export"),
    path("<uuid:dataset_id>/delete/", version_views.delete, name="data-delete"),
]
