"""Addresses of studies; each page of a study has a folder, whose module `urls` is included here."""

from django.urls import include, path

from sfumato.web.studies.examples import views as examples
from sfumato.web.studies.overview import views as overview
from sfumato.web.studies.pages import PAGES

urlpatterns = [
    path("s/new/", overview.new, name="study-new"),
    path("s/example/", examples.example, name="study-example"),
    path("s/<uuid:study_id>/", overview.study, name="study"),
    path("s/<uuid:study_id>/state/", overview.state, name="study-state"),
    *(path(f"s/<uuid:study_id>/{page.address}/", include(f"sfumato.web.studies.{page.folder}.urls")) for page in PAGES),
    path("lists/", include("sfumato.web.studies.choice_lists.urls")),
    path("templates/", include("sfumato.web.studies.form_templates.urls")),
]
