"""Addresses of templates."""

from typing import Any

from django.urls import path

from sfumato.web.studies.form_templates import views

urlpatterns: list[Any] = [
    path("", views.templates, name="templates"),
    path("save/<uuid:study_id>/", views.save, name="template-save"),
    path("starter/<str:name>/", views.starter, name="template-starter"),
    path("starter/<str:name>/copy/", views.copy_starter, name="template-starter-copy"),
    path("<uuid:template_id>/", views.template, name="template"),
    path("<uuid:template_id>/change/", views.change, name="template-change"),
    path("<uuid:template_id>/add/", views.add, name="template-add"),
    path("<uuid:template_id>/question/<str:question_key>/", views.question, name="template-question"),
    path("<uuid:template_id>/copy/", views.copy, name="template-copy"),
    path("<uuid:template_id>/delete/", views.delete, name="template-delete"),
]
