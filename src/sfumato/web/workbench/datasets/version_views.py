"""The history of a dataset: what changed in each version, look at an old one, restore it; delete the dataset."""

from __future__ import annotations

import shutil
import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import project_page
from sfumato.web.accounts.models import Event
from sfumato.web.workbench.datasets.exports import formats_of
from sfumato.web.workbench.datasets.grid import Grid
from sfumato.web.workbench.datasets.grid_views import window_context
from sfumato.web.workbench.models import Project, Version
from sfumato.web.workbench.versions import add_version

__all__ = ["delete", "restore", "version", "versions"]

_COMPARED = ("records", "persons", "visits", "items", "distinct_locations", "distinct_items", "mean_length")


@project_page("member")
def versions(request: HttpRequest, project: Project, dataset_id: Any) -> HttpResponse:
    """Every version with what changed, and its counts beside those of its parent."""
    chosen = get_object_or_404(project.datasets, pk=dataset_id)
    every = list(chosen.versions.select_related("parent", "by"))
    names = [name for name in _COMPARED if any(name in entry.profile.get("figures", {}) for entry in every)]
    rows = [(entry, _counts(entry, names)) for entry in every]
    context = {"dataset": chosen, "rows": rows, "names": ["rows", "columns", *names], "latest": chosen.latest}
    context |= {"formats": formats_of(chosen.kind), "command": f"sfumato describe {chosen.name}"}
    return render(request, "datasets/versions.html", context)


def _counts(version: Version, names: list[str]) -> list[tuple[Any, Any]]:
    """Counts of a version, each with the difference to its parent."""
    own, old = (_figures(entry, names) for entry in (version, version.parent))
    return [
        (value, None if before in (None, value) or value is None else round(value - before, 4))
        for value, before in zip(own, old, strict=True)
    ]


def _figures(version: Version | None, names: list[str]) -> list[Any]:
    if version is None:
        return [None] * (len(names) + 2)
    figures = version.profile.get("figures", {})
    return [version.rows, len(version.profile.get("columns", [])) or None, *(figures.get(name) for name in names)]


@project_page("member")
@never_cache
def version(request: HttpRequest, project: Project, dataset_id: Any, version_id: Any) -> HttpResponse:
    """The rows of an old version, to look at."""
    chosen = get_object_or_404(project.datasets, pk=dataset_id)
    old = get_object_or_404(chosen.versions, pk=version_id)
    context = {
        **window_context(Grid(old.path), old.reading, request.GET.get("row", "1")),
        "dataset": chosen,
        "version": old,
        "latest": chosen.latest,
    }
    return render(request, "datasets/version.html", context)


@project_page("member")
@require_POST
def restore(request: HttpRequest, project: Project, dataset_id: Any, version_id: Any) -> HttpResponse:
    """An old version becomes the newest one, as a copy; nothing is lost."""
    chosen = get_object_or_404(project.datasets, pk=dataset_id)
    old = get_object_or_404(chosen.versions, pk=version_id)
    file = f"versions/{uuid.uuid4()}.parquet"
    shutil.copyfile(old.path, project.folder / file)
    (project.folder / file).chmod(0o600)
    operation = {"verb": "restored", "steps": [f"version {old.number} restored"]}
    restored = add_version(
        chosen, file, old.reading, rows=old.rows, by=request.user, operation=operation, profile=old.profile
    )
    Event.record(request.user, "restore", f"version {restored.id}", project=project)
    messages.success(
        request,
        _("Version %(old)s is the newest again, as version %(new)s.") % {"old": old.number, "new": restored.number},
    )
    return redirect("data-versions", project.id, chosen.id)


@project_page("owner")
def delete(request: HttpRequest, project: Project, dataset_id: Any) -> HttpResponse:
    """Delete a dataset with all of its versions, edits and side knowledge, after a confirmation."""
    chosen = get_object_or_404(project.datasets, pk=dataset_id)
    if request.method != "POST":
        runs = project.runs.filter(version__dataset=chosen).count()
        return render(request, "datasets/delete.html", {"dataset": chosen, "runs": runs})
    name = chosen.id
    paths = [entry.path for entry in chosen.versions.all()]
    paths += [asset.path for asset in chosen.assets.exclude(file="")]
    paths += list((project.folder / "drafts").glob(f"{name}-*"))
    chosen.delete()
    for path in paths:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    Event.record(request.user, "delete", f"dataset {name}", project=project)
    messages.success(request, _("The dataset is deleted."))
    return redirect("data", project.id)
