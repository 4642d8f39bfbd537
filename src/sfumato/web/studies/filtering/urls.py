"""Addresses of this page."""

from django.urls import path

from sfumato.web.studies.filtering import saved, views

urlpatterns = [
    path("", views.filter_page, name="study-filter"),
    path("part/", views.part, name="study-filter-part"),
    path("count/", views.count, name="study-filter-count"),
    path("values/", views.values, name="study-filter-values"),
    path("save/", saved.save, name="study-filter-save"),
    path("views/<uuid:view_id>/", saved.open_view, name="study-filter-view"),
    path("views/<uuid:view_id>/rename/", saved.rename, name="study-filter-rename"),
    path("views/<uuid:view_id>/delete/", saved.delete, name="study-filter-delete"),
]
