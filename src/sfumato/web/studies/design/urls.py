"""Addresses of the platform builder."""

from typing import Any

from django.urls import path

from sfumato.web.studies.design import (
    branching_table,
    builder,
    changes_page,
    preview,
    question_panel,
    study_settings,
    wizard,
)

urlpatterns: list[Any] = [
    path("", builder.builder, name="study-design"),
    path("edit/", builder.edit, name="study-design-edit"),
    path("find/", builder.find, name="study-design-find"),
    path("question/<str:question_key>/", question_panel.question, name="study-design-question"),
    path("branching/", branching_table.branching, name="study-design-branching"),
    path("changes/", changes_page.changes, name="study-design-changes"),
    path("preview/", preview.preview, name="study-design-preview"),
    path("preview/form/", preview.preview_form, name="study-design-preview-form"),
    path("settings/", study_settings.study_settings, name="study-design-settings"),
    path("start/", wizard.start, name="study-design-start"),
    path("start/template/", wizard.templates, name="study-design-template"),
    path("start/people/", wizard.centres, name="study-design-people"),
]
