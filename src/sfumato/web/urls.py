"""Every address of the server; each app has a module of its own addresses."""

from django.urls import include, path

from sfumato.web.serving import health
from sfumato.web.workbench.projects import views as projects

urlpatterns = [
    path("", projects.home, name="home"),
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("", include("sfumato.web.interface.urls")),
    path("", include("sfumato.web.accounts.urls")),
    path("api/", include("sfumato.web.api.urls")),
    path("jobs/", include("sfumato.web.jobs.urls")),
    path("p/", include("sfumato.web.workbench.urls")),
    path("", include("sfumato.web.studies.urls")),
]
handler404 = "sfumato.web.interface.failures.not_found"
handler500 = "sfumato.web.interface.failures.broken"
handler403 = "sfumato.web.interface.failures.forbidden"
handler400 = "sfumato.web.interface.failures.bad_request"
