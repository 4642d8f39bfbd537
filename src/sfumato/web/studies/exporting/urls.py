"""Addresses of export and import."""

from django.urls import path

from sfumato.web.studies.exporting import form_views, import_views, views

urlpatterns = [
    path("", views.export, name="study-export"),
    path("download/", views.download, name="study-export-download"),
    path("codebook/", views.codebook_page, name="study-export-codebook"),
    path("codebook/csv/", views.codebook_csv, name="study-export-codebook-csv"),
    path("xlsform/", views.xlsform_file, name="study-export-xlsform"),
    path("import/", import_views.import_page, name="study-export-import"),
    path("form/", form_views.form_page, name="study-export-form"),
]
