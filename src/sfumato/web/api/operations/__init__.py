"""The operations, by what they are about."""

from sfumato.web.api.operations import assets, catalogue, datasets, jobs, projects, releases, runs, verbs

__all__ = ["ROUTERS"]

ROUTERS = (
    projects.router,
    datasets.router,
    assets.router,
    catalogue.router,
    verbs.router,
    runs.router,
    releases.router,
    jobs.router,
)
