"""Addresses of projects; each page of a project has a folder, whose module `urls` is included here."""

from django.urls import include, path

from sfumato.web.workbench.datasets.new_views import drop
from sfumato.web.workbench.examples import views as examples
from sfumato.web.workbench.pages import PAGES
from sfumato.web.workbench.projects import views as projects

urlpatterns = [
    path("new/", projects.new, name="project-new"),
    path("examples/", examples.examples, name="examples"),
    path("drop/", drop, name="data-drop"),
    path("<uuid:project_id>/", projects.project, name="project"),
    path("<uuid:project_id>/rename/", projects.rename, name="project-rename"),
    *(
        path(f"<uuid:project_id>/{page.address}/", include(f"sfumato.web.workbench.{page.folder}.urls"))
        for page in PAGES
    ),
]
